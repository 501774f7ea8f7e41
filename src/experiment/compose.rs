//! The one place where search meets Sokoban: from configuration values to generic code.
//!
//! Each function takes one decision and hands on to code that is compiled for it: the width of a state,
//! the space, the strategy, the heuristic. The threading model is decided in
//! [`crate::parallel::search_with`].

use std::time::Duration;

use thiserror::Error;

use super::configuration::{Configuration, Space as SpaceKind, Table};
use super::tables::{self, Choice, TableError};
use crate::parallel::bitmap::{self, BitmapError};
use crate::parallel::{self, ConfigError, SearchConfig};
use crate::puzzle::{Coding, Cost, Heuristic, Pruner, ZeroHeuristic};
use crate::search::bitmap::WordProblem;
use crate::search::discipline::{AStar, BreadthFirst, DepthFirst, Discipline, GreedyBestFirst};
use crate::search::{Counters, Goal, Limits, Outcome, Problem, Status, Strategy, WorkerReport};
use crate::sokoban::coding::WholeStates;
use crate::sokoban::encoding::{State, words_for};
use crate::sokoban::heuristic::{HeuristicKind, Manhattan};
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pruning::RuleSet;
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::rules::Classic;
use crate::sokoban::space::Space;
use crate::sokoban::words::MoveWords;
use crate::sokoban::{Board, Direction};

/// What a search of one level has found and what it cost.
#[derive(Debug, Clone)]
pub struct Answer {
    /// How the search ended.
    pub status: Status,
    /// Cost of the solution in the unit of the space.
    pub cost: Option<Cost>,
    /// The solution as steps of the player.
    pub steps: Option<Vec<Direction>>,
    /// The table that was used.
    pub table: Table,
    /// Why, if the choice was free; else empty.
    pub table_reason: String,
    /// Effort.
    pub counters: Counters,
    /// Names of the active pruning rules, indexed like [`Counters::pruned_by_rule`].
    pub rules: Vec<&'static str>,
    /// Most states waiting at once.
    pub frontier_peak: u64,
    /// Bytes of the visited table at its peak.
    pub table_bytes: u64,
    /// Bytes of the frontier at its peak.
    pub frontier_bytes: u64,
    /// Monotonic wall time of the search itself.
    pub wall: Duration,
    /// One report per worker.
    pub workers: Vec<WorkerReport>,
}

/// A configuration that cannot run on a board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ComposeError {
    /// No engine for the configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No bitmap for the configuration.
    #[error(transparent)]
    Bitmap(#[from] BitmapError),
    /// The table cannot be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The strategy orders by a heuristic and none is given.
    #[error("strategy = \"{0}\" orders states by a heuristic; add heuristic = \"manhattan\"")]
    NoHeuristic(&'static str),
    /// More floor than the widest state holds.
    #[error("{0} floor cells; at most 1014 are supported")]
    TooLarge(usize),
}

/// Searches a board as the configuration says.
///
/// # Errors
/// [`ComposeError`] if the configuration cannot run on the board.
pub fn answer(
    board: &Board,
    configuration: &Configuration,
    goal: Goal,
    limits: &Limits,
) -> Result<Answer, ComposeError> {
    let search = configuration.search(goal, limits.clone());
    search.check()?;
    let (choice, reason) = tables::choose(board, configuration, limits.memory_bytes)?;
    let job = Job {
        board,
        configuration,
        search,
        table: choice.table(),
        table_reason: reason,
    };
    match (choice, words_for(board.floor())) {
        (Choice::Bitmap(words), Some(1)) => job.in_bitmap::<1>(&words),
        (Choice::Bitmap(words), Some(2)) => job.in_bitmap::<2>(&words),
        (Choice::Hash, Some(1)) => job.in_space::<1, _>(&WholeStates::new(board)),
        (Choice::Hash, Some(2)) => job.in_space::<2, _>(&WholeStates::new(board)),
        (Choice::Hash, Some(4)) => job.in_space::<4, _>(&WholeStates::new(board)),
        (Choice::Hash, Some(16)) => job.in_space::<16, _>(&WholeStates::new(board)),
        (Choice::Compact(ranks), Some(1)) => job.in_space::<1, _>(&*ranks),
        (Choice::Compact(ranks), Some(2)) => job.in_space::<2, _>(&*ranks),
        _ => Err(ComposeError::TooLarge(board.floor())),
    }
}

/// What is to be done, as far as it is the same for all generic code.
struct Job<'a> {
    board: &'a Board,
    configuration: &'a Configuration,
    search: SearchConfig,
    table: Table,
    table_reason: String,
}

