//! `sokolab verify`: replays solutions and checks the laws of rows.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::levels_arg::LevelsArg;
use super::terminal;
use super::terminal::tell;
use crate::experiment::check_solution;
use crate::experiment::verification::{Verification, verify};

/// Replay every solution of a result directory, check every row; or replay one solution of a level
///
/// Ends with exit code 101 on a wrong answer, 100 if some run crashed, 106 if runs are left, else 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory, or with --solution one level
    #[arg(value_name = "DIR|LEVELS#N")]
    target: String,

    /// File with a solution in LURD; `-` is standard input
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
}

/// Verifies.
///
/// # Errors
/// If there is nothing to verify, or it cannot be read.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    match &args.solution {
        Some(file) => verify_solution(&args.target, file),
        None if is_level(&args.target) => Err(Failure::usage(format!(
            "{0} is a level file; to replay a solution of one of its levels: sokolab verify {0} --solution FILE; otherwise name a result directory that `sokolab run` wrote",
            args.target
        ))),
        None => verify_directory(Path::new(&args.target)),
    }
}

/// Whether the target names a file, perhaps with a selection of its levels, where a directory belongs.
fn is_level(target: &str) -> bool {
    let file = target.rsplit_once('#').map_or(target, |(file, _)| file);
    Path::new(target).is_file() || Path::new(file).is_file()
}

fn verify_directory(directory: &Path) -> Result<Exit, Failure> {
    let verification = verify(directory).map_err(Failure::usage)?;
    for note in &verification.notes {
        tell!("note: {note}");
    }
    let mut text: String = verification
        .wrong
        .iter()
        .map(|fault| format!("wrong: {fault}\n"))
        .collect();
    text.push_str(&format!(
        "{}: {} rows checked, {} solutions replayed, {} wrong, {} crashed, {} left\n",
        directory.display(),
        verification.rows,
        verification.replayed,
        verification.wrong.len(),
        verification.crashed,
        verification.left
    ));
    terminal::print(&text)?;
    Ok(conclude(&verification, directory))
}

fn conclude(verification: &Verification, directory: &Path) -> Exit {
    let directory = directory.display();
    let (exit, next) = if !verification.wrong.is_empty() {
        (Exit::WrongAnswer, "status")
    } else if verification.crashed > 0 {
        (Exit::RunFailed, "status")
    } else if verification.left > 0 {
        (Exit::Incomplete, "resume")
    } else {
        (Exit::Success, "report")
    };
    tell!("next: sokolab {next} {directory}");
    exit
}

fn verify_solution(target: &str, file: &Path) -> Result<Exit, Failure> {
    let Ok(levels) = target.parse::<LevelsArg>();
    let selected = levels.load()?;
    let [number] = selected.numbers[..] else {
        return Err(Failure::usage(format!(
            "{target}: {} levels; a solution is of one level, so name it: {target}#1",
            selected.numbers.len()
        )));
    };
    let level = selected
        .collection
        .level(number)
        .map_err(|error| Failure::usage(format!("{target}: {error}")))?;
    match check_solution(level, &read_solution(file)?) {
        Ok(replay) => {
            terminal::print(&format!(
                "solved: {} moves, {} pushes\n",
                replay.moves, replay.pushes
            ))?;
            tell!("next: sokolab show '{target}' --replay {}", replay.lurd);
            Ok(Exit::Success)
        }
        Err(fault) => {
            terminal::print(&format!("wrong: {fault}\n"))?;
            Ok(Exit::WrongAnswer)
        }
    }
}

fn read_solution(file: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if file == Path::new("-") {
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(file)
    };
    read.map_err(|error| {
        Failure::usage(format!(
            "{}: {error}; expected a file with a solution in LURD",
            file.display()
        ))
    })
}
