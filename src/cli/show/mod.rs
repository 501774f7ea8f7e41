//! `sokolab show`: boards, their dead squares, and replays of solutions.

mod picture;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::exit::{Exit, Failure};
use super::levels_arg::{LevelsArg, SelectedLevels};
use super::terminal::{self, Color};
use crate::cli::terminal::tell;
use crate::sokoban::{Board, Direction, Level, dead_squares, lurd};
use crate::validate::Stepper;
use picture::Picture;

/// Show boards, their dead squares, and replays of solutions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level file, and perhaps which of its levels: `levels.xsb#3`, `levels.xsb#3-7,9`
    #[arg(value_name = "LEVELS[#N]")]
    levels: LevelsArg,
    /// Mark the squares from which a box can never reach a goal with `x`
    #[arg(long)]
    dead: bool,
    /// Replay a solution and show where it ends: LURD text, a file that holds it, or `recorded` for
    /// the solution that the level file records
    #[arg(long, value_name = "LURD|FILE|recorded")]
    replay: Option<String>,
    /// Show the board after every step of the replay, not only after the last
    #[arg(long, requires = "replay")]
    frames: bool,
    /// When to use colour
    #[arg(long, value_enum, default_value_t)]
    color: Color,
}

/// Shows the levels.
///
/// # Errors
/// If the levels cannot be read, or a replay was asked for and cannot be done.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let selected = args.levels.load()?;
    let shown = shown(args, &selected, args.color.applies())?;
    terminal::print(&shown)?;
    for &number in &selected.numbers {
        if let Err(error) = selected.collection.level(number) {
            tell!("warning: level {number} was not read as written: {error}");
        }
    }
    let (file, first) = (&selected.collection.name, selected.numbers[0]);
    tell!("next: sokolab solve {file}#{first}");
    Ok(Exit::Success)
}

/// Everything that goes to standard output.
fn shown(args: &Args, selected: &SelectedLevels, colored: bool) -> Result<String, Failure> {
    let SelectedLevels {
        collection,
        numbers,
    } = selected;
    if let (Some(_), [first, _, ..]) = (&args.replay, &numbers[..]) {
        let (count, name) = (numbers.len(), &collection.name);
        return Err(Failure::usage(format!(
            "--replay takes one level, but {count} are selected; choose one, such as {name}#{first}"
        )));
    }
    let levels = numbers.iter().map(|&number| {
        // A level that was not read as written can still be looked at, but not be worked with.
        let level = &collection.levels[number - 1];
        let picture = Picture::new(level, colored);
        let body = if args.dead || args.replay.is_some() {
            let level = collection.level(number).map_err(Failure::usage)?;
            worked(args, level, &board_of(level, &collection.name)?, picture)?
        } else {
            picture.start()
        };
        Ok(heading(level) + &body)
    });
    Ok(levels.collect::<Result<Vec<String>, Failure>>()?.join("\n"))
}

/// The picture with dead squares, a replay, or both.
fn worked(
    args: &Args,
    level: &Level,
    board: &Board,
    picture: Picture<'_>,
) -> Result<String, Failure> {
    let mut text = String::new();
    let mut picture = picture;
    if args.dead {
        let dead = dead_squares::simple(board);
        let count = dead.iter().filter(|&&dead| dead).count();
        let floor = board.floor();
        text = format!("; {count} of {floor} floor squares are dead (x)\n");
        picture = picture.with_dead(board, &dead);
    }
    text += &match &args.replay {
        Some(replay) => replayed(level, &picture, &solution(replay, level)?, args.frames)?,
        None => picture.start(),
    };
    Ok(text)
}

fn board_of(level: &Level, name: &str) -> Result<Board, Failure> {
    Board::new(level).map_err(|error| {
        let number = level.number;
        Failure::usage(format!(
            "{name}: level {number}: {error}; `sokolab check {name}#{number}` lists every finding"
        ))
    })
}

/// `; number title, by author`
fn heading(level: &Level) -> String {
    let mut line = format!("; {}", level.number);
    for (mark, name) in [(" ", &level.title), (", by ", &level.author)] {
        if let Some(name) = name
            .as_deref()
            .filter(|name| *name != level.number.to_string())
        {
            line.push_str(mark);
            // A title may hold anything, escape sequences for the terminal too.
            line.extend(name.chars().filter(|letter| !letter.is_control()));
        }
    }
    line.push('\n');
    line
}

/// The steps that `--replay` names.
fn solution(replay: &str, level: &Level) -> Result<Vec<Direction>, Failure> {
    let number = level.number;
    let (source, text) = if replay == "recorded" {
        let text = level.solution.clone().ok_or_else(|| {
            Failure::usage(format!(
                "level {number} has no recorded solution; expected a 'Solution:' line below its board, or --replay LURD"
            ))
        })?;
        (format!("recorded solution of level {number}"), text)
    } else if Path::new(replay).is_file() {
        let text = fs::read_to_string(replay)
            .map_err(|error| Failure::usage(format!("{replay}: cannot be read: {error}")))?;
        (replay.to_owned(), text)
    } else {
        ("--replay".to_owned(), replay.to_owned())
    };
    lurd::parse(&text).map_err(|error| {
        Failure::usage(format!(
            "{source}: {error} (it is read as LURD unless a file of that name exists)"
        ))
    })
}

/// The board after the last step, or after each.
fn replayed(
    level: &Level,
    picture: &Picture<'_>,
    steps: &[Direction],
    frames: bool,
) -> Result<String, Failure> {
    let mut stepper = Stepper::new(level).map_err(Failure::usage)?;
    let mut done: Vec<(Direction, bool)> = Vec::new();
    let mut text = String::new();
    if frames {
        text.push_str(&picture.of(stepper.level()));
    }
    for &direction in steps {
        let number = done.len() + 1;
        let push = stepper.step(direction).map_err(Failure::usage)?;
        done.push((direction, push));
        if frames {
            let letter = lurd::write(&done[done.len() - 1..]);
            let frame = picture.of(stepper.level());
            let _infallible = write!(text, "; {number} {letter}\n{frame}");
        }
    }
    let solved = if stepper.is_solved() {
        "solved"
    } else {
        "not solved"
    };
    let (moves, pushes) = (stepper.moves(), stepper.pushes());
    let _infallible = writeln!(text, "; {moves} moves, {pushes} pushes: {solved}");
    if !frames {
        text.push_str(&picture.of(stepper.level()));
    }
    let _infallible = writeln!(text, "Solution: {}", lurd::write(&done));
    Ok(text)
}

#[cfg(test)]
mod tests;
