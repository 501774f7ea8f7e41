//! `sokolab __shim`: the process that watches a run. Hidden: `sokolab run` starts it by itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::exit::{Exit, Failure};
use crate::experiment::shim::{self, Assignment};

/// Run a program, end it when its time is over, and print what it has used
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Seconds after which the program is ended
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<Duration>,

    /// Cores that the program is kept on
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    cores: Vec<usize>,

    /// The program; its standard input is that of this command
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,

    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the program.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let assignment = Assignment {
        program: args.program.clone(),
        arguments: args.arguments.clone(),
        time: args.seconds,
        cores: args.cores.clone(),
    };
    shim::main(&assignment)
        .map(|()| Exit::Success)
        .map_err(Failure::internal)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds, such as 2.5")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
