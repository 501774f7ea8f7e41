//! What the workers of one search agree on: outstanding work, the current phase, the first verdict.
//!
//! `PROTOCOL.md` beside this file states the protocol and argues that it is right.

use super::tally::Tally;
use crate::search::Status;
use crate::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::sync::{Mutex, PoisonError};

/// How a search was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict<S> {
    /// A goal was met.
    Solved(S),
    /// A limit was reached, or the search was told to stop.
    Stopped(Status),
    /// Nothing is left to expand.
    Exhausted,
}

/// What becomes of a worker that has run out of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Retirement {
    /// Others still work: wait for work, a new phase or the end.
    Wait,
    /// It was the last one and has begun the next phase; all others are to be woken.
    NextPhase,
    /// It was the last one and nothing is left; all others are to be woken.
    Finished,
}

/// Stands for "no phase waits".
const NO_PHASE: u32 = u32::MAX;

/// Shared by all workers of one search.
#[derive(Debug)]
pub(super) struct Crew<S> {
    /// Tokens of outstanding work: one for each worker that is not waiting, one for each batch under way.
    outstanding: AtomicUsize,
    /// States of this phase or an earlier one may be expanded.
    phase: AtomicU32,
    /// Number of phases begun after the first.
    epoch: AtomicU32,
    /// The smallest phase that waits at each retired worker.
    next_phases: Box<[AtomicU32]>,
    /// Workers that wait for work.
    hungry: AtomicUsize,
    stopped: AtomicBool,
    verdict: Mutex<Option<Verdict<S>>>,
    /// What all workers together use.
    pub(super) tally: Tally,
}

impl<S: Copy> Crew<S> {
    /// A crew of `workers`, all of them working, in phase `first`.
    pub(super) fn new(workers: usize, first: u32) -> Self {
        Self {
            outstanding: AtomicUsize::new(workers),
            phase: AtomicU32::new(first),
            epoch: AtomicU32::new(0),
            next_phases: (0..workers).map(|_| AtomicU32::new(NO_PHASE)).collect(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            verdict: Mutex::new(None),
            tally: Tally::default(),
        }
    }

    /// States up to this phase may be expanded. Read by a worker that holds a token, so it cannot
    /// change under it.
    pub(super) fn phase(&self) -> u32 {
        self.phase.load(Ordering::SeqCst)
    }

    /// Number of phases begun after the first.
    pub(super) fn epoch(&self) -> u32 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Looks, after waiting, whether a phase has begun since the one that `seen` counts; if so, it brought
    /// the caller a token, and one of two is given up if a batch brought another one.
    pub(super) fn notice_epoch(&self, seen: &mut u32, has_batch: bool) -> bool {
        let current = self.epoch();
        let is_new = current != *seen;
        *seen = current;
        if is_new && has_batch {
            self.merge_token();
        }
        is_new
    }

    /// A new token, for a batch that the caller, who holds a token himself, is about to send.
    pub(super) fn add_token(&self) {
        self.outstanding.fetch_add(1, Ordering::SeqCst);
    }

    /// Gives up one of two tokens that the caller holds.
    pub(super) fn merge_token(&self) {
        let before = self.outstanding.fetch_sub(1, Ordering::SeqCst);
        debug_assert!(before >= 2, "the caller keeps a token of his own");
    }

    /// Gives up the only token of a worker whose smallest waiting phase is `next`.
    pub(super) fn retire(&self, worker: usize, next: Option<u32>) -> Retirement {
        self.next_phases[worker].store(next.unwrap_or(NO_PHASE), Ordering::SeqCst);
        if self.outstanding.fetch_sub(1, Ordering::SeqCst) > 1 {
            return Retirement::Wait;
        }
        let phases = self.next_phases.iter();
        let next = phases.map(|phase| phase.load(Ordering::SeqCst)).min();
        match next {
            Some(phase) if phase != NO_PHASE => {
                self.phase.store(phase, Ordering::SeqCst);
                self.outstanding
                    .store(self.next_phases.len(), Ordering::SeqCst);
                self.epoch.fetch_add(1, Ordering::SeqCst);
                Retirement::NextPhase
            }
            _ => {
                self.conclude(Verdict::Exhausted);
                Retirement::Finished
            }
        }
    }

    /// Whether a verdict stands.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The first verdict stands; later ones are ignored. The caller wakes the others.
    pub(super) fn conclude(&self, verdict: Verdict<S>) {
        let mut latch = self.verdict.lock().unwrap_or_else(PoisonError::into_inner);
        latch.get_or_insert(verdict);
        drop(latch);
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// The verdict, once all workers have ended.
    pub(super) fn verdict(&self) -> Option<Verdict<S>> {
        *self.verdict.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether some worker waits for work. A hint: it may change at any time.
    #[inline]
    pub(super) fn someone_is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Marks the caller as waiting for work while `wait` runs.
    pub(super) fn while_hungry<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.hungry.fetch_add(1, Ordering::Relaxed);
        let result = wait();
        self.hungry.fetch_sub(1, Ordering::Relaxed);
        result
    }
}

/// Stops the search if the worker that holds it panics, so that no other worker waits for ever for
/// work that will not come. The panic itself goes on to whoever joins the worker.
pub(super) struct StopOnPanic<'a, S: Copy, W: Fn()> {
    /// The crew to stop.
    pub(super) crew: &'a Crew<S>,
    /// Wakes the waiting workers.
    pub(super) wake: W,
}

impl<S: Copy, W: Fn()> Drop for StopOnPanic<'_, S, W> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.crew.conclude(Verdict::Stopped(Status::Cancelled));
            (self.wake)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Crew, Retirement, Verdict};
    use crate::search::Status;

    #[test]
    fn the_first_verdict_stands() {
        let crew = Crew::new(1, 0);
        assert!(!crew.is_stopped());
        crew.conclude(Verdict::Solved('a'));
        crew.conclude(Verdict::Stopped(Status::TimeLimit));
        assert_eq!(crew.verdict(), Some(Verdict::Solved('a')));
        assert!(crew.is_stopped());
    }

    #[test]
    fn a_batch_under_way_keeps_the_search_alive() {
        let crew = Crew::<()>::new(2, 0);
        crew.add_token();
        assert_eq!(crew.retire(0, None), Retirement::Wait);
        assert_eq!(crew.retire(1, None), Retirement::Wait);
        // Worker 0 takes the batch and its token, and retires again.
        assert_eq!(crew.retire(0, None), Retirement::Finished);
        assert_eq!(crew.verdict(), Some(Verdict::Exhausted));
    }

    #[test]
    fn the_last_worker_begins_the_smallest_waiting_phase() {
        let crew = Crew::<()>::new(2, 1);
        assert_eq!(crew.retire(0, Some(7)), Retirement::Wait);
        assert_eq!(crew.retire(1, Some(4)), Retirement::NextPhase);
        assert_eq!((crew.phase(), crew.epoch()), (4, 1));
        // Both hold a token again.
        assert_eq!(crew.retire(1, None), Retirement::Wait);
        assert_eq!(crew.retire(0, None), Retirement::Finished);
    }
}
