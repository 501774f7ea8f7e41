//! The one engine: expand a state, enter its successors, queue the new ones.
//!
//! A threading model decides which table a successor is entered in and which worker queues it; all
//! the rest is here, for every strategy and every model.

use super::discipline::{Discipline, GoalTest};
use super::frontier::Frontier;
use super::hash::hash_of;
use super::node::{Candidate, Node, PathCost, Priority, Record};
use super::table::{Entered, Visited};
use super::{Counters, Goal, Problem};
use crate::puzzle::{Guarantee, Heuristic, Pruner, Puzzle, Soundness, Successor};
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

    /// Expands a state and hands each successor that passes the pruning rules to `deliver`. Returns a
    /// goal, if one was met; the successors after it are delivered all the same, so that the counts
    /// stay whole.
    #[inline]
    pub fn expand<F>(
        &mut self,
        (priority, node): (Priority, NodeOf<P, D>),
        mut deliver: F,
    ) -> Option<State<P>>
    where
        F: FnMut(&mut Self, &CandidateOf<P, D>) -> Option<State<P>>,
    {
        if self.is_solution(&node.state, GoalTest::OnExpansion) {
            return Some(node.state);
        }
        let problem = self.problem;
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        problem.puzzle.successors(&node.state, &mut successors);
        self.counters.expanded += 1;
        self.counters.generated += successors.len() as u64;
        let mut found = None;
        for Successor { action, state } in &successors {
            if let Some(rule) = problem.pruner.verdict(problem.puzzle, *action, state) {
                self.counters.pruned_by_rule[rule] += 1;
                continue;
            }
            let cost = node.cost.after(problem.puzzle.step_cost(*action));
            let candidate = Candidate {
                state: *state,
                hash: hash_of(state),
                record: Record {
                    action: *action,
                    cost,
                },
                parent: priority,
            };
            let goal = deliver(self, &candidate);
            found = found.or(goal);
        }
        self.frontier.end_expansion();
        self.successors = successors;
        found
    }

    /// Whether a node still stands for the cheapest known path to its state. Only then is it worth
    /// expanding; strategies that do not re-open have no other nodes.
    #[inline]
    pub fn is_current<V>(&self, visited: &V, node: &NodeOf<P, D>) -> bool
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
