//! One segment of a visited table: open addressing over buckets.
//!
//! A state belongs to the bucket that its hash names, in the order of hashes; a full bucket overflows into
//! another one further on. Because the order of buckets is the order of hashes whatever their number, a segment
//! grows in place: it is made longer, and from the last bucket to the first each state moves
//! further back. So growth reads and writes memory in order, and never holds an old table beside a new one.

use std::hash::Hash;
use std::marker::PhantomData;

use super::Entered;
use super::bucket::{Bucket, Layout};
use super::region::{LINE, Region};
use crate::search::hash::hash_of;
use crate::search::node::{PathCost, Record};

/// Some of the states of a table, each with its record. Does not count them: see [`Self::capacity`].
#[derive(Debug)]
pub struct Segment<S, A, C> {
    region: Region,
    buckets: usize,
    /// Shifts the sizes of this segment against those of others, from 0 to [`STAGGERS`], so
    /// that segments do not all grow at once and their average load stays even.
    stagger: usize,
    entries: PhantomData<(S, Record<A, C>)>,
}

/// Buckets from which on a segment grows by [`GROWTH_PER_CENT`]; a smaller one doubles.
const GRADUAL_FROM: usize = 64;

/// Growing moves every state, so larger steps cost less time, and leave more memory empty.
const GROWTH_PER_CENT: usize = 25;

/// Steps into which one growth is divided to tell segments apart.
const STAGGERS: usize = 8;

/// Strides of chains are the odd numbers below this power of two.
const STRIDES: usize = 16;

/// Full buckets in a row that a thread passes before it asks for the segment to grow; one that has
/// the segment to itself counts states instead.
const REACH: usize = 32;

impl<S, A, C> Segment<S, A, C> {
    const BUCKET_BYTES: usize = Layout::<S, Record<A, C>>::BYTES;

    /// An empty segment, which takes no memory yet. Segments of one table have different `stagger`.
    #[must_use]
    pub const fn new(stagger: usize) -> Self {
        Self {
            region: Region::empty(),
            buckets: 0,
            stagger: stagger % STAGGERS,
            entries: PhantomData,
        }
    }

    /// Bytes allocated. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.region.bytes()
    }

    /// States at which the segment must grow: four fifths of its slots. Above that, chains of full buckets grow
    /// long, and each but the first of them is waited for. At least one slot stays free, at which every
    /// search of a chain ends.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        let slots = self.buckets * Layout::<S, Record<A, C>>::SLOTS;
        slots - slots.div_ceil(5)
    }

    /// Buckets after the next growth, of which the new ones take no more than `allowance` bytes, as far as
    /// that leaves anything to grow by.
    fn next_size(&self, allowance: usize) -> usize {
        let wanted = match self.buckets {
            0 => 1,
            few if few < GRADUAL_FROM / 2 => few * 2,
            few if few < GRADUAL_FROM => {
                let stagger = self.stagger * GROWTH_PER_CENT / STAGGERS;
                GRADUAL_FROM + GRADUAL_FROM * stagger / 100
            }
            many => many + many * GROWTH_PER_CENT / 100,
        };
        let least = self.buckets + self.buckets.div_ceil(32).max(1);
        let most = self.buckets + allowance / Self::BUCKET_BYTES;
        wanted.min(most).max(least)
    }

    #[inline]
    const fn index_of(&self, hash: u64) -> usize {
        scale(hash, self.buckets)
    }

    /// The buckets in which a state may be, in order.
    #[inline]
    const fn chain(&self, hash: u64) -> Chain {
        Chain {
            index: self.index_of(hash),
            stride: ((hash >> 35) as usize % STRIDES) | 1,
            hops: 0,
            buckets: self.buckets,
        }
    }

    #[inline]
    fn address(&self, index: usize) -> *mut u8 {
        let offset = index * Self::BUCKET_BYTES;
        self.region.start().as_ptr().wrapping_add(offset)
    }

    /// Asks the processor to fetch the first two buckets of a state that will be entered soon: the
    /// second one is needed about once in six times, and waiting for it costs more than fetching it in vain.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        if self.buckets == 0 {
            return;
        }
        let mut chain = self.chain(hash);
        self.fetch_bucket(chain.index);
        chain.advance();
        self.fetch_bucket(chain.index);
    }

    #[inline]
    fn fetch_bucket(&self, index: usize) {
        let start = self.address(index);
        fetch(start);
        if Self::BUCKET_BYTES > LINE {
            fetch(start.wrapping_add(Self::BUCKET_BYTES - LINE));
        }
    }
}

