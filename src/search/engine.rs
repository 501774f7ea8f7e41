//! The one engine: take states, generate their successors, enter these in a table, queue the new ones.
//!
//! Generating and entering are two steps ([`Worker::gather`], [`Worker::deliver`]), because a look-up in
//! a large table waits for memory: between the two steps some other states are expanded, while the
//! places of the successors are fetched.
//!
//! A threading model decides which table a successor is entered in and which worker queues it; all
//! the rest is here, for every strategy and every model.

use super::discipline::{Discipline, GoalTest};
use super::frontier::Frontier;
use super::node::{Candidate, Node, PathCost, Priority, Record};
use super::pipeline::{Expansion, Pending, Pipeline};
use super::table::{Entered, Lookup, OwnedTable, Visited};
use super::{Counters, Goal, Problem};
use crate::puzzle::{Coding, Guarantee, Heuristic, Pruner, Puzzle, Soundness, Successor};
use crate::search::Status;

/// State of a puzzle.
type State<P> = <P as Puzzle>::State;
/// Action of a puzzle.
type Action<P> = <P as Puzzle>::Action;
/// A successor on its way to the visited table.
pub type CandidateOf<P, K, D> =
    Candidate<State<P>, RestOf<P, K>, Action<P>, <D as Discipline>::Cost>;
/// What the order of a state leaves open.
pub type RestOf<P, K> = <K as Coding<State<P>>>::Rest;
/// The visited table of a worker that shares it with nobody.
pub type TableOf<P, K, D> = OwnedTable<
    RestOf<P, K>,
    <P as Puzzle>::Action,
    <D as Discipline>::Cost,
    <K as Coding<<P as Puzzle>::State>>::Keep,
>;
/// A state that waits.
pub type NodeOf<P, D> = Node<State<P>, <P as Puzzle>::Undo, <D as Discipline>::Cost>;

/// One worker's part of a search: its queue, and the expansions it has under way.
pub struct Worker<'a, P: Puzzle, H, R, K: Coding<P::State>, D: Discipline> {
    /// States that wait for this worker, and what it has counted.
    pub queue: Queue<'a, P, H, R, K, D>,
    /// Where a puzzle puts the successors of one state.
    successors: Vec<Successor<State<P>, Action<P>>>,
    pipeline: Pipeline<State<P>, RestOf<P, K>, Action<P>, D::Cost>,
    /// Nothing waits in the frontier, so nothing is gained by letting the pipeline fill up.
    draining: bool,
}

/// The frontier of one worker, how states get into it, and what was counted on the way.
pub struct Queue<'a, P: Puzzle, H, R, K: Coding<P::State>, D: Discipline> {
    problem: &'a Problem<'a, P, H, R, K>,
    goal: Goal,
    /// States that wait for this worker.
    pub frontier: D::Frontier<State<P>, P::Undo>,
    /// What this worker has counted.
    pub counters: Counters,
}

/// What [`Worker::gather`] met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathered<S> {
    /// No state waits in this phase.
    Nothing,
    /// Successors wait to be delivered.
    Successors,
    /// A goal that counts when it is taken from the frontier.
    Goal(S),
}

