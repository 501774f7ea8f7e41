//! `sokolab solve`: searches of single levels, now and in this process.

mod figures;

use std::time::Duration;

use super::exit::{Exit, Failure};
use super::levels_arg::{LevelsArg, SelectedLevels};
use super::named::Named;
use super::terminal;
use crate::cli::terminal::tell;
use crate::experiment::choices::{
    GOALS, HEURISTICS, PRUNINGS, SPACES, STRATEGIES, TABLES, THREADINGS,
};
use crate::experiment::compose::{self, Answer};
use crate::experiment::configuration::{Configuration, Space, Table};
use crate::experiment::spec::{bytes, duration};
use crate::parallel::Threading;
use crate::search::{Goal, Limits, Status, Strategy};
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;
use crate::sokoban::{Board, Level};
use crate::validate;

/// Solve levels now, and print their solutions
///
/// Each solution is replayed before it is printed on standard output, as LURD: capitals are pushes. What the
/// search cost goes to standard error. To compare configurations, write an experiment file and use
/// `sokolab run`: it measures each run in a process of its own.
///
/// Ends with exit code 106 if a limit was met before an answer was found.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level file, and perhaps which of its levels: `levels.xsb#3`, `levels.xsb#3-7,9`
    #[arg(value_name = "LEVELS[#N]")]
    levels: LevelsArg,
    /// What a step is: a move of the player, or a push
    #[arg(long, default_value = "pushes", value_parser = Named(SPACES))]
    space: Space,
    /// Order of expansion; bfs and astar find shortest solutions
    #[arg(long, default_value = "astar", value_parser = Named(STRATEGIES))]
    strategy: Strategy,
    /// Estimate of the distance to the goal; dfs and bfs use none
    #[arg(long, default_value = "manhattan", value_parser = Named(HEURISTICS))]
    heuristic: HeuristicKind,
    /// Pruning level; each includes the ones before it
    #[arg(long, default_value = "frozen", value_parser = Named(PRUNINGS))]
    pruning: PruningLevel,
    /// Who owns the frontier and the visited table [default: sequential, or shared with several threads]
    #[arg(long, value_parser = Named(THREADINGS))]
    threading: Option<Threading>,
    /// Worker threads, 1 to 1024
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        allow_negative_numbers = true
    )]
    threads: usize,
    /// How visited states are remembered; bitmap takes `--space moves --strategy bfs`
    #[arg(long, default_value = "auto", value_parser = Named(TABLES))]
    table: Table,
    /// Find a solution, or visit everything reachable and count it
    #[arg(long, default_value = "solve", value_parser = Named(GOALS))]
    goal: Goal,
    /// Wall time of each search, such as `500ms`, `60s`, `2m` or `1h` [default: unlimited]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Memory of the visited table and the frontier, such as `500MiB` or `4GiB`
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = bytes)]
    memory_limit: u64,
}

/// Solves the levels, one after the other.
///
/// # Errors
/// If the levels cannot be read or played, no engine exists for the configuration, or an answer is wrong.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let SelectedLevels {
        collection,
        numbers,
    } = args.levels.load()?;
    let mut exit = Exit::Success;
    for &number in &numbers {
        let level = collection.level(number).map_err(Failure::usage)?;
        let place = format!("{}#{number}", collection.name);
        let solved = Solved::new(level, &place, args)?;
        if numbers.len() > 1 {
            terminal::print(&format!("; {number}\n"))?;
        }
        if let Some(lurd) = &solved.lurd {
            terminal::print(&format!("{lurd}\n"))?;
        }
        tell!("{}", figures::text(&place, &solved).trim_end());
        if is_early(solved.answer.status) {
            exit = Exit::Incomplete;
        }
        if numbers.len() == 1 {
            tell!("next: {}", next(&place, &solved));
        }
    }
    Ok(exit)
}

/// Whether the search was stopped before it had an answer.
const fn is_early(status: Status) -> bool {
    match status {
        Status::Solved | Status::Unsolvable | Status::Exhausted | Status::Complete => false,
        Status::TimeLimit | Status::MemoryLimit | Status::StateLimit | Status::Cancelled => true,
    }
}

/// A search that has ended, its solution replayed.
#[derive(Debug)]
struct Solved {
    answer: Answer,
    /// The solution, if there is one, with its moves and pushes.
    lurd: Option<String>,
    moves: u64,
    pushes: u64,
}

impl Solved {
    fn new(level: &Level, place: &str, args: &Args) -> Result<Self, Failure> {
        let board = Board::new(level).map_err(|error| {
            Failure::usage(format!(
                "{place}: {error}; `sokolab check {place}` lists every finding"
            ))
        })?;
        let answer = compose::answer(&board, &args.configuration(), args.goal, &args.limits())
            .map_err(Failure::usage)?;
        if !answer.counters.is_conserved() {
            let counters = &answer.counters;
            return Err(wrong(
                place,
                &format!("its counts contradict each other: {counters:?}"),
            ));
        }
        Self::replayed(level, place, answer)
    }

    /// Carries out the solution on the level's own squares.
    fn replayed(level: &Level, place: &str, answer: Answer) -> Result<Self, Failure> {
        let Some(steps) = &answer.steps else {
            let (lurd, moves, pushes) = (None, 0, 0);
            return Ok(Self {
                answer,
                lurd,
                moves,
                pushes,
            });
        };
        let replay = validate::replay(level, steps)
            .map_err(|error| wrong(place, &format!("its solution fails the replay: {error}")))?;
        if !replay.solved {
            let moves = replay.moves;
            return Err(wrong(
                place,
                &format!("after its {moves} moves a box is off its goal"),
            ));
        }
        Ok(Self {
            answer,
            lurd: Some(replay.lurd),
            moves: replay.moves,
            pushes: replay.pushes,
        })
    }
}

fn wrong(place: &str, what: &str) -> Failure {
    Failure {
        exit: Exit::WrongAnswer,
        message: format!(
            "{place}: a wrong answer: {what}; this is a fault of sokolab, please report it"
        ),
    }
}

impl Args {
    fn configuration(&self) -> Configuration {
        let threading = self.threading.unwrap_or(match self.threads {
            0 | 1 => Threading::Sequential,
            _ => Threading::Shared,
        });
        Configuration {
            space: self.space,
            strategy: self.strategy,
            heuristic: self.strategy.uses_heuristic().then_some(self.heuristic),
            pruning: self.pruning,
            threading,
            threads: self.threads,
            table: self.table,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory_bytes: Some(self.memory_limit),
            ..Limits::default()
        }
    }
}

/// The next useful command after one level.
fn next(place: &str, solved: &Solved) -> String {
    /// Longer solutions do not fit a command line that a person reads.
    const SHORT: usize = 80;
    match (&solved.lurd, solved.answer.status) {
        (Some(lurd), _) if lurd.is_empty() => format!("sokolab show {place}"),
        (Some(lurd), _) if lurd.len() <= SHORT => format!("sokolab show {place} --replay {lurd}"),
        (Some(_), _) => {
            format!("sokolab show {place} --replay FILE, with the solution above in FILE")
        }
        (None, Status::TimeLimit) => "a longer --time-limit, or --strategy greedy".to_owned(),
        (None, Status::MemoryLimit) => "a higher --memory-limit, or --strategy dfs".to_owned(),
        (None, Status::Exhausted) => {
            format!("sokolab solve {place} --pruning none, which proves what it finds")
        }
        (None, _) => format!("sokolab show {place} --dead"),
    }
}

#[cfg(test)]
mod tests;
