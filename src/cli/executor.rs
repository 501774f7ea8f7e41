//! Who does the runs: this process, one of several that share a plan, or a cluster.

use std::time::Duration;

use clap::ValueEnum;

use super::exit::{Exit, Failure};
use super::terminal::Color;
use super::{part, slurm, sweep};
use crate::experiment::Opening;
use crate::experiment::cluster::slurm::Wishes;
use crate::experiment::cluster::tasks::{Bundle, TASK_TIME};
use crate::experiment::shard::Shard;
use crate::experiment::spec::{Spec, duration};
use crate::experiment::sweep::SweepOptions;

/// Who does the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Executor {
    /// This machine.
    #[default]
    Local,
    /// A job array of Slurm.
    Slurm,
}

/// What `run` and `resume` ask about who does the runs.
#[derive(Debug, clap::Args)]
pub(super) struct ExecutorArgs {
    /// Do only part I of N; several processes on one or more machines may each do one, `sokolab collect DIR` merges them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Who does the runs: this machine, or a Slurm job array
    #[arg(long, value_enum, default_value_t)]
    executor: Executor,

    /// Slurm: do not wait for the job; `sokolab collect DIR` merges its rows later
    #[arg(long)]
    detach: bool,

    /// Slurm: runs of a task [default: as many as fit in --task-time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    bundle: Option<u64>,

    /// Slurm: how long a task lasts if all of its runs reach the time limit [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "bundle")]
    task_time: Option<Duration>,

    /// Slurm: most tasks at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tasks: Option<u64>,

    /// Slurm: a further option of sbatch, for instance --slurm-option=--partition=long; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    slurm_option: Vec<String>,
}

impl ExecutorArgs {
    /// The part to do.
    pub(super) const fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// What is wanted of Slurm; none if it is not asked for.
    fn wishes(&self) -> Result<Option<Wishes>, Failure> {
        if self.executor == Executor::Slurm {
            let time = Bundle::Time(self.task_time.unwrap_or(TASK_TIME));
            return Ok(Some(Wishes {
                bundle: self.bundle.map_or(time, Bundle::Runs),
                at_once: self.max_tasks,
                options: self.slurm_option.clone(),
            }));
        }
        let given = [
            ("--detach", self.detach),
            ("--bundle", self.bundle.is_some()),
            ("--task-time", self.task_time.is_some()),
            ("--max-tasks", self.max_tasks.is_some()),
            ("--slurm-option", !self.slurm_option.is_empty()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Failure::usage(format!(
                "{name} is for clusters; add --executor slurm, or leave it out"
            ))),
            None => Ok(None),
        }
    }
}

/// Has the runs that are left done by whoever was asked for.
///
/// # Errors
/// If the options contradict each other, the directory cannot be used, or rows cannot be written.
pub(super) fn conduct(
    spec: Spec,
    options: &SweepOptions,
    args: &ExecutorArgs,
    color: Color,
) -> Result<Exit, Failure> {
    match (args.shard, args.wishes()?) {
        (Some(_), Some(_)) => Err(Failure::usage(
            "--shard and --executor slurm exclude each other: Slurm's tasks are parts already; leave one of them out",
        )),
        (Some(shard), None) => {
            check_part(options)?;
            part::conduct(spec, options, shard, color)
        }
        (None, Some(_)) if options.overlap.jobs > 1 => Err(Failure::usage(
            "--jobs is for one machine; with --executor slurm say --max-tasks N for N tasks at the same time",
        )),
        (None, Some(wishes)) => slurm::conduct(&spec, options, &wishes, args.detach),
        (None, None) => {
            slurm::warn_of_job(&options.out);
            sweep::conduct(spec, options, color)
        }
    }
}

/// Whoever does a part is not alone in the directory, and must not change what others rely on.
fn check_part(options: &SweepOptions) -> Result<(), Failure> {
    let out = options.out.display();
    if options.opening == Opening::Fresh {
        return Err(Failure::usage(format!(
            "--fresh would move the results of other parts aside; move {out} away yourself, or choose another directory with --out"
        )));
    }
    if !options.retry.is_empty() {
        return Err(Failure::usage(format!(
            "--retry changes the rows of all parts; say `sokolab resume {out} --retry ..` without --shard"
        )));
    }
    Ok(())
}
