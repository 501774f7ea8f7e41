//! The space of pushes: a step is one push, and costs 1; walking between pushes is free.

use super::encoding::{CellSet, State, fitting};
use super::push_sets::PushSets;
use super::region::Adjacency;
use super::rules::{Classic, Layout, MovementRule, Push};
use super::shifts::{AnyShifts, Shifts};
use super::space::Space;
use super::{Board, Cell, Direction, solution};
use crate::puzzle::{Puzzle, Successor};

/// One push: the cell of the box before it, the direction, and how many boxes in a row were pushed.
///
/// Packed: bits 0 and 1 are the direction, bits 2 to 11 the cell, the others the number of boxes
/// less one.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PushAction(u16);

impl PushAction {
    /// A push in `direction` that began at the box on `from` and moved `boxes` boxes, 1 to 16.
    #[must_use]
    #[inline]
    pub const fn new(from: Cell, direction: Direction, boxes: u8) -> Self {
        debug_assert!(from < 1024 && 1 <= boxes && boxes <= 16);
        Self((boxes as u16 - 1) << 12 | from << 2 | direction as u16)
    }

    /// The cell of the box next to the player, before the push. The player stands there afterwards.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Cell {
        self.0 >> 2 & 0x3ff
    }

    /// The direction of the push.
    #[must_use]
    #[inline]
    pub const fn direction(self) -> Direction {
        Direction::from_index(self.0 as usize)
    }

    /// Number of boxes pushed, at least 1.
    #[must_use]
    #[inline]
    pub const fn boxes(self) -> u8 {
        (self.0 >> 12) as u8 + 1
    }
}

impl std::fmt::Debug for PushAction {
    /// The cell and the LURD letter; a push of several boxes is followed by their number.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = self.direction().letter().to_ascii_uppercase();
        write!(formatter, "{}{letter}", self.from())?;
        match self.boxes() {
            1 => Ok(()),
            boxes => write!(formatter, "{boxes}"),
        }
    }
}

/// The space of pushes of one level.
///
/// State: the cells of the boxes, and the smallest cell of the region that the player can walk without
/// pushing. Two positions that differ only by a walk are one state. Successors come by the cell of the
/// pushed box, ascending, then in the order left, up, right, down.
///
/// Generating the successors of a state fills its region once. After most pushes the smallest cell of the
/// new region is known from the old one; only after those that may cut the region in two, or join it to
/// another part, is it searched for. Nothing is allocated.
#[derive(Debug, Clone)]
pub struct PushSpace<const W: usize, R = Classic> {
    board: Board,
    adjacency: Adjacency<W>,
    /// For finding all pushes at once; `None` if the movement rule or the board does not allow it.
    shifts: Option<AnyShifts<W>>,
    goals: CellSet<W>,
    initial: State<W>,
    rule: R,
}

/// A successor in this space.
type SuccessorOf<const W: usize> = Successor<State<W>, PushAction>;

/// For each set of directions, as bits, its directions in order; what is left of the four is arbitrary.
const DIRECTIONS_OF: [[Direction; 4]; 16] = {
    let mut lists = [[Direction::Left; 4]; 16];
    let mut set = 0;
    while set < lists.len() {
        let (mut direction, mut listed) = (0, 0);
        while direction < 4 {
            if set >> direction & 1 == 1 {
                lists[set][listed] = Direction::from_index(direction);
                listed += 1;
            }
            direction += 1;
        }
        set += 1;
    }
    lists
};

impl<const W: usize> PushSpace<W, Classic> {
    /// The space of a board under the classic rule.
    ///
    /// # Panics
    /// If the board has more floor than the state holds; see [`words_for`](super::encoding::words_for).
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self::with_rule(board, Classic)
    }
}

impl<const W: usize, R: MovementRule> PushSpace<W, R> {
    /// The state after `push` in a state whose region is `region`.
    ///
    /// The player stands on `push.from`, next to the region. Unless the box now cuts the region, all that
    /// is left of it belongs to the new one, so only what lies beyond `push.from` is to be searched.
    #[inline]
    fn after(&self, push: Push, boxes: CellSet<W>, region: &CellSet<W>) -> State<W> {
        let boxes = push.apply(boxes);
        let whole = !region.contains(push.to) || self.adjacency.cuts_nothing(&boxes, push.to);
        let known = if whole {
            region.difference(&boxes)
        } else {
            CellSet::EMPTY
        };
        State::new(boxes, self.adjacency.smallest(&boxes, &known, push.from))
    }

    /// Asks the rule for each box and direction.
    fn successors_by_box(&self, state: &State<W>, out: &mut Vec<SuccessorOf<W>>) {
        let boxes = state.boxes();
        let region = self.adjacency.region(&boxes, state.player());
        let layout = Layout {
            board: &self.board,
            boxes: &boxes,
        };
        for from in &boxes {
            for direction in Direction::ALL {
                let player = self.board.neighbour(from, direction.opposite());
                if player == Board::WALL || !region.contains(player) {
                    continue;
                }
                if let Some(push) = self.rule.push(layout, from, direction) {
                    out.push(Successor {
                        action: PushAction::new(from, direction, push.boxes),
                        state: self.after(push, boxes, &region),
                    });
                }
            }
        }
    }

