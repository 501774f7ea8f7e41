//! Search engine: strategies, frontiers, visited tables, limits, counters, outcome.
//!
//! Knows no Sokoban and starts no thread.

pub mod bitmap;
mod counters;
pub mod discipline;
pub mod engine;
pub mod frontier;
pub mod gauge;
mod limits;
pub mod node;
mod outcome;
pub mod path;
mod pipeline;
pub mod sequential;
mod strategy;
pub mod table;

pub use counters::Counters;
pub use limits::{CancelToken, Limits};
pub use outcome::{Outcome, Solution, Status, WorkerReport};
pub use strategy::{Goal, Strategy};

/// What is searched: a puzzle, an estimate for it, the rules that reject its successors, and how its states are
/// named in tables.
#[derive(Debug)]
pub struct Problem<'a, P, H, R, K> {
    /// The state space.
    pub puzzle: &'a P,
    /// Distance estimate; [`crate::puzzle::ZeroHeuristic`] for strategies that use none.
    pub heuristic: &'a H,
    /// Pruning rules; [`crate::puzzle::NoPruning`] for none.
    pub pruner: &'a R,
    /// Names of states; [`crate::puzzle::Hashed`] serves every puzzle.
    pub coding: &'a K,
}
