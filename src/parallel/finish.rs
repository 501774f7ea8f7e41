//! From the verdict of a crew to the outcome of the search.

use std::time::Instant;

use super::crew::{Crew, Verdict};
use crate::puzzle::{Coding, Heuristic, Key, Pruner, Puzzle};
use crate::search::engine::status_when_nothing_is_left;
use crate::search::node::Record;
use crate::search::path::solution_to;
use crate::search::{Counters, Goal, Outcome, Problem, Status, WorkerReport};

/// What a crew leaves behind when all workers have ended.
pub(super) struct Crewed<'a, S> {
    /// With its verdict and its tally.
    pub(super) crew: &'a Crew<S>,
    /// What the search was for.
    pub(super) goal: Goal,
    /// When it began.
    pub(super) start: Instant,
    /// Bytes of the visited table or tables.
    pub(super) table_bytes: usize,
    /// Counts and report of each worker.
    pub(super) workers: Vec<(Counters, WorkerReport)>,
}

/// Adds up the counts and recovers the solution.
///
/// # Panics
/// If the workers ended without a verdict, which would be a fault of the model; or as [`solution_to`].
pub(super) fn finish<P, H, R, K, C>(
    problem: &Problem<'_, P, H, R, K>,
    crewed: Crewed<'_, P::State>,
    record: impl Fn(Key<K::Rest>) -> Option<Record<P::Action, C>>,
) -> Outcome<P::Action>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
{
    let mut counters = Counters::new(problem.pruner.rules().len());
    for (counts, _) in &crewed.workers {
        counters += counts;
    }
    let verdict = crewed.crew.verdict();
    let (status, solution) = match verdict.expect("workers end when there is a verdict") {
        Verdict::Solved(state) => (
            Status::Solved,
            Some(solution_to(problem.puzzle, problem.coding, state, record)),
        ),
        Verdict::Stopped(status) => (status, None),
        Verdict::Exhausted => (
            status_when_nothing_is_left(problem, crewed.goal, &counters),
            None,
        ),
    };
    Outcome {
        status,
        solution,
        counters,
        frontier_peak: crewed.crew.tally.most_waiting(),
        table_bytes: crewed.table_bytes as u64,
        frontier_bytes: crewed.crew.tally.most_frontier_bytes(),
        wall: crewed.start.elapsed(),
        workers: crewed
            .workers
            .into_iter()
            .map(|(_, report)| report)
            .collect(),
    }
}
