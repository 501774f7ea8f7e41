//! The frozen rule.
//!
//! **Definition.** The rule fires if the pushed box `a` belongs to one of these groups, and a box of the
//! group is off goal:
//!
//! * *Pair.* A box `b` stands next to `a`, and each of the two is pinned across the line that joins them. A
//!   box is pinned on an axis if one of the two cells beside it on that axis is a wall, or if both are
//!   dead cells.
//! * *Square.* A 2x2 square around `a` of walls and boxes only, at least one of them a box next to `a`.
//!
//! **Why it is sound.** Dead are the cells of the corner rule and of the static edge rule: no position
//! with a box on one of them can be solved.
//!
//! Suppose a solution moves a box of the group, and take the first such push. Until then all boxes of
//! the group stand where they are.
//!
//! * Pair: along the joining line the box cannot move, since on one side stands the other box, which
//!   blocks both the push towards it and the player's place for the push away from it. On the other
//!   axis, a wall blocks both directions in the same way; between two dead cells either direction puts
//!   the box on a dead cell, after which nothing is solvable.
//! * Square: each box of the square that has a wall or box of the square beside it on both axes is
//!   blocked on both in the same way, and every box of a square of walls and boxes has.
//!
//! So no solution moves a box of the group, and the one off goal stays off goal.

use super::super::encoding::CellSet;
use super::super::ring::{Ring, rings};
use super::super::rules::Movement;
use super::super::{Board, Cell, Direction};
use super::corner::walled;
use super::{Scope, Target, dead_cells};

/// A box must reach a goal, and a push moves one box one cell: both the dead cells and the argument
/// about the first push rest on that.
pub(super) const SCOPE: Scope = Scope {
    movements: &[Movement::Classic],
    targets: &[Target::EveryBoxOnGoal],
};

/// The rule on one board.
#[derive(Debug, Clone)]
pub(super) struct Frozen<const W: usize> {
    goals: CellSet<W>,
    /// For the horizontal and the vertical axis, the cells where a box is pinned on that axis.
    pinned: [CellSet<W>; 2],
    rings: Vec<Ring>,
}

impl<const W: usize> Frozen<W> {
    pub(super) fn new(board: &Board) -> Self {
        let dead: CellSet<W> = dead_cells(board);
        let cells = || (0..).take(board.floor());
        let is_dead = |cell: Cell| cell != Board::WALL && dead.contains(cell);
        let pinned = |axis: Direction| {
            cells()
                .filter(|&cell| {
                    let sides = [axis, axis.opposite()];
                    walled(board, cell, axis)
                        || sides
                            .into_iter()
                            .all(|side| is_dead(board.neighbour(cell, side)))
                })
                .collect()
        };
        Self {
            goals: board.goals().iter().copied().collect(),
            pinned: [pinned(Direction::Left), pinned(Direction::Up)],
            rings: rings(board),
        }
    }

    #[inline]
    pub(super) fn fires(&self, boxes: &CellSet<W>, pushed: Cell) -> bool {
        let ring = &self.rings[usize::from(pushed)];
        (0..4).any(|side| {
            self.pair(boxes, pushed, ring[2 * side], side) || self.square(boxes, pushed, ring, side)
        })
    }

    /// The pushed box and the cell `beside` it: both boxes, both pinned across their line, one off goal.
    #[inline]
    fn pair(&self, boxes: &CellSet<W>, pushed: Cell, beside: Cell, side: usize) -> bool {
        // Directions alternate between the axes, so the axis across an even one is the vertical.
        let pinned = &self.pinned[(side + 1) % 2];
        pinned.contains(pushed)
            && beside != Board::WALL
            && boxes.contains(beside)
            && pinned.contains(beside)
            && !(self.goals.contains(pushed) && self.goals.contains(beside))
    }

    /// The 2x2 square between the directions `side` and `side + 1`.
    #[inline]
    fn square(&self, boxes: &CellSet<W>, pushed: Cell, ring: &Ring, side: usize) -> bool {
        let others = [ring[2 * side], ring[(2 * side + 2) % 8], ring[2 * side + 1]];
        let is_box = |cell: Cell| cell != Board::WALL && boxes.contains(cell);
        let full = others
            .iter()
            .all(|&cell| cell == Board::WALL || is_box(cell));
        let off_goal = |cell: Cell| is_box(cell) && !self.goals.contains(cell);
        full && (is_box(others[0]) || is_box(others[1]))
            && (off_goal(pushed) || others.into_iter().any(off_goal))
    }
}
