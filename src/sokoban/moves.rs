//! The space of moves: a step is one step of the player, and costs 1.

use super::encoding::{State, fitting};
use super::rules::{Classic, Layout, MovementRule};
use super::space::Space;
use super::{Board, Cell, Direction};
use crate::puzzle::{Puzzle, Successor};

/// One step of the player: its direction, and how many boxes it pushed (0 for a walk).
///
/// Packed: bits 0 and 1 are the direction, the others the number of boxes.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveAction(u8);

impl MoveAction {
    /// A step that pushed `boxes` boxes, at most 63; 0 for a walk.
    #[must_use]
    #[inline]
    pub const fn new(direction: Direction, boxes: u8) -> Self {
        debug_assert!(boxes < 64);
        Self(boxes << 2 | direction as u8)
    }

    /// The direction of the step.
    #[must_use]
    #[inline]
    pub const fn direction(self) -> Direction {
        Direction::from_index(self.0 as usize)
    }

    /// Number of boxes pushed.
    #[must_use]
    #[inline]
    pub const fn boxes(self) -> u8 {
        self.0 >> 2
    }

    /// Whether the step pushed anything.
    #[must_use]
    #[inline]
    pub const fn is_push(self) -> bool {
        self.boxes() != 0
    }
}

impl std::fmt::Debug for MoveAction {
    /// The LURD letter; a push of several boxes is followed by their number.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = self.direction().letter();
        match self.boxes() {
            0 => write!(formatter, "{letter}"),
            1 => write!(formatter, "{}", letter.to_ascii_uppercase()),
            boxes => write!(formatter, "{}{boxes}", letter.to_ascii_uppercase()),
        }
    }
}

/// The space of moves of one level.
///
/// State: the player's cell and the cells of the boxes. Successors come in the order left, up, right,
/// down, and need no allocation.
#[derive(Debug, Clone)]
pub struct MoveSpace<const W: usize, R = Classic> {
    board: Board,
    goals: super::encoding::CellSet<W>,
    initial: State<W>,
    rule: R,
}

impl<const W: usize> MoveSpace<W, Classic> {
    /// The space of a board under the classic rule.
    ///
    /// # Panics
    /// If the board has more floor than the state holds; see [`words_for`](super::encoding::words_for).
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self::with_rule(board, Classic)
    }
}

impl<const W: usize, R: MovementRule> Puzzle for MoveSpace<W, R> {
    type State = State<W>;
    type Action = MoveAction;
    /// The direction of the walk back, if the player has walked.
    type Undo = Option<Direction>;

    #[inline]
    fn initial(&self) -> State<W> {
        self.initial
    }

    #[inline]
    fn is_goal(&self, state: &State<W>) -> bool {
        state.boxes() == self.goals
    }

    #[inline]
    fn successors(&self, state: &State<W>, out: &mut Vec<Successor<State<W>, MoveAction>>) {
        let (boxes, player) = (state.boxes(), state.player());
        let layout = Layout {
            board: &self.board,
            boxes: &boxes,
        };
        for direction in Direction::ALL {
            let Some(step) = self.rule.step(layout, player, direction) else {
                continue;
            };
            let (pushed, boxes) = match step.push {
                Some(push) => (push.boxes, push.apply(boxes)),
                None => (0, boxes),
            };
            out.push(Successor {
                action: MoveAction::new(direction, pushed),
                state: State::new(boxes, step.player),
            });
        }
    }

    #[inline]
    fn predecessor(&self, state: &State<W>, action: MoveAction) -> State<W> {
        let (mut boxes, player) = (state.boxes(), state.player());
        let direction = action.direction();
        if action.is_push() {
            let layout = Layout {
                board: &self.board,
                boxes: &boxes,
            };
            let push = self.rule.undo(layout, player, direction, action.boxes());
            boxes = push.revert(boxes);
        }
        State::new(boxes, self.board.neighbour(player, direction.opposite()))
    }

    #[inline]
    fn undo_of(&self, action: MoveAction) -> Option<Direction> {
        (!action.is_push()).then(|| action.direction().opposite())
    }

    /// A push that goes back the way of a walk cannot be: the cell is free.
    #[inline]
    fn undoes(&self, action: MoveAction, undo: Option<Direction>) -> bool {
        undo == Some(action.direction())
    }
}

impl<const W: usize, R: MovementRule> Space for MoveSpace<W, R> {
    type Rule = R;

    const NAME: &'static str = "moves";

    fn with_rule(board: &Board, rule: R) -> Self {
        let boxes = fitting(board, board.initial_boxes());
        Self {
            goals: fitting(board, board.goals()),
            initial: State::new(boxes, board.initial_player()),
            board: board.clone(),
            rule,
        }
    }

    fn board(&self) -> &Board {
        &self.board
    }

    #[inline]
    fn boxes(&self, state: &State<W>) -> impl Iterator<Item = Cell> {
        state.boxes().iter()
    }

    #[inline]
    fn pushed_box(&self, action: MoveAction, state: &State<W>) -> Option<Cell> {
        if !action.is_push() {
            return None;
        }
        let boxes = state.boxes();
        let layout = Layout {
            board: &self.board,
            boxes: &boxes,
        };
        let push = self
            .rule
            .undo(layout, state.player(), action.direction(), action.boxes());
        Some(push.to)
    }

    fn steps(&self, actions: &[MoveAction]) -> Vec<Direction> {
        actions.iter().map(|action| action.direction()).collect()
    }
}
