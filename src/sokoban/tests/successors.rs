//! Exact successor lists, in order.

use crate::puzzle::Puzzle;
use crate::sokoban::encoding::State;
use crate::sokoban::moves::{MoveAction, MoveSpace};
use crate::sokoban::pushes::{PushAction, PushSpace};
use crate::sokoban::testing::board;
use crate::sokoban::{Cell, Direction};
use Direction::{Down, Left, Right, Up};

/// Cells 0 to 4, 5 to 9, 10 to 14; boxes on 6 and 8, player on 7.
const OPEN: [&str; 5] = ["#######", "#  .  #", "# $@$ #", "#  .  #", "#######"];

fn state<const W: usize>(boxes: &[Cell], player: Cell) -> State<W> {
    State::new(boxes.iter().copied().collect(), player)
}

fn listed<P: Puzzle>(puzzle: &P, state: &P::State) -> Vec<(P::Action, P::State)> {
    let mut out = Vec::new();
    puzzle.successors(state, &mut out);
    out.into_iter()
        .map(|next| (next.action, next.state))
        .collect()
}

#[test]
fn moves_come_left_up_right_down() {
    let space = MoveSpace::<1>::new(&board(&OPEN));
    assert_eq!(space.initial(), state(&[6, 8], 7));
    let expected = [
        (MoveAction::new(Left, 1), state(&[5, 8], 6)),
        (MoveAction::new(Up, 0), state(&[6, 8], 2)),
        (MoveAction::new(Right, 1), state(&[6, 9], 8)),
        (MoveAction::new(Down, 0), state(&[6, 8], 12)),
    ];
    assert_eq!(listed(&space, &space.initial()), expected);
}

#[test]
fn moves_stop_at_walls_and_blocked_boxes() {
    let space = MoveSpace::<1>::new(&board(&OPEN));
    let blocked = state(&[5, 1], 6);
    let expected = [
        (MoveAction::new(Right, 0), state(&[1, 5], 7)),
        (MoveAction::new(Down, 0), state(&[1, 5], 11)),
    ];
    assert_eq!(
        listed(&space, &blocked),
        expected,
        "both boxes stand before a wall"
    );
}

#[test]
fn pushes_come_by_cell_then_left_up_right_down() {
    let space = PushSpace::<1>::new(&board(&OPEN));
    assert_eq!(space.initial(), state(&[6, 8], 0), "normalised");
    let expected = [
        (PushAction::new(6, Left, 1), state(&[5, 8], 0)),
        (PushAction::new(6, Up, 1), state(&[1, 8], 0)),
        (PushAction::new(6, Right, 1), state(&[7, 8], 0)),
        (PushAction::new(6, Down, 1), state(&[8, 11], 0)),
        (PushAction::new(8, Left, 1), state(&[6, 7], 0)),
        (PushAction::new(8, Up, 1), state(&[3, 6], 0)),
        (PushAction::new(8, Right, 1), state(&[6, 9], 0)),
        (PushAction::new(8, Down, 1), state(&[6, 13], 0)),
    ];
    assert_eq!(listed(&space, &space.initial()), expected);
}

#[test]
fn pushes_need_the_player_behind_the_box() {
    let space = PushSpace::<1>::new(&board(&["######", "#.$ @#", "######"]));
    assert_eq!(
        space.initial(),
        state(&[1], 2),
        "the region is cells 2 and 3"
    );
    let solved = state(&[0], 1);
    assert_eq!(
        listed(&space, &space.initial()),
        [(PushAction::new(1, Left, 1), solved)]
    );
    assert!(space.is_goal(&solved));
    assert_eq!(listed(&space, &solved), []);
}

#[test]
fn a_push_can_cut_the_region_and_can_open_another() {
    // Row 1 is cells 0 to 4, row 2 has cell 5 below cell 2.
    let rows = ["#######", "# @$ .#", "### ###", "#######"];
    let space = PushSpace::<1>::new(&board(&rows));
    // The player's region is cells 0 and 1 at first; the push makes room for the others.
    let opened = state(&[3], 0);
    assert_eq!(
        listed(&space, &space.initial()),
        [(PushAction::new(2, Right, 1), opened)]
    );
    // From the right, a push back to the middle cuts the player off from cells 0 and 1.
    let right = state(&[3], 4);
    assert_eq!(
        listed(&space, &right),
        [(PushAction::new(3, Left, 1), state(&[2], 3))]
    );
}

#[test]
fn actions_keep_what_was_packed() {
    for direction in Direction::ALL {
        for boxes in 0..64 {
            let action = MoveAction::new(direction, boxes);
            assert_eq!((action.direction(), action.boxes()), (direction, boxes));
            assert_eq!(action.is_push(), boxes > 0);
        }
        for (from, boxes) in (0..1024).flat_map(|from| [(from, 1), (from, 16)]) {
            let action = PushAction::new(from, direction, boxes);
            assert_eq!(
                (action.from(), action.direction(), action.boxes()),
                (from, direction, boxes)
            );
        }
    }
    assert_eq!(size_of::<MoveAction>(), 1);
    assert_eq!(size_of::<PushAction>(), 2);
    assert_eq!(
        format!(
            "{:?} {:?}",
            MoveAction::new(Left, 0),
            MoveAction::new(Up, 1)
        ),
        "l U"
    );
    assert_eq!(format!("{:?}", PushAction::new(17, Down, 1)), "17D");
}
