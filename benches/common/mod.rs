//! What the benchmarks share: a level that is small enough to be known completely, and its states.

use std::collections::HashSet;

use sokolab::puzzle::{Puzzle, Successor};
use sokolab::sokoban::Level;

/// 24 cells, three boxes: 25,294 states of the space of moves, which together fit the second-level cache.
pub(crate) fn level() -> Level {
    Level::from_rows(&[
        "########", "#@     #", "# $  $ #", "#   .  #", "# $ .. #", "########",
    ])
}

/// Every state that can be reached, in breadth-first order.
pub(crate) fn reachable<P: Puzzle>(puzzle: &P) -> Vec<P::State> {
    let mut states = vec![puzzle.initial()];
    let mut seen = HashSet::from([puzzle.initial()]);
    let mut next = 0;
    while let Some(state) = states.get(next) {
        for successor in successors(puzzle, state) {
            if seen.insert(successor.state) {
                states.push(successor.state);
            }
        }
        next += 1;
    }
    states
}

/// All successors of a state.
pub(crate) fn successors<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
) -> Vec<Successor<P::State, P::Action>> {
    let mut successors = Vec::new();
    puzzle.successors(state, &mut successors);
    successors
}
