//! The visited table: which states are known, and how each was reached.

mod region;
mod segment;

use std::hash::Hash;

use super::node::{PathCost, Record};
pub use segment::{Place, Segment};

/// What became of a state that asked to be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entered {
    /// It was not known.
    New,
    /// It was known at no greater cost.
    Duplicate,
    /// It was known at a greater cost; its record is replaced.
    Improved,
}

/// A set of states with a record for each but the initial one. Equality of whole states decides
/// identity, never a hash. `hash` is always [`super::hash::hash_of`] the state.
pub trait Visited<S, A, C> {
    /// Asks for the memory of a state that will be entered soon.
    fn prefetch(&self, hash: u64);

    /// Enters a state unless it is known at no greater cost.
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered;

    /// The record of a state; none for the initial state, which no step led to.
    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>>;
}

/// Segments of an owned table. A segment grows alone, so growing holds at most one 64th of the
/// table twice; more segments would make small tables larger.
const SEGMENTS: usize = 64;

/// The segment of a state among a power of two of segments, from its hash.
#[inline]
#[must_use]
pub const fn segment_of(hash: u64, segments: usize) -> usize {
    (hash >> 32) as usize & (segments - 1)
}

/// A visited table owned by one thread.
#[derive(Debug)]
pub struct OwnedTable<S, A, C> {
    initial: S,
    segments: Box<[Segment<S, A, C>]>,
    bytes: usize,
}

impl<S, A, C> OwnedTable<S, A, C> {
    /// A table that knows the initial state only.
    #[must_use]
    pub fn new(initial: S) -> Self {
        Self {
            initial,
            segments: (0..SEGMENTS).map(Segment::new).collect(),
            bytes: 0,
        }
    }

    /// Bytes allocated for entries. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Visited<S, A, C> for OwnedTable<S, A, C> {
    #[inline]
    fn prefetch(&self, hash: u64) {
        self.segments[segment_of(hash, SEGMENTS)].prefetch(hash);
    }

    #[inline]
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        if *state == self.initial {
            return Entered::Duplicate;
        }
        let segment = &mut self.segments[segment_of(hash, SEGMENTS)];
        if segment.is_full() {
            let before = segment.bytes();
            let entered = segment.enter(hash, state, record);
            self.bytes += segment.bytes() - before;
            return entered;
        }
        segment.enter(hash, state, record)
    }

    #[inline]
    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        self.segments[segment_of(hash, SEGMENTS)].record(hash, state)
    }
}

#[cfg(test)]
mod tests {
    use super::{Entered, OwnedTable, Record, Visited};
    use crate::search::hash::hash_of;

    fn enter(table: &mut OwnedTable<u64, u8, u32>, state: u64, action: u8, cost: u32) -> Entered {
        table.enter(hash_of(&state), &state, Record { action, cost })
    }

    #[test]
    fn the_cheaper_path_replaces_the_record() {
        let mut table = OwnedTable::new(0);
        assert_eq!(enter(&mut table, 7, 1, 5), Entered::New);
        assert_eq!(enter(&mut table, 7, 2, 5), Entered::Duplicate);
        assert_eq!(enter(&mut table, 7, 3, 4), Entered::Improved);
        let record = table.record(hash_of(&7_u64), &7);
        assert_eq!(record, Some(Record { action: 3, cost: 4 }));
        assert_eq!(table.record(hash_of(&8_u64), &8), None);
    }

    #[test]
    fn the_initial_state_is_known_and_has_no_record() {
        let mut table = OwnedTable::new(9);
        assert_eq!(enter(&mut table, 9, 1, 5), Entered::Duplicate);
        assert_eq!(table.record(hash_of(&9_u64), &9), None);
    }

    #[test]
    fn bytes_are_those_of_the_segments() {
        let mut table = OwnedTable::new(u64::MAX);
        assert_eq!(table.bytes(), 0);
        for state in 0..10_000 {
            enter(&mut table, state, 0, 0);
        }
        let sum: usize = table.segments.iter().map(super::Segment::bytes).sum();
        assert_eq!(table.bytes(), sum);
        assert!(sum >= 10_000 * size_of::<(u64, Record<u8, u32>)>());
    }
}
