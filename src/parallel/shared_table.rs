//! One visited table for all workers: segments behind locks.

use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::search::node::{PathCost, Record};
use crate::search::table::{Entered, Place, Segment, Visited, segment_of};

/// Locks. With p workers the chance that an entry meets a taken lock is below p / 512, and an empty
/// table is still built in microseconds.
const STRIPES: usize = 512;

/// A segment, its lock, and a hint where the segment lies, which may be read without the lock.
#[derive(Debug)]
struct Stripe<S, A, C> {
    lock: Mutex<Segment<S, A, C>>,
    place: Place,
}

/// A concurrent visited table: insert-if-absent decides which worker expands a state.
#[derive(Debug)]
pub(super) struct SharedTable<S, A, C> {
    initial: S,
    stripes: Box<[Stripe<S, A, C>]>,
    bytes: AtomicUsize,
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> SharedTable<S, A, C> {
    /// A table that knows the initial state only.
    pub(super) fn new(initial: S) -> Self {
        Self {
            initial,
            stripes: (0..STRIPES)
                .map(|stripe| Stripe {
                    lock: Mutex::new(Segment::new(stripe)),
                    place: Place::default(),
                })
                .collect(),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Bytes allocated for entries. O(1).
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// A lock is poisoned only by a panic inside the table, and that panic ends the search anyway.
    fn stripe(&self, hash: u64) -> (MutexGuard<'_, Segment<S, A, C>>, &Place) {
        let stripe = &self.stripes[segment_of(hash, STRIPES)];
        let segment = stripe.lock.lock().unwrap_or_else(PoisonError::into_inner);
        (segment, &stripe.place)
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Visited<S, A, C> for &SharedTable<S, A, C> {
    #[inline]
    fn prefetch(&self, hash: u64) {
        self.stripes[segment_of(hash, STRIPES)].place.prefetch(hash);
    }

    #[inline]
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        if *state == self.initial {
            return Entered::Duplicate;
        }
        let (mut segment, place) = self.stripe(hash);
        if segment.is_full() {
            let before = segment.bytes();
            let entered = segment.enter(hash, state, record);
            let growth = segment.bytes() - before;
            self.bytes.fetch_add(growth, Ordering::Relaxed);
            place.is_now(&segment);
            return entered;
        }
        segment.enter(hash, state, record)
    }

    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        self.stripe(hash).0.record(hash, state)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedTable;
    use crate::search::hash::hash_of;
    use crate::search::node::{Record, Untracked};
    use crate::search::table::{Entered, Visited};

    #[test]
    fn each_state_is_new_to_exactly_one_thread() {
        let table = SharedTable::<u64, u8, Untracked>::new(u64::MAX);
        let record = Record {
            action: 0,
            cost: Untracked,
        };
        let enter_all = || {
            let mut table = &table;
            (0..20_000_u64)
                .filter(|state| table.enter(hash_of(state), state, record) == Entered::New)
                .count()
        };
        let new: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(enter_all)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(new, 20_000);
    }
}
