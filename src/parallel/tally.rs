//! What all workers together use at a moment: summed from what each of them publishes now and then.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::puzzle::{Coding, Puzzle};
use crate::search::discipline::Discipline;
use crate::search::engine::Worker;
use crate::search::frontier::Frontier;
use crate::search::gauge::Usage;

/// What one worker holds at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Holding {
    /// States it has entered in the visited table.
    pub(super) states: u64,
    /// Bytes it has allocated for its frontier, and for its table if it owns one.
    pub(super) bytes: usize,
    /// Bytes of its frontier alone.
    pub(super) frontier_bytes: usize,
    /// States that wait for it.
    pub(super) waiting: usize,
}

impl Holding {
    /// What a worker holds now, with the table it owns, if any.
    pub(super) fn of<P, H, R, K, D>(worker: &Worker<'_, P, H, R, K, D>, table_bytes: usize) -> Self
    where
        P: Puzzle,
        K: Coding<P::State>,
        D: Discipline,
    {
        let frontier_bytes = worker.queue.frontier.bytes();
        Self {
            states: worker.queue.counters.states_visited,
            bytes: frontier_bytes + table_bytes,
            frontier_bytes,
            waiting: worker.queue.frontier.len(),
        }
    }
}

/// Sums over workers. Relaxed counters: each sum is exact once all workers have published, and
/// behind by at most what a worker does between two publications before that.
#[derive(Debug, Default)]
pub(super) struct Tally {
    states: AtomicI64,
    bytes: AtomicI64,
    frontier_bytes: Peak,
    waiting: Peak,
}

/// A sum and the most it has been.
#[derive(Debug, Default)]
struct Peak {
    sum: AtomicI64,
    most: AtomicI64,
}

impl Peak {
    fn add(&self, change: i64) {
        let sum = self.sum.fetch_add(change, Ordering::Relaxed) + change;
        self.most.fetch_max(sum, Ordering::Relaxed);
    }

    fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed).max(0).cast_unsigned()
    }
}

impl Tally {
    /// Replaces what a worker published before by what it holds now.
    pub(super) fn publish(&self, before: &mut Holding, now: Holding) {
        let states = now.states.cast_signed() - before.states.cast_signed();
        self.states.fetch_add(states, Ordering::Relaxed);
        self.bytes
            .fetch_add(change(before.bytes, now.bytes), Ordering::Relaxed);
        self.frontier_bytes
            .add(change(before.frontier_bytes, now.frontier_bytes));
        self.waiting.add(change(before.waiting, now.waiting));
        *before = now;
    }

    /// States in transit between workers: they wait, and their bytes belong to nobody's frontier.
    pub(super) fn sent(&self, states: usize, bytes: usize) {
        self.transit(signed(states), signed(bytes));
    }

    /// States that have arrived.
    pub(super) fn received(&self, states: usize, bytes: usize) {
        self.transit(-signed(states), -signed(bytes));
    }

    fn transit(&self, states: i64, bytes: i64) {
        self.waiting.add(states);
        self.frontier_bytes.add(bytes);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What the limits are compared with, beside the bytes of a shared table.
    pub(super) fn usage(&self) -> Usage {
        let read = |sum: &AtomicI64| sum.load(Ordering::Relaxed).max(0).cast_unsigned();
        Usage {
            states: read(&self.states),
            bytes: read(&self.bytes),
        }
    }

    /// Most states that waited at once.
    pub(super) fn most_waiting(&self) -> u64 {
        self.waiting.most()
    }

    /// Most bytes of frontiers, and of states in transit, at once.
    pub(super) fn most_frontier_bytes(&self) -> u64 {
        self.frontier_bytes.most()
    }
}

fn signed(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn change(before: usize, now: usize) -> i64 {
    signed(now) - signed(before)
}

#[cfg(test)]
mod tests {
    use super::{Holding, Tally};

    #[test]
    fn sums_what_workers_hold_and_remembers_peaks() {
        let tally = Tally::default();
        let (mut first, mut second) = (Holding::default(), Holding::default());
        let holding = |states, waiting| Holding {
            states,
            bytes: 100,
            frontier_bytes: 10,
            waiting,
        };
        tally.publish(&mut first, holding(5, 3));
        tally.publish(&mut second, holding(7, 4));
        tally.publish(&mut first, holding(6, 1));
        assert_eq!((tally.usage().states, tally.usage().bytes), (13, 200));
        assert_eq!(tally.most_waiting(), 7);
        tally.sent(9, 90);
        assert_eq!(
            (tally.most_waiting(), tally.most_frontier_bytes()),
            (14, 110)
        );
        tally.received(9, 90);
        assert_eq!(tally.usage().bytes, 200);
    }
}
