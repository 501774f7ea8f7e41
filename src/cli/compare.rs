//! `sokolab compare`: the values of one column against a baseline.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;
use crate::report;
use crate::report::compare::{AxisComparison, Effect, Line, MEASURES, compare};
use crate::report::data::{Axis, Dataset};
use crate::report::quantity::Unit;

/// Levels on which a value costs most that are listed.
const MOST_COSTS: usize = 10;

/// Say what each value of a column saves or costs against a baseline: states, time, memory
///
/// Ratios (value / baseline) are taken per level, on levels that both answered, and summarised by their geometric mean with a
/// 95 % interval. p is that of the signed-rank test, corrected for the number of tests: small if the difference is
/// more than chance.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directories, each with a runs.csv; their rows are compared together
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,

    /// Column whose values are compared
    #[arg(long, value_name = "COLUMN", value_parser = Axis::ALL.map(Axis::name))]
    vary: String,

    /// Value that the others are compared with [default: the one that does least]
    #[arg(long, value_name = "VALUE")]
    baseline: Option<String>,
}

/// Prints the comparison.
///
/// # Errors
/// If there are no rows, or nothing to compare.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let rows = report::read(&args.directories).map_err(super::report::failure)?;
    let mut axes = Axis::ALL.into_iter();
    let axis = axes
        .find(|axis| axis.name() == args.vary)
        .expect("the parser takes no other names");
    let data = Dataset::new(rows);
    let comparison = compare(&data, axis, args.baseline.as_deref()).map_err(Failure::usage)?;
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

/// One measure, columns aligned.
fn table(axis: Axis, lines: &[Line], measure: usize) -> String {
    let headings = [
        axis.name(),
        "configuration",
        "answered",
        "levels",
        "ratio",
        "95 % interval",
        "less/equal/more",
        "p",
    ];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(lines.iter().map(|line| cells(line, line.effects[measure])));
    terminal::table("  ", &rows)
}

fn cells(line: &Line, effect: Option<Effect>) -> [String; 8] {
    let [(before, of), (after, out_of)] = line.answered;
    let configuration = line
        .configuration
        .clone()
        .unwrap_or_else(|| "all".to_owned());
    let answered = format!("{before}/{of} -> {after}/{out_of}");
    let dash = || "-".to_owned();
    let Some(effect) = effect else {
        let value = line.value.clone();
        return [
            value,
            configuration,
            answered,
            "0".to_owned(),
            dash(),
            dash(),
            dash(),
            dash(),
        ];
    };
    let ratio = |ratio| Unit::Ratio.format(ratio);
    let interval = effect.ratio.interval;
    let (less, equal, more) = effect.less_equal_more;
    [
        line.value.clone(),
        configuration,
        answered,
        effect.ratio.instances.to_string(),
        ratio(effect.ratio.mean),
        interval.map_or_else(dash, |it| {
            format!("{} to {}", ratio(it.low), ratio(it.high))
        }),
        format!("{less}/{equal}/{more}"),
        effect.p.map_or_else(dash, p_value),
    ]
}

/// Small ones are not told apart: they say the same.
fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}
