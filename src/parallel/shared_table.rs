//! One visited table for all workers: buckets with a lock each, and a table that grows while nobody is in it.
//!
//! A worker works in a [`Session`], which is a reader of the lock on all segments for as long as nobody wants
//! the table to grow. Who wants it adds to a count; workers look at it before each expansion and
//! step back; `PROTOCOL.md` beside this file says why nobody waits for ever.

use std::sync::RwLockReadGuard;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::gate::Gate;
use crate::puzzle::{Coding, Keep, Key};
use crate::search::node::{PathCost, Record};
use crate::search::table::{Entered, Lookup, SEGMENTS, Segment, Visited, segment_of};

/// States that a segment has room for at first: to grow, all workers step back, and the smallest tables
/// would do little else.
const LEAST_CAPACITY: usize = 64;

/// Bytes from which on segments grow on threads of their own; below, growing takes less time than
/// starting a thread.
const SPREAD_FROM: usize = 4 * 1024 * 1024;

type Segments<T, A, C, Q> = [Segment<T, A, C, Q>; SEGMENTS];

/// A concurrent visited table: insert-if-absent decides which worker expands a state.
#[derive(Debug)]
pub(super) struct SharedTable<T, A, C, Q> {
    initial: Key<T>,
    segments: Gate<Segments<T, A, C, Q>>,
    /// States in each segment, as far as sessions have reported them.
    len: [AtomicUsize; SEGMENTS],
    bytes: AtomicUsize,
    /// Most bytes at once.
    most_bytes: AtomicUsize,
    /// Bytes by which the table may still grow.
    allowance: AtomicUsize,
    workers: usize,
}

/// One worker's stay in a table.
#[derive(Debug)]
pub(super) struct Session<'t, T, A, C, Q> {
    table: &'t SharedTable<T, A, C, Q>,
    /// Taken at all times, except while stepping back.
    segments: Option<RwLockReadGuard<'t, Segments<T, A, C, Q>>>,
    quotas: [Quota; SEGMENTS],
}

/// States that a session may enter in a segment before it reports them.
#[derive(Debug, Clone, Copy, Default)]
struct Quota {
    entered: usize,
    most: usize,
}

impl<T, A, C, Q> SharedTable<T, A, C, Q>
where
    T: Copy + Eq + Send + Sync,
    A: Copy + Send + Sync,
    C: PathCost,
    Q: Keep,
{
    /// A table that knows the initial state only, for so many workers.
    pub(super) fn new(initial: Key<T>, order_bits: u32, workers: usize) -> Self {
        let segments: Segments<T, A, C, Q> = std::array::from_fn(|index| {
            let mut segment = Segment::new(index, order_bits);
            while segment.capacity() < LEAST_CAPACITY {
                segment.grow(usize::MAX);
            }
            segment
        });
        let bytes = segments.iter().map(Segment::bytes).sum();
        Self {
            initial,
            bytes: AtomicUsize::new(bytes),
            most_bytes: AtomicUsize::new(bytes),
            segments: Gate::new(segments),
            len: std::array::from_fn(|_| AtomicUsize::new(0)),
            allowance: AtomicUsize::new(usize::MAX),
            workers,
        }
    }

    /// A table of the states that a coding names, which knows the initial one only, for so many workers.
    pub(super) fn of<S, K>(coding: &K, initial: &S, workers: usize) -> Self
    where
        K: Coding<S, Rest = T, Keep = Q>,
    {
        Self::new(coding.key(initial), coding.bits(), workers)
    }

    /// Bytes allocated for entries. O(1).
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Most bytes that were allocated for entries at once. O(1).
    pub(super) fn most_bytes(&self) -> usize {
        self.most_bytes.load(Ordering::Relaxed)
    }

    /// See [`crate::search::table::OwnedTable::allow`].
    pub(super) fn allow(&self, bytes: usize) {
        self.allowance.store(bytes, Ordering::Relaxed);
    }

    /// Begins to work in the table. A worker must not wait for another one during its session, other than
    /// by way of the session.
    pub(super) fn session(&self) -> Session<'_, T, A, C, Q> {
        let mut session = Session {
            table: self,
            segments: None,
            quotas: [Quota::default(); SEGMENTS],
        };
        session.step_in();
        session
    }

    /// What one worker may enter unreported: so little that all of them together hardly overfill the segment.
    fn quota(&self, index: usize, segment: &Segment<T, A, C, Q>) -> usize {
        let len = self.len[index].load(Ordering::Relaxed);
        let room = segment.capacity().saturating_sub(len);
        (room / (8 * self.workers)).max(1)
    }

    /// Makes the segment `wanted` grow, unless another worker has seen to it, and every other one that is
    /// nearly full. They fill alike, so most grow together, on as many threads as there are workers, who
    /// all wait for it.
    #[cold]
    fn grow(&self, wanted: Growth) {
        self.segments
            .change(|segments| self.grow_full(segments, wanted));
    }

    fn grow_full(&self, segments: &mut Segments<T, A, C, Q>, wanted: Growth) {
        let full = segments.iter_mut().enumerate();
        let mut full: Vec<_> = full
            .filter(|(index, segment)| {
                wanted.is_for(*index, segment) || self.is_nearly_full(*index, segment)
            })
            .map(|(_, segment)| segment)
            .collect();
        let allowance = self.allowance.load(Ordering::Relaxed);
        let before: usize = full.iter().map(|segment| segment.bytes()).sum();
        let others = self.bytes() - before;
        grow_all(&mut full, allowance, self.workers);
        let most: usize = full.iter().map(|segment| segment.most_bytes()).sum();
        self.most_bytes.fetch_max(others + most, Ordering::Relaxed);
        let bytes: usize = segments.iter().map(Segment::bytes).sum();
        // Narrower lanes may take less than the wider ones before them.
        let growth = bytes.saturating_sub(self.bytes.swap(bytes, Ordering::Relaxed));
        self.allow(allowance.saturating_sub(growth));
    }

    /// Whether a segment is within a 16th of its capacity.
    fn is_nearly_full(&self, index: usize, segment: &Segment<T, A, C, Q>) -> bool {
        let len = self.len[index].load(Ordering::Relaxed);
        len + segment.capacity() / 16 >= segment.capacity()
    }
}

