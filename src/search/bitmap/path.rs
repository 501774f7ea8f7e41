//! Recovery of the solution from the colours of the layers.
//!
//! A state at depth `d` was reached from one at depth `d - 1`, so some predecessor has the colour of that depth.
//! Another one of the same colour may lie deeper, by 3 layers or a multiple of it. So the way back is a
//! search, which is kept from straying by two facts:
//!
//! * Every edge leads at most one layer deeper. Hence going back `d` steps from a state that lies deeper than `d` never
//!   arrives at the start: what the claimed depth lacks is never made up for.
//! * If the step can be taken back, the two depths differ by one at most, and the colour tells them apart: when the
//!   claim for the later state is right, so is the one for the earlier. Such a predecessor is taken
//!   without keeping the others in mind: if it leads nowhere, the claim was wrong already.

use std::collections::HashSet;

use super::WordProblem;
use crate::puzzle::{Cost, Place, Predecessor, Pruner, Puzzle, Words};
use crate::search::Solution;

/// A predecessor of a state of `P`.
type Previous<P> = Predecessor<<P as Puzzle>::State, <P as Puzzle>::Action>;

/// Walks back from a goal that lies in the layer at `depth` to the initial state; `has_colour` tells whether a state
/// has the colour of a depth.
///
/// # Panics
/// If there is no way back, which would be a fault of the engine or of [`Words::predecessors`].
pub(super) fn solution_to<P, R, L>(
    problem: &WordProblem<'_, P, R, L>,
    goal: P::State,
    depth: u32,
    has_colour: impl Fn(Place, u32) -> bool,
) -> Solution<P::Action>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    let initial = problem.puzzle.initial();
    // Actions from the goal backwards, one for each layer below it.
    let mut actions: Vec<P::Action> = Vec::new();
    let mut forks: Vec<(u32, Previous<P>)> = Vec::new();
    let mut seen = HashSet::new();
    let mut state = goal;
    let mut left = depth;
    while left > 0 || state != initial {
        if left > 0 && seen.insert((state, left)) {
            let previous = candidates(problem, &state, |place| has_colour(place, left - 1));
            forks.extend(previous.into_iter().map(|one| (left, one)));
        }
        let (at, previous) = forks
            .pop()
            .expect("a state of a layer has a predecessor in the layer before");
        actions.truncate((depth - at) as usize);
        actions.push(previous.action);
        (state, left) = (previous.state, at - 1);
    }
    actions.reverse();
    let cost: Cost = actions
        .iter()
        .map(|action| problem.puzzle.step_cost(*action))
        .sum();
    Solution { actions, cost }
}

/// The predecessors that may lie in the layer before: of those that a step leads back to only one, else all.
fn candidates<P, R, L>(
    problem: &WordProblem<'_, P, R, L>,
    state: &P::State,
    is_before: impl Fn(Place) -> bool,
) -> Vec<Previous<P>>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    let keeps = |action, state: &P::State| {
        let verdict = problem.pruner.verdict(problem.puzzle, action, state);
        verdict.is_none()
    };
    let mut all = Vec::new();
    problem.words.predecessors(state, &mut all);
    all.retain(|one| is_before(problem.words.place(&one.state)) && keeps(one.action, state));
    let is_near = |one: &Previous<P>| one.back.is_some_and(|back| keeps(back, &one.state));
    match all.iter().position(is_near) {
        Some(near) => vec![all.swap_remove(near)],
        None => all,
    }
}
