//! The space of pushes by hand: a plain reference for sokolab's.
//!
//! A state is the boxes and the first square of the region that the player can walk. Regions are flood
//! filled from nothing for every state and every successor, all squares of the border at once.

use rustc_hash::FxHashSet;

use crate::model::{Direction, Model, boxes_of, pack, player_of};

/// Counts the states that can be reached, on one thread, with a stack and a set.
pub fn census(model: &Model) -> u64 {
    let initial = normalised(model, model.initial_boxes(), model.initial_player());
    let mut seen = FxHashSet::from_iter([initial]);
    let mut stack = vec![initial];
    while let Some(state) = stack.pop() {
        for_each_successor(model, state, |next| {
            if seen.insert(next) {
                stack.push(next);
            }
        });
    }
    seen.len() as u64
}

/// Calls `visit` with every state that is one push away.
#[inline]
fn for_each_successor(model: &Model, state: u64, mut visit: impl FnMut(u64)) {
    let boxes = boxes_of(state);
    let free = model.free(boxes);
    let region = filled(model, player_of(state), free);
    for (ahead, back) in AXES {
        // The player stands behind the box, and nothing stands ahead of it.
        let mut pushable = boxes & model.shifted(region, ahead) & model.shifted(free, back);
        while pushable != 0 {
            let pushed = pushable & pushable.wrapping_neg();
            pushable ^= pushed;
            let boxes = boxes ^ pushed ^ model.shifted(pushed, ahead);
            visit(normalised(model, boxes, pushed));
        }
    }
}

/// Each direction and its opposite.
const AXES: [(Direction, Direction); 4] = [
    (Direction::Left, Direction::Right),
    (Direction::Up, Direction::Down),
    (Direction::Right, Direction::Left),
    (Direction::Down, Direction::Up),
];

/// The state of boxes and a player who may walk.
#[inline]
fn normalised(model: &Model, boxes: u64, player: u64) -> u64 {
    pack(boxes, filled(model, player, model.free(boxes)))
}

/// The free squares that can be walked to from `start`.
#[inline]
fn filled(model: &Model, start: u64, free: u64) -> u64 {
    let mut region = start;
    loop {
        let steps = Direction::ALL.map(|direction| model.shifted(region, direction));
        let wider = region | (steps[0] | steps[1] | steps[2] | steps[3]) & free;
        if wider == region {
            return region;
        }
        region = wider;
    }
}

#[cfg(test)]
mod tests {
    use super::census;
    use crate::model::Model;

    #[test]
    fn a_corridor_has_one_state_for_each_place_of_the_box() {
        // Pushed right three times; never back, since the player cannot get past the box.
        assert_eq!(census(&Model::new(&["#######", "#@$  .#", "#######"])), 4);
    }

    #[test]
    fn a_box_in_the_middle_of_a_small_room_can_be_pushed_everywhere_but_back_from_a_wall() {
        // Four pushes from the middle, each to the middle of a wall, along which the box slides either
        // way into a corner: 1 + 4 + 4 places, and the player's region is always whole.
        let rows = ["#####", "#@  #", "# $ #", "#  .#", "#####"];
        assert_eq!(census(&Model::new(&rows)), 9);
    }
}
