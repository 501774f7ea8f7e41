//! Expansions under way: generated, and waiting for the memory of their places in the visited table.

use super::Problem;
use crate::puzzle::{Pruner, Puzzle, RuleIndex, Successor};
use crate::search::node::{PathCost, Priority};

/// The successors of one state, on their way to the visited table.
#[derive(Debug)]
pub(super) struct Expansion<S, A, C> {
    /// Priority of the state.
    pub(super) parent: Priority,
    /// Cost of the path to the state.
    pub(super) cost: C,
    /// Successors that no rule has rejected.
    pub(super) successors: Vec<Successor<S, A>>,
    /// Their hashes, in the same order.
    pub(super) hashes: Vec<u64>,
    /// The rule that rejected each of the others.
    pub(super) pruned: Vec<RuleIndex>,
}

impl<S, A: Copy, C> Expansion<S, A, C> {
    /// Generates the successors of `state`. Their hashes are left to the caller.
    #[inline]
    pub(super) fn generate<P, H, R>(&mut self, problem: &Problem<'_, P, H, R>, state: &S)
    where
        P: Puzzle<State = S, Action = A>,
        R: Pruner<P>,
    {
        self.successors.clear();
        self.hashes.clear();
        self.pruned.clear();
        problem.puzzle.successors(state, &mut self.successors);
        if problem.pruner.rules().is_empty() {
            return;
        }
        let pruned = &mut self.pruned;
        self.successors.retain(|Successor { action, state }| {
            let rule = problem.pruner.verdict(problem.puzzle, *action, state);
            pruned.extend(rule);
            rule.is_none()
        });
    }
}

/// Expansions in the order in which they were begun, in a ring of buffers that are used again and again.
#[derive(Debug)]
pub(super) struct Pipeline<S, A, C> {
    ring: Box<[Expansion<S, A, C>]>,
    oldest: usize,
    len: usize,
}

impl<S, A, C: PathCost> Pipeline<S, A, C> {
    /// Room for `most` expansions, a power of two.
    pub(super) fn new(most: usize) -> Self {
        debug_assert!(most.is_power_of_two());
        let expansion = || Expansion {
            parent: Priority::default(),
            cost: C::START,
            successors: Vec::new(),
            hashes: Vec::new(),
            pruned: Vec::new(),
        };
        Self {
            ring: std::iter::repeat_with(expansion).take(most).collect(),
            oldest: 0,
            len: 0,
        }
    }

    #[inline]
    pub(super) const fn is_full(&self) -> bool {
        self.len == self.ring.len()
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    const fn place(&self, index: usize) -> usize {
        index & (self.ring.len() - 1)
    }

    /// Begins an expansion. There must be room.
    #[inline]
    pub(super) fn push(&mut self, parent: Priority, cost: C) -> &mut Expansion<S, A, C> {
        debug_assert!(!self.is_full());
        let newest = self.place(self.oldest + self.len);
        self.len += 1;
        let expansion = &mut self.ring[newest];
        expansion.parent = parent;
        expansion.cost = cost;
        expansion
    }

    /// Takes the oldest expansion.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<&Expansion<S, A, C>> {
        if self.is_empty() {
            return None;
        }
        let oldest = self.oldest;
        self.oldest = self.place(oldest + 1);
        self.len -= 1;
        Some(&self.ring[oldest])
    }

    /// Drops all expansions.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }
}
