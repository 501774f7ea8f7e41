//! `sokolab diff`: what has changed between two sets of results.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;
use crate::experiment::manifest::{Manifest, incomparable};
use crate::experiment::{Row, peek_rows};
use crate::report::diff::{Difference, Kind, Line, difference};
use crate::report::statistics::Center;

/// Changed runs that are listed; the others are counted.
const MOST_CHANGES: usize = 50;

/// Say what has changed between two sets of results of the same questions
///
/// Runs are paired by level, configuration, goal and repetition. Answers, and counts that must repeat, are compared run by
/// run; times and memory by ratios (new / old) over the levels that both answered. Ends with exit code 1 if the new
/// results are worse, else 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory to compare with
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// Result directory to judge
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Ratio of times or memory from which on a configuration is worse, if chance does not explain it
    #[arg(long, value_name = "RATIO", default_value_t = 1.1)]
    tolerance: f64,

    /// Compare times although they were measured on different machines or by different builds
    #[arg(long)]
    force: bool,
}

/// Prints what has changed.
///
/// # Errors
/// If there are no results to compare.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let (old_manifest, old) = read(&args.old)?;
    let (new_manifest, new) = read(&args.new)?;
    let reason = incomparable(&old_manifest, &new_manifest);
    match &reason {
        Some(reason) if args.force => tell!("note: times are compared all the same: {reason}"),
        Some(reason) => tell!("note: times are not compared: {reason}; --force compares them"),
        None => {}
    }
    if old_manifest.text != new_manifest.text {
        tell!("note: the experiment files differ; only runs that both asked for are compared");
    }
    let difference = difference(&old, &new, args.force || reason.is_none());
    if difference.paired == 0 {
        return Err(Failure::usage(format!(
            "{} and {} have no run in common: expected two results of the same levels and configurations",
            args.old.display(),
            args.new.display()
        )));
    }
    terminal::print(&text(&difference))?;
    Ok(conclude(args, &difference))
}

fn read(directory: &Path) -> Result<(Manifest, Vec<Row>), Failure> {
    let manifest = Manifest::read(directory).map_err(Failure::usage)?;
    let mut notes = Vec::new();
    let rows = peek_rows(directory, &mut notes).map_err(Failure::usage)?;
    notes.iter().for_each(|note| tell!("note: {note}"));
    Ok((manifest, rows))
}

fn conclude(args: &Args, difference: &Difference) -> Exit {
    let mut worse: Vec<String> = Kind::BAD
        .iter()
        .map(|&kind| {
            (
                kind,
                difference
                    .changes
                    .iter()
                    .filter(|it| it.kind == kind)
                    .count(),
            )
        })
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{count} runs: {}", kind.name()))
        .collect();
    for (what, of) in RATIOS {
        let beyond = |line: &&Line| of(line).is_some_and(|ratio| ratio.is_beyond(args.tolerance));
        let count = difference.lines.iter().filter(beyond).count();
        // A change of states is told run by run.
        if count > 0 && what != "states" {
            worse.push(format!("{count} configurations need more {what}"));
        }
    }
    if worse.is_empty() {
        tell!("not worse");
    } else {
        tell!("worse: {}", worse.join("; "));
    }
    tell!("next: sokolab report {}", args.new.display());
    if worse.is_empty() {
        Exit::Success
    } else {
        Exit::WORSE
    }
}

/// A ratio of a line.
type OfLine = fn(&Line) -> Option<Center>;

/// The columns of ratios.
const RATIOS: [(&str, OfLine); 3] = [
    ("states", |line| line.states),
    ("time", |line| line.wall),
    ("memory", |line| line.memory),
];

fn text(difference: &Difference) -> String {
    let mut text = format!(
        "{} runs compared, {} only in the old results, {} only in the new ones\n",
        difference.paired, difference.only_old, difference.only_new
    );
    for change in difference.changes.iter().take(MOST_CHANGES) {
        text.push_str(&format!(
            "{}: {}: {}\n",
            change.kind.name(),
            change.run,
            change.what
        ));
    }
    if let more @ 1.. = difference.changes.len().saturating_sub(MOST_CHANGES) {
        text.push_str(&format!("and {more} more changes\n"));
    }
    text.push_str(&table(&difference.lines));
    text
}

/// Ratios, columns aligned.
fn table(lines: &[Line]) -> String {
    let mut rows = vec![["configuration", "states", "time", "memory"].map(str::to_owned)];
    rows.extend(lines.iter().map(|line| {
        let label = if line.label.is_empty() {
            "all"
        } else {
            &line.label
        };
        let [states, time, memory] = RATIOS.map(|(_, of)| cell(of(line)));
        [label.to_owned(), states, time, memory]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths = [0, 1, 2, 3].map(|column| width(column).unwrap_or(0));
    let lines = rows.iter().map(|row| {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    });
    lines.collect()
}

/// Mean, interval, and number of instances.
fn cell(ratio: Option<Center>) -> String {
    let Some(ratio) = ratio else {
        return "-".to_owned();
    };
    let interval = ratio.interval.map_or_else(String::new, |interval| {
        format!(" [{:.3}, {:.3}]", interval.low, interval.high)
    });
    format!("{:.3}{interval} n={}", ratio.mean, ratio.instances)
}
