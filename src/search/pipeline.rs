//! Expansions under way: generated, and waiting for the memory of their places in the visited table.

use super::Problem;
use crate::puzzle::{Coding, Key, Pruner, Puzzle, RuleIndex, Successor};
use crate::search::node::{PathCost, Priority};

/// The successors of one state, on their way to the visited table.
#[derive(Debug)]
pub(super) struct Expansion<S, T, A, C> {
    /// Priority of the state.
    pub(super) parent: Priority,
    /// Cost of the path to the state.
    pub(super) cost: C,
    /// Successors that no rule has rejected.
    pub(super) successors: Vec<Successor<S, A>>,
    /// Their keys, in the same order.
    pub(super) keys: Vec<Key<T>>,
    /// The rule that rejected each of the others.
    pub(super) pruned: Vec<RuleIndex>,
    /// Successors in all.
    pub(super) generated: usize,
    /// Successors that are the state that this one was entered from, so that there is nothing to look up.
    pub(super) came_from_there: u32,
}

impl<S, T, A: Copy, C> Expansion<S, T, A, C> {
    /// Generates the successors of `state`. Their keys are left to the caller.
    #[inline]
    pub(super) fn generate<P, H, R, K>(
        &mut self,
        problem: &Problem<'_, P, H, R, K>,
        state: &S,
        undo: P::Undo,
    ) where
        P: Puzzle<State = S, Action = A>,
        R: Pruner<P>,
        K: Coding<P::State>,
    {
        self.successors.clear();
        self.keys.clear();
        self.pruned.clear();
        problem.puzzle.successors(state, &mut self.successors);
        self.generated = self.successors.len();
        self.came_from_there = 0;
        let (pruned, came_from_there) = (&mut self.pruned, &mut self.came_from_there);
        self.successors.retain(|Successor { action, state }| {
            if problem.pruner.concerns(*action)
                && let Some(rule) = problem.pruner.verdict(problem.puzzle, *action, state)
            {
                pruned.push(rule);
                return false;
            }
            let undoes = problem.puzzle.undoes(*action, undo);
            *came_from_there += u32::from(undoes);
            !undoes
        });
    }
}

/// Expansions in the order in which they were begun, in a ring of buffers that are used again and again.
#[derive(Debug)]
pub(super) struct Pipeline<S, T, A, C> {
    ring: Box<[Expansion<S, T, A, C>]>,
    oldest: usize,
    len: usize,
}

impl<S, T, A, C: PathCost> Pipeline<S, T, A, C> {
    /// Room for `most` expansions, a power of two.
    pub(super) fn new(most: usize) -> Self {
        debug_assert!(most.is_power_of_two());
        let expansion = || Expansion {
            parent: Priority::default(),
            cost: C::START,
            successors: Vec::new(),
            keys: Vec::new(),
            pruned: Vec::new(),
            generated: 0,
            came_from_there: 0,
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
    pub(super) fn push(&mut self, parent: Priority, cost: C) -> &mut Expansion<S, T, A, C> {
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
    pub(super) fn pop(&mut self) -> Option<&Expansion<S, T, A, C>> {
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
