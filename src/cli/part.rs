//! One part of a plan, done by one of several processes.

use std::path::Path;

use super::exit::{Exit, Failure};
use super::sweep::{self, count, start_failure};
use super::terminal::{self, Color, tell};
use crate::experiment::cluster::{self, Attempt, PartError, Publication};
use crate::experiment::runner::SweepEnd;
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;
use crate::experiment::status;
use crate::experiment::sweep::SweepOptions;

/// Does what is left of a part and publishes it.
///
/// # Errors
/// If the directory cannot be used, or rows cannot be written or published.
pub(super) fn conduct(
    spec: Spec,
    options: &SweepOptions,
    shard: Shard,
    color: Color,
) -> Result<Exit, Failure> {
    let stop = sweep::stop_on_signals()?;
    sweep::warn_of_disturbance(&spec, &options.overlap);
    let mut notes = Vec::new();
    let begun = cluster::begin(spec, options, shard, &mut notes);
    terminal::tell_notes(&notes);
    let out = &options.out;
    let Some((sweep, attempt)) = begun.map_err(failure)? else {
        tell!("all runs of part {shard} are done already");
        tell!("next: sokolab collect {}", out.display());
        return Ok(Exit::Success);
    };
    tell!("part {shard}: {} runs to do", sweep.left().len());
    let end = sweep::do_left(sweep, &stop, color).map_err(|error| {
        Failure::internal(format!(
            "{error}; nothing of {} is published; when the cause is mended: {}",
            attempt.path().display(),
            again(out, shard)
        ))
    })?;
    if end.stopped || end.left > 0 {
        tell!(
            "{} runs of part {shard} are left; the rows in {} are not counted",
            end.left,
            attempt.path().display()
        );
        tell!("next: {}", again(out, shard));
        return Ok(if end.stopped {
            Exit::Interrupted
        } else {
            Exit::Incomplete
        });
    }
    publish(&attempt, shard, out, &end)
}

fn publish(attempt: &Attempt, shard: Shard, out: &Path, end: &SweepEnd) -> Result<Exit, Failure> {
    let published = attempt.publish().map_err(|error| {
        Failure::internal(format!(
            "{error}; the rows are kept in {} and not counted; when the cause is mended: {}",
            attempt.path().display(),
            again(out, shard)
        ))
    })?;
    match published {
        Publication::Won => tell!("part {shard}: {} rows are published", end.rows.len()),
        Publication::Lost { winner } => tell!(
            "part {shard}: the attempt {winner} was published first; the rows in {} are duplicates, kept and not counted",
            attempt.path().display()
        ),
    }
    tell!("next: sokolab collect {}", out.display());
    let failed = count(&end.rows, &[status::CRASHED, status::INVALID]);
    Ok(if failed > 0 {
        Exit::RunFailed
    } else {
        Exit::Success
    })
}

fn again(out: &Path, shard: Shard) -> String {
    format!("sokolab resume {} --shard {shard}", out.display())
}

fn failure(error: PartError) -> Failure {
    match error {
        PartError::Sweep(error) => start_failure(error),
        PartError::Directory(_) => Failure::internal(error),
        PartError::Manifest(_)
        | PartError::Rows(_)
        | PartError::Collection(_)
        | PartError::OtherPlan { .. } => Failure::usage(error),
    }
}
