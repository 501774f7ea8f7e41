//! `stateright`: an explicit-state model checker.

use stateright::{Checker, Model as Checked, Property};

use crate::model::{Direction, Model};

/// The level as the checker wants to see it.
struct Level(Model);

impl Checked for Level {
    type State = u64;
    type Action = Direction;

    fn init_states(&self) -> Vec<u64> {
        vec![self.0.initial()]
    }

    fn actions(&self, _state: &u64, actions: &mut Vec<Direction>) {
        actions.extend(Direction::ALL);
    }

    fn next_state(&self, state: &u64, action: Direction) -> Option<u64> {
        self.0.step(*state, action)
    }

    /// The checker ends as soon as it has an answer for every property; one that always holds has
    /// its answer at the very end.
    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("visits everything", |_, _| true)]
    }
}

/// Counts with `threads` threads of the checker.
pub(super) fn breadth_first(threads: usize, model: &Model) -> u64 {
    let checker = Level(*model).checker().threads(threads).spawn_bfs();
    checker.join().unique_state_count() as u64
}
