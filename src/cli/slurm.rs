//! `--executor slurm`: hands the runs that are left to Slurm, waits, and collects.

use std::path::Path;
use std::time::{Duration, Instant};

use super::collect;
use super::exit::{Exit, Failure};
use super::sweep;
use super::terminal::tell;
use crate::experiment::cluster::slurm::{
    self, End, Glance, Queue, SubmissionError, Submitted, Wishes,
};
use crate::experiment::cluster::{Gathered, survey};
use crate::experiment::spec::Spec;
use crate::experiment::sweep::SweepOptions;
use crate::experiment::{MANIFEST_FILE, Opening, StopFlag};

/// Time between two lines while nothing is published.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Hands in what is left, unless a job is at work on it. Unless detached, waits for the job and collects.
///
/// # Errors
/// If the directory cannot be used, or Slurm refuses.
pub(super) fn conduct(
    spec: &Spec,
    options: &SweepOptions,
    wishes: &Wishes,
    detach: bool,
) -> Result<Exit, Failure> {
    let stop = sweep::stop_on_signals()?;
    // A machine without Slurm is to leave no begun results behind.
    if !options.out.join(MANIFEST_FILE).exists() {
        slurm::answers().map_err(Failure::usage)?;
    }
    let gathered = collect::gather(spec, options)?;
    let (left, planned) = (gathered.left.len(), gathered.planned);
    if left < planned {
        tell!("{} of {planned} runs are done already", planned - left);
    }
    if left == 0 {
        return collect::conclude(gathered);
    }
    let out = &options.out;
    let before = survey(out).map_err(Failure::usage)?.published_rows();
    let job = job_for(&gathered, spec, wishes).map_err(failure)?;
    if detach {
        tell!(
            "next, when the job has ended: sokolab collect {}",
            out.display()
        );
        return Ok(Exit::Success);
    }
    if wait(out, job, (before, left), &stop)? == End::Stopped {
        tell!("the job goes on; to end it: scancel {job}");
        tell!("next: sokolab collect {}", out.display());
        return Ok(Exit::Interrupted);
    }
    let options = SweepOptions {
        opening: Opening::Resume,
        retry: Vec::new(),
        ..options.clone()
    };
    collect::collect(spec, &options)
}

/// The job that is at work on a result directory, or a new one. Asking twice does not do the work twice.
fn job_for(gathered: &Gathered, spec: &Spec, wishes: &Wishes) -> Result<u64, SubmissionError> {
    if let Some((job, tasks)) = slurm::active_job(&gathered.out)? {
        tell!(
            "Slurm job {job} is still at work on these runs ({}), so no other one is handed in",
            tasks_by_state(&tasks)
        );
        return Ok(job);
    }
    let submitted = slurm::submit(gathered, spec, wishes)?;
    describe(&submitted, gathered.left.len());
    Ok(submitted.job)
}

fn describe(submitted: &Submitted, left: usize) {
    let Submitted {
        job,
        tasks,
        parts,
        runs,
        needs,
        ..
    } = submitted;
    tell!("{left} runs are handed to Slurm as job {job}, tasks {tasks}, up to {runs} runs each");
    let of_scheduler = |amount: Option<String>| amount.unwrap_or_else(|| "the default".to_owned());
    tell!(
        "each task asks for {} processors, {} of memory, {} of time; task K does part K+1 of {parts}",
        needs.cpus,
        of_scheduler(needs.memory_mib.map(|mib| format!("{mib} MiB"))),
        of_scheduler(needs.minutes.map(|minutes| format!("{minutes} min"))),
    );
    if submitted.is_capped {
        tell!(
            "note: Slurm's MaxArraySize allows {parts} tasks, so they have more runs than wished for"
        );
    }
}

/// Waits for a job with a line whenever rows are published, and now and then in between.
fn wait(
    out: &Path,
    job: u64,
    (before, left): (usize, usize),
    stop: &StopFlag,
) -> Result<End, Failure> {
    let mut last: Option<(usize, Instant)> = None;
    let observe = |glance: &Glance| {
        let is_news =
            last.is_none_or(|(rows, told)| rows < glance.rows || told.elapsed() >= LINE_INTERVAL);
        if is_news {
            last = Some((glance.rows, Instant::now()));
            tell!(
                "{} of {left} runs are published; {}",
                glance.rows,
                queue(glance)
            );
        }
    };
    slurm::wait(out, job, (before, left), stop, observe).map_err(|error| {
        Failure::internal(format!(
            "{error}; job {job} goes on; next: sokolab collect {}",
            out.display()
        ))
    })
}

fn queue(glance: &Glance) -> String {
    match &glance.queue {
        Ok(tasks) => tasks_by_state(tasks),
        Err(error) => format!("Slurm does not tell of its tasks: {error}"),
    }
}

/// Where the tasks of a job are, for people.
pub(super) fn tasks_by_state(queue: &Queue) -> String {
    match queue {
        Queue::Empty => "no task waits or runs".to_owned(),
        Queue::Tasks(tasks) => {
            let counts = tasks
                .iter()
                .map(|(state, count)| format!("{count} {state}"));
            let counts: Vec<String> = counts.collect();
            format!("tasks: {}", counts.join(", "))
        }
    }
}

/// Says so if a job is at work on runs that this machine is about to do. Where Slurm does not answer there is nothing to say.
pub(super) fn warn_of_job(out: &Path) {
    if let Ok(Some((job, tasks))) = slurm::active_job(out) {
        tell!(
            "note: Slurm job {job} is at work on these runs, too ({}); what is done twice is counted once; to end it: scancel {job}",
            tasks_by_state(&tasks)
        );
    }
}

fn failure(error: SubmissionError) -> Failure {
    match error {
        SubmissionError::Slurm(_) | SubmissionError::NotTaken(_) => Failure::usage(error),
        SubmissionError::Directory(_) => Failure::internal(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_told_by_their_state() {
        assert_eq!(tasks_by_state(&Queue::Empty), "no task waits or runs");
        let tasks = [("RUNNING".to_owned(), 2), ("PENDING".to_owned(), 1)];
        let told = tasks_by_state(&Queue::Tasks(tasks.into()));
        assert_eq!(told, "tasks: 1 PENDING, 2 RUNNING");
    }
}
