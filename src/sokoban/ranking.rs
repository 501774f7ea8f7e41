//! Numbers of positions: the rank of the box set, then the player's cell.
//!
//! The sets of `k` cells are numbered in colexicographic order by the combinatorial number system: the set
//! of the cells `c_1 < .. < c_k` has the rank `C(c_1, 1) + .. + C(c_k, k)`, and each number below `C(n, k)`
//! is the rank of one set (D. E. Knuth, "The Art of Computer Programming", volume 4A, section 7.2.1.3,
//! theorem L).

use super::encoding::{CellSet, State};
use super::{Board, Cell};

/// Ranks of the sets of `k` of `n` cells.
///
/// Holds `n * k` binomials. A rank takes one look-up for each cell of the set.
#[derive(Debug, Clone)]
pub struct BoxSets {
    /// Number of sets.
    count: u64,
    cells: usize,
    /// For each position in the set, from 0, a row with the term of each cell there.
    terms: Box<[u64]>,
    boxes: usize,
}

impl BoxSets {
    /// The sets of `boxes` of `cells` cells; `None` if they are 2^64 or more.
    ///
    /// # Panics
    /// If there are no boxes, or more than cells.
    #[must_use]
    pub fn new(cells: usize, boxes: usize) -> Option<Self> {
        assert!(
            (1..=cells).contains(&boxes),
            "{boxes} boxes on {cells} cells"
        );
        let count = binomial(cells, boxes)?;
        // A term that does not fit exceeds the number of sets, so no set has that cell at that position.
        let term = |position: usize, cell: usize| binomial(cell, position + 1).unwrap_or(u64::MAX);
        let terms = (0..boxes)
            .flat_map(|position| (0..cells).map(move |cell| term(position, cell)))
            .collect();
        Some(Self {
            count,
            cells,
            terms,
            boxes,
        })
    }

    /// Number of sets.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Cells of a set.
    #[must_use]
    pub const fn boxes(&self) -> usize {
        self.boxes
    }

    /// The rank of a set.
    #[must_use]
    #[inline]
    pub fn rank<const W: usize>(&self, set: &CellSet<W>) -> u64 {
        let rows = self.terms.chunks_exact(self.cells);
        rows.zip(set)
            .map(|(row, cell)| row[usize::from(cell)])
            .sum()
    }

    /// The cells of the set with this rank, descending, found greedily: the largest cell whose term does
    /// not exceed what is left.
    pub fn descending(&self, mut rank: u64) -> impl Iterator<Item = (Cell, u64)> + '_ {
        let rows = self.terms.chunks_exact(self.cells).rev();
        rows.map(move |row| {
            let cell = row.partition_point(|&term| term <= rank) - 1;
            rank -= row[cell];
            let name = Cell::try_from(cell).expect("cells are numbered by 16 bits");
            (name, row[cell])
        })
    }
}

/// `n` over `k`; `None` if it is 2^64 or more.
///
/// The product grows from one binomial to the next, so each division is exact, and because every
/// intermediate value is a binomial below the result (for `k` at most half of `n`), 128 bits hold the products.
fn binomial(n: usize, k: usize) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    (0..k).try_fold(1_u64, |value, taken| {
        let product = u128::from(value) * (n - taken) as u128;
        u64::try_from(product / (taken as u128 + 1)).ok()
    })
}

/// Ranks of the positions of a board, in either space: the rank of the box set times the number of floor
/// cells, plus the player's cell.
#[derive(Debug, Clone)]
pub struct PositionRanking {
    boxes: BoxSets,
    floor: u64,
    ranks: u64,
}

