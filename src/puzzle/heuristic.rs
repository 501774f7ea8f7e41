//! Estimates of the distance to the goal, and what may be relied on.

use super::{Cost, Puzzle};

/// What a heuristic says of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// The goal is estimated to be this far away.
    Finite(Cost),
    /// The goal cannot be reached from here. Believed only as far as [`Guarantee`] allows.
    DeadEnd,
}

/// What a heuristic promises for its puzzle. Ordered: each promise includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// Nothing.
    None,
    /// Never more than the true cost to the goal; a dead end is one.
    Admissible,
    /// Admissible, and along any step the estimate falls by at most the cost of the step.
    Consistent,
}

/// An estimate of the cost from a state to the nearest goal. A goal state is estimated 0.
pub trait Heuristic<P: Puzzle>: Sync {
    /// Estimates one state.
    fn estimate(&self, puzzle: &P, state: &P::State) -> Estimate;

    /// What holds for every estimate.
    fn guarantee(&self) -> Guarantee;
}

/// The null object: every state is estimated 0. Consistent in every puzzle.
#[derive(Debug, Clone, Copy, Default)]
pub struct ZeroHeuristic;

impl<P: Puzzle> Heuristic<P> for ZeroHeuristic {
    fn estimate(&self, _puzzle: &P, _state: &P::State) -> Estimate {
        Estimate::Finite(0)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}
