//! Names of positions in visited tables: whole states, or their ranks.

use std::fmt::Debug;

use super::Board;
use super::encoding::{State, capacity};
use super::ranking::PositionRanking;
use crate::puzzle::hash::{mix, mix_leading};
use crate::puzzle::{Coding, DenseQuotient, Key, Quotient, WholeOrder};

/// Names a position by the words of its state.
///
/// A state of one word is closed up, the boxes' bits next to those of the player, and its order mixes as many bits as
/// that takes. The order of a wider state mixes the last word, which holds the player, with a sum over the others.
/// Mixing can be undone, so the order and the other words say what the last word is, and it is not
/// kept.
#[derive(Debug, Clone, Copy)]
pub struct WholeStates {
    /// Takes the bits of the boxes to just behind those of the player, which lead.
    closing_up: u32,
    bits: u32,
}

impl WholeStates {
    /// The states of a board.
    #[must_use]
    pub const fn new(board: &Board) -> Self {
        // Only states of one word are closed up.
        let closing_up = capacity(1).saturating_sub(board.floor()) as u32;
        Self {
            closing_up,
            bits: u64::BITS - closing_up,
        }
    }
}

impl Coding<State<1>> for WholeStates {
    type Rest = ();
    type Keep = Quotient;

    #[inline]
    fn key(&self, state: &State<1>) -> Key<()> {
        let ([word], [boxes]) = (state.words(), state.boxes().words());
        let player = word ^ boxes;
        Key {
            order: mix_leading(player | boxes << self.closing_up, self.bits),
            rest: (),
        }
    }

    #[inline]
    fn group(&self, state: &State<1>) -> u64 {
        group_of(state)
    }

    #[inline]
    fn bits(&self) -> u32 {
        self.bits
    }
}

/// Sums up words so that sets of boxes in different words do not cancel out.
#[inline]
fn folded(words: &[u64]) -> u64 {
    let add = |sum: u64, word: &u64| {
        (sum ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    words.iter().fold(0, add)
}

/// Positions with the same boxes belong together: a walk leads from one to another of them.
#[inline]
fn group_of<const W: usize>(state: &State<W>) -> u64 {
    mix(folded(&state.boxes().words()))
}

/// The coding of states of `$width` words, of which all but the last are the rest.
macro_rules! whole_states {
    ($($width:literal: $rest:ty),*) => {$(
        impl Coding<State<$width>> for WholeStates {
            type Rest = $rest;
            type Keep = WholeOrder;

            #[inline]
            fn key(&self, state: &State<$width>) -> Key<$rest> {
                let words = state.words();
                let (last, others) = words.split_last().expect("a state has a word");
                Key {
                    order: mix(last ^ folded(others)),
                    rest: <$rest as Others>::of(others),
                }
            }

            #[inline]
            fn group(&self, state: &State<$width>) -> u64 {
                group_of(state)
            }
        }
    )*};
}

whole_states!(2: [u64; 1], 4: [u64; 3], 16: [u64; 15]);

/// All words of a state but the last.
trait Others: Copy + Eq + Debug {
    fn of(words: &[u64]) -> Self;
}

impl<const N: usize> Others for [u64; N] {
    #[inline]
    fn of(words: &[u64]) -> Self {
        words.try_into().expect("one word less than the state")
    }
}

/// Names a position by its rank, in as many bits as the ranks of the board take.
#[derive(Debug, Clone)]
pub struct Ranks {
    ranking: PositionRanking,
    bits: u32,
}

impl Ranks {
    /// The ranks of a board; `None` if they do not fit in 64 bits.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let ranking = PositionRanking::new(board)?;
        let largest = ranking.ranks() - 1;
        Some(Self {
            bits: (u64::BITS - largest.leading_zeros()).max(1),
            ranking,
        })
    }
}

impl<const W: usize> Coding<State<W>> for Ranks {
    type Rest = ();
    type Keep = DenseQuotient;

    #[inline]
    fn key(&self, state: &State<W>) -> Key<()> {
        let leading = self.ranking.rank(state) << (u64::BITS - self.bits);
        Key {
            order: mix_leading(leading, self.bits),
            rest: (),
        }
    }

    #[inline]
    fn group(&self, state: &State<W>) -> u64 {
        group_of(state)
    }

    #[inline]
    fn bits(&self) -> u32 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::{Ranks, WholeStates};
    use crate::puzzle::{Coding, Key};
    use crate::sokoban::encoding::State;
    use crate::sokoban::moves::MoveSpace;
    use crate::sokoban::testing::{board, explore};
    use std::collections::HashSet;
    use std::hash::Hash;

    /// The number of positions, if all have keys of their own and orders of as many bits as the coding says.
    fn told_apart<const W: usize, K>(rows: &[&str], coding: &K) -> usize
    where
        K: Coding<State<W>>,
        Key<K::Rest>: Hash,
    {
        let mut keys = HashSet::new();
        let unused = u64::BITS - coding.bits();
        let reached = explore(&MoveSpace::<W>::new(&board(rows)), |state, _| {
            let key = coding.key(state);
            assert_eq!(key.order >> unused << unused, key.order);
            assert!(keys.insert(key), "{state:?}");
        });
        assert_eq!(keys.len(), reached.len());
        keys.len()
    }

    #[test]
    fn keys_of_every_width_tell_positions_apart() {
        let small = ["######", "#@ $.#", "# $  #", "#  . #", "######"];
        let whole = WholeStates::new(&board(&small));
        let states = told_apart::<1, _>(&small, &whole);
        assert_eq!(states, told_apart::<2, _>(&small, &whole));
        assert_eq!(states, told_apart::<4, _>(&small, &whole));
        assert_eq!(states, told_apart::<16, _>(&small, &whole));
        let ranks = Ranks::new(&board(&small)).expect("a small board");
        assert_eq!(states, told_apart::<1, _>(&small, &ranks));
        assert_eq!(states, told_apart::<2, _>(&small, &ranks));
    }

    #[test]
    fn ranks_take_as_many_bits_as_the_largest() {
        // 12 cells and 2 boxes: C(12, 2) * 12 = 792 ranks.
        let ranks = Ranks::new(&board(&["######", "#@ $.#", "# $  #", "#  . #", "######"]));
        assert_eq!(ranks.expect("a small board").bits, 10);
    }
}
