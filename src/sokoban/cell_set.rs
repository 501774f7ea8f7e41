//! A set of floor cells as a fixed-width bitset.

use super::Cell;

/// A set of floor cells: bit `c` of the words, counted from the lowest bit of the first word, is cell `c`.
///
/// The width is part of the type, so every operation is a loop of constant length without allocation.
/// `W` must be a power of two.
///
/// Cells given to its methods must be below `64 * W`; [`Board::WALL`](super::Board::WALL) is no cell.
/// Debug builds check this.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> CellSet<W> {
    /// The set without cells.
    pub const EMPTY: Self = Self([0; W]);

    /// The set with these words.
    #[must_use]
    #[inline]
    pub const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    /// The words of the set.
    #[must_use]
    #[inline]
    pub const fn words(&self) -> [u64; W] {
        self.0
    }

    /// The set of just this cell.
    #[must_use]
    #[inline]
    pub const fn single(cell: Cell) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// Index of the word that holds a cell. The mask changes no valid index; it shows the compiler
    /// that the access is in bounds, which saves a branch in the hottest loops.
    #[inline]
    const fn word(cell: Cell) -> usize {
        const { assert!(W.is_power_of_two(), "a width is a power of two") };
        debug_assert!((cell as usize) < 64 * W);
        (cell as usize / 64) & (W - 1)
    }

    /// The bit of a cell within its word.
    #[inline]
    const fn bit(cell: Cell) -> u64 {
        1 << (cell % 64)
    }

    /// Whether the cell is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        self.0[Self::word(cell)] & Self::bit(cell) != 0
    }

    /// Puts the cell in the set.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[Self::word(cell)] |= Self::bit(cell);
    }

    /// Takes the cell out of the set.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[Self::word(cell)] &= !Self::bit(cell);
    }

    /// Number of cells in the set.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set has no cell.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    /// The smallest cell of the set.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(cell_of(word, self.0[word]))
    }

    /// The smallest cell that is not in the set.
    #[must_use]
    #[inline]
    pub fn first_absent(&self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != u64::MAX)?;
        Some(cell_of(word, !self.0[word]))
    }

    /// Takes the smallest cell out of the set.
    #[inline]
    pub fn pop_first(&mut self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let cell = cell_of(word, self.0[word]);
        self.0[word] &= self.0[word] - 1;
        Some(cell)
    }

    /// Cells in this set or in the other.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        self.zip(other, |left, right| left | right)
    }

    /// Cells in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |left, right| left & right)
    }

    /// Cells in this set and not in the other.
    #[must_use]
    #[inline]
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |left, right| left & !right)
    }

    /// The set with every cell replaced by the one `distance`, 0 to 63, after it; what passes the last
    /// word falls out.
    #[must_use]
    #[inline]
    pub fn shifted_up(&self, distance: u32) -> Self {
        debug_assert!(distance < 64);
        Self(std::array::from_fn(|word| {
            // Two shifts, because one of 64 places is not defined.
            let carried = match word {
                0 => 0,
                _ => self.0[word - 1] >> 1 >> (63 - distance),
            };
            self.0[word] << distance | carried
        }))
    }

    /// The set with every cell replaced by the one `distance`, 0 to 63, before it; what passes the first
    /// word falls out.
    #[must_use]
    #[inline]
    pub fn shifted_down(&self, distance: u32) -> Self {
        debug_assert!(distance < 64);
        Self(std::array::from_fn(|word| {
            let carried = match word + 1 {
                next if next == W => 0,
                next => self.0[next] << 1 << (63 - distance),
            };
            self.0[word] >> distance | carried
        }))
    }

    #[inline]
    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, &other) in words.iter_mut().zip(&other.0) {
            *word = combine(*word, other);
        }
        Self(words)
    }

    /// The cells, ascending.
    #[inline]
    pub fn iter(&self) -> Iter<W> {
        Iter {
            rest: self.0,
            word: 0,
        }
    }
}

#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a set has at most 1024 bits, and a cell index 16"
)]
const fn cell_of(word: usize, bits: u64) -> Cell {
    (word * 64) as Cell + bits.trailing_zeros() as Cell
}

impl<const W: usize> Default for CellSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> FromIterator<Cell> for CellSet<W> {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl<const W: usize> IntoIterator for &CellSet<W> {
    type Item = Cell;
    type IntoIter = Iter<W>;

    #[inline]
    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

/// The cells of a [`CellSet`], ascending.
#[derive(Debug, Clone)]
pub struct Iter<const W: usize> {
    rest: [u64; W],
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.word < W {
            let bits = self.rest[self.word];
            if bits != 0 {
                self.rest[self.word] = bits & (bits - 1);
                return Some(cell_of(self.word, bits));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn cells(limit: Cell) -> impl Strategy<Value = BTreeSet<Cell>> {
        proptest::collection::btree_set(0..limit, 0..40)
    }

    fn laws<const W: usize>(left: &BTreeSet<Cell>, right: &BTreeSet<Cell>) {
        let a: CellSet<W> = left.iter().copied().collect();
        let b: CellSet<W> = right.iter().copied().collect();
        let listed = |set: CellSet<W>| set.iter().collect::<Vec<_>>();
        assert_eq!(listed(a), left.iter().copied().collect::<Vec<_>>());
        assert_eq!(
            listed(a.union(&b)),
            left.union(right).copied().collect::<Vec<_>>()
        );
        assert_eq!(
            listed(a.intersection(&b)),
            left.intersection(right).copied().collect::<Vec<_>>()
        );
        assert_eq!(
            listed(a.difference(&b)),
            left.difference(right).copied().collect::<Vec<_>>()
        );
        assert_eq!(a.len(), left.len());
        assert_eq!(a.is_empty(), left.is_empty());
        assert_eq!(a.first(), left.first().copied());
        let limit = 64 * W as Cell;
        for distance in [0, 1, 13, 63] {
            let up = left.iter().map(|cell| cell + distance);
            assert_eq!(
                listed(a.shifted_up(u32::from(distance))),
                up.filter(|&cell| cell < limit).collect::<Vec<_>>()
            );
            let down = left.iter().filter_map(|cell| cell.checked_sub(distance));
            assert_eq!(
                listed(a.shifted_down(u32::from(distance))),
                down.collect::<Vec<_>>()
            );
        }
        assert_eq!(
            a.first_absent(),
            (0..limit).find(|cell| !left.contains(cell))
        );
        assert!((0..limit).all(|cell| a.contains(cell) == left.contains(&cell)));
        let (mut popped, mut rest) = (Vec::new(), a);
        while let Some(cell) = rest.pop_first() {
            popped.push(cell);
        }
        assert_eq!(popped, listed(a));
        let mut removed = a;
        left.iter().for_each(|&cell| removed.remove(cell));
        assert_eq!(removed, CellSet::EMPTY);
    }

    proptest! {
        #[test]
        fn behaves_like_a_set_of_numbers_in_one_word(a in cells(64), b in cells(64)) {
            laws::<1>(&a, &b);
            laws::<4>(&a, &b);
        }

        #[test]
        fn behaves_like_a_set_of_numbers_across_words(a in cells(1024), b in cells(1024)) {
            laws::<16>(&a, &b);
        }
    }

    #[test]
    fn a_full_set_has_no_absent_cell() {
        assert_eq!(CellSet::<2>::from_words([u64::MAX; 2]).first_absent(), None);
        assert_eq!(
            CellSet::<2>::from_words([u64::MAX, 1]).first_absent(),
            Some(65)
        );
    }
}
