//! What `run` and `resume` have in common: doing the runs that are left, and the words at the end.

use std::path::Path;

use clap::builder::RangedU64ValueParser;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure};
use super::progress::Progress;
use super::terminal::tell;
use super::terminal::{self, Color};
use crate::experiment::machine::{Machine, PROFILE};
use crate::experiment::manifest::ManifestError;
use crate::experiment::runner::{self, SweepEnd};
use crate::experiment::spec::Spec;
use crate::experiment::sweep::{Sweep, SweepError, SweepOptions};
use crate::experiment::{Row, StopFlag, status};
use crate::report;

/// Most runs at the same time.
const MAX_JOBS: u64 = 1024;

/// Parses `--jobs`.
pub(super) fn jobs() -> RangedU64ValueParser<u16> {
    RangedU64ValueParser::new().range(1..=MAX_JOBS)
}

/// Does the runs that are left, prints the summary, makes the report.
///
/// # Errors
/// If the directory cannot be used, or rows cannot be written.
pub(super) fn conduct(spec: Spec, options: &SweepOptions, color: Color) -> Result<Exit, Failure> {
    // From here on a signal waits for its turn: results that are half set up are of no use to anybody.
    let stop = StopFlag::default();
    stop_on_signals(&stop)
        .map_err(|error| Failure::internal(format!("signals cannot be handled: {error}")))?;
    warn_of_disturbance(&spec, options.jobs);
    let mut notes = Vec::new();
    let sweep = Sweep::open(spec, options, &mut notes);
    notes.iter().for_each(|note| tell!("note: {note}"));
    let sweep = sweep.map_err(failure)?;
    let (planned, left) = (sweep.planned(), sweep.left().len());
    if planned > left {
        tell!("{} of {planned} runs are done already", planned - left);
    }
    let mut progress = Progress::new(left, color);
    let end = runner::run(sweep, &stop, |event| progress.observe(event));
    progress.finish();
    conclude(&end.map_err(Failure::internal)?, &options.out)
}

/// The first signal asks to stop; a second one ends this process at once, and the kernel ends the runs
/// with it.
fn stop_on_signals(stop: &StopFlag) -> std::io::Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // Before the flag is raised, so that only the second signal finds it raised.
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, stop.as_atomic())?;
        flag::register(signal, stop.as_atomic())?;
    }
    Ok(())
}

fn warn_of_disturbance(spec: &Spec, jobs: usize) {
    if PROFILE == "debug" {
        tell!("note: this is a debug build, its times say nothing; build with --release");
    }
    let threads = spec.configurations.iter().map(|run| run.threads).max();
    let wanted = (jobs * threads.unwrap_or(1)) as u64;
    if let Some(hardware) = Machine::this().hardware_threads
        && wanted > hardware
    {
        tell!(
            "note: up to {wanted} threads at once on {hardware} hardware threads; times of such runs say little"
        );
    }
}

fn failure(error: SweepError) -> Failure {
    match error {
        SweepError::Manifest(ManifestError::Form { .. } | ManifestError::Write { .. }) => {
            Failure::internal(error)
        }
        SweepError::Directory(_)
        | SweepError::Foreign { .. }
        | SweepError::Record(_)
        | SweepError::Manifest(_) => Failure::usage(error),
    }
}

/// Summary, report, and what to do next.
fn conclude(end: &SweepEnd, out: &Path) -> Result<Exit, Failure> {
    let directory = out.display();
    if end.stopped || end.left > 0 {
        let (kept, left) = (end.rows.len(), end.left);
        tell!("{kept} rows are kept in {directory}, {left} runs are left");
        tell!("next: sokolab resume {directory}");
        return Ok(if end.stopped {
            Exit::Interrupted
        } else {
            Exit::Incomplete
        });
    }
    terminal::print(&report::summary_table(&end.rows))?;
    let failed = count(&end.rows, &[status::CRASHED, status::INVALID]);
    let made = report::write(
        end.rows.clone(),
        &directory.to_string(),
        &out.join("report"),
    );
    match made {
        Ok(made) => tell!("report: {}", made.page.display()),
        Err(error) => {
            return Err(Failure::internal(format!(
                "all runs are done and recorded, but the report: {error}; try `sokolab report {directory}`"
            )));
        }
    }
    if failed > 0 {
        tell!(
            "{failed} runs crashed or were invalid: see the column `detail` of {directory}/runs.csv"
        );
        tell!("next: sokolab status {directory}");
        return Ok(Exit::RunFailed);
    }
    tell!("next: sokolab verify {directory}");
    Ok(Exit::Success)
}

/// Rows with one of these statuses.
pub(super) fn count(rows: &[Row], statuses: &[&str]) -> usize {
    rows.iter()
        .filter(|row| statuses.contains(&row.status.as_str()))
        .count()
}