/// Makes segments grow on up to `threads` threads, by no more than about `allowance` bytes in all.
fn grow_all<T, A, C, Q>(full: &mut [&mut Segment<T, A, C, Q>], allowance: usize, threads: usize)
where
    T: Copy + Eq + Send + Sync,
    A: Copy + Send + Sync,
    C: PathCost,
    Q: Keep,
{
    let bytes: usize = full.iter().map(|segment| segment.bytes()).sum();
    let threads = if bytes < SPREAD_FROM { 1 } else { threads };
    let allowance = allowance / full.len().max(1);
    let share = full.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let mut shares = full.chunks_mut(share);
        let own = shares.next();
        for share in shares {
            scope.spawn(move || share.iter_mut().for_each(|segment| segment.grow(allowance)));
        }
        own.into_iter()
            .flatten()
            .for_each(|segment| segment.grow(allowance));
    });
}

/// The wish that a segment grow: it is fulfilled once the segment has another capacity.
#[derive(Debug, Clone, Copy)]
struct Growth {
    index: usize,
    capacity: usize,
}

impl Growth {
    fn is_for<T, A, C, Q>(self, index: usize, segment: &Segment<T, A, C, Q>) -> bool
    where
        T: Copy + Eq,
        A: Copy,
        C: PathCost,
        Q: Keep,
    {
        (index, segment.capacity()) == (self.index, self.capacity)
    }
}

impl<T, A, C, Q> Session<'_, T, A, C, Q>
where
    T: Copy + Eq + Send + Sync,
    A: Copy + Send + Sync,
    C: PathCost,
    Q: Keep,
{
    #[inline]
    fn segment(&self, order: u64) -> &Segment<T, A, C, Q> {
        let segments = self.segments.as_ref();
        let segments = segments.expect("a session holds the lock except inside of `step_back`");
        &segments[segment_of(order)]
    }

    /// Lets the table grow if somebody wants it to. To be called now and then.
    #[inline]
    pub(super) fn pause(&mut self) {
        if self.table.segments.is_change_wanted() {
            self.step_back(|_| {});
        }
    }

    /// Gives up the lock, does something, and takes the lock again.
    #[cold]
    fn step_back(&mut self, meanwhile: impl FnOnce(&SharedTable<T, A, C, Q>)) {
        self.report();
        self.segments = None;
        meanwhile(self.table);
        self.step_in();
    }

    /// Takes the lock, and a quota of what the segments have room for now.
    fn step_in(&mut self) {
        let segments = self.table.segments.read();
        for (index, segment) in segments.iter().enumerate() {
            self.quotas[index].most = self.table.quota(index, segment);
        }
        self.segments = Some(segments);
    }

    /// Counts a new state, and makes the table grow where it is full.
    #[inline]
    fn count(&mut self, order: u64) {
        let index = segment_of(order);
        let quota = &mut self.quotas[index];
        quota.entered += 1;
        if quota.entered >= quota.most {
            self.settle(order);
        }
    }

    /// Steps back and makes the segment of an order grow.
    #[cold]
    fn make_room(&mut self, order: u64) {
        let wanted = Growth {
            index: segment_of(order),
            capacity: self.segment(order).capacity(),
        };
        self.step_back(|table| table.grow(wanted));
    }

    #[cold]
    fn settle(&mut self, order: u64) {
        let index = segment_of(order);
        let entered = std::mem::take(&mut self.quotas[index].entered);
        let len = self.table.len[index].fetch_add(entered, Ordering::Relaxed) + entered;
        if len >= self.segment(order).capacity() {
            self.make_room(order);
        } else {
            self.quotas[index].most = self.table.quota(index, self.segment(order));
        }
    }
}

