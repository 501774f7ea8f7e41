//! The visited table: which states are known, and how each was reached.

use std::hash::Hash;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::hash::hash_of;
use super::node::{PathCost, Record};

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

/// A set of states with a record for each. Equality of whole states decides identity, never a hash.
pub trait Visited<S, A, C> {
    /// Enters a state unless it is known at no greater cost. `hash` is [`hash_of`] the state.
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered;

    /// The record of a state.
    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>>;
}

/// One segment of a visited table: states of one owner, or of one lock.
#[derive(Debug)]
pub struct Segment<S, A, C> {
    entries: HashTable<(S, Record<A, C>)>,
}

impl<S, A, C> Default for Segment<S, A, C> {
    fn default() -> Self {
        Self {
            entries: HashTable::new(),
        }
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Segment<S, A, C> {
    /// Bytes allocated.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.allocation_size()
    }

    /// Enters a state unless it is known at no greater cost. Expected O(1).
    #[inline]
    pub fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        let entry = self.entries.entry(
            hash,
            |(known, _)| known == state,
            |(known, _)| hash_of(known),
        );
        match entry {
            Entry::Vacant(place) => {
                place.insert((*state, record));
                Entered::New
            }
            Entry::Occupied(mut place) => {
                let known = &mut place.get_mut().1;
                if record.cost.improves_on(known.cost) {
                    *known = record;
                    Entered::Improved
                } else {
                    Entered::Duplicate
                }
            }
        }
    }

    /// Whether the next new state makes the segment grow.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() == self.entries.capacity()
    }

    /// The record of a state. Expected O(1).
    #[inline]
    #[must_use]
    pub fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        self.entries
            .find(hash, |(known, _)| known == state)
            .map(|(_, record)| *record)
    }
}

/// Segments of an owned table. A segment grows alone, so growing holds at most one 64th of the
/// table twice; more segments would make small tables larger.
const SEGMENTS: usize = 64;

/// The segment of a state among a power of two of segments, from its hash.
#[inline]
#[must_use]
pub const fn segment_of(hash: u64, segments: usize) -> usize {
    (hash >> 40) as usize & (segments - 1)
}

/// A visited table owned by one thread.
#[derive(Debug)]
pub struct OwnedTable<S, A, C> {
    segments: Box<[Segment<S, A, C>]>,
    bytes: usize,
}

impl<S, A, C> Default for OwnedTable<S, A, C> {
    fn default() -> Self {
        Self {
            segments: (0..SEGMENTS).map(|_| Segment::default()).collect(),
            bytes: 0,
        }
    }
}

impl<S, A, C> OwnedTable<S, A, C> {
    /// Bytes allocated for entries. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Visited<S, A, C> for OwnedTable<S, A, C> {
    #[inline]
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
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
    use crate::search::node::Untracked;

    fn enter(table: &mut OwnedTable<u64, u8, u32>, state: u64, action: u8, cost: u32) -> Entered {
        let record = Record {
            action: Some(action),
            cost,
        };
        table.enter(hash_of(&state), &state, record)
    }

    #[test]
    fn the_cheaper_path_replaces_the_record() {
        let mut table = OwnedTable::default();
        assert_eq!(enter(&mut table, 7, 1, 5), Entered::New);
        assert_eq!(enter(&mut table, 7, 2, 5), Entered::Duplicate);
        assert_eq!(enter(&mut table, 7, 3, 4), Entered::Improved);
        let record = table.record(hash_of(&7_u64), &7);
        assert_eq!(
            record,
            Some(Record {
                action: Some(3),
                cost: 4
            })
        );
        assert_eq!(table.record(hash_of(&8_u64), &8), None);
    }

    #[test]
    fn equal_hashes_do_not_make_states_equal() {
        let mut table = OwnedTable::<u64, u8, Untracked>::default();
        let record = Record {
            action: Some(0),
            cost: Untracked,
        };
        for state in 0..1000 {
            assert_eq!(table.enter(42, &state, record), Entered::New);
        }
        assert_eq!(table.enter(42, &500, record), Entered::Duplicate);
    }

    #[test]
    fn bytes_are_those_of_the_segments() {
        let mut table = OwnedTable::default();
        assert_eq!(table.bytes(), 0);
        for state in 0..10_000 {
            enter(&mut table, state, 0, 0);
        }
        let sum: usize = table.segments.iter().map(super::Segment::bytes).sum();
        assert_eq!(table.bytes(), sum);
        assert!(sum >= 10_000 * size_of::<(u64, Record<u8, u32>)>());
    }
}
