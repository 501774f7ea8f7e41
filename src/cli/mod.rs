//! Arguments, terminal, exit codes; one file per subcommand.

mod exit;
mod report;

use std::process::ExitCode;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
