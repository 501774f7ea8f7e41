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

    /// The steps between the cells of `free`.
    #[inline]
    pub(super) fn within(&self, free: &CellSet<W>) -> Steps<W, N> {
        Steps {
            left: self.left.intersection(free),
            right: self.right.intersection(free),
            strides: self.strides.map(|stride| Stride {
                upper: stride.upper.intersection(free),
                lower: stride.lower.intersection(free),
                ..stride
            }),
        }
    }
}

/// Steps between free cells only, to fill regions with.
#[derive(Debug)]
pub(super) struct Steps<const W: usize, const N: usize> {
    left: CellSet<W>,
    right: CellSet<W>,
    strides: [Stride<W>; N],
}

impl<const W: usize, const N: usize> Steps<W, N> {
    /// The set and all free neighbours of its cells.
    #[inline]
    pub(super) fn grown(&self, cells: &CellSet<W>) -> CellSet<W> {
        let left = cells.shifted_down(1).intersection(&self.left);
        let right = cells.shifted_up(1).intersection(&self.right);
        let mut around = left.union(&right);
        for stride in &self.strides {
            let up = cells.shifted_down(stride.distance);
            let down = cells.shifted_up(stride.distance);
            let both = up
                .intersection(&stride.upper)
                .union(&down.intersection(&stride.lower));
            around = around.union(&both);
        }
        cells.union(&around)
    }

    /// The cells that can be walked to from `start`. Stops early when it meets a cell of `goal`.
    ///
    /// Costs some 5 word operations for each stride and each step of the longest walk.
    #[inline]
    pub(super) fn fill(&self, start: Cell, goal: &CellSet<W>) -> CellSet<W> {
        let mut reached = CellSet::single(start);
        loop {
            let next = self.grown(&self.grown(&reached));
            if next == reached || !next.intersection(goal).is_empty() {
                return next;
            }
            reached = next;
        }
    }

    /// The cells that can be walked to from `start`, and what was reached on the way.
    #[inline]
    pub(super) fn region(&self, start: Cell) -> Region<W> {
        let mut reached = CellSet::single(start);
        let mut earlier = [CellSet::from_words([u64::MAX; W]); SNAPSHOTS];
        let mut round = 0;
        loop {
            earlier[round % SNAPSHOTS] = reached;
            let next = self.grown(&self.grown(&reached));
            if next == reached {
                return Region {
                    cells: next,
                    earlier,
                };
            }
            reached = next;
            round = (round + 1).min(SNAPSHOTS - 1);
        }
    }
}

/// Snapshots of a fill that are kept: one every two steps, so walks of 16 steps are covered.
const SNAPSHOTS: usize = 8;

/// The cells that can be walked to from one of them, the start, with a memory of how they were reached.
#[derive(Debug)]
pub(super) struct Region<const W: usize> {
    /// All cells of the region.
    pub(super) cells: CellSet<W>,
    /// What was reached after growing numbers of steps; all cells for want of more snapshots.
    earlier: [CellSet<W>; SNAPSHOTS],
}

impl<const W: usize> Region<W> {
    /// Cells that are linked to the start by walks which do not pass `cell`; the start is among them, if it
    /// is another one.
    ///
    /// These are cells reached before `cell` was: a shortest walk to them does not pass it.
    #[inline]
    pub(super) fn before(&self, cell: Cell) -> CellSet<W> {
        let mut before = CellSet::EMPTY;
        for earlier in &self.earlier {
            if !earlier.contains(cell) {
                before = *earlier;
            }
        }
        before
    }
}

/// The shifts of a board, compiled for several numbers of strides, so that the loops over them are
/// unrolled.
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
    /// `None` where going from cell to cell was measured to be faster: with more than two words, with two words
    /// and more than two strides, or with more than eight. Also if a stride is of 64 cells or more,
    /// which a shift between neighbouring words does not span.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let most = match W {
            1 => 8,
            2 => 2,
            _ => return None,
        };
        let strides = strides(board);
        if strides.len() > most || strides.iter().any(|stride| stride.distance >= 64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::testing::{Xorshift, board, random_boxes, random_rows};

    fn one_step(board: &Board, cells: &CellSet<1>, direction: Direction) -> CellSet<1> {
        cells
            .iter()
            .map(|cell| board.neighbour(cell, direction))
            .filter(|&next| next != Board::WALL)
            .collect()
    }

    #[test]
    fn whole_sets_step_like_each_of_their_cells() {
        let mut random = Xorshift::new(41);
        for _ in 0..200 {
            let board = board(&random_rows(&mut random, (7, 7), 25, 1));
            let shifts = Shifts::<1, 16>::new(&board, &strides(&board));
            let count = random.below(board.floor());
            let cells = random_boxes(&mut random, &board, count);
            let stepped = [
                shifts.left_of(&cells),
                shifts.above(&cells),
                shifts.right_of(&cells),
                shifts.below(&cells),
            ];
            for (set, direction) in stepped.into_iter().zip(Direction::ALL) {
                assert_eq!(set, one_step(&board, &cells, direction), "{direction:?}");
            }
        }
    }

    #[test]
    fn a_room_has_one_stride_and_a_wall_in_it_adds_some() {
        let room = board(&["#####", "#@$.#", "#   #", "#   #", "#####"]);
        assert!(matches!(
            AnyShifts::<1>::new(&room),
            Some(AnyShifts::One(_))
        ));
        // Below cell 0 lies cell 3, but only two cells are in the row of cell 3 and in that below it.
        let narrowed = board(&["#####", "#@$.#", "#  ##", "#  ##", "#####"]);
        assert!(matches!(
            AnyShifts::<1>::new(&narrowed),
            Some(AnyShifts::Two(_))
        ));
    }

    #[test]
    fn what_was_reached_before_a_cell_does_not_depend_on_it() {
        let mut random = Xorshift::new(43);
        for _ in 0..200 {
            let board = board(&random_rows(&mut random, (7, 7), 25, 1));
            let shifts = Shifts::<1, 16>::new(&board, &strides(&board));
            let count = random.below(board.floor() / 2);
            let free = shifts.free(&random_boxes(&mut random, &board, count));
            let start = free.first().expect("half of the floor is free");
            let region = shifts.within(&free).region(start);
            for cell in region.cells.iter().filter(|&cell| cell != start) {
                let without = free.difference(&CellSet::single(cell));
                let linked = shifts.within(&without).fill(start, &CellSet::EMPTY);
                let before = region.before(cell);
                assert!(before.contains(start));
                assert!(before.difference(&linked).is_empty(), "before {cell}");
            }
        }
    }
}