impl<S: Copy + Eq + Hash, A: Copy, C: PathCost> Segment<S, A, C> {
    /// # Panics
    /// In debug builds, if the index is out of range.
    #[inline]
    fn bucket(&self, index: usize) -> Bucket<S, Record<A, C>> {
        debug_assert!(index < self.buckets);
        // SAFETY: the region holds `buckets` buckets, and `index` is below that: `index_of` scales a number below
        // 2^32 by `buckets / 2^32`, and `after` wraps round. Regions begin as zeros, aligned to lines; growing
        // moves whole buckets and leaves the new ones zero.
        unsafe { Bucket::at(self.address(index)) }
    }

    /// Enters a state unless it is known at no greater cost; there are fewer states than
    /// [`Self::capacity`]. Expected O(1).
    #[inline]
    pub fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered {
        let mut chain = self.chain(hash);
        loop {
            let bucket = self.bucket(chain.index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(state, count) {
                return improve(&bucket, slot, record);
            }
            if count < Layout::<S, Record<A, C>>::SLOTS {
                bucket.append(count, state, record);
                return Entered::New;
            }
            chain.advance();
        }
    }

    /// Like [`Self::enter`], for several threads at a time; `None` if there is no room within reach, so that the segment must
    /// grow first. Whichever thread finds the state absent while it holds the first bucket of the chain
    /// that is not full enters it: nobody can enter it elsewhere.
    #[inline]
    pub fn enter_shared(&self, hash: u64, state: &S, record: Record<A, C>) -> Option<Entered> {
        if self.buckets == 0 {
            return None;
        }
        let mut chain = self.chain(hash);
        while chain.hops < REACH {
            let bucket = self.bucket(chain.index);
            let mut count = bucket.count();
            let mut found = bucket.find(state, count);
            if found.is_none() && count == Layout::<S, Record<A, C>>::SLOTS {
                chain.advance();
                continue;
            }
            if found.is_some() && !C::REOPENS {
                return Some(Entered::Duplicate);
            }
            count = bucket.acquire();
            found = found.or_else(|| bucket.find(state, count));
            if let Some(slot) = found {
                let entered = improve(&bucket, slot, record);
                bucket.release(count);
                return Some(entered);
            }
            if count < Layout::<S, Record<A, C>>::SLOTS {
                bucket.append(count, state, record);
                return Some(Entered::New);
            }
            bucket.release(count);
            chain.advance();
        }
        None
    }

    /// The record of a state. Expected O(1). Other threads may enter states meanwhile.
    #[inline]
    #[must_use]
    pub fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>> {
        if self.buckets == 0 {
            return None;
        }
        let mut chain = self.chain(hash);
        loop {
            let bucket = self.bucket(chain.index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(state, count) {
                if !C::REOPENS {
                    return Some(bucket.record(slot));
                }
                let count = bucket.acquire();
                let record = bucket.record(slot);
                bucket.release(count);
                return Some(record);
            }
            if count < Layout::<S, Record<A, C>>::SLOTS {
                return None;
            }
            chain.advance();
        }
    }

    /// Makes the segment longer, by no more than about `allowance` bytes if that is less than usual. O(buckets).
    #[cold]
    pub fn grow(&mut self, allowance: usize) {
        let old = self.buckets;
        self.buckets = self.next_size(allowance);
        self.region
            .grow(self.buckets * Layout::<S, Record<A, C>>::LINES);
        let mut moving = Vec::new();
        let mut astray = Vec::new();
        let mut wrapped = Vec::new();
        for index in (0..old).rev() {
            let bucket = self.bucket(index);
            let count = bucket.count();
            moving.clear();
            moving.extend((0..count).map(|slot| (bucket.state(slot), bucket.record(slot))));
            bucket.clear();
            for &(state, record) in &moving {
                let hash = hash_of(&state);
                if self.index_of(hash) < index {
                    astray.push((hash, state, record));
                } else if !self.move_in(hash, &state, record) {
                    wrapped.push((state, record));
                }
            }
            astray.retain(|&(hash, state, record)| {
                let waits = self.index_of(hash) < index;
                if !waits && !self.move_in(hash, &state, record) {
                    wrapped.push((state, record));
                }
                waits
            });
        }
        for (state, record) in wrapped {
            self.enter(hash_of(&state), &state, record);
        }
    }

    /// Enters a state that is known to be absent into the first bucket of its chain that is not full;
    /// false if there is none before the end.
    #[inline]
    fn move_in(&self, hash: u64, state: &S, record: Record<A, C>) -> bool {
        let mut chain = self.chain(hash);
        loop {
            let bucket = self.bucket(chain.index);
            let count = bucket.count();
            if count < Layout::<S, Record<A, C>>::SLOTS {
                bucket.append(count, state, record);
                return true;
            }
            if chain.advance() {
                return false;
            }
        }
    }
}

/// The buckets in which a state may be: from the one its hash names on, by a stride that its hash names too, so that
/// states which begin in one bucket do not all crowd into the next one.
#[derive(Debug, Clone, Copy)]
struct Chain {
    index: usize,
    stride: usize,
    hops: usize,
    buckets: usize,
}

impl Chain {
    /// Goes on to the next bucket; true if that goes round the end.
    #[inline]
    const fn advance(&mut self) -> bool {
        self.hops += 1;
        // A stride that divides the number of buckets would miss some: they are reached one by one then.
        self.index += if self.hops < STRIDES { self.stride } else { 1 };
        let wraps = self.index >= self.buckets;
        if wraps {
            self.index %= self.buckets;
        }
        wraps
    }
}

/// Replaces the record in a slot if the new one is cheaper.
#[inline]
fn improve<S, A, C>(bucket: &Bucket<S, Record<A, C>>, slot: usize, record: Record<A, C>) -> Entered
where
    S: Copy + Eq,
    A: Copy,
    C: PathCost,
{
    if !C::REOPENS || !record.cost.improves_on(bucket.record(slot).cost) {
        return Entered::Duplicate;
    }
    bucket.replace(slot, record);
    Entered::Improved
}

/// Scales 32 bits of a hash to a number of buckets: needs no power of two and no division, and keeps
/// the order.
#[inline]
const fn scale(hash: u64, buckets: usize) -> usize {
    (((hash & 0xffff_ffff) * buckets as u64) >> 32) as usize
}

/// Asks the processor to fetch the line at an address, which may be any.
#[inline]
fn fetch(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: prefetching is a hint; it reads nothing and faults on no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::{Entered, Record, Segment};
    use crate::search::hash::hash_of;
    use crate::search::node::Untracked;
    use std::collections::HashMap;

    const fn step<C>(action: u8, cost: C) -> Record<u8, C> {
        Record { action, cost }
    }

    #[test]
    fn one_slot_always_stays_free() {
        let mut segment = Segment::<u64, u8, Untracked>::new(3);
        for _ in 0..30 {
            segment.grow(usize::MAX);
            assert!(segment.capacity() < segment.bytes() / 64 * 7);
        }
    }

    fn agrees_with_a_map<S>(states: impl Iterator<Item = S>, allowance: usize)
    where
        S: Copy + Eq + std::hash::Hash,
    {
        let mut segment = Segment::<S, u8, u32>::new(17);
        let mut map = HashMap::new();
        for (round, state) in states.enumerate() {
            let record = step((round % 251) as u8, (round * 7 % 31) as u32);
            let expected = match map.get(&state) {
                None => Entered::New,
                Some(known) if record.cost < *known => Entered::Improved,
                Some(_) => Entered::Duplicate,
            };
            if expected != Entered::Duplicate {
                map.insert(state, record.cost);
            }
            if map.len() > segment.capacity() {
                segment.grow(allowance);
            }
            let hash = hash_of(&state);
            let entered = if round % 2 == 0 {
                segment.enter(hash, &state, record)
            } else {
                loop {
                    match segment.enter_shared(hash, &state, record) {
                        Some(entered) => break entered,
                        None => segment.grow(allowance),
                    }
                }
            };
            assert_eq!(entered, expected);
        }
        for (state, cost) in &map {
            let record = segment.record(hash_of(state), state);
            assert_eq!(record.map(|record| record.cost), Some(*cost));
        }
    }

    #[test]
    fn behaves_like_a_map_for_every_width_and_step_of_growth() {
        let count = if cfg!(miri) { 600 } else { 60_000 };
        let numbers = || (0..count).map(|i: u64| i.wrapping_mul(0x9e37_79b9) % (count / 2));
        for allowance in [usize::MAX, 4096, 0] {
            agrees_with_a_map(numbers(), allowance);
            agrees_with_a_map(numbers().map(|n| [n, 1]), allowance);
        }
        agrees_with_a_map(numbers().map(|n| [n, 0, 0, n]), usize::MAX);
        agrees_with_a_map(numbers().map(|n| [n; 16]), usize::MAX);
        agrees_with_a_map(numbers().map(|n| n as u8), usize::MAX);
    }

    #[test]
    fn equal_hashes_do_not_make_states_equal() {
        let mut segment = Segment::<u64, u8, Untracked>::new(0);
        for _ in 0..3 {
            segment.grow(usize::MAX);
        }
        // All in one chain, which goes on round the end.
        let last = u64::from(u32::MAX);
        for state in 0..20 {
            assert_eq!(
                segment.enter(last, &state, step(0, Untracked)),
                Entered::New
            );
        }
        let again = segment.enter(last, &19, step(0, Untracked));
        assert_eq!(again, Entered::Duplicate);
        let shared = segment.enter_shared(last, &7, step(0, Untracked));
        assert_eq!(shared, Some(Entered::Duplicate));
    }

    #[test]
    fn a_thread_that_finds_no_room_within_reach_says_so() {
        let segment = Segment::<u64, u8, Untracked>::new(0);
        assert_eq!(segment.enter_shared(0, &1, step(0, Untracked)), None);
        let mut segment = segment;
        segment.grow(usize::MAX);
        for state in 0..7 {
            let entered = segment.enter_shared(0, &state, step(0, Untracked));
            assert_eq!(entered, Some(Entered::New));
        }
        assert_eq!(segment.enter_shared(0, &7, step(0, Untracked)), None);
        let known = segment.enter_shared(0, &6, step(0, Untracked));
        assert_eq!(known, Some(Entered::Duplicate));
    }

    #[test]
    fn entries_survive_growth_of_every_fill() {
        // Hashes in few buckets, so that chains wrap, go astray and cross what has been moved.
        let mut segment = Segment::<u64, u8, Untracked>::new(5);
        let states: Vec<u64> = (0..5_000).collect();
        for (len, state) in states.iter().enumerate() {
            if len == segment.capacity() {
                segment.grow(64 * (len % 7));
                for known in &states[..len] {
                    assert!(segment.record(hash_of(known), known).is_some());
                }
            }
            let entered = segment.enter(hash_of(state), state, step(0, Untracked));
            assert_eq!(entered, Entered::New);
        }
    }
}
