//! A bucket of a segment: a few states, their records and how many there are, in whole cache lines.
//!
//! ```text
//! lane lane lane ..   rest rest ..   record record ..   count
//! ```
//!
//! Looking a state up touches one line in nearly all cases. A lane holds what is kept of an order. The last byte holds the
//! count, and a bit that serves as a lock where several threads enter states in one table: a state below the
//! count is never changed again, so looking it up needs no lock, and two of three successors are only
//! looked up. Lanes are compared all at once, those beyond the count too, and so are read and written
//! as atomic words; all the rest is read below the count only.
//!
//! `unsafe`, because the parts lie in one line without the padding that an array of structures would
//! have, which is a third of the table for states of one word.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU64};

use super::insert::CountByte;
use super::lanes::{self, Lane};
use super::region::LINE;

/// Where the parts of a bucket lie, for lanes `L`, rests `T` and records `R`.
pub(super) struct Layout<L, T, R>(PhantomData<(L, T, R)>);

impl<L: Lane, T, R> Layout<L, T, R> {
    /// Cache lines: the fewest, doubling, that hold three states.
    pub(super) const LINES: usize = {
        let mut lines = 1;
        while Self::slots_in(lines) < 3 {
            lines *= 2;
        }
        lines
    };
    pub(super) const BYTES: usize = Self::LINES * LINE;
    /// States that a bucket has room for.
    pub(super) const SLOTS: usize = Self::slots_in(Self::LINES);
    const WORDS: usize = lanes::words_for::<L>(Self::SLOTS);
    const RESTS: usize = Self::WORDS * size_of::<u64>();
    const RECORDS: usize = Self::RESTS + Self::SLOTS * size_of::<T>();
    const COUNT: usize = Self::BYTES - 1;

    const fn slots_in(lines: usize) -> usize {
        let mut slots = 0;
        while slots < L::MOST
            && lanes::words_for::<L>(slots + 1) * size_of::<u64>()
                + (slots + 1) * (size_of::<T>() + size_of::<R>())
                < lines * LINE
        {
            slots += 1;
        }
        slots
    }
}

/// A bucket of a segment that outlives it. Only methods of [`super::Segment`] make one, and drop it
/// before they return.
#[derive(Clone, Copy)]
pub(super) struct Bucket<L, T, R> {
    start: *mut u8,
    entry: PhantomData<(L, T, R)>,
}

impl<L: Lane, T: Copy + Eq, R: Copy> Bucket<L, T, R> {
    pub(super) const SLOTS: usize = Layout::<L, T, R>::SLOTS;

    /// The bucket at an address.
    ///
    /// # Safety
    /// From `start`, aligned to a line, there are [`Layout::BYTES`] bytes that began as zeros, were changed by methods of this
    /// type only, and stay valid as long as the value is used.
    #[inline(always)]
    pub(super) const unsafe fn at(start: *mut u8) -> Self {
        Self {
            start,
            entry: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn count_byte(&self) -> CountByte<'_> {
        // SAFETY: the last byte of the bucket is valid, see `at`, and is accessed atomically only.
        CountByte(unsafe { AtomicU8::from_ptr(self.start.add(Layout::<L, T, R>::COUNT)) })
    }

    #[inline(always)]
    fn lanes(&self) -> &[AtomicU64] {
        // SAFETY: the bucket begins with its lanes, in so many words aligned to a line; see `at`. They are accessed
        // as atomic words only.
        unsafe {
            std::slice::from_raw_parts(
                self.start.cast::<AtomicU64>().cast_const(),
                Layout::<L, T, R>::WORDS,
            )
        }
    }

    /// States in the bucket. What is below the count may be read.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count_byte().count()
    }

    #[inline(always)]
    const fn rest_at(&self, slot: usize) -> *mut T {
        let rests = self.start.wrapping_add(Layout::<L, T, R>::RESTS);
        rests.wrapping_add(slot * size_of::<T>()).cast()
    }

    #[inline(always)]
    const fn record_at(&self, slot: usize) -> *mut R {
        let records = self.start.wrapping_add(Layout::<L, T, R>::RECORDS);
        records.wrapping_add(slot * size_of::<R>()).cast()
    }

