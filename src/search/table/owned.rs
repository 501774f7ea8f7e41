//! A visited table owned by one thread.

use std::hash::Hash;

use super::{Entered, SEGMENTS, Segment, Visited, segment_of};
use crate::search::node::{PathCost, Record};

/// A segment and how many states are in it.
#[derive(Debug)]
struct Counted<S, A, C> {
    segment: Segment<S, A, C>,
    len: usize,
    /// States at which it must grow.
    most: usize,
}

/// A visited table owned by one thread.
#[derive(Debug)]
pub struct OwnedTable<S, A, C> {
    initial: S,
    segments: [Counted<S, A, C>; SEGMENTS],
    bytes: usize,
    /// Bytes by which the table may still grow.
    allowance: usize,
}

impl<S, A, C> OwnedTable<S, A, C> {
    /// A table that knows the initial state only.
    #[must_use]
    pub fn new(initial: S) -> Self {
        Self {
            initial,
            segments: std::array::from_fn(|index| Counted {
                segment: Segment::new(index),
                len: 0,
                most: 0,
            }),
            bytes: 0,
            allowance: usize::MAX,
        }
    }

    /// Bytes allocated for entries. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Says by how many bytes the table may still grow. Where the next growth would take more, it takes only so
    /// much, so that a memory limit is reached and not passed; it grows a little even where nothing is left, and
    /// whoever watches the limit sees it.
    #[inline]
    pub const fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> OwnedTable<S, A, C> {
    #[cold]
    fn grow(&mut self, index: usize) {
        let Counted { segment, most, .. } = &mut self.segments[index];
        let before = segment.bytes();
        segment.grow(self.allowance);
        *most = segment.capacity();
        let growth = segment.bytes() - before;
        self.bytes += growth;
        self.allowance = self.allowance.saturating_sub(growth);
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Visited<S, A, C> for OwnedTable<S, A, C> {
    #[inline]
    fn prefetch(&self, hash: u64) {
        self.segments[segment_of(hash)].segment.prefetch(hash);
    }

    #[inline]
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        if *state == self.initial {
            return Entered::Duplicate;
        }
        let index = segment_of(hash);
        if self.segments[index].len == self.segments[index].most {
            self.grow(index);
        }
        let Counted { segment, len, .. } = &mut self.segments[index];
        let entered = segment.enter(hash, state, record);
        *len += usize::from(entered == Entered::New);
        entered
    }

    #[inline]
    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        self.segments[segment_of(hash)].segment.record(hash, state)
    }
}

#[cfg(test)]
mod tests {
    use super::{Entered, OwnedTable, Record, Visited};
    use crate::search::hash::hash_of;
    use crate::search::node::Untracked;

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
        let sum: usize = table.segments.iter().map(|part| part.segment.bytes()).sum();
        assert_eq!(table.bytes(), sum);
        assert!(sum >= 10_000 * size_of::<(u64, Record<u8, u32>)>());
    }

    const NO_COST: Record<u8, Untracked> = Record {
        action: 0,
        cost: Untracked,
    };

    #[test]
    fn states_of_one_word_take_less_than_fourteen_bytes_however_many_there_are() {
        let mut table = OwnedTable::new(u64::MAX);
        for state in 0..1_000_000_u64 {
            table.enter(hash_of(&state), &state, NO_COST);
            if state > 100_000 && state % 10_007 == 0 {
                let bytes = table.bytes() as f64 / state as f64;
                assert!(bytes < 14.0, "{bytes} bytes a state at {state}");
            }
        }
    }

    #[test]
    fn an_allowance_is_used_up_and_hardly_passed() {
        let limit = 3_000_000;
        let mut table = OwnedTable::new(u64::MAX);
        let mut state = 0;
        while table.bytes() < limit {
            table.allow(limit - table.bytes());
            table.enter(hash_of(&state), &state, NO_COST);
            state += 1;
        }
        assert!(table.bytes() < limit + limit / 100, "{}", table.bytes());
    }
}
