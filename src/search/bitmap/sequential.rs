//! The bitmap search on the calling thread.

use std::time::Instant;

use super::outbox::{Division, Outbox};
use super::path::solution_to;
use super::shard::{Budget, Shard};
use super::{WordProblem, status_at_end, table_bytes};
use crate::puzzle::{Pruner, Puzzle, Words};
use crate::search::gauge::{Gauge, Usage};
use crate::search::{Limits, Outcome, Status, WorkerReport};

/// Steps that are entered together. Each waits for the memory of its word, which takes longer than all
/// else; entered one after the other in a loop that does nothing else they wait at the same time. A
/// thousand of them stay in the first-level cache.
const STEPS: usize = 1024;

/// Searches breadth first. Deterministic to the state. A state limit is overrun by at most the successors of one word.
///
/// # Panics
/// If the words do not keep the contract of [`Words`].
pub fn search<P, R, L>(problem: &WordProblem<'_, P, R, L>, limits: &Limits) -> Outcome<P::Action>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    let start = Instant::now();
    let mut gauge = Gauge::new(limits, start);
    let division = Division::new(problem.words.words(), 1);
    let mut shard = Shard::new(division, 0, problem.pruner.rules().len());
    let mut outbox = Outbox::new(division);
    let initial = problem.puzzle.initial();
    shard.start(problem.words.place(&initial));
    let mut solved = problem.is_solved(&initial).then_some(initial);
    let (mut depth, mut peak, mut status) = (0, 1, None);
    let fixed = table_bytes(problem.words.words());
    while solved.is_none() {
        let usage = Usage {
            states: shard.counters.states_visited,
            bytes: fixed + outbox.bytes() as u64,
        };
        status = gauge.check(usage);
        if status.is_some() {
            break;
        }
        let budget = Budget {
            steps: STEPS,
            states: limits.states.map_or(u64::MAX, |most| most - usage.states),
        };
        solved = shard.expand(problem, depth, budget, &mut outbox);
        shard.receive(depth, outbox.of(0));
        outbox.clear();
        peak = peak.max(shard.counters.states_visited - shard.counters.expanded);
        if solved.is_some() {
            depth += 1;
        } else if shard.is_done() {
            depth += 1;
            if !shard.begin_layer() {
                status = Some(status_at_end(problem));
                break;
            }
        }
    }
    let solution = solved.map(|goal| {
        solution_to(problem, goal, depth, |place, depth| {
            shard.has_colour(place, depth)
        })
    });
    let status = solution.as_ref().map_or(status, |_| Some(Status::Solved));
    Outcome {
        status: status.expect("the loop ends with a solution or a status"),
        solution,
        frontier_peak: peak,
        table_bytes: fixed,
        frontier_bytes: outbox.bytes() as u64,
        wall: start.elapsed(),
        workers: vec![WorkerReport {
            expanded: shard.counters.expanded,
            ..WorkerReport::default()
        }],
        counters: shard.counters,
    }
}
