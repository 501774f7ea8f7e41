//! From what is left of a plan to a job array that does it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use thiserror::Error;

use super::commands::{self, Queue, SlurmError};
use super::script::Job;
use crate::experiment::cluster::Gathered;
use crate::experiment::cluster::layout::entries;
use crate::experiment::cluster::tasks::{Bundle, Needs, Tasks, ranges};
use crate::experiment::directory::{DirectoryError, SLURM, system};
use crate::experiment::recorder::write_whole;
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;

/// What the user wants of Slurm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wishes {
    /// Runs of a task.
    pub bundle: Bundle,
    /// Most tasks at the same time.
    pub at_once: Option<u64>,
    /// Further options of `sbatch`.
    pub options: Vec<String>,
}

/// Work that cannot be handed in.
#[derive(Debug, Error)]
pub enum SubmissionError {
    /// The system refuses.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// Slurm does not tell what it allows.
    #[error(transparent)]
    Slurm(#[from] SlurmError),
    /// Slurm does not take the job.
    #[error("{0}; ask for something else with --slurm-option, --bundle or --task-time")]
    NotTaken(#[source] SlurmError),
}

/// A job that Slurm has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// Its number.
    pub job: u64,
    /// Numbers of its tasks, as `0-3,7`.
    pub tasks: String,
    /// The parts that the tasks do.
    pub parts: u64,
    /// Most runs of a task.
    pub runs: u64,
    /// Whether Slurm allows fewer tasks than were wished for.
    pub is_capped: bool,
    /// What each task gets.
    pub needs: Needs,
}

/// Whether Slurm answers on this machine: to be asked before results are begun that it is to do.
///
/// # Errors
/// [`SlurmError`] if it does not.
pub fn answers() -> Result<(), SlurmError> {
    commands::max_array_size().map(drop)
}

/// Hands the runs that are left in: the whole plan is cut into parts, and a part of which something is left is a task. The
/// same wishes give the same parts, so a part keeps its folder when it is done again. Something must be left.
///
/// # Errors
/// [`SubmissionError`] if Slurm refuses, or the script cannot be written.
pub fn submit(
    gathered: &Gathered,
    spec: &Spec,
    wishes: &Wishes,
) -> Result<Submitted, SubmissionError> {
    let max = commands::max_array_size()?;
    let cut = Tasks::new(
        gathered.planned,
        spec.header.limits.time,
        wishes.bundle,
        max,
    );
    let parts = gathered.left.iter();
    let parts = parts.map(|run| Shard::holding(run, cut.count).index());
    let parts: BTreeSet<u64> = parts.collect();
    let tasks = ranges(parts.into_iter().map(|part| part - 1));
    let program = std::env::current_exe();
    let program = program.map_err(system(Path::new("sokolab"), "found"))?;
    // Tasks may be started in another directory.
    let out = std::path::absolute(&gathered.out).map_err(system(&gathered.out, "found"))?;
    let needs = Needs::new(spec, cut.runs);
    let job = Job {
        experiment: &spec.header.name,
        program: &program,
        out: &out,
        parts: cut.count,
        tasks: &tasks,
        at_once: wishes.at_once,
        needs,
    };
    let number = hand_in(&job, &out.join(SLURM), &wishes.options)?;
    Ok(Submitted {
        job: number,
        parts: cut.count,
        runs: cut.runs,
        is_capped: cut.is_capped,
        needs,
        tasks,
    })
}

/// Hands a job in and keeps its script under its number. Slurm makes no folder for what tasks say, so that is made first.
fn hand_in(job: &Job<'_>, folder: &Path, options: &[String]) -> Result<u64, SubmissionError> {
    fs::create_dir_all(folder).map_err(system(folder, "made"))?;
    let script = folder.join(format!("submission-{}.sh", std::process::id()));
    write_whole(&script, job.script().as_bytes()).map_err(system(&script, "written"))?;
    let mut words = job.arguments(folder, options);
    words.push(script.clone().into_os_string());
    let number = commands::submit(&words).map_err(|error| {
        // A script without a job is of no use, and of no harm if it stays.
        let _stays = fs::remove_file(&script);
        SubmissionError::NotTaken(error)
    })?;
    let kept = folder.join(script_name(number));
    fs::rename(&script, &kept).map_err(system(&kept, "written"))?;
    Ok(number)
}

fn script_name(job: u64) -> String {
    format!("job-{job}.sh")
}

fn job_of_script(name: &str) -> Option<u64> {
    let number = name.strip_prefix("job-")?.strip_suffix(".sh")?;
    number.parse().ok()
}

/// Numbers of the jobs that were handed in for a result directory, in ascending order.
fn jobs(out: &Path) -> Result<Vec<u64>, DirectoryError> {
    let names = entries(&out.join(SLURM))?;
    let mut jobs: Vec<u64> = names
        .iter()
        .filter_map(|name| job_of_script(name))
        .collect();
    jobs.sort_unstable();
    Ok(jobs)
}

/// Whether Slurm was ever asked to work for a result directory.
///
/// # Errors
/// [`DirectoryError`] if the directory cannot be read.
pub fn is_known_to_slurm(out: &Path) -> Result<bool, DirectoryError> {
    Ok(!jobs(out)?.is_empty())
}

/// The job that was handed in last for a result directory, if tasks of it wait or run.
///
/// # Errors
/// [`SubmissionError`] if Slurm does not answer.
pub fn active_job(out: &Path) -> Result<Option<(u64, Queue)>, SubmissionError> {
    let Some(&job) = jobs(out)?.last() else {
        return Ok(None);
    };
    match commands::queue(job)? {
        Queue::Empty => Ok(None),
        tasks @ Queue::Tasks(_) => Ok(Some((job, tasks))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_known_by_their_scripts() {
        let out = tempfile::tempdir().unwrap();
        assert_eq!(jobs(out.path()).unwrap(), [0; 0]);
        let folder = out.path().join(SLURM);
        fs::create_dir(&folder).unwrap();
        let names = [
            script_name(9),
            script_name(12),
            "9_0.log".to_owned(),
            "job-x.sh".to_owned(),
        ];
        for name in names {
            fs::write(folder.join(name), "").unwrap();
        }
        assert_eq!(jobs(out.path()).unwrap(), [9, 12]);
    }
}
