//! The packed state: which floor cells hold a box, and where the player is.
//!
//! A state of `W` words holds a bit for each floor cell, and in the top bits of the last word the
//! index of the player's cell. The index takes `log2(64 * W)` bits, so that it can name any bit of the
//! state; what is left is the capacity for floor:
//!
//! | words | player bits | floor cells at most |
//! |---|---|---|
//! | 1 | 6 | 58 |
//! | 2 | 7 | 121 |
//! | 4 | 8 | 248 |
//! | 16 | 10 | 1014 |
//!
//! The width is a constant of the type: a small board pays nothing for the existence of large ones.

use std::hash::{Hash, Hasher};

pub use super::cell_set::CellSet;
use super::{Board, Cell};

/// The widths in words for which boards are searched, ascending.
///
/// Every engine is compiled once for each width, so there are only as many as pay: 8 words would serve boards
/// of 249 to 504 cells, of which public collections have few and none that plain search can exhaust.
pub const WIDTHS: [usize; 4] = [1, 2, 4, 16];

/// Floor cells that a state of `words` words has room for.
///
/// # Panics
/// If `words` is 0.
#[must_use]
pub const fn capacity(words: usize) -> usize {
    64 * words - (64 * words).ilog2() as usize
}

/// The narrowest of [`WIDTHS`] that holds `floor` cells; `None` above 1014.
#[must_use]
pub fn words_for(floor: usize) -> Option<usize> {
    WIDTHS.into_iter().find(|&words| floor <= capacity(words))
}

/// A position: the set of box cells and one player cell, in `W` words.
///
/// In the space of moves the player cell is where the player stands; in the space of pushes it is the
/// smallest cell of the region that the player can walk.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct State<const W: usize>([u64; W]);

impl<const W: usize> State<W> {
    /// Position of the player's bits in the last word.
    const PLAYER_SHIFT: u32 = {
        assert!(
            W.is_power_of_two() && W <= 16,
            "a state has 1, 2, 4, 8 or 16 words"
        );
        64 - (64 * W).ilog2()
    };
    /// The bits of the last word that stand for floor cells.
    const LAST_BOXES: u64 = (1 << Self::PLAYER_SHIFT) - 1;

    /// Packs boxes and player. Both must be below [`capacity`]; debug builds check this.
    #[must_use]
    #[inline]
    pub const fn new(boxes: CellSet<W>, player: Cell) -> Self {
        let mut words = boxes.words();
        debug_assert!(words[W - 1] & !Self::LAST_BOXES == 0);
        debug_assert!((player as usize) < capacity(W));
        words[W - 1] |= (player as u64) << Self::PLAYER_SHIFT;
        Self(words)
    }

    /// The cells that hold a box.
    #[must_use]
    #[inline]
    pub const fn boxes(&self) -> CellSet<W> {
        let mut words = self.0;
        words[W - 1] &= Self::LAST_BOXES;
        CellSet::from_words(words)
    }

    /// The player's cell.
    #[must_use]
    #[inline]
    pub const fn player(&self) -> Cell {
        (self.0[W - 1] >> Self::PLAYER_SHIFT) as Cell
    }

    /// The packed words.
    #[must_use]
    #[inline]
    pub const fn words(&self) -> [u64; W] {
        self.0
    }
}

impl<const W: usize> Hash for State<W> {
    /// Feeds the words one by one. All states of a table have the same width, so the length prefix
    /// that an array would write carries nothing.
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

/// The cells as a set.
///
/// # Panics
/// If the board has more floor than a state of `W` words holds; see [`words_for`].
#[must_use]
pub(super) fn fitting<const W: usize>(board: &Board, cells: &[Cell]) -> CellSet<W> {
    assert!(
        board.floor() <= capacity(W),
        "{} floor cells do not fit in a state of {W} words; words_for names the width",
        board.floor()
    );
    cells.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::board::MAX_FLOOR;

    #[test]
    fn widths_change_where_the_player_bits_begin() {
        let cases = [
            (1, 1),
            (58, 1),
            (59, 2),
            (121, 2),
            (122, 4),
            (248, 4),
            (249, 16),
            (1014, 16),
        ];
        for (floor, words) in cases {
            assert_eq!(words_for(floor), Some(words), "{floor} floor cells");
        }
        assert_eq!(words_for(1015), None);
        assert_eq!(words_for(MAX_FLOOR), Some(16));
    }

    fn round_trip<const W: usize>() {
        assert_eq!(size_of::<State<W>>(), 8 * W);
        let last = Cell::try_from(capacity(W) - 1).expect("capacities are small");
        let full: CellSet<W> = (0..=last).collect();
        for boxes in [
            CellSet::EMPTY,
            full,
            CellSet::single(last),
            CellSet::single(0),
        ] {
            for player in 0..=last {
                let state = State::new(boxes, player);
                assert_eq!((state.boxes(), state.player()), (boxes, player));
            }
        }
    }

    #[test]
    fn every_player_cell_and_the_fullest_box_set_come_back() {
        round_trip::<1>();
        round_trip::<2>();
        round_trip::<4>();
        round_trip::<16>();
    }

    #[test]
    fn states_differ_when_player_or_boxes_differ() {
        let state = State::<1>::new(CellSet::single(3), 4);
        assert_ne!(state, State::new(CellSet::single(3), 5));
        assert_ne!(state, State::new(CellSet::single(2), 4));
        assert_eq!(state.words(), [1 << 3 | 4 << 58]);
    }
}
