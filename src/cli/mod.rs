//! Arguments, terminal, exit codes; one file per subcommand.

mod check;
mod exit;
mod levels_arg;
mod report;
mod show;
mod terminal;

use std::process::ExitCode;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
