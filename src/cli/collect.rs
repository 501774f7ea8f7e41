//! `sokolab collect`: merges the parts that several processes have done.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::slurm::tasks_by_state;
use super::sweep::{self, start_failure};
use super::terminal::{self, tell};
use crate::experiment::cluster::slurm;
use crate::experiment::cluster::{self, Gathered, survey};
use crate::experiment::manifest::Manifest;
use crate::experiment::runner::SweepEnd;
use crate::experiment::spec::Spec;
use crate::experiment::sweep::SweepOptions;

/// Merge the parts that other processes or a cluster have published, and report when nothing is left
///
/// Each run gets one row, however often it was done. Collecting again changes nothing. Ends with exit code 106 if
/// runs are left.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Merges what is published.
///
/// # Errors
/// If the directory holds no results, or something that is published does not belong to its plan.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let manifest = Manifest::read(&args.directory).map_err(Failure::usage)?;
    let spec = manifest.spec().map_err(Failure::usage)?;
    let options = SweepOptions::resuming(&manifest, &args.directory);
    collect(&spec, &options)
}

/// Merges what is published; the summary and the report follow when nothing is left.
///
/// # Errors
/// As [`run`].
pub(super) fn collect(spec: &Spec, options: &SweepOptions) -> Result<Exit, Failure> {
    let gathered = gather(spec, options)?;
    tell_of_attempts(&options.out)?;
    conclude(gathered)
}

/// Merges what is published, and says what is worth a word.
///
/// # Errors
/// As [`run`].
pub(super) fn gather(spec: &Spec, options: &SweepOptions) -> Result<Gathered, Failure> {
    let mut notes = Vec::new();
    let gathered = cluster::gather(spec, options, &mut notes);
    terminal::tell_notes(&notes);
    gathered.map_err(start_failure)
}

/// The words at the end.
///
/// # Errors
/// If the report cannot be written.
pub(super) fn conclude(gathered: Gathered) -> Result<Exit, Failure> {
    let (out, left) = (gathered.out, gathered.left.len());
    if left > 0 {
        let directory = out.display();
        tell!(
            "{} rows are in {directory}, {left} runs are left",
            gathered.rows.len()
        );
        tell!("next{}", next_when_incomplete(&out)?);
        return Ok(Exit::Incomplete);
    }
    let end = SweepEnd {
        rows: gathered.rows,
        left,
        stopped: false,
    };
    sweep::conclude(&end, &out)
}

/// A note on each attempt whose rows do not count.
///
/// # Errors
/// If a publication cannot be read.
pub(super) fn tell_of_attempts(out: &Path) -> Result<(), Failure> {
    let survey = survey(out).map_err(Failure::usage)?;
    for remark in survey.remarks() {
        tell!("note: {remark}");
    }
    Ok(())
}

/// What to do about runs that are left, behind the word `next`.
///
/// # Errors
/// If the directory cannot be read.
pub(super) fn next_when_incomplete(out: &Path) -> Result<String, Failure> {
    let directory = out.display();
    if !slurm::is_known_to_slurm(out).map_err(Failure::internal)? {
        return Ok(format!(": sokolab resume {directory}"));
    }
    match slurm::active_job(out) {
        Ok(Some((job, tasks))) => Ok(format!(
            ", when Slurm job {job} has ended ({}): sokolab collect {directory}",
            tasks_by_state(&tasks)
        )),
        // Where Slurm does not answer, its job may still go on; what is done twice then is a duplicate and no harm.
        Ok(None) | Err(_) => Ok(format!(
            ": sokolab resume {directory} --executor slurm (or without it, to do them on this machine); what Slurm's tasks said is in {directory}/slurm"
        )),
    }
}
