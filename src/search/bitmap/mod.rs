//! Breadth-first search over words of states, with three bits for each state and no table at all.
//!
//! Where the states of a puzzle are numbered by [`Words`], three bits for each of them hold what a visited
//! table and a frontier hold: whether it waits, whether it was visited, and in which layer, modulo 3. A layer is
//! expanded word by word, in ascending order, so that memory is read in order; steps that leave their word are
//! collected and entered together, because each of them waits for memory.

mod active;
mod colours;
pub mod layers;
mod outbox;
mod path;
mod shard;
pub mod workers;

use super::Goal;
use crate::puzzle::{Pruner, Puzzle, Words};
use active::ActiveWords;
use colours::Planes;

/// What is searched: a puzzle, the rules that reject its successors, and the words of its states.
#[derive(Debug)]
pub struct WordProblem<'a, P, R, L> {
    /// The state space.
    pub puzzle: &'a P,
    /// Pruning rules; [`crate::puzzle::NoPruning`] for none.
    pub pruner: &'a R,
    /// The numbering of its states.
    pub words: &'a L,
    /// Solve or count.
    pub goal: Goal,
}

impl<P, R, L> WordProblem<'_, P, R, L>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    /// Whether the search ends with this state.
    fn is_solved(&self, state: &P::State) -> bool {
        self.goal == Goal::Solve && self.puzzle.is_goal(state)
    }
}

/// Bytes of memory that a search over so many words reserves when it begins. Only what it touches is taken
/// from the machine.
#[must_use]
pub const fn table_bytes(words: usize) -> u64 {
    let planes = (words as u64).saturating_mul(size_of::<Planes>() as u64);
    planes.saturating_add(2 * ActiveWords::bytes(words) as u64)
}

/// Bytes that the outboxes of so many shards take at most, if each of them collects `steps` steps before
/// they are delivered.
#[must_use]
pub const fn outbox_bytes(shards: usize, steps: usize) -> u64 {
    outbox::most_bytes(shards, steps) as u64
}

#[cfg(test)]
mod tests;
