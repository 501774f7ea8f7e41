//! The search, layer by layer and round by round.
//!
//! In a round each shard expands some of its words and collects the steps that lead to other words; then
//! each shard enters the steps that lead to it. So every word has one writer at any time, nothing is
//! shared, and the result is the same for any number of workers.

use std::time::Instant;

use super::outbox::{Division, Outbox};
use super::path::solution_to;
use super::shard::{Budget, Shard};
use super::workers::Workers;
use super::{WordProblem, table_bytes};
use crate::puzzle::{Place, Pruner, Puzzle, Soundness, Words};
use crate::search::gauge::{Gauge, Usage};
use crate::search::{Counters, Goal, Limits, Outcome, Status};

/// Searches breadth first. The same workers always visit the same states, whatever their timing. A state limit
/// is overrun by at most the successors of one word for each shard.
///
/// # Panics
/// If the words do not keep the contract of [`Words`], or a worker panics.
pub fn search<P, R, L, X>(
    problem: &WordProblem<'_, P, R, L>,
    limits: &Limits,
    mut workers: X,
) -> Outcome<P::Action>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
    X: Workers,
{
    let start = Instant::now();
    let mut layers = Layers::new(problem, workers.shards(problem.words.words()));
    let gauge = Gauge::new(limits, start);
    let initial = problem.puzzle.initial();
    let mut solved = problem.is_solved(&initial).then_some(initial);
    let mut status = None;
    while solved.is_none() && status.is_none() {
        let usage = layers.usage();
        // A round is long enough to look at the clock each time.
        status = gauge.check_all(usage);
        if status.is_none() {
            let room = limits.states.map(|most| most - usage.states);
            solved = layers.round(&mut workers, room);
            if solved.is_none() && !layers.next_if_done() {
                status = Some(status_at_end(problem));
            }
        }
    }
    let solution = solved.map(|goal| {
        let depth = layers.depth_of(goal);
        solution_to(problem, goal, depth, |place, depth| {
            layers.has_colour(place, depth)
        })
    });
    let status = solution.as_ref().map_or(status, |_| Some(Status::Solved));
    let wall = start.elapsed();
    Outcome {
        status: status.expect("the loop ends with a solution or a status"),
        solution,
        frontier_peak: layers.peak,
        table_bytes: table_bytes(problem.words.words()),
        frontier_bytes: layers.outbox_peak as u64,
        wall,
        workers: workers.reports(wall),
        counters: layers.counters(),
    }
}

/// The status of a search that has nothing left to expand.
fn status_at_end<P: Puzzle, R: Pruner<P>, L>(problem: &WordProblem<'_, P, R, L>) -> Status {
    match (problem.goal, problem.pruner.soundness()) {
        (Goal::Census, _) => Status::Complete,
        (Goal::Solve, Soundness::Sound) => Status::Unsolvable,
        (Goal::Solve, Soundness::Unproved) => Status::Exhausted,
    }
}

/// All shards, and the depth of the layer that is being expanded.
struct Layers<'a, P: Puzzle, R, L: Words<P>> {
    problem: &'a WordProblem<'a, P, R, L>,
    division: Division,
    shards: Vec<Shard<L::Cursor>>,
    /// One for the steps of each shard.
    outboxes: Vec<Outbox>,
    depth: u32,
    /// Most states that waited between two rounds.
    peak: u64,
    /// Most bytes of the outboxes.
    outbox_peak: usize,
}

/// What a shard works on in the first half of a round.
struct Desk<'a, C, S> {
    shard: &'a mut Shard<C>,
    outbox: &'a mut Outbox,
    solved: Option<S>,
}

impl<'a, P, R, L> Layers<'a, P, R, L>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    fn new(problem: &'a WordProblem<'a, P, R, L>, shards: usize) -> Self {
        let division = Division::new(problem.words.words(), shards);
        let rules = problem.pruner.rules().len();
        let numbers = 0..division.shards();
        let mut shards: Vec<_> = numbers
            .clone()
            .map(|shard| Shard::new(division, shard, rules))
            .collect();
        let place = problem.words.place(&problem.puzzle.initial());
        shards[division.shard(place.word)].start(place);
        Self {
            problem,
            division,
            shards,
            outboxes: numbers.map(|_| Outbox::new(division)).collect(),
            depth: 0,
            peak: 1,
            outbox_peak: 0,
        }
    }

    /// Expands some words of each shard, then delivers what they lead to. Returns a goal, if one is met.
    fn round<X: Workers>(&mut self, workers: &mut X, room: Option<u64>) -> Option<P::State> {
        let (problem, depth) = (self.problem, self.depth);
        let waiting = self.waiting();
        let shards = self.shards.len() as u64;
        let budget = Budget {
            steps: X::STEPS,
            states: room.map_or(u64::MAX, |room| (room / shards).max(1)),
        };
        let desks = self.shards.iter_mut().zip(&mut self.outboxes);
        let mut desks: Vec<_> = desks
            .map(|(shard, outbox)| Desk {
                shard,
                outbox,
                solved: None,
            })
            .collect();
        workers.each(waiting, &mut desks, |_, desk| {
            let before = desk.shard.counters.expanded;
            desk.solved = desk.shard.expand(problem, depth, budget, desk.outbox);
            desk.shard.counters.expanded - before
        });
        let solved = desks.iter().find_map(|desk| desk.solved);
        let outboxes = &self.outboxes;
        workers.each(waiting, &mut self.shards, |number, shard| {
            for outbox in outboxes {
                shard.receive(depth, outbox.of(number));
            }
            0
        });
        self.outbox_peak = self.outbox_peak.max(self.outbox_bytes());
        for outbox in &mut self.outboxes {
            outbox.clear(X::STEPS);
        }
        self.peak = self.peak.max(self.waiting());
        solved
    }

    /// Goes on to the next layer if nothing of this one is left. Returns whether anything is left at all.
    fn next_if_done(&mut self) -> bool {
        if !self.shards.iter().all(Shard::is_done) {
            return true;
        }
        self.depth += 1;
        let mut any = false;
        for shard in &mut self.shards {
            any |= shard.begin_layer();
        }
        any
    }

    /// The depth of a goal that the last round has met, or of the initial state.
    fn depth_of(&self, goal: P::State) -> u32 {
        if goal == self.problem.puzzle.initial() {
            0
        } else {
            self.depth + 1
        }
    }

    fn has_colour(&self, place: Place, depth: u32) -> bool {
        self.shards[self.division.shard(place.word)].has_colour(place, depth)
    }

    fn sum(&self, count: impl Fn(&Counters) -> u64) -> u64 {
        self.shards.iter().map(|shard| count(&shard.counters)).sum()
    }

    fn waiting(&self) -> u64 {
        self.sum(|counters| counters.states_visited) - self.sum(|counters| counters.expanded)
    }

    fn outbox_bytes(&self) -> usize {
        self.outboxes.iter().map(Outbox::bytes).sum()
    }

    fn usage(&self) -> Usage {
        Usage {
            states: self.sum(|counters| counters.states_visited),
            bytes: table_bytes(self.problem.words.words()) + self.outbox_bytes() as u64,
        }
    }

    fn counters(&self) -> Counters {
        let mut sum = Counters::new(self.problem.pruner.rules().len());
        for shard in &self.shards {
            sum += &shard.counters;
        }
        sum
    }
}
