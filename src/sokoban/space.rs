//! What the two spaces of Sokoban have in common.

use super::moves::MoveAction;
use super::pushes::PushAction;
use super::rules::MovementRule;
use super::{Board, Cell, Direction};
use crate::puzzle::Puzzle;

/// A step that moves boxes, or none.
pub trait Pushing: Copy {
    /// Whether the step pushes a box.
    fn pushes(self) -> bool;
}

impl Pushing for MoveAction {
    #[inline]
    fn pushes(self) -> bool {
        self.is_push()
    }
}

impl Pushing for PushAction {
    #[inline]
    fn pushes(self) -> bool {
        true
    }
}

/// A state space of one Sokoban level. Pruning rules, heuristics and the recovery of player steps are
/// written once against this trait.
pub trait Space: Puzzle<Action: Pushing> + Sized {
    /// The movement rule of the space.
    type Rule: MovementRule;

    /// The name used in experiment files and result rows.
    const NAME: &'static str;

    /// The space of a board under a movement rule.
    ///
    /// # Panics
    /// If the board has more floor than the state holds; see [`words_for`](super::encoding::words_for).
    fn with_rule(board: &Board, rule: Self::Rule) -> Self;

    /// The space of a board under the default movement rule.
    ///
    /// # Panics
    /// If the board has more floor than the state holds; see [`words_for`](super::encoding::words_for).
    #[must_use]
    fn new(board: &Board) -> Self
    where
        Self::Rule: Default,
    {
        Self::with_rule(board, Self::Rule::default())
    }

    /// The board.
    fn board(&self) -> &Board;

    /// The cells that hold a box, ascending.
    fn boxes(&self, state: &Self::State) -> impl Iterator<Item = Cell>;

    /// The cell where the box that `action` has just pushed stands in `state`, the state it led to;
    /// `None` if nothing was pushed. If several boxes were pushed, the one farthest ahead.
    fn pushed_box(&self, action: Self::Action, state: &Self::State) -> Option<Cell>;

    /// The player's steps that carry out `actions` from the initial state, with the shortest walks
    /// between pushes. The same actions always give the same steps.
    ///
    /// # Panics
    /// If the actions are not a path from the initial state.
    fn steps(&self, actions: &[Self::Action]) -> Vec<Direction>;
}
