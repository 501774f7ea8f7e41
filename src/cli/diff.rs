//! `sokolab diff`: what has changed between two sets of results.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::{counted, tell};
use crate::experiment::manifest::{Manifest, incomparable};
use crate::experiment::peek_rows;
use crate::report::diff::{Difference, Judged, Kind, Line, Results, difference, least_instances};
use crate::report::statistics::Center;

/// Changed runs that are listed; the others are counted.
const MOST_CHANGES: usize = 50;

/// Runs of one side that are listed.
const MOST_UNPAIRED: usize = 10;

/// Say what has changed between two sets of results of the same questions
///
/// Runs are paired by board, configuration, goal and repetition. Answers, and counts that must repeat, are compared run by
/// run; times and memory by ratios (new / old) over the levels that both answered. Runs that ended at a limit are set aside
/// where that limit has changed. Ends with exit code 1 if the new results are worse, else 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory to compare with
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// Result directory to judge
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Ratio of times or memory from which on a configuration is worse, if chance does not explain it
    #[arg(long, value_name = "RATIO", default_value_t = 1.1, value_parser = tolerance)]
    tolerance: f64,

    /// Compare times although they were measured on different machines or by different builds
    #[arg(long)]
    force: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok();
    let ratio = ratio.filter(|ratio: &f64| ratio.is_finite() && *ratio >= 1.0);
    ratio.ok_or_else(|| {
        "expected new / old, a number from 1 on, such as 1.1 for a tenth more".to_owned()
    })
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
        Some(reason) => tell!(
            "note: times are not compared, nor runs at a limit of time: {reason}; --force compares them"
        ),
        None => {}
    }
    let difference = difference(old, new, args.force || reason.is_none());
    if difference.paired + difference.limited == 0 {
        return Err(nothing_in_common(args, &difference));
    }
    terminal::print(&text(&difference, args.tolerance))?;
    tell_doubts(args, &difference);
    Ok(conclude(args, &difference))
}

fn nothing_in_common(args: &Args, difference: &Difference) -> Failure {
    let redrawn = match &difference.redrawn[..] {
        [] => String::new(),
        levels => format!(
            " ({} with another board in the new results: {})",
            counted(levels.len(), "level"),
            levels.join(", ")
        ),
    };
    Failure::usage(format!(
        "{} and {} have no run in common: expected two results of the same levels and configurations{redrawn}",
        args.old.display(),
        args.new.display()
    ))
}

fn read(directory: &Path) -> Result<(Manifest, Results), Failure> {
    let manifest = Manifest::read(directory).map_err(Failure::usage)?;
    let limits = manifest.header().map_err(Failure::usage)?.limits;
    let mut notes = Vec::new();
    let rows = peek_rows(directory, &mut notes).map_err(Failure::usage)?;
    terminal::tell_notes(&notes);
    let results = Results::new(rows, &manifest.levels, limits)
        .map_err(|error| Failure::usage(format!("{}: {error}", directory.display())))?;
    Ok((manifest, results))
}

/// Says what the comparison does not see.
fn tell_doubts(args: &Args, difference: &Difference) {
    if difference.limited > 0 {
        tell!(
            "note: {} set aside: one side ended at a limit that has changed, or at a limit of time where times are not compared",
            counted(difference.limited, "run")
        );
    }
    for level in &difference.redrawn {
        tell!("note: {level} has another board in the new results, so its runs are not compared");
    }
    if difference.under_pressure > 0 {
        tell!(
            "note: {} measured while tasks waited for a processor, so that times are doubtful; `sokolab doctor` says what disturbs",
            counted(difference.under_pressure, "compared run")
        );
    }
    let is_undecided = |line: &&Line| {
        let mut judged = JUDGED.iter().filter_map(|(_, of)| of(line));
        judged.any(|it| it.is_beyond(args.tolerance) && !it.is_worse(args.tolerance))
    };
    let undecided = difference.lines.iter().filter(is_undecided).count();
    if undecided > 0 {
        tell!(
            "note: {} beyond the tolerance by no more than chance may explain; with {} at once, more than chance takes {} levels at least",
            counted(undecided, "configuration"),
            counted(difference.tests, "test"),
            least_instances(difference.tests)
        );
    }
}

fn conclude(args: &Args, difference: &Difference) -> Exit {
    let of_kind = |kind| {
        let changes = difference.changes.iter();
        changes.filter(|change| change.kind == kind).count()
    };
    let bad = Kind::BAD.map(|kind| (of_kind(kind), kind.name()));
    let bad = bad.into_iter().filter(|(count, _)| *count > 0);
    let mut worse: Vec<String> = bad.map(|(count, name)| counted(count, name)).collect();
    for (what, of) in JUDGED {
        let is_worse = |line: &&Line| of(line).is_some_and(|it| it.is_worse(args.tolerance));
        let count = difference.lines.iter().filter(is_worse).count();
        if count > 0 {
            worse.push(format!(
                "more {what} in {}",
                counted(count, "configuration")
            ));
        } else if difference.overall.iter().any(|line| is_worse(&line)) {
            worse.push(format!("more {what} in all configurations together"));
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
type OfLine = fn(&Line) -> Option<Judged>;

/// Ratios that are judged as a whole; changed states are told run by run.
const JUDGED: [(&str, OfLine); 2] = [("time", |line| line.wall), ("memory", |line| line.memory)];

fn text(difference: &Difference, tolerance: f64) -> String {
    let mut text = format!(
        "{} compared, {} only in the old results, {} only in the new ones\n",
        counted(difference.paired, "run"),
        difference.only_old.len(),
        difference.only_new.len()
    );
    let sides = [("old", &difference.only_old), ("new", &difference.only_new)];
    for (side, names) in sides {
        let lines = names.iter().map(|name| format!("only {side}: {name}"));
        text.push_str(&beginning(lines, MOST_UNPAIRED));
    }
    let changes = difference.changes.iter();
    let lines =
        changes.map(|change| format!("{}: {}: {}", change.kind.name(), change.run, change.what));
    text.push_str(&beginning(lines, MOST_CHANGES));
    let lines = difference.overall.iter().chain(&difference.lines);
    text.push_str(&table(lines, tolerance));
    text
}

/// The first `most` lines, and how many there are more.
fn beginning(lines: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = lines.len().saturating_sub(most);
    let mut text: String = lines.take(most).map(|line| line + "\n").collect();
    if more > 0 {
        text.push_str(&format!("and {more} more\n"));
    }
    text
}

/// Ratios, columns aligned; those that make the results worse are marked.
fn table<'a>(lines: impl Iterator<Item = &'a Line>, tolerance: f64) -> String {
    let mut rows = vec![["configuration", "states", "time", "memory"].map(str::to_owned)];
    rows.extend(lines.map(|line| {
        let label = if line.label.is_empty() {
            "all"
        } else {
            &line.label
        };
        let judged = |judged: Option<Judged>| {
            let is_worse = judged.is_some_and(|it| it.is_worse(tolerance));
            cell(judged.map(|it| it.ratio)) + if is_worse { " worse" } else { "" }
        };
        [
            label.to_owned(),
            cell(line.states),
            judged(line.wall),
            judged(line.memory),
        ]
    }));
    terminal::table("", &rows)
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