impl Job<'_> {
    fn in_space<const W: usize, K>(&self, coding: &K) -> Result<Answer, ComposeError>
    where
        K: Coding<State<W>>,
    {
        match self.configuration.space {
            SpaceKind::Moves => self.with_strategy(&MoveSpace::<W>::new(self.board), coding),
            SpaceKind::Pushes => self.with_strategy(&PushSpace::<W>::new(self.board), coding),
        }
    }

    /// Breadth first over the words of the space of moves, the only one that has words.
    fn in_bitmap<const W: usize>(&self, words: &MoveWords) -> Result<Answer, ComposeError> {
        let space = MoveSpace::<W>::new(self.board);
        let pruner = RuleSet::<W>::ladder(self.board, self.configuration.pruning);
        let problem = WordProblem {
            puzzle: &space,
            pruner: &pruner,
            words,
            goal: self.search.goal,
        };
        let outcome = bitmap::search(&problem, &self.search)?;
        Ok(self.answer_of(&space, &pruner, outcome))
    }

    /// Each strategy is compiled with the estimates that it can use, and no others.
    fn with_strategy<const W: usize, S, K>(
        &self,
        space: &S,
        coding: &K,
    ) -> Result<Answer, ComposeError>
    where
        S: Space<State = State<W>, Rule = Classic>,
        K: Coding<State<W>>,
    {
        match self.search.strategy {
            Strategy::Dfs => self.search::<W, S, _, K, DepthFirst>(space, &ZeroHeuristic, coding),
            Strategy::Bfs => self.search::<W, S, _, K, BreadthFirst>(space, &ZeroHeuristic, coding),
            Strategy::Greedy => self.with_heuristic::<W, S, K, GreedyBestFirst>(space, coding),
            Strategy::Astar => self.with_heuristic::<W, S, K, AStar>(space, coding),
        }
    }

    fn with_heuristic<const W: usize, S, K, D>(
        &self,
        space: &S,
        coding: &K,
    ) -> Result<Answer, ComposeError>
    where
        S: Space<State = State<W>, Rule = Classic>,
        K: Coding<State<W>>,
        D: Discipline,
    {
        match self.configuration.heuristic {
            Some(HeuristicKind::Manhattan) => {
                self.search::<W, S, _, K, D>(space, &Manhattan::new(self.board), coding)
            }
            None => Err(ComposeError::NoHeuristic(self.search.strategy.name())),
        }
    }

    fn search<const W: usize, S, H, K, D>(
        &self,
        space: &S,
        heuristic: &H,
        coding: &K,
    ) -> Result<Answer, ComposeError>
    where
        S: Space<State = State<W>, Rule = Classic>,
        H: Heuristic<S>,
        K: Coding<State<W>>,
        D: Discipline,
    {
        let pruner = RuleSet::<W>::ladder(self.board, self.configuration.pruning);
        let problem = Problem {
            puzzle: space,
            heuristic,
            pruner: &pruner,
            coding,
        };
        let outcome = parallel::search_with::<_, _, _, _, D>(&problem, &self.search)?;
        Ok(self.answer_of(space, &pruner, outcome))
    }

    fn answer_of<S: Space, R: Pruner<S>>(
        &self,
        space: &S,
        pruner: &R,
        outcome: Outcome<S::Action>,
    ) -> Answer {
        Answer {
            status: outcome.status,
            table: self.table,
            table_reason: self.table_reason.clone(),
            cost: outcome.solution.as_ref().map(|solution| solution.cost),
            steps: outcome
                .solution
                .map(|solution| space.steps(&solution.actions)),
            counters: outcome.counters,
            rules: pruner.rules().to_vec(),
            frontier_peak: outcome.frontier_peak,
            table_bytes: outcome.table_bytes,
            frontier_bytes: outcome.frontier_bytes,
            wall: outcome.wall,
            workers: outcome.workers,
        }
    }
}
