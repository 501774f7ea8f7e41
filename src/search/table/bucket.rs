//! A bucket of a segment: a few states, their records and how many there are, in whole cache lines.
//!
//! Looking a state up touches one line in nearly all cases. The last byte of a bucket holds the count,
//! and a bit that serves as a lock where several threads enter states in one table: a state below the count is never
//! changed again, so looking it up needs no lock, and two of three successors are only looked up.
//!
//! `unsafe`, because states and records lie in one line without the padding that an array of pairs
//! would have, which is a third of the table for states of one word.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, Ordering};

use super::region::LINE;

/// Where the parts of a bucket lie, for states `S` and records `R`:
/// `[S; SLOTS] [R; SLOTS] .. count`.
pub(super) struct Layout<S, R>(PhantomData<(S, R)>);

impl<S, R> Layout<S, R> {
    /// Cache lines: the fewest, doubling, that hold three states.
    pub(super) const LINES: usize = {
        assert!(align_of::<S>() <= LINE && align_of::<R>() <= LINE);
        let mut lines = 1;
        while Self::slots_in(lines) < 3 {
            lines *= 2;
        }
        lines
    };
    pub(super) const BYTES: usize = Self::LINES * LINE;
    /// States that a bucket has room for.
    pub(super) const SLOTS: usize = Self::slots_in(Self::LINES);
    const RECORDS: usize = Self::records_at(Self::SLOTS);
    const COUNT: usize = Self::BYTES - 1;

    const fn records_at(slots: usize) -> usize {
        (slots * size_of::<S>()).next_multiple_of(align_of::<R>())
    }

    const fn slots_in(lines: usize) -> usize {
        let mut slots = 0;
        while slots < MOST_SLOTS
            && Self::records_at(slots + 1) + (slots + 1) * size_of::<R>() < lines * LINE
        {
            slots += 1;
        }
        slots
    }
}

/// The count must leave the bit of the lock free.
const MOST_SLOTS: usize = 127;

/// The bit of the count byte that says that somebody is writing.
const LOCKED: u8 = 0x80;

/// A bucket of a segment that outlives it. Only methods of [`super::Segment`] make one, and drop it
/// before they return.
#[derive(Clone, Copy)]
pub(super) struct Bucket<S, R> {
    start: *mut u8,
    entry: PhantomData<(S, R)>,
}

impl<S: Copy + Eq, R: Copy> Bucket<S, R> {
    const SLOTS: usize = Layout::<S, R>::SLOTS;

    /// The bucket at an address.
    ///
    /// # Safety
    /// From `start`, aligned to a line, there are [`Layout::BYTES`] bytes that began as zeros, were changed by methods of this
    /// type only, and stay valid as long as the value is used.
    #[inline]
    pub(super) const unsafe fn at(start: *mut u8) -> Self {
        Self {
            start,
            entry: PhantomData,
        }
    }

    #[inline]
    fn count_byte(&self) -> &AtomicU8 {
        // SAFETY: the last byte of the bucket is valid, see `at`, and is accessed atomically only.
        unsafe { AtomicU8::from_ptr(self.start.add(Layout::<S, R>::COUNT)) }
    }

    /// States in the bucket. What is below the count may be read.
    #[inline]
    pub(super) fn count(&self) -> usize {
        (self.count_byte().load(Ordering::Acquire) & !LOCKED) as usize
    }

    #[inline]
    const fn state_at(&self, slot: usize) -> *mut S {
        // The bucket is aligned to a line, hence to `S`, and the states lie first in it.
        self.start.cast::<S>().wrapping_add(slot)
    }

    #[inline]
    const fn record_at(&self, slot: usize) -> *mut R {
        let records = self.start.wrapping_add(Layout::<S, R>::RECORDS);
        records.cast::<R>().wrapping_add(slot)
    }

    /// The state in a slot below the count.
    #[inline]
    pub(super) fn state(&self, slot: usize) -> S {
        debug_assert!(slot < self.count());
        // SAFETY: slots below the count have been written before the count was raised, and their states
        // are never written again.
        unsafe { *self.state_at(slot) }
    }

    /// The slot of a state among the first `count`, which is what [`Self::count`] has returned. Slots beyond are
    /// not looked at: somebody may be writing there.
    #[inline]
    pub(super) fn find(&self, state: &S, count: usize) -> Option<usize> {
        (0..count).find(|slot| self.state(*slot) == *state)
    }

    /// The record in a slot below the count. The caller has the bucket to itself, or records are not
    /// changed during the search.
    #[inline]
    pub(super) fn record(&self, slot: usize) -> R {
        debug_assert!(slot < self.count());
        // SAFETY: slots below the count have been written, and nobody writes this record now.
        unsafe { *self.record_at(slot) }
    }

    /// Replaces the record in a slot below the count. The caller has the bucket to itself.
    #[inline]
    pub(super) fn replace(&self, slot: usize, record: R) {
        debug_assert!(slot < self.count());
        // SAFETY: the slot lies inside of the bucket, and nobody else reads or writes the record.
        unsafe { self.record_at(slot).write(record) };
    }

    /// Fills the first free slot, `count`. The caller has the bucket to itself. An acquired lock is
    /// given back.
    #[inline]
    pub(super) fn append(&self, count: usize, state: &S, record: R) {
        debug_assert!(count < Self::SLOTS && count == self.count());
        // SAFETY: the slot lies inside of the bucket, `Layout` gives each part its own bytes, nobody else
        // writes, and nobody reads a slot that is not below the count.
        unsafe {
            self.state_at(count).write(*state);
            self.record_at(count).write(record);
        }
        self.release(count + 1);
    }

    /// Empties the bucket. The caller has it to itself.
    #[inline]
    pub(super) fn clear(&self) {
        self.release(0);
    }

    /// Waits until the caller has the bucket to itself; returns the count. Others hold a bucket for a few
    /// instructions only, so waiting is spinning at first; whoever was taken off the processor meanwhile
    /// gets it back by yielding.
    #[inline]
    pub(super) fn acquire(&self) -> usize {
        let byte = self.count_byte();
        let mut tries = 0_u32;
        loop {
            let count = byte.load(Ordering::Relaxed) & !LOCKED;
            let locked = byte.compare_exchange_weak(
                count,
                count | LOCKED,
                Ordering::Acquire,
                Ordering::Relaxed,
            );
            if locked.is_ok() {
                return count as usize;
            }
            tries += 1;
            if tries.is_multiple_of(64) {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }

    /// Gives the bucket back, with `count` states in it.
    #[inline]
    pub(super) fn release(&self, count: usize) {
        debug_assert!(count <= Self::SLOTS);
        self.count_byte().store(count as u8, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn buckets_fill_whole_lines() {
        // Seven states of one word with a byte each, and the count, are exactly one line.
        assert_eq!(Layout::<u64, u8>::SLOTS, 7);
        assert_eq!(Layout::<u64, u8>::LINES, 1);
        assert_eq!(Layout::<u64, u16>::SLOTS, 6);
        assert_eq!(Layout::<u64, (u8, u32)>::RECORDS % 4, 0);
        assert_eq!(Layout::<[u64; 2], u8>::SLOTS, 3);
        assert_eq!(Layout::<[u64; 4], u8>::LINES, 2);
        assert_eq!(Layout::<u8, u8>::SLOTS, 31);
        const { assert!(Layout::<[u64; 16], u16>::SLOTS >= 3) };
    }
}
