//! `sokolab __worker`: the process of one run. Hidden: `sokolab run` starts it by itself.

use super::exit::{Exit, Failure};
use crate::experiment::worker;

/// Do one run: the order comes from standard input, the report goes to standard output
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Does the run.
///
/// # Errors
/// If there is no order.
pub(crate) fn run(_args: &Args) -> Result<Exit, Failure> {
    worker::main()
        .map(|()| Exit::Success)
        .map_err(Failure::internal)
}
