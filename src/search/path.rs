//! Recovery of the solution from a visited table.

use super::Solution;
use super::node::Record;
use crate::puzzle::{Coding, Cost, Key, Puzzle};

/// Walks from `goal` back to the initial state, by the action recorded for each state on the way.
/// O(length of the path).
///
/// The walk ends: a record is written when its state is entered from a state entered before, and
/// replaced only by one of smaller cost, so costs or times of entry fall strictly along it.
///
/// # Panics
/// If a state on the way is not in the table, which would be a fault of the engine or a puzzle whose
/// `predecessor` does not invert its steps.
pub fn solution_to<P: Puzzle, K: Coding<P::State>, C>(
    puzzle: &P,
    coding: &K,
    goal: P::State,
    record: impl Fn(Key<K::Rest>) -> Option<Record<P::Action, C>>,
) -> Solution<P::Action> {
    let initial = puzzle.initial();
    let mut actions = Vec::new();
    let mut state = goal;
    while state != initial {
        let known = record(coding.key(&state))
            .expect("every state on a path is in the visited table; see Puzzle::predecessor");
        actions.push(known.action);
        state = puzzle.predecessor(&state, known.action);
    }
    actions.reverse();
    let cost: Cost = actions.iter().map(|action| puzzle.step_cost(*action)).sum();
    Solution { actions, cost }
}