    /// Finds all pushes at once; for rules that [push one by one](MovementRule::PUSHES_ONE_BY_ONE).
    #[inline]
    fn successors_by_sets<const N: usize>(
        &self,
        shifts: &Shifts<W, N>,
        state: &State<W>,
        out: &mut Vec<SuccessorOf<W>>,
    ) {
        let boxes = state.boxes();
        let sets = PushSets::new(shifts, &boxes, state.player());
        let start = out.len();
        for from in &boxes {
            // Four are written and the superfluous ones dropped: which directions are possible is not to
            // be foreseen, and a wrong guess of the processor costs more than four writes.
            let directions = sets.directions(from);
            out.extend_from_slice(&DIRECTIONS_OF[directions].map(|direction| Successor {
                action: PushAction::new(from, direction, 1),
                state: *state,
            }));
            out.truncate(out.len() - 4 + directions.count_ones() as usize);
        }
        for Successor { action, state } in &mut out[start..] {
            let from = action.from();
            let to = self.board.neighbour(from, action.direction());
            let mut boxes = boxes;
            boxes.remove(from);
            boxes.insert(to);
            *state = State::new(boxes, sets.smallest_after(from, to));
        }
        self.correct(shifts, &sets, &mut out[start..]);
    }

    /// Puts right the player's cell of those successors whose push has cut the region or joined it to
    /// another. They are few, and correcting them afterwards keeps the loop over all successors free of
    /// branches that the processor guesses wrong.
    #[inline]
    fn correct<const N: usize>(
        &self,
        shifts: &Shifts<W, N>,
        sets: &PushSets<W>,
        successors: &mut [SuccessorOf<W>],
    ) {
        for direction in Direction::ALL {
            for from in &sets.unsure(direction) {
                let to = self.board.neighbour(from, direction);
                let smallest = sets.smallest_by_search(shifts, from, to, direction);
                if smallest == sets.smallest_after(from, to) {
                    continue;
                }
                let action = PushAction::new(from, direction, 1);
                let wrong = successors.iter_mut().find(|it| it.action == action);
                if let Some(Successor { state, .. }) = wrong {
                    *state = State::new(state.boxes(), smallest);
                }
            }
        }
    }

    /// The push that `action` has made, given the boxes after it.
    #[inline]
    fn made(&self, action: PushAction, after: &CellSet<W>) -> Push {
        let layout = Layout {
            board: &self.board,
            boxes: after,
        };
        self.rule
            .undo(layout, action.from(), action.direction(), action.boxes())
    }
}

impl<const W: usize, R: MovementRule> Puzzle for PushSpace<W, R> {
    type State = State<W>;
    type Action = PushAction;
    type Undo = ();

    #[inline]
    fn initial(&self) -> State<W> {
        self.initial
    }

    #[inline]
    fn is_goal(&self, state: &State<W>) -> bool {
        state.boxes() == self.goals
    }

    #[inline]
    fn successors(&self, state: &State<W>, out: &mut Vec<Successor<State<W>, PushAction>>) {
        match &self.shifts {
            None => self.successors_by_box(state, out),
            Some(AnyShifts::One(shifts)) => self.successors_by_sets(shifts, state, out),
            Some(AnyShifts::Two(shifts)) => self.successors_by_sets(shifts, state, out),
            Some(AnyShifts::Four(shifts)) => self.successors_by_sets(shifts, state, out),
            Some(AnyShifts::Eight(shifts)) => self.successors_by_sets(shifts, state, out),
        }
    }

    #[inline]
    fn predecessor(&self, state: &State<W>, action: PushAction) -> State<W> {
        let boxes = state.boxes();
        let boxes = self.made(action, &boxes).revert(boxes);
        let player = self
            .board
            .neighbour(action.from(), action.direction().opposite());
        let player = self.adjacency.smallest(&boxes, &CellSet::EMPTY, player);
        State::new(boxes, player)
    }

    #[inline]
    fn undo_of(&self, _action: PushAction) {}

    /// No push takes back a push: it would have to pull.
    #[inline]
    fn undoes(&self, _action: PushAction, _undo: ()) -> bool {
        false
    }
}

impl<const W: usize, R: MovementRule> Space for PushSpace<W, R> {
    type Rule = R;

    const NAME: &'static str = "pushes";

    fn with_rule(board: &Board, rule: R) -> Self {
        let boxes = fitting(board, board.initial_boxes());
        let adjacency = Adjacency::new(board);
        let shifts = if R::PUSHES_ONE_BY_ONE {
            AnyShifts::new(board)
        } else {
            None
        };
        let player = adjacency.smallest(&boxes, &CellSet::EMPTY, board.initial_player());
        Self {
            goals: fitting(board, board.goals()),
            initial: State::new(boxes, player),
            board: board.clone(),
            adjacency,
            shifts,
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
    fn pushed_box(&self, action: PushAction, state: &State<W>) -> Option<Cell> {
        Some(self.made(action, &state.boxes()).to)
    }

    fn steps(&self, actions: &[PushAction]) -> Vec<Direction> {
        solution::steps_of_pushes(&self.board, &self.rule, actions)
    }
}
