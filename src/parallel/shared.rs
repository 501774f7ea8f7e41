//! The `shared` model: a frontier per worker with work stealing, one concurrent visited table.
//!
//! A worker keeps its frontier to itself, but for one batch of states on a deque that others may steal from. It is
//! replaced once it is stolen, so whoever is hungry finds one at once, and a busy crew hardly pays for the stealing.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_deque::{Steal, Stealer, Worker as Deque};

use super::crew::{Crew, Retirement, StopOnPanic, Verdict};
use super::finish::{Crewed, finish};
use super::outbox::batch_bytes;
use super::shared_table::SharedTable;
use super::tally::Holding;
use crate::puzzle::{Coding, Heuristic, Pruner, Puzzle};
use crate::search::discipline::Discipline;
use crate::search::engine::{Gathered, NodeOf, Worker};
use crate::search::frontier::Frontier;
use crate::search::gauge::Gauge;
use crate::search::node::Priority;
use crate::search::table::Lookup;
use crate::search::{Goal, Limits, Outcome, Problem, WorkerReport};

/// States in a batch at most: some hundred microseconds of work, which hides the cost of handing it over.
const BATCH: usize = 512;

/// States a worker expands, about, between two publications of what it holds; limits are checked then.
const PUBLISH_INTERVAL: usize = 64;

type Batch<N> = Vec<(Priority, N)>;

/// Batches that may be stolen, and the place where hungry workers sleep.
struct Pool<N> {
    stealers: Vec<Stealer<Batch<N>>>,
    /// Batches on all deques; raised before a batch is there, lowered after it is taken, so that it
    /// is never too low.
    available: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl<N> Pool<N> {
    /// What may be stolen from these deques: nothing yet.
    fn of(deques: &[Deque<Batch<N>>]) -> Self {
        Self {
            stealers: deques.iter().map(Deque::stealer).collect(),
            available: AtomicUsize::new(0),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
        }
    }

    fn wake_all(&self) {
        // Whoever has checked that there is nothing to do holds the lock until it sleeps.
        drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
        self.alarm.notify_all();
    }

    fn wake_one(&self) {
        drop(self.bed.lock().unwrap_or_else(PoisonError::into_inner));
        self.alarm.notify_one();
    }

    /// Tries every deque, beginning behind the thief's own.
    fn steal(&self, thief: usize) -> Option<Batch<N>> {
        let count = self.stealers.len();
        for offset in 1..count {
            let victim = &self.stealers[(thief + offset) % count];
            loop {
                match victim.steal() {
                    Steal::Success(batch) => {
                        self.available.fetch_sub(1, Ordering::SeqCst);
                        return Some(batch);
                    }
                    Steal::Empty => break,
                    Steal::Retry => {}
                }
            }
        }
        None
    }
}

/// What every worker of the search can reach.
struct Context<'a, P: Puzzle, K: Coding<P::State>, D: Discipline> {
    crew: Crew<P::State>,
    table: SharedTable<K::Rest, P::Action, D::Cost, K::Keep>,
    pool: Pool<NodeOf<P, D>>,
    limits: &'a Limits,
    start: Instant,
}

/// One worker and what it alone holds.
struct Member<'a, P: Puzzle, H, R, K: Coding<P::State>, D: Discipline> {
    index: usize,
    worker: Worker<'a, P, H, R, K, D>,
    deque: Deque<Batch<NodeOf<P, D>>>,
    context: &'a Context<'a, P, K, D>,
    epoch: u32,
    published: Holding,
    idle: Duration,
}

/// Searches with `threads` workers.
///
/// # Panics
/// If the puzzle, the heuristic or the pruner panics in a worker.
pub(super) fn search<P, H, R, K, D>(
    problem: &Problem<'_, P, H, R, K>,
    goal: Goal,
    limits: &Limits,
    threads: usize,
) -> Outcome<P::Action>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    let start = Instant::now();
    let mut first = Worker::<P, H, R, K, D>::new(problem, goal);
    let solved = first.start();
    let deques: Vec<_> = (0..threads).map(|_| Deque::new_fifo()).collect();
    let context = Context::<P, K, D> {
        crew: Crew::new(threads, first_phase::<D, _>(&first.queue.frontier)),
        table: SharedTable::of(problem.coding, &problem.puzzle.initial(), threads),
        pool: Pool::of(&deques),
        limits,
        start,
    };
    if let Some(state) = solved {
        context.crew.conclude(Verdict::Solved(state));
    }
    let others = (1..threads).map(|_| Worker::new(problem, goal));
    let workers = std::iter::once(first).chain(others);
    let members: Vec<Member<'_, P, H, R, K, D>> = (0..)
        .zip(workers.zip(deques))
        .map(|(index, (worker, deque))| Member {
            index,
            worker,
            deque,
            context: &context,
            epoch: 0,
            published: Holding::default(),
            idle: Duration::ZERO,
        })
        .collect();
    let ended = super::run_all(members, Member::run);
    let crewed = Crewed {
        crew: &context.crew,
        goal,
        start,
        table_bytes: context.table.most_bytes(),
        workers: ended,
    };
    let table = context.table.session();
    finish(problem, crewed, |key| table.record(key))
}

