//! `sokolab plan`: the runs of an experiment, before they are run.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;
use crate::experiment::cluster::uncollected_rows;
use crate::experiment::plan::{RunSpec, worst_case};
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;
use crate::experiment::sweep::{SweepOptions, planned_runs};
use crate::experiment::{Opening, peek_rows};

/// Print the runs that `run` would do, in their order, and how long they take at most
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,

    /// Only part I of N
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

/// Prints the plan to standard output, its size to standard error.
///
/// # Errors
/// If the experiment is wrong.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let spec = Spec::read(&args.experiment).map_err(Failure::usage)?;
    let runs = planned_runs(&spec, args.shard);
    terminal::print(&table(&spec, &runs))?;
    tell!("{}", total(&runs));
    tell!("next: sokolab run {}", args.experiment.display());
    Ok(Exit::Success)
}

/// Prints what a sweep with these options would do, without the runs that are done.
///
/// # Errors
/// If rows that are there cannot be read.
pub(super) fn dry_run(
    spec: &Spec,
    options: &SweepOptions,
    shard: Option<Shard>,
) -> Result<Exit, Failure> {
    let mut notes = Vec::new();
    let rows = match options.opening {
        Opening::Fresh => Vec::new(),
        Opening::Continue | Opening::Resume => {
            let published = uncollected_rows(&options.out).map_err(Failure::usage)?;
            let collected = peek_rows(&options.out, &mut notes).map_err(Failure::usage)?;
            [published, collected].concat()
        }
    };
    let kept = rows.iter().filter(|row| !options.is_retried(row));
    let done: HashSet<&str> = kept.map(|row| row.run_id.as_str()).collect();
    let mut runs = planned_runs(spec, shard);
    let planned = runs.len();
    runs.retain(|run| !done.contains(run.id.as_str()));
    terminal::print(&table(spec, &runs))?;
    terminal::tell_notes(&notes);
    tell!("{} of {planned} runs are done", planned - runs.len());
    tell!("{}", total(&runs));
    tell!("next: the same command without --dry-run");
    Ok(Exit::Success)
}

/// One line a run, columns aligned, headings first.
fn table(spec: &Spec, runs: &[RunSpec]) -> String {
    let mut lines = vec![
        [
            "run",
            "level",
            "repetition",
            "space",
            "strategy",
            "heuristic",
            "pruning",
            "threading",
            "threads",
            "table",
            "id",
        ]
        .map(str::to_owned),
    ];
    lines.extend(runs.iter().map(|run| cells(spec, run)));
    terminal::table("", &lines)
}

fn cells(spec: &Spec, run: &RunSpec) -> [String; 11] {
    let level = &spec.levels[run.level];
    let configuration = &run.configuration;
    [
        run.sequence.to_string(),
        format!("{}#{}", level.file, level.number),
        run.repetition.to_string(),
        configuration.space.name().to_owned(),
        configuration.strategy.name().to_owned(),
        configuration
            .heuristic
            .map_or("-", |heuristic| heuristic.name())
            .to_owned(),
        configuration.pruning.name().to_owned(),
        configuration.threading.name().to_owned(),
        configuration.threads.to_string(),
        configuration.table.name().to_owned(),
        run.id.clone(),
    ]
}

/// How many runs, and how long at most, one after the other.
fn total(runs: &[RunSpec]) -> String {
    let count = match runs.len() {
        1 => "1 run".to_owned(),
        count => format!("{count} runs"),
    };
    match worst_case(runs) {
        Some(time) => format!("{count}, at most {} of search", duration(time)),
        None => format!("{count}, without time limit"),
    }
}

/// A time for people: the two largest units.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    if days > 0 {
        format!("{days} d {hours} h")
    } else if hours > 0 {
        format!("{hours} h {minutes} min")
    } else if minutes > 0 {
        format!("{minutes} min {} s", seconds % 60)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_given_in_their_two_largest_units() {
        let text = |seconds: u64| duration(Duration::from_millis(seconds * 1000 + 500));
        assert_eq!(text(7), "7.5 s");
        assert_eq!(text(60), "1 min 0 s");
        assert_eq!(text(3 * 3600 + 125), "3 h 2 min");
        assert_eq!(text(2 * 86_400 + 3600), "2 d 1 h");
    }
}
