//! The same exhaustive search by sokolab and by its peers, side by side: see `scripts/bench-peers`.

mod comparison;
mod contender;
mod level;
mod model;
mod pushes;
mod report;
mod sample;
mod statistics;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use comparison::{Comparison, Setting};
use sample::Sample;

/// Counts all states of one Sokoban level, by many programs.
#[derive(Debug, Parser)]
#[command(name = "bench-peers")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// One census in this process; prints who,threads,states,seconds,peak_bytes
    Census {
        /// A name that `list` prints
        contender: String,
        /// Threads
        threads: usize,
        /// Level
        level: String,
    },
    /// Everyone, each in a process of its own, interleaved in rounds
    Compare(CompareArguments),
    /// Who takes part, and the levels
    List,
}

/// How to compare.
#[derive(Debug, clap::Args)]
struct CompareArguments {
    /// Level: small, million, medium or large
    #[arg(long, default_value = "medium")]
    level: String,
    /// The small level, in under a minute
    #[arg(long, conflicts_with = "level")]
    quick: bool,
    /// Rounds; medians are taken over them
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only contenders whose name contains one of these, separated by commas
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Where the measurements go
    #[arg(long, default_value = "bench-peers.csv")]
    out: PathBuf,
    /// Folder with the compiled classes of the Java framework; without it, it is skipped
    #[arg(long)]
    java: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Census {
            contender,
            threads,
            level,
        } => census(&contender, threads, &level),
        Command::Compare(arguments) => compare(arguments),
        Command::List => list(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench-peers: error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn census(contender: &str, threads: usize, level: &str) -> Result<(), String> {
    let (contender, level) = (contender::find(contender, threads)?, level::by_name(level)?);
    Sample::take(&contender, &level)?.print(&contender);
    Ok(())
}

fn compare(arguments: CompareArguments) -> Result<(), String> {
    let name = if arguments.quick {
        "small"
    } else {
        &arguments.level
    };
    let level = level::by_name(name)?;
    let comparison = Comparison::run(&Setting {
        level,
        rounds: arguments.rounds,
        only: arguments.only,
        java: arguments.java,
        out: arguments.out,
    })?;
    report::print(&comparison);
    targets::print(&comparison);
    comparison.verdict()
}

fn list() -> Result<(), String> {
    for contender in contender::all() {
        println!("{} {}", contender.name, contender.threads);
    }
    for level in level::ALL {
        let (moves, pushes) = (level.move_states, level.push_states);
        println!("{}: {moves} move states, {pushes} push states", level.name);
    }
    Ok(())
}
