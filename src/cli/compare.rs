//! `sokolab compare`: the values of one column against a baseline.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;
use crate::report;
use crate::report::compare::{AxisComparison, Line, compare, varied};
use crate::report::data::{Axis, Dataset};
use crate::report::effect::{self, Effect, MEASURES};
use crate::report::quantity::Unit;

/// Levels on which a value costs most that are listed.
const MOST_COSTS: usize = 10;

/// Say what each value of a column saves or costs against a baseline: states, time, memory
///
/// Ratios (value / baseline) are taken per level, on levels that both answered, and summarised by their geometric mean with a
/// 95 % interval. p is that of the signed-rank test, corrected for the number of tests by Holm: small if the difference is
/// more than chance. Without --vary the columns that can be compared are listed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directories, each with a runs.csv; their rows are compared together
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,

    /// Column whose values are compared [default: list the columns that vary, with their values]
    #[arg(long, value_name = "COLUMN", value_parser = Axis::ALL.map(Axis::name))]
    vary: Option<String>,

    /// Value that the others are compared with [default: the one that does least]
    #[arg(long, value_name = "VALUE", requires = "vary")]
    baseline: Option<String>,
}

/// Prints the comparison, or what can be compared.
///
/// # Errors
/// If there are no rows, or nothing to compare.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let rows = report::read(&args.directories).map_err(super::report::failure)?;
    let data = Dataset::new(rows);
    match &args.vary {
        None => list(args, &data),
        Some(name) => {
            let mut axes = Axis::ALL.into_iter();
            let axis = axes
                .find(|axis| axis.name() == name)
                .expect("the parser takes no other names");
            against_baseline(args, &data, axis)
        }
    }
}

/// What varies in these rows.
fn list(args: &Args, data: &Dataset) -> Result<Exit, Failure> {
    let varied = varied(data);
    let Some((first, _)) = varied.first() else {
        return Err(Failure::usage(
            "no column varies: all rows have one configuration, and there is nothing to compare it with",
        ));
    };
    let mut rows = vec![["column", "values"].map(str::to_owned)];
    rows.extend(
        varied
            .iter()
            .map(|(axis, values)| [axis.name().to_owned(), values.join(", ")]),
    );
    terminal::print(&terminal::table("", &rows))?;
    let directories: Vec<String> = args
        .directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    let (directories, first) = (directories.join(" "), first.name());
    tell!("next: sokolab compare {directories} --vary {first}");
    Ok(Exit::Success)
}

fn against_baseline(args: &Args, data: &Dataset, axis: Axis) -> Result<Exit, Failure> {
    let comparison = compare(data, axis, args.baseline.as_deref()).map_err(Failure::usage)?;
    terminal::print(&text(axis, &comparison))?;
    for value in &comparison.unpaired {
        tell!(
            "note: {value} is left out: no configuration was run both with it and with {}",
            comparison.baseline
        );
    }
    let first = args.directories[0].display();
    tell!("next: sokolab report {first}");
    Ok(Exit::Success)
}

fn text(axis: Axis, comparison: &AxisComparison) -> String {
    let mut text = format!(
        "{}: against {:?}, per level that both answered\n",
        axis.name(),
        comparison.baseline
    );
    for (index, measure) in MEASURES.iter().enumerate() {
        text.push_str(&format!("\n{}\n", measure.name));
        text.push_str(&table(axis, &comparison.lines, index));
    }
    text.push_str(&notes(comparison));
    if comparison.costs.is_empty() {
        text.push_str("\nno level takes longer than at the baseline\n");
        return text;
    }
    text.push_str("\nlonger than at the baseline\n");
    for cost in comparison.costs.iter().take(MOST_COSTS) {
        let (value, level) = (&cost.value, &cost.instance);
        let ratio = Unit::Ratio.format(cost.ratio);
        text.push_str(&format!(
            "  {}#{}: {ratio} times at {value}\n",
            level.file, level.level
        ));
    }
    if let more @ 1.. = comparison.costs.len().saturating_sub(MOST_COSTS) {
        text.push_str(&format!("  and {more} more\n"));
    }
    text
}

/// What the columns mean.
fn notes(comparison: &AxisComparison) -> String {
    let of_all = comparison.of_all.note("over all configurations");
    let mut notes = vec![effect::NOTE.to_owned(), of_all];
    if comparison.of_single.tests > 0 {
        notes.push(comparison.of_single.note("of single configurations"));
    }
    let notes: String = notes.iter().map(|note| terminal::wrapped(note)).collect();
    format!("\n{notes}")
}

/// One measure, columns aligned.
fn table(axis: Axis, lines: &[Line], measure: usize) -> String {
    let [n, ratio, interval, sides, p] = effect::HEADINGS;
    let headings = [
        axis.name(),
        "configuration",
        "answered",
        n,
        ratio,
        interval,
        sides,
        p,
    ];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(lines.iter().map(|line| cells(line, line.effects[measure])));
    terminal::table("  ", &rows)
}

fn cells(line: &Line, effect: Option<Effect>) -> [String; 8] {
    let [(before, of), (after, out_of)] = line.answered;
    let [n, ratio, interval, sides, p] = effect::cells(effect);
    let configuration = line.configuration.clone();
    [
        line.value.clone(),
        configuration.unwrap_or_else(|| "all".to_owned()),
        format!("{before}/{of} -> {after}/{out_of}"),
        n,
        ratio,
        interval,
        sides,
        p,
    ]
}
