//! What `run` and `resume` have in common: doing the runs that are left, and the words at the end.

use std::path::Path;

use clap::builder::RangedU64ValueParser;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure};
use super::named::Named;
use super::progress::Progress;
use super::terminal::tell;
use super::terminal::{self, Color};
use crate::experiment::choices::RETRIES;
use crate::experiment::machine::{Machine, PROFILE};
use crate::experiment::manifest::ManifestError;
use crate::experiment::runner::{self, RunnerError, SweepEnd};
use crate::experiment::schedule::Overlap;
use crate::experiment::spec::Spec;
use crate::experiment::status::Retry;
use crate::experiment::sweep::{Sweep, SweepError, SweepOptions};
use crate::experiment::{Row, StopFlag, status};
use crate::report::origin::Origin;
use crate::report::{self, ReportError, ReportOptions};

/// Most runs at the same time.
const MAX_JOBS: u64 = 1024;

/// What `run` and `resume` ask about the runs to do.
#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    /// Do runs again that ended so; their rows are moved to retried.csv
    #[arg(long, value_name = "STATUS,..", value_delimiter = ',', value_parser = Named(RETRIES))]
    retry: Vec<Retry>,
}

impl RetryArgs {
    /// As the sweep understands it.
    pub(super) fn retry(&self) -> Vec<Retry> {
        self.retry.clone()
    }
}

/// What `run` and `resume` ask about runs at the same time.
#[derive(Debug, clap::Args)]
pub(super) struct OverlapArgs {
    /// Runs at the same time, as far as there are cores for all their threads; more than 1 disturbs the measured times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs())]
    jobs: u16,

    /// Keep to --jobs even if there are fewer cores than threads or runs have different numbers of threads
    #[arg(long)]
    force_jobs: bool,
}

impl OverlapArgs {
    /// As the sweep understands it.
    pub(super) fn overlap(&self) -> Overlap {
        Overlap {
            jobs: usize::from(self.jobs),
            forced: self.force_jobs,
        }
    }
}

fn jobs() -> RangedU64ValueParser<u16> {
    RangedU64ValueParser::new().range(1..=MAX_JOBS)
}

/// Does the runs that are left, prints the summary, makes the report.
///
/// # Errors
/// If the directory cannot be used, or rows cannot be written.
pub(super) fn conduct(spec: Spec, options: &SweepOptions, color: Color) -> Result<Exit, Failure> {
    let stop = stop_on_signals()?;
    warn_of_disturbance(&spec, &options.overlap);
    let mut notes = Vec::new();
    let sweep = Sweep::open(spec, options, &mut notes);
    terminal::tell_notes(&notes);
    let sweep = sweep.map_err(start_failure)?;
    let (planned, left) = (sweep.planned(), sweep.left().len());
    if planned > left {
        tell!("{} of {planned} runs are done already", planned - left);
    }
    let end = do_left(sweep, &stop, color).map_err(|error| {
        Failure::internal(format!(
            "{error}; the rows so far are kept; when the cause is mended: sokolab resume {}",
            options.out.display()
        ))
    })?;
    conclude(&end, &options.out)
}

/// Does the runs that are left, and shows how far it is.
///
/// # Errors
/// If runs cannot be started, or rows cannot be written.
pub(super) fn do_left(
    sweep: Sweep,
    stop: &StopFlag,
    color: Color,
) -> Result<SweepEnd, RunnerError> {
    let mut progress = Progress::new(sweep.left().len(), color);
    let end = runner::run(sweep, stop, |event| progress.observe(event));
    progress.finish();
    end
}

/// From here on a signal waits for its turn: results that are half set up are of no use to anybody. The first signal asks
/// to stop; a second one ends this process at once, and the kernel ends the runs with it.
///
/// # Errors
/// If the system refuses.
pub(super) fn stop_on_signals() -> Result<StopFlag, Failure> {
    let stop = StopFlag::default();
    handle_signals(&stop)
        .map_err(|error| Failure::internal(format!("signals cannot be handled: {error}")))?;
    Ok(stop)
}

fn handle_signals(stop: &StopFlag) -> std::io::Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // Before the flag is raised, so that only the second signal finds it raised.
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, stop.as_atomic())?;
        flag::register(signal, stop.as_atomic())?;
    }
    Ok(())
}

/// Says what makes times unfit for comparison.
pub(super) fn warn_of_disturbance(spec: &Spec, overlap: &Overlap) {
    if PROFILE == "debug" {
        tell!("note: this is a debug build, its times say nothing; build with --release");
    }
    let threads = spec.configurations.iter().map(|run| run.threads).max();
    let jobs = if overlap.forced { overlap.jobs } else { 1 };
    let wanted = (jobs * threads.unwrap_or(1)) as u64;
    if let Some(hardware) = Machine::this().hardware_threads
        && wanted > hardware
    {
        tell!(
            "note: up to {wanted} threads at once on {hardware} hardware threads; times of such runs say little"
        );
    }
}

/// Of a sweep that cannot begin.
pub(super) fn start_failure(error: SweepError) -> Failure {
    match error {
        SweepError::Manifest(ManifestError::Form { .. } | ManifestError::Write { .. }) => {
            Failure::internal(error)
        }
        SweepError::Cores(_) => Failure::internal(error),
        SweepError::Directory(_)
        | SweepError::Collection(_)
        | SweepError::Foreign { .. }
        | SweepError::Pinning { .. }
        | SweepError::Record(_)
        | SweepError::Manifest(_) => Failure::usage(error),
    }
}

/// Summary, report, and what to do next.
///
/// # Errors
/// If the report cannot be written.
pub(super) fn conclude(end: &SweepEnd, out: &Path) -> Result<Exit, Failure> {
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
    let made = Origin::read(out, &end.rows).map_err(ReportError::from);
    let made = made.and_then(|origin| {
        let (rows, source) = (end.rows.clone(), directory.to_string());
        let options = ReportOptions {
            out: out.join("report"),
            ..ReportOptions::default()
        };
        report::write(rows, origin.as_slice(), &source, &options)
    });
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
