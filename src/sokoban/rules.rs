//! Movement rules: what one step of the player does to a position.
//!
//! A rule is a type, so that a space is compiled once for each rule and the choice costs nothing while
//! searching. What a push did is described by [`Push`], in terms that go beyond the classic game:
//!
//! | rule | boxes moved | distance of each | `to` |
//! |---|---|---|---|
//! | classic | 1 | 1 | the cell behind `from` |
//! | push up to n boxes in a row | 1 to n | 1 | the first cell behind the row |
//! | ice, a pushed box slides | 1 | 1 or more | the last cell before an obstacle |
//!
//! In all of them the player ends on `from`, and because boxes cannot be told apart the set of box
//! cells loses `from` and gains `to`. So a new rule implements [`MovementRule::push`] and its inverse;
//! the spaces and their actions stay as they are.

use super::encoding::CellSet;
use super::{Board, Cell, Direction};

/// Movement rules as values, for configurations and for the scope of pruning rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Movement {
    /// The player pushes one box one cell.
    Classic,
}

impl Movement {
    /// Every movement rule.
    pub const ALL: [Self; 1] = [Self::Classic];

    /// The name used in experiment files and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
        }
    }
}

/// A board and the boxes on it: a position without its player.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a, const W: usize> {
    /// The board.
    pub board: &'a Board,
    /// Cells with a box.
    pub boxes: &'a CellSet<W>,
}

/// What a push did to the boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Push {
    /// The cell that no longer holds a box; the player stands there now.
    pub from: Cell,
    /// The cell that holds a box now.
    pub to: Cell,
    /// Boxes that moved, at least 1.
    pub boxes: u8,
    /// Cells that each of them moved, at least 1.
    pub distance: u16,
}

impl Push {
    /// The boxes after the push.
    #[must_use]
    #[inline]
    pub const fn apply<const W: usize>(&self, mut before: CellSet<W>) -> CellSet<W> {
        before.remove(self.from);
        before.insert(self.to);
        before
    }

    /// The boxes before the push.
    #[must_use]
    #[inline]
    pub const fn revert<const W: usize>(&self, mut after: CellSet<W>) -> CellSet<W> {
        after.remove(self.to);
        after.insert(self.from);
        after
    }
}

/// One step of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where the player stands now.
    pub player: Cell,
    /// What it pushed, if anything.
    pub push: Option<Push>,
}

/// A movement rule: a pure function of a position.
///
/// # Guarantees an implementation gives
/// * A step that pushes nothing moves the player one cell, and can be taken back by a step in the opposite direction.
/// * A push moves at most 16 boxes, which an action has room for.
/// * [`undo`](MovementRule::undo) inverts [`push`](MovementRule::push): if `push` gives `p` and `p.apply(boxes)`
///   is `after`, then `undo` of `after`, `p.from`, the direction and `p.boxes` gives `p` again.
pub trait MovementRule: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// This rule as a value.
    const MOVEMENT: Movement;

    /// Whether a push is possible exactly when the cell behind the box is free, and moves that one box
    /// onto it. Then the space of pushes finds all of them at once with word operations and does not ask
    /// [`push`](MovementRule::push).
    const PUSHES_ONE_BY_ONE: bool = false;

    /// What happens to the boxes when the player steps onto the box at `from`; `None` if the boxes
    /// cannot move.
    fn push<const W: usize>(
        &self,
        layout: Layout<'_, W>,
        from: Cell,
        direction: Direction,
    ) -> Option<Push>;

    /// The push that has led to `after`: `boxes` boxes were pushed from `from` in `direction`.
    fn undo<const W: usize>(
        &self,
        after: Layout<'_, W>,
        from: Cell,
        direction: Direction,
        boxes: u8,
    ) -> Push;

    /// One step of the player in a direction; `None` if it is not legal.
    #[inline]
    fn step<const W: usize>(
        &self,
        layout: Layout<'_, W>,
        player: Cell,
        direction: Direction,
    ) -> Option<Step> {
        let next = layout.board.neighbour(player, direction);
        if next == Board::WALL {
            return None;
        }
        let push = if layout.boxes.contains(next) {
            Some(self.push(layout, next, direction)?)
        } else {
            None
        };
        Some(Step { player: next, push })
    }
}

/// The classic rule: the player pushes one box one cell, if the cell behind it is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classic;

impl MovementRule for Classic {
    const MOVEMENT: Movement = Movement::Classic;

    const PUSHES_ONE_BY_ONE: bool = true;

    #[inline]
    fn push<const W: usize>(
        &self,
        layout: Layout<'_, W>,
        from: Cell,
        direction: Direction,
    ) -> Option<Push> {
        let to = layout.board.neighbour(from, direction);
        (to != Board::WALL && !layout.boxes.contains(to)).then_some(Push {
            from,
            to,
            boxes: 1,
            distance: 1,
        })
    }

    #[inline]
    fn undo<const W: usize>(
        &self,
        after: Layout<'_, W>,
        from: Cell,
        direction: Direction,
        _boxes: u8,
    ) -> Push {
        Push {
            from,
            to: after.board.neighbour(from, direction),
            boxes: 1,
            distance: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::Level;

    /// Cells: 0 to 4 from left to right, 5 below cell 2.
    fn board() -> Board {
        let rows = ["#######", "#.$@$.#", "### ###", "#######"];
        Board::new(&Level::from_rows(&rows)).expect("a valid board")
    }

    fn step(boxes: &[Cell], player: Cell, direction: Direction) -> Option<Step> {
        let (board, boxes) = (board(), boxes.iter().copied().collect::<CellSet<1>>());
        let layout = Layout {
            board: &board,
            boxes: &boxes,
        };
        Classic.step(layout, player, direction)
    }

    #[test]
    fn a_free_cell_is_walked_on() {
        let step = step(&[1, 3], 2, Direction::Down);
        assert_eq!(
            step,
            Some(Step {
                player: 5,
                push: None
            })
        );
    }

    #[test]
    fn a_box_before_a_free_cell_moves_one_cell() {
        let push = Push {
            from: 1,
            to: 0,
            boxes: 1,
            distance: 1,
        };
        let expected = Step {
            player: 1,
            push: Some(push),
        };
        assert_eq!(step(&[1, 3], 2, Direction::Left), Some(expected));
        let before: CellSet<1> = [1, 3].into_iter().collect();
        let after: CellSet<1> = [0, 3].into_iter().collect();
        assert_eq!(push.apply(before), after);
        assert_eq!(push.revert(after), before);
    }

    #[test]
    fn walls_and_rows_of_boxes_stop_the_player() {
        assert_eq!(step(&[1, 3], 2, Direction::Up), None, "a wall");
        assert_eq!(
            step(&[0, 3], 1, Direction::Left),
            None,
            "a box before a wall"
        );
        assert_eq!(
            step(&[3, 4], 2, Direction::Right),
            None,
            "two boxes in a row"
        );
    }
}
