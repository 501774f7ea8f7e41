//! The generic puzzle framework: initial position, goal test, legal moves, move.
//!
//! A [`Puzzle`] is a state space given by rules. A [`Pruner`] rejects successors from which the goal
//! is out of reach, a [`Heuristic`] estimates how far it is. Search engines know only these traits;
//! `tests/` holds a second domain that keeps them honest.

mod coding;
pub mod hash;
mod heuristic;
mod pruner;
mod words;

use std::fmt::Debug;
use std::hash::Hash;

pub use coding::{Coding, DenseQuotient, Hashed, Keep, Key, Quotient, WholeOrder};
pub use heuristic::{Estimate, Guarantee, Heuristic, ZeroHeuristic};
pub use pruner::{NoPruning, Pruner, RuleIndex, Soundness};
pub use words::{Place, Predecessor, Steps, Words};

/// Cost of a path: a sum of step costs, in the unit of the puzzle (moves or pushes for Sokoban).
pub type Cost = u32;

/// One legal step: the action and the state that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Successor<S, A> {
    /// What was done.
    pub action: A,
    /// Where it led.
    pub state: S,
}

/// A state space given by rules.
///
/// # Guarantees an implementation gives
/// * `State` equality is identity: two states are the same position if and only if they are equal.
/// * [`successors`](Puzzle::successors) is a pure function of the state; its order is the same on every call.
/// * [`predecessor`](Puzzle::predecessor) inverts a step exactly: for every successor `(a, t)` of a
///   state `s`, `predecessor(&t, a) == s`. Search engines recover solution paths with it, so a
///   visited table stores one action per state and no parent link.
/// * [`undoes`](Puzzle::undoes) is true only of the step back: if `t` was reached from `s` by `a`, and
///   `undoes(b, undo_of(a))` for a successor `(b, u)` of `t`, then `u == s`.
pub trait Puzzle: Sync {
    /// A position: small, fixed width, compared as a whole.
    type State: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// A step, as small as possible: the visited table holds one for each state.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;
    /// What tells the step that takes a step back; `()` for a puzzle whose steps cannot be taken back, or not in
    /// one step. The default value stands for no step at all.
    type Undo: Copy + Default + Debug + Send + Sync + 'static;

    /// The position the search starts from.
    fn initial(&self) -> Self::State;

    /// Whether the position is solved.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Appends all successors of `state` to `out`, in the documented order of the puzzle.
    /// The caller owns the buffer, clears it, and re-uses it.
    fn successors(&self, state: &Self::State, out: &mut Vec<Successor<Self::State, Self::Action>>);

    /// The state from which `action` led to `state`.
    fn predecessor(&self, state: &Self::State, action: Self::Action) -> Self::State;

    /// What to remember of a step so as to know the step that takes it back.
    fn undo_of(&self, action: Self::Action) -> Self::Undo;

    /// Whether `action` takes back the step that is remembered. A search need not look up where it leads: it came from
    /// there.
    fn undoes(&self, action: Self::Action, undo: Self::Undo) -> bool;

    /// Cost of one step; at least 1. The default is 1 for every step, under which breadth-first
    /// search is optimal.
    fn step_cost(&self, _action: Self::Action) -> Cost {
        1
    }
}
