//! Who does the work of a layer.

use std::time::Duration;

use crate::search::WorkerReport;

/// Threads that go through the shards of a search, each shard being worked on by one of them at a time.
pub trait Workers {
    /// Steps that a shard collects before they are delivered.
    const STEPS: usize;

    /// Into how many shards to divide so many words, at least 1.
    fn shards(&self, words: usize) -> usize;

    /// Calls `work` on each item, in any order and perhaps at the same time, and returns when all are done.
    /// `work` returns how many states it has expanded. `waiting` states wait in all: few are not worth
    /// waking a thread for.
    fn each<T: Send>(
        &mut self,
        waiting: u64,
        items: &mut [T],
        work: impl Fn(usize, &mut T) -> u64 + Sync,
    );

    /// What each of them has done in a search that took `wall`.
    fn reports(self, wall: Duration) -> Vec<WorkerReport>;
}

/// The calling thread.
#[derive(Debug, Default)]
pub struct Alone {
    expanded: u64,
}

impl Workers for Alone {
    /// Each step waits for the memory of its word, which takes longer than all else; entered one after the other in a
    /// loop that does nothing else they wait at the same time. A thousand of them stay in the first-level cache.
    const STEPS: usize = 1024;

    fn shards(&self, _words: usize) -> usize {
        1
    }

    #[inline]
    fn each<T: Send>(
        &mut self,
        _waiting: u64,
        items: &mut [T],
        work: impl Fn(usize, &mut T) -> u64 + Sync,
    ) {
        for (index, item) in items.iter_mut().enumerate() {
            self.expanded += work(index, item);
        }
    }

    fn reports(self, _wall: Duration) -> Vec<WorkerReport> {
        vec![WorkerReport {
            expanded: self.expanded,
            ..WorkerReport::default()
        }]
    }
}
