//! The `layered` model: level-synchronous breadth-first search, rayon over each layer.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::crew::{Crew, Verdict};
use super::finish::{Crewed, finish};
use super::shared_table::SharedTable;
use super::tally::Holding;
use crate::puzzle::{Coding, Heuristic, Pruner, Puzzle};
use crate::search::discipline::BreadthFirst;
use crate::search::engine::{NodeOf, Worker};
use crate::search::gauge::Gauge;
use crate::search::node::{Priority, Untracked};
use crate::search::table::Lookup;
use crate::search::{Goal, Limits, Outcome, Problem, WorkerReport};

/// States of a layer that one task expands: enough to hide the cost of a task, few enough that a
/// layer of a thousand states still spreads over all threads. Limits are checked once a task.
const TASK: usize = 128;

/// A state of a layer.
type LayerNode<P> = NodeOf<P, BreadthFirst>;

/// One thread's worker and what it has published.
struct Member<'a, P: Puzzle, H, R, K: Coding<P::State>> {
    worker: Worker<'a, P, H, R, K, BreadthFirst>,
    published: Holding,
    busy: Duration,
}

/// What every task can reach.
struct Context<'a, P: Puzzle, H, R, K: Coding<P::State>> {
    crew: Crew<P::State>,
    table: SharedTable<K::Rest, P::Action, Untracked, K::Keep>,
    members: Vec<Mutex<Member<'a, P, H, R, K>>>,
    gauge: Gauge<'a>,
}

/// Searches with a pool of `threads` threads.
///
/// # Panics
/// If the machine refuses to start the threads, or the puzzle or the pruner panics.
pub(super) fn search<P, H, R, K>(
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
{
    let start = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("the machine can start as many threads as the configuration asks for");
    let context = Context {
        crew: Crew::new(threads, 0),
        table: SharedTable::of(problem.coding, &problem.puzzle.initial(), threads),
        members: (0..threads)
            .map(|_| Mutex::new(Member::new(problem, goal)))
            .collect(),
        gauge: Gauge::new(limits, start),
    };
    let solved = context.with(0, |member| member.worker.start());
    if let Some(state) = solved {
        context.crew.conclude(Verdict::Solved(state));
    }
    context.expand_layers(&pool);
    let wall = start.elapsed();
    let Context {
        crew,
        table,
        members,
        ..
    } = context;
    let workers = members
        .into_iter()
        .map(|member| member.into_inner().unwrap_or_else(PoisonError::into_inner))
        .map(|member| member.into_results(wall))
        .collect();
    let crewed = Crewed {
        crew: &crew,
        goal,
        start,
        table_bytes: table.most_bytes(),
        workers,
    };
    let table = table.session();
    finish(problem, crewed, |key| table.record(key))
}

impl<P, H, R, K> Context<'_, P, H, R, K>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
{
    fn with<T>(&self, member: usize, work: impl FnOnce(&mut Member<'_, P, H, R, K>) -> T) -> T {
        let mut member = self.members[member]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // The lifetime of the borrowed problem is shortened to that of the call.
        work(&mut member)
    }

    fn expand_layers(&self, pool: &ThreadPool) {
        while !self.crew.is_stopped() {
            let layer: Vec<_> = (0..self.members.len())
                .filter_map(|index| self.with(index, |member| self.take_layer(member)))
                .collect();
            let Some(&(phase, _)) = layer.first() else {
                self.crew.conclude(Verdict::Exhausted);
                return;
            };
            let chunks: Vec<_> = layer.into_iter().flat_map(|(_, chunks)| chunks).collect();
            let states = chunks.iter().map(Vec::len).sum();
            let bytes = chunks.iter().map(Vec::capacity).sum::<usize>() * size_of::<LayerNode<P>>();
            self.crew.tally.sent(states, bytes);
            pool.install(|| {
                chunks
                    .par_iter()
                    .flat_map(|chunk| chunk.par_chunks(TASK))
                    .for_each(|task| self.expand_task(phase, task));
            });
            self.crew.tally.received(0, bytes);
        }
    }

    /// Takes what a member has gathered for the next layer; from here on it counts as under way.
    fn take_layer(
        &self,
        member: &mut Member<'_, P, H, R, K>,
    ) -> Option<(u32, Vec<Vec<LayerNode<P>>>)> {
        let layer = member.worker.queue.frontier.take_layer();
        self.publish(member);
        layer
    }

    fn expand_task(&self, phase: u32, task: &[LayerNode<P>]) {
        if self.crew.is_stopped() {
            return;
        }
        let thread = rayon::current_thread_index().unwrap_or(0);
        let began = Instant::now();
        self.with(thread, |member| {
            let parent = Priority { phase, rank: 0 };
            let mut table = self.table.session();
            for (index, node) in task.iter().enumerate() {
                table.pause();
                member.worker.generate(parent, node, &table, |_| true);
                if index + 1 == task.len() {
                    member.worker.drain();
                }
                let found = member
                    .worker
                    .deliver(|queue, candidate| queue.admit(&mut table, candidate));
                if let Some(state) = found {
                    self.crew.conclude(Verdict::Solved(state));
                }
                if self.crew.is_stopped() {
                    break;
                }
            }
            self.crew.tally.received(task.len(), 0);
            self.publish(member);
            self.check_limits();
            member.busy += began.elapsed();
        });
    }

    fn publish(&self, member: &mut Member<'_, P, H, R, K>) {
        let holding = Holding::of(&member.worker, 0);
        self.crew.tally.publish(&mut member.published, holding);
    }

    fn check_limits(&self) {
        let mut usage = self.crew.tally.usage();
        usage.bytes += self.table.bytes() as u64;
        self.table.allow(self.gauge.bytes_left(usage));
        if let Some(status) = self.gauge.check_all(usage) {
            self.crew.conclude(Verdict::Stopped(status));
        }
    }
}

impl<'a, P, H, R, K> Member<'a, P, H, R, K>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
{
    fn new(problem: &'a Problem<'a, P, H, R, K>, goal: Goal) -> Self {
        Self {
            worker: Worker::new(problem, goal),
            published: Holding::default(),
            busy: Duration::ZERO,
        }
    }

    fn into_results(self, wall: Duration) -> (crate::search::Counters, WorkerReport) {
        let report = WorkerReport {
            expanded: self.worker.queue.counters.expanded,
            idle: wall.saturating_sub(self.busy),
            ..WorkerReport::default()
        };
        (self.worker.queue.counters, report)
    }
}