impl PositionRanking {
    /// The ranking of a board; `None` if its ranks do not fit in 64 bits.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let boxes = BoxSets::new(board.floor(), board.initial_boxes().len())?;
        let floor = board.floor() as u64;
        let ranks = boxes.count().checked_mul(floor)?;
        Some(Self {
            boxes,
            floor,
            ranks,
        })
    }

    /// One more than the largest rank that a position can have. Not every number below is the rank of one that
    /// can be reached.
    #[must_use]
    pub const fn ranks(&self) -> u64 {
        self.ranks
    }

    /// The rank of a position: no other position of the board has the same one.
    #[must_use]
    #[inline]
    pub fn rank<const W: usize>(&self, state: &State<W>) -> u64 {
        self.boxes.rank(&state.boxes()) * self.floor + u64::from(state.player())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sokoban::moves::MoveSpace;
    use crate::sokoban::testing::{board, explore};
    use std::collections::HashSet;

    fn set<const W: usize>(cells: &[Cell]) -> CellSet<W> {
        cells.iter().copied().collect()
    }

    #[test]
    fn sets_of_three_come_in_colexicographic_order() {
        // Knuth's list of the 3-combinations of 6 things, read as numbers of the combinatorial system.
        let order: [[Cell; 3]; 20] = [
            [0, 1, 2],
            [0, 1, 3],
            [0, 2, 3],
            [1, 2, 3],
            [0, 1, 4],
            [0, 2, 4],
            [1, 2, 4],
            [0, 3, 4],
            [1, 3, 4],
            [2, 3, 4],
            [0, 1, 5],
            [0, 2, 5],
            [1, 2, 5],
            [0, 3, 5],
            [1, 3, 5],
            [2, 3, 5],
            [0, 4, 5],
            [1, 4, 5],
            [2, 4, 5],
            [3, 4, 5],
        ];
        let sets = BoxSets::new(6, 3).expect("twenty fit in 64 bits");
        assert_eq!(sets.count(), 20);
        for (rank, cells) in (0..).zip(&order) {
            assert_eq!(sets.rank(&set::<1>(cells)), rank, "{cells:?}");
        }
    }

    #[test]
    fn the_largest_numbers_of_sets_are_exact() {
        // Central binomials: the last one below 2^64, and the first one above.
        assert_eq!(binomial(67, 33), Some(14_226_520_737_620_288_370));
        assert_eq!(binomial(68, 34), None);
        assert_eq!(binomial(36, 5), Some(376_992));
        assert_eq!(binomial(5, 6), Some(0));
        assert_eq!(binomial(5, 0), Some(1));
    }

    #[test]
    fn a_space_too_large_for_64_bits_has_no_ranking() {
        assert!(BoxSets::new(1014, 30).is_none());
        assert!(BoxSets::new(67, 33).is_some());
    }

    fn is_inverted<const W: usize>(cells: &[Cell], floor: usize) {
        let sets = BoxSets::new(floor, cells.len()).expect("small enough");
        let rank = sets.rank(&set::<W>(cells));
        assert!(rank < sets.count());
        let mut found: Vec<Cell> = sets.descending(rank).map(|(cell, _)| cell).collect();
        found.reverse();
        assert_eq!(found, cells);
    }

    proptest! {
        #[test]
        fn the_set_of_a_rank_is_found(cells in proptest::collection::btree_set(0..64_u16, 1..12)) {
            let cells: Vec<Cell> = cells.into_iter().collect();
            is_inverted::<1>(&cells, 64);
            is_inverted::<4>(&cells, 200);
        }

        #[test]
        fn every_number_is_the_rank_of_a_set(rank in 0..376_992_u64) {
            let sets = BoxSets::new(36, 5).expect("small enough");
            let set: CellSet<1> = sets.descending(rank).map(|(cell, _)| cell).collect();
            prop_assert_eq!((sets.rank(&set), set.len()), (rank, 5));
        }
    }

    #[test]
    fn positions_that_can_be_reached_have_ranks_of_their_own() {
        let board = board(&["######", "#@ $.#", "# $  #", "#  . #", "######"]);
        let ranking = PositionRanking::new(&board).expect("a small board");
        let mut ranks = HashSet::new();
        let reached = explore(&MoveSpace::<1>::new(&board), |state, _| {
            assert!(ranking.ranks() > ranking.rank(state));
            assert!(ranks.insert(ranking.rank(state)), "{state:?}");
        });
        assert_eq!(ranks.len(), reached.len());
    }
}
