//! Steps of whole sets of cells, by shifting words.

use super::encoding::CellSet;
use super::{Board, Cell, Direction};

/// Moves whole sets of cells one step at once, and fills regions this way.
///
/// Cells are numbered by rows, so the neighbour on the right of a cell is the next one, and the neighbour
/// below lies as many cells ahead as there is floor in between. Below an unbroken stretch of floor
/// that number is the same for all its cells, so a board has few different ones, and each of them
/// costs a mask and a shift.
#[derive(Debug, Clone)]
pub(super) struct Shifts<const W: usize, const N: usize> {
    floor: CellSet<W>,
    /// Cells with floor on their left.
    right: CellSet<W>,
    /// Cells with floor on their right.
    left: CellSet<W>,
    strides: [Stride<W>; N],
}

/// Cells that have their neighbour below at the same distance in the numbering.
#[derive(Debug, Clone, Copy, Default)]
struct Stride<const W: usize> {
    distance: u32,
    upper: CellSet<W>,
    /// The neighbours below.
    lower: CellSet<W>,
}

impl<const W: usize, const N: usize> Shifts<W, N> {
    /// The shifts of a board with at most `N` strides; its floor must fit the width.
    fn new(board: &Board, strides: &[Stride<W>]) -> Self {
        let cells = || (0..).take(board.floor());
        let with = |direction| -> CellSet<W> {
            let has_floor = |cell: &Cell| board.neighbour(*cell, direction) != Board::WALL;
            cells().filter(has_floor).collect()
        };
        Self {
            floor: cells().collect(),
            right: with(Direction::Left),
            left: with(Direction::Right),
            strides: std::array::from_fn(|index| strides.get(index).copied().unwrap_or_default()),
        }
    }

    /// All floor cells that are not in `boxes`.
    #[inline]
    pub(super) fn free(&self, boxes: &CellSet<W>) -> CellSet<W> {
        self.floor.difference(boxes)
    }

    /// The floor cells to the left of `cells`.
    #[inline]
    pub(super) fn left_of(&self, cells: &CellSet<W>) -> CellSet<W> {
        cells.shifted_down(1).intersection(&self.left)
    }

    /// The floor cells to the right of `cells`.
    #[inline]
    pub(super) fn right_of(&self, cells: &CellSet<W>) -> CellSet<W> {
        cells.shifted_up(1).intersection(&self.right)
    }

    /// The floor cells above `cells`.
    #[inline]
    pub(super) fn above(&self, cells: &CellSet<W>) -> CellSet<W> {
        let mut reached = CellSet::EMPTY;
        for stride in &self.strides {
            let up = cells.shifted_down(stride.distance);
            reached = reached.union(&up.intersection(&stride.upper));
        }
        reached
    }

    /// The floor cells below `cells`.
    #[inline]
    pub(super) fn below(&self, cells: &CellSet<W>) -> CellSet<W> {
        let mut reached = CellSet::EMPTY;
        for stride in &self.strides {
            let down = cells.shifted_up(stride.distance);
            reached = reached.union(&down.intersection(&stride.lower));
        }
        reached
    }

    /// The cells of `free` that can be walked to from `start` through cells of `free`. Stops early when
    /// the region is known to hold `enough`.
    ///
    /// Costs some 5 word operations for each different distance of neighbours and each step of the
    /// longest walk.
    #[inline]
    pub(super) fn fill(&self, free: &CellSet<W>, start: Cell, enough: &CellSet<W>) -> CellSet<W> {
        let mut reached = CellSet::single(start);
        loop {
            let next = self.grown(&self.grown(&reached, free), free);
            if next == reached || !next.intersection(enough).is_empty() {
                return next;
            }
            reached = next;
        }
    }

    /// The set and all its neighbours in `free`.
    #[inline]
    fn grown(&self, cells: &CellSet<W>, free: &CellSet<W>) -> CellSet<W> {
        let mut around = self.left_of(cells).union(&self.right_of(cells));
        for stride in &self.strides {
            let up = cells.shifted_down(stride.distance);
            let down = cells.shifted_up(stride.distance);
            around = around
                .union(&up.intersection(&stride.upper))
                .union(&down.intersection(&stride.lower));
        }
        cells.union(&around.intersection(free))
    }
}

/// The shifts of a board, compiled for several numbers of strides, so that the loops over them are unrolled.
#[derive(Debug, Clone)]
pub(super) enum AnyShifts<const W: usize> {
    /// Neighbours at one distance, as in a room.
    One(Shifts<W, 1>),
    /// At two distances.
    Two(Shifts<W, 2>),
    /// At three or four.
    Four(Shifts<W, 4>),
    /// At five to eight.
    Eight(Shifts<W, 8>),
}

impl<const W: usize> AnyShifts<W> {
    /// The shifts of a board; its floor must fit the width.
    ///
    /// `None` if the board has more than 8 strides, when going from cell to cell is not slower, or one of 64 and
    /// more, which a shift between neighbouring words does not span.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let strides = strides(board);
        if strides.iter().any(|stride| stride.distance >= 64) {
            return None;
        }
        match strides.len() {
            0 | 1 => Some(Self::One(Shifts::new(board, &strides))),
            2 => Some(Self::Two(Shifts::new(board, &strides))),
            3 | 4 => Some(Self::Four(Shifts::new(board, &strides))),
            5..=8 => Some(Self::Eight(Shifts::new(board, &strides))),
            _ => None,
        }
    }
}

/// The strides of a board, one for each distance between a cell and the cell below.
fn strides<const W: usize>(board: &Board) -> Vec<Stride<W>> {
    let mut strides: Vec<Stride<W>> = Vec::new();
    for upper in (0..).take(board.floor()) {
        let lower = board.neighbour(upper, Direction::Down);
        if lower == Board::WALL {
            continue;
        }
        let distance = u32::from(lower - upper);
        let known = strides.iter().position(|it| it.distance == distance);
        let index = known.unwrap_or(strides.len());
        if known.is_none() {
            strides.push(Stride {
                distance,
                ..Stride::default()
            });
        }
        strides[index].upper.insert(upper);
        strides[index].lower.insert(lower);
    }
    strides
}
