//! Models of entering states in a bucket.

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use loom::thread;

use super::Entered;
use super::insert::{CountByte, Place, enter_shared};

/// A bucket of two slots: lanes that are compared at any time, and records that are read below the count only.
struct Bucket {
    count: AtomicU8,
    lanes: [AtomicU64; 2],
    records: [UnsafeCell<u64>; 2],
}

impl Bucket {
    fn new() -> Self {
        Self {
            count: AtomicU8::new(0),
            lanes: [AtomicU64::new(0), AtomicU64::new(0)],
            records: [UnsafeCell::new(0), UnsafeCell::new(0)],
        }
    }

    /// The record in a slot below the count.
    fn record(&self, slot: usize) -> u64 {
        // SAFETY: the checker reports an access that races with another one.
        self.records[slot].with(|record| unsafe { *record })
    }
}

/// A state with a record. With `REOPENS` a smaller record replaces a larger one.
struct Candidate<'a, const REOPENS: bool> {
    bucket: &'a Bucket,
    state: u64,
    record: u64,
}

impl<const REOPENS: bool> Place for Candidate<'_, REOPENS> {
    const SLOTS: usize = 2;
    const REOPENS: bool = REOPENS;

    fn count_byte(&self) -> CountByte<'_> {
        CountByte(&self.bucket.count)
    }

    fn find(&self, count: usize) -> Option<usize> {
        let lanes = self.bucket.lanes.iter().take(count);
        lanes
            .map(|lane| lane.load(Ordering::Relaxed))
            .position(|lane| lane == self.state)
    }

    fn write(&self, slot: usize) {
        self.bucket.lanes[slot].store(self.state, Ordering::Relaxed);
        // SAFETY: the checker reports an access that races with another one.
        self.bucket.records[slot].with_mut(|record| unsafe { *record = self.record });
    }

    fn improve(&self, slot: usize) -> Entered {
        if !REOPENS || self.bucket.record(slot) <= self.record {
            return Entered::Duplicate;
        }
        // SAFETY: as above.
        self.bucket.records[slot].with_mut(|record| unsafe { *record = self.record });
        Entered::Improved
    }
}

fn enter<const REOPENS: bool>(bucket: &Bucket, state: u64, record: u64) -> Option<Entered> {
    enter_shared(&Candidate::<REOPENS> {
        bucket,
        state,
        record,
    })
}

/// Two threads enter one state: it is new to exactly one of them, and its record is that one's.
pub fn one_state_is_new_once() {
    let bucket = Arc::new(Bucket::new());
    let other = Arc::clone(&bucket);
    let worker = thread::spawn(move || enter::<false>(&other, 7, 71));
    let own = enter::<false>(&bucket, 7, 70);
    let others = worker.join().expect("the worker ends");
    let outcomes = [own, others];
    let is = |entered| outcomes.iter().filter(|it| **it == Some(entered)).count();
    assert_eq!((is(Entered::New), is(Entered::Duplicate)), (1, 1));
    let expected = if own == Some(Entered::New) { 70 } else { 71 };
    assert_eq!(bucket.record(0), expected);
    assert_eq!(CountByte(&bucket.count).count(), 1);
}

/// A thread looks up a state that another one is entering: if it finds it, the record is whole.
pub fn what_is_found_is_whole() {
    let bucket = Arc::new(Bucket::new());
    let other = Arc::clone(&bucket);
    let reader = thread::spawn(move || find(&other, 7).map(|slot| other.record(slot)));
    assert_eq!(enter::<false>(&bucket, 7, 70), Some(Entered::New));
    let seen = reader.join().expect("the reader ends");
    assert!(matches!(seen, None | Some(70)));
}

/// Two threads fill a bucket with different states, and then a third state finds no room: nothing is lost, and whoever
/// finds a state can read its record.
pub fn different_states_are_all_kept() {
    let bucket = Arc::new(Bucket::new());
    let other = Arc::clone(&bucket);
    let worker = thread::spawn(move || {
        let entered = enter::<false>(&other, 8, 80);
        if let Some(slot) = find(&other, 7) {
            assert_eq!(other.record(slot), 70);
        }
        entered
    });
    assert_eq!(enter::<false>(&bucket, 7, 70), Some(Entered::New));
    assert_eq!(worker.join().expect("the worker ends"), Some(Entered::New));
    let records = [7, 8].map(|state| find(&bucket, state).map(|slot| bucket.record(slot)));
    assert_eq!(records, [Some(70), Some(80)]);
    assert_eq!(enter::<false>(&bucket, 9, 90), None);
}

fn find(bucket: &Bucket, state: u64) -> Option<usize> {
    let candidate = Candidate::<false> {
        bucket,
        state,
        record: 0,
    };
    candidate.find(CountByte(&bucket.count).count())
}

/// Two threads enter one state at different costs: the least stands.
pub fn the_least_cost_stands() {
    let bucket = Arc::new(Bucket::new());
    let other = Arc::clone(&bucket);
    let worker = thread::spawn(move || enter::<true>(&other, 7, 2));
    let cheaper = enter::<true>(&bucket, 7, 1);
    let dearer = worker.join().expect("the worker ends");
    let expected = [
        (Some(Entered::New), Some(Entered::Duplicate)),
        (Some(Entered::Improved), Some(Entered::New)),
    ];
    assert!(expected.contains(&(cheaper, dearer)));
    assert_eq!(bucket.record(0), 1);
}
