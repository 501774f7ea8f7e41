//! `sokolab run`: does the runs of an experiment.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::plan;
use super::sweep;
use super::terminal::Color;
use crate::experiment::Opening;
use crate::experiment::shard::Shard;
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

    /// Directory of the results [default: results/NAME, with --shard results/NAME/shard-I-of-N]
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

    /// Do only part I of N, as several machines would
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

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
        out: args
            .out
            .clone()
            .unwrap_or_else(|| default_out(&spec, args.shard)),
        opening: match (args.resume, args.fresh) {
            (true, _) => Opening::Resume,
            (_, true) => Opening::Fresh,
            _ => Opening::Continue,
        },
        shard: args.shard,
        retry: args.retry.retry(),
        overlap: args.overlap.overlap(),
    };
    if args.dry_run {
        return plan::dry_run(&spec, &options);
    }
    sweep::conduct(spec, &options, args.color)
}

fn default_out(spec: &Spec, shard: Option<Shard>) -> PathBuf {
    let out = PathBuf::from("results").join(&spec.name);
    match shard {
        Some(shard) => out.join(shard.folder()),
        None => out,
    }
}
