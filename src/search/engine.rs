//! The one engine: take states, generate their successors, enter these in a table, queue the new ones.
//!
//! Generating and entering are two steps ([`Worker::gather`], [`Worker::deliver`]), because a look-up in
//! a large table waits for memory: between the two steps the places of several successors are fetched
//! at once.
//!
//! A threading model decides which table a successor is entered in and which worker queues it; all
//! the rest is here, for every strategy and every model.

use super::discipline::{Discipline, GoalTest};
use super::frontier::Frontier;
use super::hash::hash_of;
use super::node::{Candidate, Node, PathCost, Priority, Record};
use super::table::{Entered, Visited};
use super::{Counters, Goal, Problem};
use crate::puzzle::{Guarantee, Heuristic, Pruner, Puzzle, RuleIndex, Soundness, Successor};
use crate::search::Status;

/// State of a puzzle.
type State<P> = <P as Puzzle>::State;
/// Action of a puzzle.
type Action<P> = <P as Puzzle>::Action;
/// A successor on its way to the visited table.
pub type CandidateOf<P, D> = Candidate<State<P>, Action<P>, <D as Discipline>::Cost>;
/// A state that waits.
pub type NodeOf<P, D> = Node<State<P>, <D as Discipline>::Cost>;

/// One worker's part of a search: its frontier, its counts, its buffer of successors.
pub struct Worker<'a, P: Puzzle, H, R, D: Discipline> {
    problem: &'a Problem<'a, P, H, R>,
    goal: Goal,
    /// States that wait for this worker.
    pub frontier: D::Frontier<State<P>>,
    /// What this worker has counted.
    pub counters: Counters,
    successors: Vec<Successor<State<P>, Action<P>>>,
    gathered: Successors<CandidateOf<P, D>>,
}

/// What [`Worker::gather`] met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathered<S> {
    /// No state waits in this phase.
    Nothing,
    /// Successors wait to be delivered (or the states taken were out of date and had none).
    Successors,
    /// A goal that counts when it is taken from the frontier.
    Goal(S),
}

/// Successors of several states, on their way to the visited table.
#[derive(Debug)]
struct Successors<C> {
    candidates: Vec<C>,
    /// The rule that rejected each successor which became no candidate.
    pruned: Vec<RuleIndex>,
    expansions: Vec<Expansion>,
}

/// Where the successors of one state end.
#[derive(Debug, Clone, Copy)]
struct Expansion {
    candidates_end: usize,
    pruned_end: usize,
}

impl<C> Default for Successors<C> {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
            pruned: Vec::new(),
            expansions: Vec::new(),
        }
    }
}

impl<C> Successors<C> {
    fn clear(&mut self) {
        self.candidates.clear();
        self.pruned.clear();
        self.expansions.clear();
    }
}

impl<'a, P, H, R, D> Worker<'a, P, H, R, D>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    D: Discipline,
{
    /// A worker with nothing to do yet.
    #[must_use]
    pub fn new(problem: &'a Problem<'a, P, H, R>, goal: Goal) -> Self {
        Self {
            problem,
            goal,
            frontier: D::Frontier::default(),
            counters: Counters::new(problem.pruner.rules().len()),
            successors: Vec::new(),
            gathered: Successors::default(),
        }
    }

    /// Queues the initial state, which every table knows; returns it if it is solved already.
    pub fn start(&mut self) -> Option<State<P>> {
        let state = self.problem.puzzle.initial();
        self.counters.states_visited += 1;
        let cost = D::Cost::START;
        if let Some(priority) = self.priority(Priority::default(), &state, cost) {
            self.frontier.push(priority, Node { state, cost });
        }
        self.is_solution(&state, GoalTest::OnEntry).then_some(state)
    }

    /// Enters a candidate and queues it if it is new or improved; returns it if it is a goal.
    #[inline]
    pub fn admit<V>(&mut self, visited: &mut V, candidate: &CandidateOf<P, D>) -> Option<State<P>>
    where
        V: Visited<State<P>, Action<P>, D::Cost>,
    {
        let Candidate {
            state,
            hash,
            record,
            parent,
        } = candidate;
        match visited.enter(*hash, state, *record) {
            Entered::Duplicate => {
                self.counters.duplicates += 1;
                return None;
            }
            Entered::New => self.counters.states_visited += 1,
            Entered::Improved => self.counters.reopened += 1,
        }
        if self.is_solution(state, GoalTest::OnEntry) {
            return Some(*state);
        }
        if let Some(priority) = self.priority(*parent, state, record.cost) {
            let node = Node {
                state: *state,
                cost: record.cost,
            };
            self.frontier.push(priority, node);
        }
        None
    }