/// The phase a search begins in: that of the initial state, or no restriction at all.
pub(super) fn first_phase<D: Discipline, N>(frontier: &impl Frontier<N>) -> u32 {
    if D::PHASED {
        frontier.next_phase().unwrap_or(0)
    } else {
        u32::MAX
    }
}

impl<P, H, R, K, D> Member<'_, P, H, R, K, D>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    /// Works until the search is decided; returns the worker's counts.
    fn run(mut self) -> (crate::search::Counters, WorkerReport) {
        let context = self.context;
        let guard = StopOnPanic {
            crew: &context.crew,
            wake: || context.pool.wake_all(),
        };
        while self.work() {
            if let Some(batch) = self.deque.pop() {
                context.pool.available.fetch_sub(1, Ordering::SeqCst);
                context.crew.merge_token();
                self.absorb(batch);
                continue;
            }
            self.publish();
            let next = self.worker.queue.frontier.next_phase();
            match context.crew.retire(self.index, next) {
                Retirement::Finished => break,
                Retirement::NextPhase => {
                    self.epoch = context.crew.epoch();
                    context.pool.wake_all();
                }
                Retirement::Wait => {
                    if !self.wait_for_work() {
                        break;
                    }
                }
            }
        }
        self.publish();
        context.pool.wake_all();
        drop(guard);
        let report = WorkerReport {
            expanded: self.worker.queue.counters.expanded,
            idle: self.idle,
            ..WorkerReport::default()
        };
        (self.worker.queue.counters, report)
    }

    /// Expands what the phase allows; false once the search is decided.
    fn work(&mut self) -> bool {
        let context = self.context;
        let phase = context.crew.phase();
        let gauge = Gauge::new(context.limits, context.start);
        let mut until_publication = 0;
        let mut table = context.table.session();
        let is_crewed = context.pool.stealers.len() > 1;
        while !context.crew.is_stopped() {
            if until_publication == 0 {
                until_publication = PUBLISH_INTERVAL;
                self.publish();
                let mut usage = context.crew.tally.usage();
                usage.bytes += context.table.bytes() as u64;
                context.table.allow(gauge.bytes_left(usage));
                if let Some(status) = gauge.check_all(usage) {
                    context.crew.conclude(Verdict::Stopped(status));
                    return false;
                }
            }
            until_publication -= 1;
            table.pause();
            let found = match self.worker.gather(phase, &table, |_| true) {
                Gathered::Nothing => return true,
                Gathered::Goal(state) => Some(state),
                Gathered::Successors => self
                    .worker
                    .deliver(|queue, candidate| queue.admit(&mut table, candidate)),
            };
            if let Some(state) = found {
                context.crew.conclude(Verdict::Solved(state));
                return false;
            }
            if is_crewed && self.deque.is_empty() {
                self.share(phase);
            }
        }
        false
    }

    /// Puts half of what may be expanded now where others can steal it.
    fn share(&mut self, phase: u32) {
        let most = (self.worker.queue.frontier.ready(phase) / 2).min(BATCH);
        if most == 0 {
            return;
        }
        let mut batch = Vec::with_capacity(most);
        self.worker.queue.frontier.give(phase, most, &mut batch);
        // What is in the batch is no longer in the frontier; told in the other order it would count twice.
        self.publish();
        let context = self.context;
        context.crew.tally.sent(batch.len(), batch_bytes(&batch));
        context.crew.add_token();
        context.pool.available.fetch_add(1, Ordering::SeqCst);
        self.deque.push(batch);
        context.pool.wake_one();
    }

    fn absorb(&mut self, batch: Batch<NodeOf<P, D>>) {
        let bytes = batch_bytes(&batch);
        self.context.crew.tally.received(batch.len(), bytes);
        for (priority, node) in batch {
            self.worker.queue.frontier.push(priority, node);
        }
        self.worker.queue.frontier.end_expansion();
    }

    /// Waits, without a token, for a batch, a new phase or the end; false at the end.
    fn wait_for_work(&mut self) -> bool {
        let began = Instant::now();
        let context = self.context;
        let batch = context.wait(self.index, self.epoch);
        self.idle += began.elapsed();
        if context.crew.is_stopped() {
            return false;
        }
        context.crew.notice_epoch(&mut self.epoch, batch.is_some());
        if let Some(batch) = batch {
            self.absorb(batch);
        }
        true
    }

    fn publish(&mut self) {
        let holding = Holding::of(&self.worker, 0);
        self.context
            .crew
            .tally
            .publish(&mut self.published, holding);
    }
}

impl<P: Puzzle, K: Coding<P::State>, D: Discipline> Context<'_, P, K, D> {
    /// Sleeps until a batch is stolen, or the phase changes, or the search ends.
    fn wait(&self, worker: usize, epoch: u32) -> Option<Batch<NodeOf<P, D>>> {
        let decided = || self.crew.is_stopped() || self.crew.epoch() != epoch;
        loop {
            if decided() {
                return None;
            }
            if let Some(batch) = self.pool.steal(worker) {
                return Some(batch);
            }
            let mut bed = self.pool.bed.lock().unwrap_or_else(PoisonError::into_inner);
            while !decided() && self.pool.available.load(Ordering::SeqCst) == 0 {
                bed = self
                    .pool
                    .alarm
                    .wait(bed)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
