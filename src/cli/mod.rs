//! Arguments, terminal, exit codes; one file per subcommand.

mod check;
mod exit;
mod levels_arg;
mod plan;
mod progress;
mod report;
mod resume;
mod run;
mod show;
mod status;
mod sweep;
mod terminal;
mod verify;
mod worker;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::experiment::worker::SUBCOMMAND as WORKER;

/// A laboratory for state-space search on Sokoban
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands. Adding one starts here.
#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Plan(plan::Args),
    Status(status::Args),
    Resume(resume::Args),
    Report(report::Args),
    Verify(verify::Args),
    Check(check::Args),
    Show(show::Args),
    #[command(name = WORKER, hide = true)]
    Worker(worker::Args),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::Run(args) => run::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Status(args) => status::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Report(args) => report::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Check(args) => check::run(args),
        Command::Show(args) => show::run(args),
        Command::Worker(args) => worker::run(args),
    };
    result
        .unwrap_or_else(|failure| {
            eprintln!("error: {}", failure.message);
            failure.exit
        })
        .into()
}
