//! Arguments, terminal, exit codes; one file per subcommand.

mod check;
mod collect;
mod compare;
mod diff;
mod doctor;
mod executor;
mod exit;
mod levels_arg;
mod named;
mod part;
mod plan;
mod progress;
mod report;
mod resume;
mod run;
mod shim;
mod show;
mod slurm;
mod solve;
mod status;
mod sweep;
mod terminal;
mod verify;
mod worker;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::experiment::shim::SUBCOMMAND as SHIM;
use crate::experiment::worker::SUBCOMMAND as WORKER;
use exit::{Exit, Failure};
use terminal::tell;

/// Compare search configurations on Sokoban: plan, run, measure, check and chart them
///
/// An experiment file says which levels, strategies, pruning levels, threading models and thread counts to
/// try. Each run is measured in a process of its own, its solution is replayed, and it becomes one row of
/// runs.csv. Results go to standard output and files, everything else to standard error.
#[derive(Debug, Parser)]
#[command(name = "sokolab", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The numbers of [`Exit`], as the help states them.
const EXIT_CODES: &str = "\
Exit codes:
    0  all well
    1  sokolab or the machine failed; with diff: the new results are worse
    2  the command line or an input file is wrong
    4  nothing is selected
  100  some run crashed or was invalid
  101  a wrong answer
  106  incomplete: resume to finish
  130  interrupted";

/// One variant, one file.
#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Plan(plan::Args),
    Status(status::Args),
    Resume(resume::Args),
    Collect(collect::Args),
    Solve(solve::Args),
    /// Make charts, tables and a page from measured rows
    Report(report::Args),
    Check(check::Args),
    Show(show::Args),
    Compare(compare::Args),
    Diff(diff::Args),
    Verify(verify::Args),
    Doctor(doctor::Args),
    #[command(name = SHIM, hide = true)]
    Shim(shim::Args),
    #[command(name = WORKER, hide = true)]
    Worker(worker::Args),
}

impl Command {
    fn run(&self) -> Result<Exit, Failure> {
        match self {
            Self::Run(args) => run::run(args),
            Self::Plan(args) => plan::run(args),
            Self::Status(args) => status::run(args),
            Self::Resume(args) => resume::run(args),
            Self::Collect(args) => collect::run(args),
            Self::Solve(args) => solve::run(args),
            Self::Report(args) => report::run(args),
            Self::Check(args) => check::run(args),
            Self::Show(args) => show::run(args),
            Self::Compare(args) => compare::run(args),
            Self::Diff(args) => diff::run(args),
            Self::Verify(args) => verify::run(args),
            Self::Doctor(args) => doctor::run(args),
            Self::Shim(args) => shim::run(args),
            Self::Worker(args) => worker::run(args),
        }
    }
}

/// Runs the command line of this process.
///
/// A panic ends with the code of an internal failure: the code that Rust gives by itself, 101, means a
/// wrong answer here.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let ended = panic::catch_unwind(AssertUnwindSafe(|| cli.command.run()));
    let exit = match ended {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            tell!("error: {}", failure.message);
            failure.exit
        }
        // The panic hook has printed what happened.
        Err(_) => Exit::Internal,
    };
    exit.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_exit_code_is_in_the_help() {
        for exit in [
            Exit::Success,
            Exit::Internal,
            Exit::Usage,
            Exit::NothingSelected,
            Exit::RunFailed,
            Exit::WrongAnswer,
            Exit::Incomplete,
            Exit::Interrupted,
        ] {
            let code = format!("{:>5}  ", exit as u8);
            assert!(
                EXIT_CODES.lines().any(|line| line.starts_with(&code)),
                "{exit:?}"
            );
        }
    }

    #[test]
    fn every_subcommand_and_every_argument_says_what_it_is_for() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let about = command.get_about().map(ToString::to_string);
            assert!(about.is_some_and(|about| about.len() > 10), "{name}");
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string);
                assert!(
                    help.is_some_and(|help| help.len() > 10),
                    "{name} {argument}"
                );
            }
        }
    }
}
