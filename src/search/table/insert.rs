//! Insert-if-absent in a bucket that several threads share.
//!
//! A byte counts the states and holds a lock bit. States below the count have been written before it was raised, and
//! are never changed again; so whoever has read the count may look among them without the lock.

use super::Entered;
use crate::sync::atomic::{AtomicU8, Ordering};
use crate::sync::{spin_loop, yield_now};

/// The bit of the count byte that says that somebody is writing.
const LOCKED: u8 = 0x80;

/// The count of a bucket, and its lock.
pub(super) struct CountByte<'a>(pub(super) &'a AtomicU8);

impl CountByte<'_> {
    /// States in the bucket. What is below the count may be read.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        (self.0.load(Ordering::Acquire) & !LOCKED) as usize
    }

    /// Waits until the caller has the bucket to itself; returns the count. Others hold a bucket for a few
    /// instructions only, so waiting is spinning at first; whoever was taken off the processor meanwhile
    /// gets it back by yielding.
    #[inline]
    pub(super) fn acquire(&self) -> usize {
        let mut tries = 0_u32;
        loop {
            let count = self.0.load(Ordering::Relaxed) & !LOCKED;
            let locked = self.0.compare_exchange_weak(
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
                yield_now();
            } else {
                spin_loop();
            }
        }
    }

    /// Gives the bucket back, with `count` states in it.
    #[inline(always)]
    pub(super) fn release(&self, count: usize) {
        self.0.store(count as u8, Ordering::Release);
    }
}

/// One state's view of a bucket in which it may be.
pub(super) trait Place {
    /// States that the bucket has room for.
    const SLOTS: usize;
    /// Whether a state that is known may be improved.
    const REOPENS: bool;

    /// The count of the bucket.
    fn count_byte(&self) -> CountByte<'_>;

    /// The slot of the state among the first `count`, which has been read from the count byte.
    fn find(&self, count: usize) -> Option<usize>;

    /// Writes the state into a slot. The caller has the bucket to itself.
    fn write(&self, slot: usize);

    /// Improves the record in a slot, if it can be. The caller has the bucket to itself.
    fn improve(&self, slot: usize) -> Entered;
}

/// Enters a state in a bucket unless it is known. `None` if the bucket is full and the state is not in it: then it
/// belongs to a later one.
#[inline(always)]
pub(super) fn enter_shared<P: Place>(place: &P) -> Option<Entered> {
    let byte = place.count_byte();
    let count = byte.count();
    let found = place.find(count);
    if found.is_some() && !P::REOPENS {
        return Some(Entered::Duplicate);
    }
    if found.is_none() && count == P::SLOTS {
        return None;
    }
    let count = byte.acquire();
    // Somebody may have entered it meanwhile.
    if let Some(slot) = found.or_else(|| place.find(count)) {
        let entered = place.improve(slot);
        byte.release(count);
        return Some(entered);
    }
    if count == P::SLOTS {
        byte.release(count);
        return None;
    }
    place.write(count);
    byte.release(count + 1);
    Some(Entered::New)
}
