//! Flood fill over free cells: the region that the player can walk without pushing.

use super::encoding::CellSet;
use super::{Board, Cell, Direction};

/// The neighbours of each cell as bit masks, for flood fills that treat all neighbours of a cell at once.
#[derive(Debug, Clone)]
pub struct Adjacency<const W: usize> {
    adjacent: Vec<CellSet<W>>,
}

impl<const W: usize> Adjacency<W> {
    /// The masks of a board; its floor must fit the width.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let around = |cell: Cell| {
            Direction::ALL
                .into_iter()
                .map(|direction| board.neighbour(cell, direction))
                .filter(|&next| next != Board::WALL)
                .collect()
        };
        let cells = (0..).take(board.floor());
        Self {
            adjacent: cells.map(around).collect(),
        }
    }

    /// All cells that can be walked to from `player` past `boxes`, `player` included.
    ///
    /// Costs one mask operation for each cell of the region; allocates nothing.
    #[must_use]
    #[inline]
    pub fn region(&self, boxes: &CellSet<W>, player: Cell) -> CellSet<W> {
        let mut pending = CellSet::single(player);
        let mut blocked = boxes.union(&pending);
        while let Some(cell) = pending.pop_first() {
            let add = self.adjacent[cell as usize].difference(&blocked);
            blocked = blocked.union(&add);
            pending = pending.union(&add);
        }
        blocked.difference(boxes)
    }

    /// The smallest cell of the region around `player`, of which `known` is a part whose other
    /// neighbours have all been looked at.
    ///
    /// Stops as soon as no smaller free cell exists. The smallest pending cell is always taken first,
    /// which walks straight towards the small cells, so on open boards few cells are looked at.
    #[must_use]
    #[inline]
    pub fn smallest(&self, boxes: &CellSet<W>, known: &CellSet<W>, player: Cell) -> Cell {
        let lowest = boxes.first_absent().unwrap_or(player);
        let mut pending = CellSet::single(player);
        let mut reached = known.union(&pending);
        while !reached.contains(lowest) {
            let Some(cell) = pending.pop_first() else {
                return reached.first().unwrap_or(player);
            };
            let add = self.adjacent[cell as usize]
                .difference(boxes)
                .difference(&reached);
            reached = reached.union(&add);
            pending = pending.union(&add);
        }
        lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::testing::{Xorshift, board, random_boxes, random_rows};

    /// The region by repeated sweeps over all cells until nothing changes.
    fn region_by_sweeps(board: &Board, boxes: &CellSet<4>, player: Cell) -> CellSet<4> {
        let mut region = CellSet::single(player);
        loop {
            let before = region;
            for cell in (0..).take(board.floor()) {
                let touches = Direction::ALL.into_iter().any(|direction| {
                    let next = board.neighbour(cell, direction);
                    next != Board::WALL && before.contains(next)
                });
                if touches && !boxes.contains(cell) {
                    region.insert(cell);
                }
            }
            if region == before {
                return region;
            }
        }
    }

    #[test]
    fn fills_agree_with_repeated_sweeps() {
        let mut random = Xorshift::new(7);
        for _ in 0..200 {
            let board = board(&random_rows(&mut random, (12, 9), 30, 1));
            let adjacency = Adjacency::<4>::new(&board);
            let count = random.below(board.floor() / 2);
            let boxes = random_boxes(&mut random, &board, count);
            let free: Vec<Cell> = (0..)
                .take(board.floor())
                .filter(|&cell| !boxes.contains(cell))
                .collect();
            let player = free[random.below(free.len())];
            let expected = region_by_sweeps(&board, &boxes, player);
            assert_eq!(adjacency.region(&boxes, player), expected);
            let smallest = expected.first().expect("the player's own cell");
            assert_eq!(
                adjacency.smallest(&boxes, &CellSet::EMPTY, player),
                smallest
            );
        }
    }
}