    /// Takes up to [`Discipline::BATCH`] states from the frontier and generates their successors, without
    /// entering them yet: meanwhile the memory of their places in `visited` is fetched.
    #[inline]
    pub fn gather<V>(&mut self, phase: u32, visited: &V) -> Gathered<State<P>>
    where
        V: Visited<State<P>, Action<P>, D::Cost>,
    {
        for taken in 0..D::BATCH {
            let Some((priority, node)) = self.frontier.pop(phase) else {
                return if taken == 0 {
                    Gathered::Nothing
                } else {
                    Gathered::Successors
                };
            };
            if !self.is_current(visited, &node) {
                continue;
            }
            if self.is_solution(&node.state, GoalTest::OnExpansion) {
                return Gathered::Goal(node.state);
            }
            self.generate(priority, &node, visited);
        }
        Gathered::Successors
    }

    /// Generates the successors of one state, without entering them yet; see [`Worker::gather`], which does
    /// this for states of the worker's own frontier.
    #[inline]
    pub fn generate<V>(&mut self, parent: Priority, node: &NodeOf<P, D>, visited: &V)
    where
        V: Visited<State<P>, Action<P>, D::Cost>,
    {
        let problem = self.problem;
        self.successors.clear();
        problem.puzzle.successors(&node.state, &mut self.successors);
        for Successor { action, state } in &self.successors {
            if let Some(rule) = problem.pruner.verdict(problem.puzzle, *action, state) {
                self.gathered.pruned.push(rule);
                continue;
            }
            let hash = hash_of(state);
            visited.prefetch(hash);
            let record = Record {
                action: *action,
                cost: node.cost.after(problem.puzzle.step_cost(*action)),
            };
            self.gathered.candidates.push(Candidate {
                state: *state,
                hash,
                record,
                parent,
            });
        }
        self.gathered.expansions.push(Expansion {
            candidates_end: self.gathered.candidates.len(),
            pruned_end: self.gathered.pruned.len(),
        });
    }

    /// Hands the gathered successors to `deliver`, one expansion after the other. Returns a goal, if one
    /// is met: its siblings are delivered too, so that the counts stay whole, and the expansions after
    /// it are dropped and not counted, as if they had never been begun.
    #[inline]
    pub fn deliver<F>(&mut self, mut deliver: F) -> Option<State<P>>
    where
        F: FnMut(&mut Self, &CandidateOf<P, D>) -> Option<State<P>>,
    {
        let mut gathered = std::mem::take(&mut self.gathered);
        let (mut candidates, mut pruned) = (0, 0);
        let mut found = None;
        for expansion in &gathered.expansions {
            let new = &gathered.candidates[candidates..expansion.candidates_end];
            let rejected = &gathered.pruned[pruned..expansion.pruned_end];
            (candidates, pruned) = (expansion.candidates_end, expansion.pruned_end);
            self.counters.expanded += 1;
            self.counters.generated += (new.len() + rejected.len()) as u64;
            for rule in rejected {
                self.counters.pruned_by_rule[*rule] += 1;
            }
            for candidate in new {
                let goal = deliver(self, candidate);
                found = found.or(goal);
            }
            self.frontier.end_expansion();
            if found.is_some() {
                break;
            }
        }
        gathered.clear();
        self.gathered = gathered;
        found
    }

    /// Whether a node still stands for the cheapest known path to its state. Only then is it worth
    /// expanding; strategies that do not re-open have no other nodes.
    #[inline]
    fn is_current<V>(&self, visited: &V, node: &NodeOf<P, D>) -> bool
    where
        V: Visited<State<P>, Action<P>, D::Cost>,
    {
        if !D::Cost::REOPENS {
            return true;
        }
        visited
            .record(hash_of(&node.state), &node.state)
            .is_none_or(|known| !known.cost.improves_on(node.cost))
    }

    #[inline]
    fn is_solution(&self, state: &State<P>, test: GoalTest) -> bool {
        self.goal == Goal::Solve && D::GOAL_TEST == test && self.problem.puzzle.is_goal(state)
    }

    /// A census visits dead ends too, so there they wait at the lowest rank.
    #[inline]
    fn priority(&mut self, parent: Priority, state: &State<P>, cost: D::Cost) -> Option<Priority> {
        let problem = self.problem;
        let priority = D::priority(parent, cost, || {
            problem.heuristic.estimate(problem.puzzle, state)
        });
        if priority.is_none() {
            self.counters.dead_ends += 1;
            if self.goal == Goal::Census {
                return Some(Priority {
                    phase: u32::MAX - 1,
                    rank: u32::MAX,
                });
            }
        }
        priority
    }
}

/// The status of a search that has nothing left to expand.
#[must_use]
pub fn status_when_nothing_is_left<P, H, R>(
    problem: &Problem<'_, P, H, R>,
    goal: Goal,
    counters: &Counters,
) -> Status
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
{
    let dead_ends_believed =
        counters.dead_ends == 0 || problem.heuristic.guarantee() >= Guarantee::Admissible;
    match goal {
        Goal::Census => Status::Complete,
        Goal::Solve if dead_ends_believed && problem.pruner.soundness() == Soundness::Sound => {
            Status::Unsolvable
        }
        Goal::Solve => Status::Exhausted,
    }
}
