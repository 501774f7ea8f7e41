//! `sokolab run`: does the runs of an experiment.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::plan;
use super::terminal::Color;
use super::{executor, sweep};
use crate::experiment::Opening;
use crate::experiment::spec::Spec;
use crate::experiment::sweep::SweepOptions;

/// Do the runs of an experiment, check and record each of them, and report
///
/// Each run is a process of its own. Rows that are there already are kept, so the same command finishes what
/// was interrupted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,

    /// Directory of the results [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    retry: sweep::RetryArgs,

    #[command(flatten)]
    overlap: sweep::OverlapArgs,

    /// Complete results that must be there
    #[arg(long, conflicts_with = "fresh")]
    resume: bool,

    /// Begin anew; results that are there are moved to DIR/previous-N
    #[arg(long)]
    fresh: bool,

    #[command(flatten)]
    executor: executor::ExecutorArgs,

    /// Print the runs that would be done, and do none
    #[arg(long)]
    dry_run: bool,

    /// When the progress bar is coloured
    #[arg(long, value_enum, default_value_t)]
    color: Color,
}

/// Does the runs.
///
/// # Errors
/// If the experiment is wrong, or results cannot be written.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let spec = Spec::read(&args.experiment).map_err(Failure::usage)?;
    let options = SweepOptions {
        file: args.experiment.clone(),
        out: args.out.clone().unwrap_or_else(|| default_out(&spec)),
        opening: match (args.resume, args.fresh) {
            (true, _) => Opening::Resume,
            (_, true) => Opening::Fresh,
            _ => Opening::Continue,
        },
        shard: None,
        retry: args.retry.retry(),
        overlap: args.overlap.overlap(),
    };
    if args.dry_run {
        return plan::dry_run(&spec, &options, args.executor.shard());
    }
    executor::conduct(spec, &options, &args.executor, args.color)
}

fn default_out(spec: &Spec) -> PathBuf {
    PathBuf::from("results").join(&spec.header.name)
}
