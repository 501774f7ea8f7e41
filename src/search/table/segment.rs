//! One segment of a visited table: open addressing over buckets of whole cache lines.
//!
//! A bucket holds several states, their records, and how many there are, so that looking a state up
//! touches one line in nearly all cases. A full bucket overflows into the next one. Segments grow by
//! a quarter, because doubling would leave half of the memory empty on average after each growth.
//!
//! One of the two modules of the engine with `unsafe` code: states and records lie in one line without
//! the padding that an array of pairs would have, which is a third of the table for states of one word.

use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use super::Entered;
use super::region::{LINE, Region};
use crate::search::hash::hash_of;
use crate::search::node::{PathCost, Record};

/// Where the parts of a bucket lie, for states `S` and records `R`.
///
/// `[S; SLOTS] [R; SLOTS] .. count`: the count is the last byte of the bucket.
struct Bucket<S, R>(PhantomData<(S, R)>);

impl<S, R> Bucket<S, R> {
    /// Cache lines: the fewest, doubling, that hold three states.
    const LINES: usize = {
        assert!(align_of::<S>() <= LINE && align_of::<R>() <= LINE);
        let mut lines = 1;
        while Self::slots_in(lines) < 3 {
            lines *= 2;
        }
        lines
    };
    const BYTES: usize = Self::LINES * LINE;
    const SLOTS: usize = Self::slots_in(Self::LINES);
    const RECORDS: usize = Self::records_at(Self::SLOTS);
    const COUNT: usize = Self::BYTES - 1;

    const fn records_at(slots: usize) -> usize {
        (slots * size_of::<S>()).next_multiple_of(align_of::<R>())
    }

    const fn slots_in(lines: usize) -> usize {
        let mut slots = 0;
        // The count is one byte.
        while slots < 255
            && Self::records_at(slots + 1) + (slots + 1) * size_of::<R>() < lines * LINE
        {
            slots += 1;
        }
        slots
    }
}

/// States of one owner, or of one lock, each with its record.
#[derive(Debug)]
pub struct Segment<S, A, C> {
    region: Region,
    buckets: usize,
    len: usize,
    /// States at which the segment grows: see [`most_states`].
    most: usize,
    /// Shifts the sizes of this segment against those of others, from 0 to 63 of 64 parts of one
    /// growth, so that segments do not all grow at once and their average load stays even.
    stagger: usize,
    entries: PhantomData<(S, Record<A, C>)>,
}

/// Buckets from which on a segment grows by a quarter; a smaller one doubles.
const GRADUAL_FROM: usize = 64;

impl<S, A, C> Segment<S, A, C> {
    /// An empty segment, which takes no memory yet; `stagger` from 0 to 63.
    #[must_use]
    pub const fn new(stagger: usize) -> Self {
        Self {
            region: Region::empty(),
            buckets: 0,
            len: 0,
            most: 0,
            stagger: stagger % 64,
            entries: PhantomData,
        }
    }

    /// Bytes allocated. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.region.bytes()
    }

    /// Whether the next new state makes the segment grow.
    #[inline]
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.len == self.most
    }

    fn next_size(&self) -> usize {
        match self.buckets {
            0 => 1,
            few if few < GRADUAL_FROM / 2 => few * 2,
            few if few < GRADUAL_FROM => GRADUAL_FROM + self.stagger * GRADUAL_FROM / 256,
            many => many + many / 4,
        }
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Segment<S, A, C> {
    /// Enters a state unless it is known at no greater cost. Expected O(1).
    #[inline]
    pub fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        if self.is_full() {
            self.grow();
        }
        let mut index = self.index_of(hash);
        loop {
            let bucket = self.bucket(index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(state, count) {
                return bucket.improve(slot, record);
            }
            if count < Bucket::<S, Record<A, C>>::SLOTS {
                bucket.append(count, state, record);
                self.len += 1;
                return Entered::New;
            }
            index = self.after(index);
        }
    }

    /// The record of a state. Expected O(1).
    #[inline]
    #[must_use]
    pub fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        if self.len == 0 {
            return None;
        }
        let mut index = self.index_of(hash);
        loop {
            let bucket = self.bucket(index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(state, count) {
                return Some(bucket.record(slot));
            }
            if count < Bucket::<S, Record<A, C>>::SLOTS {
                return None;
            }
            index = self.after(index);
        }
    }

    /// Asks the processor to fetch the bucket of a state that will be entered soon.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        if self.buckets > 0 {
            let offset = self.index_of(hash) * Bucket::<S, Record<A, C>>::BYTES;
            prefetch(self.region.start().as_ptr().wrapping_add(offset));
        }
    }

    #[inline]
    const fn index_of(&self, hash: u64) -> usize {
        scale(hash, self.buckets)
    }

    #[inline]
    const fn after(&self, index: usize) -> usize {
        if index + 1 == self.buckets {
            0
        } else {
            index + 1
        }
    }

    /// # Panics
    /// In debug builds, if the index is out of range.
    #[inline]
    fn bucket(&self, index: usize) -> BucketRef<S, Record<A, C>> {
        debug_assert!(index < self.buckets);
        let offset = index * Bucket::<S, Record<A, C>>::BYTES;
        BucketRef {
            // SAFETY: `index < buckets`, and the region holds `buckets` buckets: `index_of` scales a
            // number below 2^32 by `buckets / 2^32`, and `after` wraps round.
            start: unsafe { self.region.start().as_ptr().add(offset) },
            entry: PhantomData,
        }
    }

    /// Moves all states to a larger region. Buckets keep their order, so this streams through memory.
    #[cold]
    fn grow(&mut self) {
        let size = self.next_size();
        let mut larger = Self {
            region: Region::zeroed(size * Bucket::<S, Record<A, C>>::LINES),
            buckets: size,
            len: 0,
            most: most_states(size * Bucket::<S, Record<A, C>>::SLOTS),
            stagger: self.stagger,
            entries: PhantomData,
        };
        for index in 0..self.buckets {
            let bucket = self.bucket(index);
            for slot in 0..bucket.count() {
                larger.move_in(&bucket.state(slot), bucket.record(slot));
            }
        }
        *self = larger;
    }

    /// Enters a state that is known to be new, into room that is known to be there.
    fn move_in(&mut self, state: &S, record: Record<A, C>) {
        let mut index = self.index_of(hash_of(state));
        loop {
            let bucket = self.bucket(index);
            let count = bucket.count();
            if count < Bucket::<S, Record<A, C>>::SLOTS {
                bucket.append(count, state, record);
                self.len += 1;
                return;
            }
            index = self.after(index);
        }
    }
}

