//! Expansions under way: generated, and waiting for the memory of their places in the visited table.

use crate::puzzle::{Key, RuleIndex};
use crate::search::node::{PathCost, Priority};

/// The successors of one state, on their way to the visited table.
#[derive(Debug)]
pub(super) struct Expansion<S, T, A, C> {
    /// Priority of the state.
    pub(super) parent: Priority,
    /// Cost of the path to the state.
    pub(super) cost: C,
    /// Successors that have to be looked up.
    pub(super) pending: Vec<Pending<S, T, A>>,
    /// The rule that rejected each of those that were pruned.
    pub(super) pruned: Vec<RuleIndex>,
    /// Successors that are the state that this one was entered from.
    pub(super) taken_back: u32,
}

/// A successor that no rule has rejected, and its name in the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending<S, T, A> {
    pub(super) key: Key<T>,
    pub(super) state: S,
    pub(super) action: A,
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
            pending: Vec::new(),
            pruned: Vec::new(),
            taken_back: 0,
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

    /// Begins an expansion, without successors. There must be room.
    #[inline]
    pub(super) fn push(&mut self, parent: Priority, cost: C) -> &mut Expansion<S, T, A, C> {
        debug_assert!(!self.is_full());
        let newest = self.place(self.oldest + self.len);
        self.len += 1;
        let expansion = &mut self.ring[newest];
        expansion.parent = parent;
        expansion.cost = cost;
        expansion.pending.clear();
        expansion.pruned.clear();
        expansion.taken_back = 0;
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
