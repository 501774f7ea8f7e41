//! From the actions of a solution to the steps of the player.

use std::collections::VecDeque;

use super::encoding::CellSet;
use super::pushes::PushAction;
use super::rules::{Layout, MovementRule};
use super::{Board, Cell, Direction};

/// Any supported board fits this width; solutions are written out once, so speed is no concern here.
const WIDEST: usize = 16;

/// The player's steps for a sequence of pushes from the initial position of the board, with a shortest
/// walk before each push.
///
/// # Panics
/// If a push is not possible where it stands in the sequence.
pub(super) fn steps_of_pushes<R: MovementRule>(
    board: &Board,
    rule: &R,
    pushes: &[PushAction],
) -> Vec<Direction> {
    let mut boxes: CellSet<WIDEST> = board.initial_boxes().iter().copied().collect();
    let mut player = board.initial_player();
    let mut steps = Vec::new();
    for &action in pushes {
        let (from, direction) = (action.from(), action.direction());
        let stand = board.neighbour(from, direction.opposite());
        let walk = shortest_walk(board, &boxes, player, stand);
        let layout = Layout {
            board,
            boxes: &boxes,
        };
        let push = rule.push(layout, from, direction);
        let (true, Some(walk), Some(push)) = (boxes.contains(from), walk, push) else {
            panic!(
                "the push {action:?} is not possible after {} steps",
                steps.len()
            );
        };
        steps.extend(walk);
        steps.push(direction);
        boxes = push.apply(boxes);
        player = push.from;
    }
    steps
}

/// A shortest walk past boxes; `None` if there is none. Breadth-first in the order left, up, right,
/// down, so among equally short walks the choice is always the same.
fn shortest_walk<const W: usize>(
    board: &Board,
    boxes: &CellSet<W>,
    start: Cell,
    end: Cell,
) -> Option<Vec<Direction>> {
    let mut came_by: Vec<Option<Direction>> = vec![None; board.floor()];
    let mut reached = boxes.union(&CellSet::single(start));
    let mut waiting = VecDeque::from([start]);
    while let Some(cell) = waiting.pop_front() {
        if cell == end {
            return Some(trace_back(board, &came_by, end));
        }
        for direction in Direction::ALL {
            let next = board.neighbour(cell, direction);
            if next != Board::WALL && !reached.contains(next) {
                reached.insert(next);
                came_by[next as usize] = Some(direction);
                waiting.push_back(next);
            }
        }
    }
    None
}

fn trace_back(board: &Board, came_by: &[Option<Direction>], end: Cell) -> Vec<Direction> {
    let mut walk = Vec::new();
    let mut cell = end;
    while let Some(direction) = came_by[cell as usize] {
        walk.push(direction);
        cell = board.neighbour(cell, direction.opposite());
    }
    walk.reverse();
    walk
}