/// States in `slots` at most: seven eighths, above which chains of full buckets grow long. At least
/// one slot stays free, at which every search of a chain ends.
const fn most_states(slots: usize) -> usize {
    slots - slots.div_ceil(8)
}

/// A bucket of a segment that outlives it. Only methods of [`Segment`] make one, and drop it before
/// they return; those that write have the segment exclusively.
#[derive(Clone, Copy)]
struct BucketRef<S, R> {
    start: *mut u8,
    entry: PhantomData<(S, R)>,
}

impl<S: Copy + Eq, R: Copy> BucketRef<S, R> {
    #[inline]
    fn count(self) -> usize {
        // SAFETY: the count is the last byte of the bucket and was zeroed with the region.
        unsafe { *self.start.add(Bucket::<S, R>::COUNT) as usize }
    }

    #[inline]
    const fn state_at(self, slot: usize) -> *mut S {
        // The bucket is aligned to a line, hence to `S`, and the states lie first in it.
        self.start.cast::<S>().wrapping_add(slot)
    }

    #[inline]
    const fn record_at(self, slot: usize) -> *mut R {
        let records = self.start.wrapping_add(Bucket::<S, R>::RECORDS);
        records.cast::<R>().wrapping_add(slot)
    }

    /// The state in a slot below the count.
    #[inline]
    fn state(self, slot: usize) -> S {
        debug_assert!(slot < self.count());
        // SAFETY: slots below the count have been written by `append`.
        unsafe { *self.state_at(slot) }
    }

    /// The record in a slot below the count.
    #[inline]
    fn record(self, slot: usize) -> R {
        debug_assert!(slot < self.count());
        // SAFETY: slots below the count have been written by `append`.
        unsafe { *self.record_at(slot) }
    }

    #[inline]
    fn find(self, state: &S, count: usize) -> Option<usize> {
        (0..count).find(|slot| self.state(*slot) == *state)
    }

    /// Fills the first free slot, `count`.
    #[inline]
    fn append(self, count: usize, state: &S, record: R) {
        debug_assert!(count < Bucket::<S, R>::SLOTS);
        // SAFETY: the slot lies inside the bucket, no other reference to the bucket is live (the
        // caller has the segment exclusively), and `Bucket` gives each part its own bytes.
        unsafe {
            self.state_at(count).write(*state);
            self.record_at(count).write(record);
            *self.start.add(Bucket::<S, R>::COUNT) = (count + 1) as u8;
        }
    }
}

impl<S: Copy + Eq, A: Copy, C: PathCost> BucketRef<S, Record<A, C>> {
    /// Replaces the record in a slot if the new one is cheaper.
    #[inline]
    fn improve(self, slot: usize, record: Record<A, C>) -> Entered {
        if !record.cost.improves_on(self.record(slot).cost) {
            return Entered::Duplicate;
        }
        // SAFETY: as in `append`; the slot is below the count.
        unsafe { self.record_at(slot).write(record) };
        Entered::Improved
    }
}

/// Scales 32 bits of a hash to a number of buckets: needs no power of two and no division.
#[inline]
const fn scale(hash: u64, buckets: usize) -> usize {
    (((hash & 0xffff_ffff) * buckets as u64) >> 32) as usize
}

