//! `sokolab resume`: finishes what was interrupted.

use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::terminal::Color;
use super::{executor, sweep};
use crate::experiment::manifest::Manifest;
use crate::experiment::sweep::SweepOptions;

/// Do the runs that are left in a result directory
///
/// The experiment is taken from the directory itself, as it was when its results were begun.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    #[command(flatten)]
    retry: sweep::RetryArgs,

    #[command(flatten)]
    overlap: sweep::OverlapArgs,

    #[command(flatten)]
    executor: executor::ExecutorArgs,

    /// When the progress bar is coloured
    #[arg(long, value_enum, default_value_t)]
    color: Color,
}

/// Does the runs that are left.
///
/// # Errors
/// If the directory holds no results, or they cannot be continued.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let manifest = Manifest::read(&args.directory).map_err(Failure::usage)?;
    let spec = manifest.spec().map_err(Failure::usage)?;
    let options = SweepOptions {
        retry: args.retry.retry(),
        overlap: args.overlap.overlap(),
        ..SweepOptions::resuming(&manifest, &args.directory)
    };
    executor::conduct(spec, &options, &args.executor, args.color)
}