    /// The lane in a slot below the count.
    #[inline(always)]
    pub(super) fn lane(&self, slot: usize) -> L {
        lanes::get(self.lanes(), slot)
    }

    /// The rest of the state in a slot below the count.
    #[inline(always)]
    pub(super) fn rest(&self, slot: usize) -> T {
        // SAFETY: slots below the count have been written before the count was raised, and their states
        // are never written again.
        unsafe { self.rest_at(slot).read_unaligned() }
    }

    /// The slot of a state among the first `count`, which is what [`Self::count`] has returned.
    #[inline(always)]
    pub(super) fn find(&self, lane: L, rest: &T, count: usize) -> Option<usize> {
        // Beyond the count somebody may be writing.
        let mut found = lane.matches(self.lanes()) & ((1_u64 << count) - 1) as u32;
        if size_of::<T>() == 0 {
            return (found != 0).then(|| found.trailing_zeros() as usize);
        }
        while found != 0 {
            let slot = found.trailing_zeros() as usize;
            if self.rest(slot) == *rest {
                return Some(slot);
            }
            found &= found - 1;
        }
        None
    }

    /// The record in a slot below the count. The caller has the bucket to itself, or records are not
    /// changed during the search.
    #[inline(always)]
    pub(super) fn record(&self, slot: usize) -> R {
        // SAFETY: slots below the count have been written, and nobody writes this record now.
        unsafe { self.record_at(slot).read_unaligned() }
    }

    /// Replaces the record in a slot below the count. The caller has the bucket to itself.
    #[inline]
    pub(super) fn replace(&self, slot: usize, record: R) {
        debug_assert!(slot < self.count());
        // SAFETY: the slot lies inside of the bucket, and nobody else reads or writes the record.
        unsafe { self.record_at(slot).write_unaligned(record) };
    }

    /// Fills the first free slot, `count`, and counts it. The caller has the bucket to itself.
    #[inline(always)]
    pub(super) fn append(&self, count: usize, lane: L, rest: T, record: R) {
        self.write(count, lane, rest, record);
        self.count_byte().release(count + 1);
    }

    /// Fills the first free slot, `count`, which the caller is to count. The caller has the bucket to itself.
    #[inline(always)]
    pub(super) fn write(&self, count: usize, lane: L, rest: T, record: R) {
        debug_assert!(count < Self::SLOTS && count == self.count());
        lanes::set(self.lanes(), count, lane);
        // SAFETY: the slot lies inside of the bucket, `Layout` gives each part its own bytes, nobody else
        // writes, and nobody reads a rest or a record that is not below the count.
        unsafe {
            self.rest_at(count).write_unaligned(rest);
            self.record_at(count).write_unaligned(record);
        }
    }

    /// Empties the bucket. The caller has it to itself.
    #[inline(always)]
    pub(super) fn clear(&self) {
        self.count_byte().release(0);
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;

    #[test]
    fn buckets_fill_whole_lines() {
        // Seven lanes of 8 bytes with a byte each, and the count, are exactly one line.
        assert_eq!(Layout::<u64, (), u8>::SLOTS, 7);
        assert_eq!(Layout::<u64, (), u8>::LINES, 1);
        assert_eq!(Layout::<u64, (), u16>::SLOTS, 6);
        assert_eq!(Layout::<u32, (), u8>::SLOTS, 12);
        assert_eq!(Layout::<u32, (), u16>::SLOTS, 10);
        assert_eq!(Layout::<u32, (u8, ()), u8>::SLOTS, 10);
        assert_eq!(Layout::<u32, (u8, ()), u16>::SLOTS, 8);
        assert_eq!(Layout::<u16, (), u8>::SLOTS, 20);
        assert_eq!(Layout::<u64, [u64; 1], u8>::SLOTS, 3);
        assert_eq!(Layout::<u64, [u64; 3], u8>::LINES, 2);
        const { assert!(Layout::<u64, [u64; 15], (u8, u32)>::SLOTS >= 3) };
    }
}
