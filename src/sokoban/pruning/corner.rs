//! The corner rule.
//!
//! **Definition.** A box stands on a non-goal cell with walls on two orthogonal sides.
//!
//! **Why it is sound.** A push along an axis needs two free cells: one for the box, and the opposite
//! one for the player. With a wall on one side of each axis neither axis has both, now or ever. So the
//! box stays where it is, off goal.

use super::super::encoding::CellSet;
use super::super::rules::Movement;
use super::super::{Board, Cell, Direction};
use super::{Scope, Target};

/// A box must reach a goal, and moves only by a push with the player behind it.
pub(super) const SCOPE: Scope = Scope {
    movements: &[Movement::Classic],
    targets: &[Target::EveryBoxOnGoal],
};

/// Whether a wall stands on at least one side of the cell along the axis of a direction.
pub(super) fn walled(board: &Board, cell: Cell, axis: Direction) -> bool {
    [axis, axis.opposite()]
        .into_iter()
        .any(|side| board.neighbour(cell, side) == Board::WALL)
}

/// Non-goal cells with walls on two orthogonal sides.
pub(super) fn dead_cells<const W: usize>(board: &Board) -> CellSet<W> {
    let goals: CellSet<W> = board.goals().iter().copied().collect();
    (0..)
        .take(board.floor())
        .filter(|&cell| walled(board, cell, Direction::Left) && walled(board, cell, Direction::Up))
        .filter(|&cell| !goals.contains(cell))
        .collect()
}

/// The rule on one board.
#[derive(Debug, Clone)]
pub(super) struct Corner<const W: usize> {
    dead: CellSet<W>,
}

impl<const W: usize> Corner<W> {
    pub(super) fn new(board: &Board) -> Self {
        Self {
            dead: dead_cells(board),
        }
    }

    #[inline]
    pub(super) fn fires(&self, pushed: Cell) -> bool {
        self.dead.contains(pushed)
    }
}
