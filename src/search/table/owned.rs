//! A visited table owned by one thread.

use super::{Entered, Lookup, SEGMENTS, Segment, Visited, segment_of};
use crate::puzzle::{Coding, Keep, Key};
use crate::search::node::{PathCost, Record};

/// A visited table owned by one thread.
#[derive(Debug)]
pub struct OwnedTable<T, A, C, Q> {
    initial: Key<T>,
    segments: [Segment<T, A, C, Q>; SEGMENTS],
    bytes: usize,
    /// Most bytes at once.
    most_bytes: usize,
    /// Bytes by which the table may still grow.
    allowance: usize,
}

impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> OwnedTable<T, A, C, Q> {
    /// A table that knows the initial state only, for a coding with orders of so many bits.
    #[must_use]
    pub fn new(initial: Key<T>, order_bits: u32) -> Self {
        Self {
            initial,
            segments: std::array::from_fn(|index| Segment::new(index, order_bits)),
            bytes: 0,
            most_bytes: 0,
            allowance: usize::MAX,
        }
    }

    /// A table of the states that a coding names, which knows the initial one only.
    #[must_use]
    pub fn of<S, K: Coding<S, Rest = T, Keep = Q>>(coding: &K, initial: &S) -> Self {
        Self::new(coding.key(initial), coding.bits())
    }

    /// Bytes allocated for entries. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Most bytes that were allocated for entries at once. O(1).
    #[must_use]
    pub const fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    /// Says by how many bytes the table may still grow. Where the next growth would take more, it takes only so
    /// much, so that a memory limit is reached and not passed; it grows a little even where nothing is left, and
    /// whoever watches the limit sees it.
    #[inline]
    pub const fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        let segment = &mut self.segments[index];
        let before = segment.bytes();
        segment.grow(self.allowance);
        let growth = segment.bytes().saturating_sub(before);
        let others = self.bytes - before;
        self.bytes = others + segment.bytes();
        self.most_bytes = self.most_bytes.max(others + segment.most_bytes());
        self.allowance = self.allowance.saturating_sub(growth);
    }
}

impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> Lookup<T, A, C> for OwnedTable<T, A, C, Q> {
    #[inline]
    fn prefetch(&self, key: Key<T>) {
        self.segments[segment_of(key.order)].prefetch(key.order);
    }

    #[inline]
    fn record(&self, key: Key<T>) -> Option<Record<A, C>> {
        self.segments[segment_of(key.order)].record(&key)
    }
}

impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> Visited<T, A, C> for OwnedTable<T, A, C, Q> {
    #[inline]
    fn enter(&mut self, key: Key<T>, record: Record<A, C>) -> Entered {
        if key == self.initial {
            return Entered::Duplicate;
        }
        let index = segment_of(key.order);
        loop {
            if let Some(entered) = self.segments[index].enter(key, record) {
                return entered;
            }
            self.grow(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entered, Lookup, OwnedTable, Record, Segment, Visited};
    use crate::puzzle::hash::mix;
    use crate::puzzle::{Key, WholeOrder};
    use crate::search::node::{PathCost, Untracked};

    const fn key(state: u64) -> Key<()> {
        Key {
            order: mix(state),
            rest: (),
        }
    }

    /// A table of states of one word.
    fn table<C: PathCost>(initial: u64) -> OwnedTable<(), u8, C, WholeOrder> {
        OwnedTable::new(key(initial), 64)
    }

    fn enter(
        table: &mut OwnedTable<(), u8, u32, WholeOrder>,
        state: u64,
        action: u8,
        cost: u32,
    ) -> Entered {
        table.enter(key(state), Record { action, cost })
    }

    #[test]
    fn the_cheaper_path_replaces_the_record() {
        let mut visited = table(0);
        assert_eq!(enter(&mut visited, 7, 1, 5), Entered::New);
        assert_eq!(enter(&mut visited, 7, 2, 5), Entered::Duplicate);
        assert_eq!(enter(&mut visited, 7, 3, 4), Entered::Improved);
        let record = visited.record(key(7));
        assert_eq!(record, Some(Record { action: 3, cost: 4 }));
        assert_eq!(visited.record(key(8)), None);
    }

    #[test]
    fn the_initial_state_is_known_and_has_no_record() {
        let mut visited = table(9);
        assert_eq!(enter(&mut visited, 9, 1, 5), Entered::Duplicate);
        assert_eq!(visited.record(key(9)), None);
    }

    #[test]
    fn bytes_are_those_of_the_segments() {
        let mut visited = table(u64::MAX);
        assert_eq!(visited.bytes(), 0);
        let states = if cfg!(miri) { 300 } else { 10_000 };
        for state in 0..states {
            enter(&mut visited, state, 0, 0);
        }
        let sum: usize = visited.segments.iter().map(Segment::bytes).sum();
        assert_eq!(visited.bytes(), sum);
        assert!(sum >= states as usize * size_of::<(u64, Record<u8, u32>)>());
    }

    const NO_COST: Record<u8, Untracked> = Record {
        action: 0,
        cost: Untracked,
    };

    #[test]
    #[cfg_attr(miri, ignore = "a million states, which take minutes")]
    fn states_of_one_word_take_less_than_fourteen_bytes_however_many_there_are() {
        let mut visited = table(u64::MAX);
        for state in 0..1_000_000_u64 {
            visited.enter(key(state), NO_COST);
            if state > 100_000 && state % 10_007 == 0 {
                let bytes = visited.bytes() as f64 / state as f64;
                assert!(bytes < 14.0, "{bytes} bytes a state at {state}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "some hundred thousand states, which take minutes")]
    fn an_allowance_is_used_up_and_hardly_passed() {
        let limit = 3_000_000;
        let mut visited = table(u64::MAX);
        let mut state = 0;
        while visited.bytes() < limit {
            visited.allow(limit - visited.bytes());
            visited.enter(key(state), NO_COST);
            state += 1;
        }
        assert!(visited.bytes() < limit + limit / 100, "{}", visited.bytes());
    }
}