impl<T, A, C, Q> Session<'_, T, A, C, Q> {
    /// Adds what was entered to the counts of the table.
    fn report(&mut self) {
        for (quota, len) in self.quotas.iter_mut().zip(&self.table.len) {
            len.fetch_add(std::mem::take(&mut quota.entered), Ordering::Relaxed);
        }
    }
}

impl<T, A, C, Q> Drop for Session<'_, T, A, C, Q> {
    fn drop(&mut self) {
        self.report();
    }
}

impl<T, A, C, Q> Lookup<T, A, C> for Session<'_, T, A, C, Q>
where
    T: Copy + Eq + Send + Sync,
    A: Copy + Send + Sync,
    C: PathCost,
    Q: Keep,
{
    #[inline]
    fn prefetch(&self, key: Key<T>) {
        self.segment(key.order).prefetch(key.order);
    }

    fn record(&self, key: Key<T>) -> Option<Record<A, C>> {
        self.segment(key.order).record(&key)
    }
}

impl<T, A, C, Q> Visited<T, A, C> for Session<'_, T, A, C, Q>
where
    T: Copy + Eq + Send + Sync,
    A: Copy + Send + Sync,
    C: PathCost,
    Q: Keep,
{
    #[inline]
    fn enter(&mut self, key: Key<T>, record: Record<A, C>) -> Entered {
        if key == self.table.initial {
            return Entered::Duplicate;
        }
        loop {
            match self.segment(key.order).enter_shared(&key, record) {
                Some(Entered::New) => {
                    self.count(key.order);
                    return Entered::New;
                }
                Some(known) => return known,
                None => self.make_room(key.order),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SharedTable;
    use crate::puzzle::hash::{mix, mix_leading};
    use crate::puzzle::{Key, Quotient, WholeOrder};
    use crate::search::node::{Record, Untracked};
    use crate::search::table::{Entered, Lookup, Visited};

    /// For Miri few, but so many that the table grows.
    const STATES: u64 = if cfg!(miri) { 600 } else { 100_000 };

    #[test]
    fn each_state_is_new_to_exactly_one_thread() {
        let key = |state| Key {
            order: mix(state),
            rest: (),
        };
        let table = SharedTable::<(), u8, Untracked, WholeOrder>::new(key(u64::MAX), 64, 4);
        let record = Record {
            action: 0,
            cost: Untracked,
        };
        let enter_all = || {
            let mut session = table.session();
            let enter = |state: &u64| {
                session.pause();
                session.enter(key(*state), record) == Entered::New
            };
            (0..STATES).filter(enter).count()
        };
        let new: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(enter_all)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(new as u64, STATES);
        let bytes = table.bytes() as f64 / STATES as f64;
        // A small table is all steps of growth.
        assert!(
            cfg!(miri) || (9.0..14.0).contains(&bytes),
            "{bytes} bytes a state"
        );
    }

    #[test]
    fn a_table_that_changes_to_narrower_lanes_may_become_smaller() {
        let (bits, states) = if cfg!(miri) { (43, 900) } else { (50, 300_000) };
        let key = |state: u64| Key {
            order: mix_leading(state << (64 - bits), bits),
            rest: (),
        };
        let table = SharedTable::<(), u8, Untracked, Quotient>::new(key(0), bits, 1);
        let mut session = table.session();
        let record = Record {
            action: 0,
            cost: Untracked,
        };
        for state in 1..=states {
            table.allow(usize::MAX);
            session.pause();
            assert_eq!(session.enter(key(state), record), Entered::New);
        }
        assert!((1..=states).all(|state| session.record(key(state)).is_some()));
    }
}
