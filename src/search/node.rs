//! What waits in a frontier, what a visited table remembers, and the cost of paths.

use std::fmt::Debug;

use crate::puzzle::{Cost, Key};

/// The cost of the path to a state, for strategies that need it; nothing for those that do not.
pub trait PathCost: Copy + Debug + Send + Sync + 'static {
    /// Whether a cheaper path to a known state matters, so that the state is entered again.
    const REOPENS: bool;
    /// At the initial state.
    const START: Self;

    /// After one more step.
    #[must_use]
    fn after(self, step: Cost) -> Self;

    /// Whether this path is cheaper than one already known.
    fn improves_on(self, known: Self) -> bool;
}

/// No cost is kept: the first path to a state stands. Takes no memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untracked;

impl PathCost for Untracked {
    const REOPENS: bool = false;
    const START: Self = Self;

    #[inline]
    fn after(self, _step: Cost) -> Self {
        self
    }

    #[inline]
    fn improves_on(self, _known: Self) -> bool {
        false
    }
}

impl PathCost for Cost {
    const REOPENS: bool = true;
    const START: Self = 0;

    #[inline]
    fn after(self, step: Cost) -> Self {
        self + step
    }

    #[inline]
    fn improves_on(self, known: Self) -> bool {
        self < known
    }
}

/// A state that waits in a frontier. Packed: a frontier may hold most states of a search.
#[repr(Rust, packed)]
pub struct Node<S, U, C> {
    /// The state to expand.
    pub state: S,
    /// What takes back the step by which it was entered.
    pub undo: U,
    /// Cost of the path by which it was entered.
    pub cost: C,
}

impl<S: Copy, U: Copy, C: Copy> Clone for Node<S, U, C> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Copy, U: Copy, C: Copy> Copy for Node<S, U, C> {}

impl<S: Copy + Debug, U: Copy, C: Copy + Debug> Debug for Node<S, U, C> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (state, cost) = (self.state, self.cost);
        write!(formatter, "{state:?} at {cost:?}")
    }
}

/// What the visited table remembers of a state. The initial state has no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<A, C> {
    /// The step by which the state was entered.
    pub action: A,
    /// Cost of the path by which it was entered.
    pub cost: C,
}

/// A successor that passed the pruning rules and asks to be entered in the visited table.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<S, T, A, C> {
    /// The successor.
    pub state: S,
    /// Its name in the table.
    pub key: Key<T>,
    /// How it was reached, and at what cost.
    pub record: Record<A, C>,
    /// Priority of the state it was reached from.
    pub parent: Priority,
}

/// When a state is expanded: smaller first.
///
/// Parallel workers finish a phase together before any of them starts the next one; within a phase
/// the rank is followed by each worker for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Priority {
    /// Layer of `bfs`, cost plus estimate of `astar`, 0 elsewhere.
    pub phase: u32,
    /// The estimate for `greedy` and `astar`, 0 elsewhere.
    pub rank: u32,
}
