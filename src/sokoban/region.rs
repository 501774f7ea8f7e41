//! Flood fill over free cells: the region that the player can walk without pushing.

use super::encoding::CellSet;
use super::ring::{Ring, rings};
use super::{Board, Cell, Direction};

/// The neighbours of each cell as bit masks, for flood fills that treat all neighbours of a cell at once,
/// and what surrounds each cell, to tell whether a box there can cut a region.
#[derive(Debug, Clone)]
pub struct Adjacency<const W: usize> {
    adjacent: Vec<CellSet<W>>,
    /// The ring of each cell, with the cell itself in place of walls: a box stands there when the ring
    /// is looked at, so walls look occupied without a test of their own.
    rings: Vec<Ring>,
}

/// For each set of free places of a ring: whether its free sides are linked to each other along the ring.
const LINKED: [bool; 256] = {
    let mut linked = [false; 256];
    let mut free = 0;
    while free < linked.len() {
        linked[free] = sides_are_linked(free);
        free += 1;
    }
    linked
};

/// Going around, count the free sides that are not linked to the next side. Each chain of linked sides
/// ends in one such side, and a full circle has none; so with at most one, there is one chain at most.
const fn sides_are_linked(free: usize) -> bool {
    let mut ends = 0;
    let mut side = 0;
    while side < 8 {
        let here = free >> side & 1 == 1;
        let corner = free >> (side + 1) & 1 == 1;
        let next = free >> ((side + 2) % 8) & 1 == 1;
        if here && !(corner && next) {
            ends += 1;
        }
        side += 2;
    }
    ends <= 1
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
        let without_walls = |(cell, ring): (Cell, Ring)| {
            ring.map(|place| if place == Board::WALL { cell } else { place })
        };
        Self {
            adjacent: cells.map(around).collect(),
            rings: (0..).zip(rings(board)).map(without_walls).collect(),
        }
    }

    /// Whether the free cells beside the box on `cell` are linked to each other by the free cells around
    /// it. If they are, any walk over the cell had a way around it: the box cuts nothing in two.
    ///
    /// `false` decides nothing, since there may be a way farther out.
    #[must_use]
    #[inline]
    pub fn cuts_nothing(&self, boxes: &CellSet<W>, cell: Cell) -> bool {
        let places = self.rings[usize::from(cell)].iter().enumerate();
        let free = places.map(|(place, &around)| usize::from(!boxes.contains(around)) << place);
        LINKED[free.sum::<usize>()]
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

    /// Whether all free sides can be reached from the first one by going around the ring either way.
    fn linked_by_walking(free: usize) -> bool {
        let is_free = |place: usize| free >> (place % 8) & 1 == 1;
        let sides: Vec<usize> = [0, 2, 4, 6]
            .into_iter()
            .filter(|&side| is_free(side))
            .collect();
        let Some(&start) = sides.first() else {
            return true;
        };
        let ahead = (0..8)
            .take_while(|step| is_free(start + step))
            .map(|step| (start + step) % 8);
        let back = (0..8)
            .take_while(|step| is_free(start + 8 - step))
            .map(|step| (start + 8 - step) % 8);
        let reached: Vec<usize> = ahead.chain(back).collect();
        sides.iter().all(|side| reached.contains(side))
    }

    #[test]
    fn the_table_of_linked_sides_agrees_with_walking_around() {
        for (free, &linked) in LINKED.iter().enumerate() {
            assert_eq!(linked, linked_by_walking(free), "free places {free:#010b}");
        }
    }

    #[test]
    fn a_box_in_a_corridor_cuts_and_a_box_in_the_open_does_not() {
        let board = board(&[
            "######", "#    #", "# $@.#", "#    #", "## ###", "#    #", "######",
        ]);
        let adjacency = Adjacency::<1>::new(&board);
        let cuts_nothing = |column, row| {
            let cell = board.cell_at(column, row);
            adjacency.cuts_nothing(&CellSet::single(cell), cell)
        };
        assert!(cuts_nothing(2, 2));
        assert!(cuts_nothing(1, 1));
        assert!(!cuts_nothing(2, 4), "the doorway");
    }
}
