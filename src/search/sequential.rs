//! Search on the calling thread: one frontier, one table.

use std::time::Instant;

use super::discipline::Discipline;
use super::engine::{Gathered, TableOf, Worker, status_when_nothing_is_left};
use super::frontier::Frontier;
use super::gauge::{Gauge, Usage};
use super::path::solution_to;
use super::table::{Lookup, OwnedTable};
use super::{Goal, Limits, Outcome, Problem, Status, WorkerReport};
use crate::puzzle::{Coding, Heuristic, Pruner, Puzzle};

/// Peaks that are read after every expansion.
#[derive(Debug, Default)]
struct Peaks {
    waiting: usize,
    frontier_bytes: usize,
}

impl Peaks {
    fn raise<N>(&mut self, frontier: &impl Frontier<N>) {
        self.waiting = self.waiting.max(frontier.len());
        self.frontier_bytes = self.frontier_bytes.max(frontier.bytes());
    }
}

/// Searches with strategy `D`. Deterministic to the node. A state limit is overrun by at most the
/// successors of one batch of states.
///
/// # Panics
/// As [`solution_to`].
pub fn search<P, H, R, K, D>(
    problem: &Problem<'_, P, H, R, K>,
    goal: Goal,
    limits: &Limits,
) -> Outcome<P::Action>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    let start = Instant::now();
    let mut table = OwnedTable::of(problem.coding, &problem.puzzle.initial());
    let mut worker = Worker::<P, H, R, K, D>::new(problem, goal);
    let mut peaks = Peaks::default();
    let gauge = Gauge::new(limits, start);
    let decided = decide(gauge, &mut worker, &mut table, &mut peaks);
    // The last delivery has filled the frontier once more.
    peaks.raise(&worker.queue.frontier);
    let (status, solution) = match decided {
        Decided::Goal(goal) => {
            let record = |key| table.record(key);
            let solution = solution_to(problem.puzzle, problem.coding, goal, record);
            (Status::Solved, Some(solution))
        }
        Decided::Limit(status) => (status, None),
        Decided::NothingLeft => {
            let counters = &worker.queue.counters;
            (status_when_nothing_is_left(problem, goal, counters), None)
        }
    };
    Outcome {
        status,
        solution,
        frontier_peak: peaks.waiting as u64,
        table_bytes: table.most_bytes() as u64,
        frontier_bytes: peaks.frontier_bytes as u64,
        wall: start.elapsed(),
        workers: vec![WorkerReport {
            expanded: worker.queue.counters.expanded,
            ..WorkerReport::default()
        }],
        counters: worker.queue.counters,
    }
}

/// What ends a search.
enum Decided<S> {
    Goal(S),
    Limit(Status),
    NothingLeft,
}

/// Expands until a goal is met, a limit is reached or nothing is left.
fn decide<P, H, R, K, D>(
    mut gauge: Gauge<'_>,
    worker: &mut Worker<'_, P, H, R, K, D>,
    table: &mut TableOf<P, K, D>,
    peaks: &mut Peaks,
) -> Decided<P::State>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    let mut solved = worker.start();
    loop {
        if let Some(state) = solved {
            return Decided::Goal(state);
        }
        peaks.raise(&worker.queue.frontier);
        let usage = Usage {
            states: worker.queue.counters.states_visited,
            bytes: (table.bytes() + worker.queue.frontier.bytes()) as u64,
        };
        table.allow(gauge.bytes_left(usage));
        if let Some(status) = gauge.check(usage) {
            return Decided::Limit(status);
        }
        solved = match worker.gather(u32::MAX, table, |_| true) {
            Gathered::Nothing => return Decided::NothingLeft,
            Gathered::Goal(state) => Some(state),
            Gathered::Successors => {
                worker.deliver(|queue, candidate| queue.admit(table, candidate))
            }
        };
    }
}