/// Asks the processor to fetch the line at an address, which may be any.
#[inline]
fn prefetch(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: prefetching is a hint; it reads nothing and faults on no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Where a segment lies, readable while another thread changes the segment: good for fetching memory
/// only, since start and size may be of different moments.
#[derive(Debug, Default)]
pub struct Place {
    start: AtomicPtr<u8>,
    /// Buckets, and lines of a bucket.
    size: AtomicUsize,
    bucket_bytes: AtomicUsize,
}

impl Place {
    /// Notes where the segment lies now.
    pub fn is_now<S, A, C>(&self, segment: &Segment<S, A, C>) {
        self.start
            .store(segment.region.start().as_ptr(), Ordering::Relaxed);
        self.bucket_bytes
            .store(Bucket::<S, Record<A, C>>::BYTES, Ordering::Relaxed);
        self.size.store(segment.buckets, Ordering::Relaxed);
    }

    /// Asks the processor to fetch the bucket of a state that will be entered soon. Benign race: a
    /// mixture of an old and a new place names some address, and fetching it does nothing.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let offset = scale(hash, self.size.load(Ordering::Relaxed))
            * self.bucket_bytes.load(Ordering::Relaxed);
        prefetch(self.start.load(Ordering::Relaxed).wrapping_add(offset));
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Entered, Record, Segment, most_states};
    use crate::search::hash::hash_of;
    use crate::search::node::Untracked;
    use std::collections::HashMap;

    #[test]
    fn buckets_fill_whole_lines() {
        // Seven states of one word with a byte each, and the count, are exactly one line.
        assert_eq!(Bucket::<u64, u8>::SLOTS, 7);
        assert_eq!(Bucket::<u64, u8>::LINES, 1);
        assert_eq!(Bucket::<u64, u16>::SLOTS, 6);
        assert_eq!(Bucket::<u64, (u8, u32)>::RECORDS % 4, 0);
        assert_eq!(Bucket::<[u64; 2], u8>::SLOTS, 3);
        assert_eq!(Bucket::<[u64; 4], u8>::LINES, 2);
        const { assert!(Bucket::<[u64; 16], u16>::SLOTS >= 3) };
    }

    #[test]
    fn one_slot_always_stays_free() {
        for slots in 1..100 {
            assert!(most_states(slots) < slots);
        }
    }

    fn agrees_with_a_map<S>(states: impl Iterator<Item = S>)
    where
        S: Copy + Eq + std::hash::Hash,
    {
        let mut segment = Segment::<S, u8, u32>::new(17);
        let mut map = HashMap::new();
        for (round, state) in states.enumerate() {
            let record = Record {
                action: (round % 251) as u8,
                cost: (round * 7 % 31) as u32,
            };
            let expected = match map.get(&state) {
                None => Entered::New,
                Some(known) if record.cost < *known => Entered::Improved,
                Some(_) => Entered::Duplicate,
            };
            if expected != Entered::Duplicate {
                map.insert(state, record.cost);
            }
            assert_eq!(segment.enter(hash_of(&state), &state, record), expected);
        }
        for (state, cost) in &map {
            let record = segment.record(hash_of(state), state);
            assert_eq!(record.map(|record| record.cost), Some(*cost));
        }
    }

    #[test]
    fn behaves_like_a_map_for_every_width() {
        let count = if cfg!(miri) { 600 } else { 60_000 };
        let numbers = || (0..count).map(|i: u64| i.wrapping_mul(0x9e37_79b9) % (count / 2));
        agrees_with_a_map(numbers());
        agrees_with_a_map(numbers().map(|n| [n, 1]));
        agrees_with_a_map(numbers().map(|n| [n, 0, 0, n]));
        agrees_with_a_map(numbers().map(|n| [n; 16]));
        agrees_with_a_map(numbers().map(|n| n as u8));
    }

    #[test]
    fn equal_hashes_do_not_make_states_equal() {
        let mut segment = Segment::<u64, u8, Untracked>::new(0);
        let record = Record {
            action: 0,
            cost: Untracked,
        };
        // All in one chain until the segment grows and hashes anew.
        for state in 0..6 {
            assert_eq!(segment.enter(42, &state, record), Entered::New);
        }
        assert_eq!(segment.enter(42, &5, record), Entered::Duplicate);
    }

    #[test]
    fn states_of_one_word_take_less_than_fourteen_bytes_however_many_there_are() {
        let record = Record {
            action: 0_u8,
            cost: Untracked,
        };
        let mut segments: Vec<_> = (0..64).map(Segment::new).collect();
        for state in 0..1_000_000_u64 {
            let hash = hash_of(&state);
            segments[(hash >> 40) as usize % 64].enter(hash, &state, record);
            if state > 100_000 && state % 10_007 == 0 {
                let bytes: usize = segments.iter().map(Segment::bytes).sum();
                assert!(bytes as f64 / (state as f64) < 13.0, "{bytes} for {state}");
            }
        }
    }
}
