//! A position to be shown: where the player and the boxes stand after some steps.

use thiserror::Error;

use crate::sokoban::{Board, Cell, Direction};

/// Where the player and the boxes stand.
#[derive(Debug, Clone)]
pub(super) struct Position {
    player: Cell,
    /// By cell.
    boxes: Vec<bool>,
}

/// A step that the rules forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum Blocked {
    /// The player would walk into a wall.
    #[error("'{0}' walks into a wall")]
    Wall(char),
    /// The box in front of the player has no free square behind it.
    #[error("'{0}' pushes a box against a wall or another box")]
    Box(char),
}

impl Position {
    /// The start of a level.
    pub(super) fn start(board: &Board) -> Self {
        let mut boxes = vec![false; board.floor()];
        for &cell in board.initial_boxes() {
            boxes[cell as usize] = true;
        }
        Self {
            player: board.initial_player(),
            boxes,
        }
    }

    /// Makes one step by the classic rules and says whether it was a push.
    ///
    /// # Errors
    /// [`Blocked`]; the position stays as it was.
    pub(super) fn step(&mut self, board: &Board, direction: Direction) -> Result<bool, Blocked> {
        let to = board.neighbour(self.player, direction);
        if to == Board::WALL {
            return Err(Blocked::Wall(direction.letter()));
        }
        let push = self.has_box(to);
        if push {
            let behind = board.neighbour(to, direction);
            if behind == Board::WALL || self.has_box(behind) {
                return Err(Blocked::Box(direction.letter()));
            }
            self.boxes[to as usize] = false;
            self.boxes[behind as usize] = true;
        }
        self.player = to;
        Ok(push)
    }

    /// Whether a box stands on the cell.
    pub(super) fn has_box(&self, cell: Cell) -> bool {
        self.boxes[cell as usize]
    }

    /// Where the player stands.
    pub(super) const fn player(&self) -> Cell {
        self.player
    }

    /// Whether a box stands on every goal.
    pub(super) fn is_solved(&self, board: &Board) -> bool {
        board.goals().iter().all(|&goal| self.has_box(goal))
    }
}
