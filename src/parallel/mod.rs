//! Threading models over the search engine.
//!
//! Models differ only in who owns the frontier and the visited table.

mod actors;
pub mod bitmap;
mod crew;
mod finish;
mod gate;
mod layered;
mod outbox;
mod shared;
mod shared_table;
mod tally;

use thiserror::Error;

use crate::puzzle::{Coding, Heuristic, Pruner, Puzzle, ZeroHeuristic};
use crate::search::discipline::{AStar, BreadthFirst, DepthFirst, Discipline, GreedyBestFirst};
use crate::search::{Goal, Limits, Outcome, Problem, Strategy, sequential};

/// Who owns the frontier and the visited table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Threading {
    /// One thread, one frontier, one table.
    Sequential,
    /// A frontier per worker with work stealing; one shared concurrent table.
    Shared,
    /// A frontier and a table per actor; a state belongs to the actor that the hash of its group names (HDA*).
    Actors,
    /// One frontier per layer, expanded by a rayon pool; one shared concurrent table. `bfs` only.
    Layered,
}

impl Threading {
    /// Every model, in documentation order.
    pub const ALL: [Self; 4] = [Self::Sequential, Self::Shared, Self::Actors, Self::Layered];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Shared => "shared",
            Self::Actors => "actors",
            Self::Layered => "layered",
        }
    }
}

/// Most workers of one search: far above any machine, far below what would exhaust one.
pub const MAX_THREADS: usize = 1024;

/// How to search.
#[derive(Debug, Clone)]
pub struct SearchConfig {
    /// Order of expansion.
    pub strategy: Strategy,
    /// Threading model.
    pub threading: Threading,
    /// Number of workers, at least 1.
    pub threads: usize,
    /// Solve or count.
    pub goal: Goal,
    /// When to stop early.
    pub limits: Limits,
}

/// A configuration that no engine can run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// No worker at all, or more than [`MAX_THREADS`].
    #[error("threads = {0}: expected 1 to {MAX_THREADS}")]
    Threads(usize),
    /// The sequential model with several threads.
    #[error(
        "threading = \"sequential\" runs on one thread, not {0}; set threads = 1, or choose shared or actors"
    )]
    SequentialThreads(usize),
    /// The layered model with a strategy that has no layers.
    #[error(
        "threading = \"layered\" expands whole layers and so takes strategy = \"bfs\" only, not \"{0}\"; choose shared or actors"
    )]
    LayeredStrategy(&'static str),
}

impl SearchConfig {
    /// Checks that an engine for this configuration exists.
    ///
    /// # Errors
    /// [`ConfigError`] names the key, its value and what would be accepted.
    pub const fn check(&self) -> Result<(), ConfigError> {
        if self.threads == 0 || self.threads > MAX_THREADS {
            return Err(ConfigError::Threads(self.threads));
        }
        match (self.threading, self.threads, self.strategy) {
            (Threading::Sequential, 2.., _) => Err(ConfigError::SequentialThreads(self.threads)),
            (Threading::Layered, _, Strategy::Dfs | Strategy::Greedy | Strategy::Astar) => {
                Err(ConfigError::LayeredStrategy(self.strategy.name()))
            }
            _ => Ok(()),
        }
    }
}

/// Searches `problem` as `config` says.
///
/// # Errors
/// [`ConfigError`] if no engine for the configuration exists.
pub fn search<P, H, R, K>(
    problem: &Problem<'_, P, H, R, K>,
    config: &SearchConfig,
) -> Result<Outcome<P::Action>, ConfigError>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
{
    match config.strategy {
        Strategy::Dfs => search_with::<P, H, R, K, DepthFirst>(problem, config),
        Strategy::Bfs => search_with::<P, H, R, K, BreadthFirst>(problem, config),
        Strategy::Greedy => search_with::<P, H, R, K, GreedyBestFirst>(problem, config),
        Strategy::Astar => search_with::<P, H, R, K, AStar>(problem, config),
    }
}

/// Searches `problem` with the strategy `D`, under the threading model of `config`. For callers that know
/// the strategy as a type: only its engines are compiled.
///
/// # Errors
/// [`ConfigError`] if no engine for the configuration exists.
///
/// # Panics
/// If `D` is not the strategy of `config`.
pub fn search_with<P, H, R, K, D>(
    problem: &Problem<'_, P, H, R, K>,
    config: &SearchConfig,
) -> Result<Outcome<P::Action>, ConfigError>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    assert_eq!(D::STRATEGY, config.strategy, "one strategy, given twice");
    config.check()?;
    let SearchConfig {
        goal,
        threads,
        ref limits,
        ..
    } = *config;
    Ok(match config.threading {
        Threading::Sequential => sequential::search::<P, H, R, K, D>(problem, goal, limits),
        Threading::Shared => shared::search::<P, H, R, K, D>(problem, goal, limits, threads),
        Threading::Actors => actors::search::<P, H, R, K, D>(problem, goal, limits, threads),
        Threading::Layered => {
            // Breadth first uses no estimate, so one engine serves whatever the heuristic.
            let problem = Problem {
                puzzle: problem.puzzle,
                heuristic: &ZeroHeuristic,
                pruner: problem.pruner,
                coding: problem.coding,
            };
            layered::search(&problem, goal, limits, threads)
        }
    })
}

/// Runs each worker on a thread of its own and collects what they return, in order. One worker runs
/// on the calling thread, so that a crew of one starts no thread at all.
///
/// # Panics
/// With the panic of a worker, if one panics.
fn run_all<W: Send, T: Send>(workers: Vec<W>, run: impl Fn(W) -> T + Copy + Send) -> Vec<T> {
    std::thread::scope(|scope| {
        let mut workers = workers.into_iter();
        let own = workers.next();
        let threads: Vec<_> = workers
            .map(|worker| scope.spawn(move || run(worker)))
            .collect();
        let own = own.map(run);
        let others = threads.into_iter().map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        own.into_iter().chain(others).collect()
    })
}