impl<'a, P, H, R, K, D> Worker<'a, P, H, R, K, D>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    /// A worker with nothing to do yet.
    #[must_use]
    pub fn new(problem: &'a Problem<'a, P, H, R, K>, goal: Goal) -> Self {
        Self {
            queue: Queue {
                problem,
                goal,
                frontier: D::Frontier::default(),
                counters: Counters::new(problem.pruner.rules().len()),
            },
            successors: Vec::new(),
            pipeline: Pipeline::new(D::PIPELINE),
            draining: false,
        }
    }

    /// Queues the initial state, which every table knows; returns it if it is solved already.
    pub fn start(&mut self) -> Option<State<P>> {
        let queue = &mut self.queue;
        let state = queue.problem.puzzle.initial();
        queue.counters.states_visited += 1;
        queue.push(
            Priority::default(),
            state,
            P::Undo::default(),
            D::Cost::START,
        );
        queue
            .is_solution(&state, GoalTest::OnEntry)
            .then_some(state)
    }

    /// Takes a state from the frontier and generates its successors, without entering them yet: meanwhile
    /// the memory of their places in `visited` is fetched, of those that will be entered there: the worker's own.
    #[inline]
    pub fn gather<V>(
        &mut self,
        phase: u32,
        visited: &V,
        is_own: impl Fn(&State<P>) -> bool,
    ) -> Gathered<State<P>>
    where
        V: Lookup<RestOf<P, K>, Action<P>, D::Cost>,
    {
        loop {
            let Some((priority, node)) = self.queue.frontier.pop(phase) else {
                self.draining = true;
                return if self.pipeline.is_empty() {
                    Gathered::Nothing
                } else {
                    Gathered::Successors
                };
            };
            if !self.queue.is_current(visited, &node) {
                continue;
            }
            let state = node.state;
            if self.queue.is_solution(&state, GoalTest::OnExpansion) {
                return Gathered::Goal(state);
            }
            self.generate(priority, &node, visited, is_own);
            return Gathered::Successors;
        }
    }

    /// Generates the successors of one state, without entering them yet; see [`Worker::gather`], which does
    /// this for states of the worker's own frontier. To be followed by [`Worker::deliver`].
    #[inline]
    pub fn generate<V>(
        &mut self,
        parent: Priority,
        node: &NodeOf<P, D>,
        visited: &V,
        is_own: impl Fn(&State<P>) -> bool,
    ) where
        V: Lookup<RestOf<P, K>, Action<P>, D::Cost>,
    {
        self.draining = false;
        let problem = self.queue.problem;
        let (state, undo) = (node.state, node.undo);
        self.successors.clear();
        problem.puzzle.successors(&state, &mut self.successors);
        let expansion = self.pipeline.push(parent, node.cost);
        for &Successor { action, state } in &self.successors {
            if problem.pruner.concerns(action)
                && let Some(rule) = problem.pruner.verdict(problem.puzzle, action, &state)
            {
                expansion.pruned.push(rule);
            } else if problem.puzzle.undoes(action, undo) {
                expansion.taken_back += 1;
            } else {
                let key = problem.coding.key(&state);
                if is_own(&state) {
                    visited.prefetch(key);
                }
                expansion.pending.push(Pending { key, state, action });
            }
        }
    }

    /// Has all that was generated delivered, not only what has had time to be fetched.
    pub const fn drain(&mut self) {
        self.draining = true;
    }

    /// Hands the successors that were generated [`Discipline::PIPELINE`] expansions ago to `deliver`, which says whether one is a
    /// goal. Returns a goal, if one is met: its siblings are delivered too, so that the counts stay whole, and the
    /// expansions after it are dropped and not counted, as if they had never been begun.
    #[inline]
    pub fn deliver<F>(&mut self, mut deliver: F) -> Option<State<P>>
    where
        F: FnMut(&mut Queue<'a, P, H, R, K, D>, &CandidateOf<P, K, D>) -> bool,
    {
        while self.draining || self.pipeline.is_full() {
            let expansion = self.pipeline.pop()?;
            let found = self.queue.deliver(expansion, &mut deliver);
            if found.is_some() {
                self.pipeline.clear();
                return found;
            }
        }
        None
    }
}

impl<P, H, R, K, D> Queue<'_, P, H, R, K, D>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    /// Enters a candidate and queues it if it is new or improved; says whether it is a goal.
    #[inline]
    pub fn admit<V>(&mut self, visited: &mut V, candidate: &CandidateOf<P, K, D>) -> bool
    where
        V: Visited<RestOf<P, K>, Action<P>, D::Cost>,
    {
        let Candidate {
            state,
            key,
            record,
            parent,
        } = candidate;
        match visited.enter(*key, *record) {
            Entered::Duplicate => {
                self.counters.duplicates += 1;
                return false;
            }
            Entered::New => self.counters.states_visited += 1,
            Entered::Improved => self.counters.reopened += 1,
        }
        if self.is_solution(state, GoalTest::OnEntry) {
            return true;
        }
        let undo = self.problem.puzzle.undo_of(record.action);
        self.push(*parent, *state, undo, record.cost);
        false
    }

    #[inline]
    fn deliver<F>(
        &mut self,
        expansion: &Expansion<State<P>, RestOf<P, K>, Action<P>, D::Cost>,
        deliver: &mut F,
    ) -> Option<State<P>>
    where
        F: FnMut(&mut Self, &CandidateOf<P, K, D>) -> bool,
    {
        let puzzle = self.problem.puzzle;
        self.counters.expanded += 1;
        self.counters.generated += (expansion.pending.len() + expansion.pruned.len()) as u64;
        // The state that an action takes the player back to is known, so it is counted and not looked up.
        self.counters.generated += u64::from(expansion.taken_back);
        self.counters.duplicates += u64::from(expansion.taken_back);
        for rule in &expansion.pruned {
            self.counters.pruned_by_rule[*rule] += 1;
        }
        let mut found = None;
        for &Pending { key, state, action } in &expansion.pending {
            let record = Record {
                action,
                cost: expansion.cost.after(puzzle.step_cost(action)),
            };
            let candidate = Candidate {
                state,
                key,
                record,
                parent: expansion.parent,
            };
            if deliver(self, &candidate) {
                found = found.or(Some(state));
            }
        }
        self.frontier.end_expansion();
        found
    }

    #[inline]
    fn push(&mut self, parent: Priority, state: State<P>, undo: P::Undo, cost: D::Cost) {
        if let Some(priority) = self.priority(parent, &state, cost) {
            self.frontier.push(priority, Node { state, undo, cost });
        }
    }

    /// Whether a node still stands for the cheapest known path to its state. Only then is it worth
    /// expanding; strategies that do not re-open have no other nodes.
    #[inline]
    fn is_current<V>(&self, visited: &V, node: &NodeOf<P, D>) -> bool
    where
        V: Lookup<RestOf<P, K>, Action<P>, D::Cost>,
    {
        if !D::Cost::REOPENS {
            return true;
        }
        let state = node.state;
        visited
            .record(self.problem.coding.key(&state))
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
pub fn status_when_nothing_is_left<P, H, R, K>(
    problem: &Problem<'_, P, H, R, K>,
    goal: Goal,
    counters: &Counters,
) -> Status
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
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
