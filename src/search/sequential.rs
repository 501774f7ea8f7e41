//! Search on the calling thread: one frontier, one table.

use std::time::Instant;

use super::discipline::Discipline;
use super::engine::{Gathered, Worker, status_when_nothing_is_left};
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
    let mut gauge = Gauge::new(limits, start);
    let mut table = OwnedTable::<K::Rest, P::Action, D::Cost, K::Keep>::of(
        problem.coding,
        &problem.puzzle.initial(),
    );
    let mut worker = Worker::<P, H, R, K, D>::new(problem, goal);
    let mut peaks = Peaks::default();
    let mut solved = worker.start();
    let mut status = None;
    while solved.is_none() && status.is_none() {
        peaks.raise(&worker.queue.frontier);
        let usage = Usage {
            states: worker.queue.counters.states_visited,
            bytes: (table.bytes() + worker.queue.frontier.bytes()) as u64,
        };
        table.allow(gauge.bytes_left(usage));
        status = gauge.check(usage);
        if status.is_some() {
            break;
        }
        match worker.gather(u32::MAX, &table, |_| true) {
            Gathered::Nothing => {
                status = Some(status_when_nothing_is_left(
                    problem,
                    goal,
                    &worker.queue.counters,
                ));
            }
            Gathered::Goal(state) => solved = Some(state),
            Gathered::Successors => {
                solved = worker.deliver(|queue, candidate| queue.admit(&mut table, candidate));
            }
        }
    }
    // The last delivery has filled the frontier once more.
    peaks.raise(&worker.queue.frontier);
    let solution = solved.map(|goal| {
        solution_to(problem.puzzle, problem.coding, goal, |key| {
            table.record(key)
        })
    });
    let status = solution.as_ref().map_or(status, |_| Some(Status::Solved));
    Outcome {
        status: status.expect("the loop ends with a solution or a status"),
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
