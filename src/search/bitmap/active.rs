//! Which words wait in a layer.

/// Words of a leaf, and leaves of a branch.
const FAN: usize = 64;

/// A set of numbers that is filled in any order and emptied in ascending order: a bit for each number, and
/// a bit for each 64 of these, so that a few numbers among many are found fast.
#[derive(Debug, Default)]
pub(super) struct ActiveWords {
    /// A bit for each word.
    leaves: Vec<u64>,
    /// A bit for each leaf that is not empty.
    branches: Vec<u64>,
    /// No branch before this one has a bit.
    next: usize,
}

impl ActiveWords {
    /// An empty set of numbers below `words`.
    pub(super) fn new(words: usize) -> Self {
        let leaves = words.div_ceil(FAN);
        Self {
            leaves: vec![0; leaves],
            branches: vec![0; leaves.div_ceil(FAN)],
            next: 0,
        }
    }

    /// Bytes of a set of numbers below `words`.
    pub(super) const fn bytes(words: usize) -> usize {
        let leaves = words.div_ceil(FAN);
        (leaves + leaves.div_ceil(FAN)) * size_of::<u64>()
    }

    /// Adds `word` if `wanted`; without a branch, because whether a word is wanted is hard to predict.
    #[inline]
    pub(super) fn insert_if(&mut self, word: usize, wanted: bool) {
        let leaf = word / FAN;
        self.leaves[leaf] |= u64::from(wanted) << (word % FAN);
        self.branches[leaf / FAN] |= u64::from(wanted) << (leaf % FAN);
    }

    /// Takes all numbers of the first leaf that has any: its first number, and a bit for each of the 64
    /// numbers from there.
    #[inline]
    pub(super) fn take_leaf(&mut self) -> Option<(usize, u64)> {
        while let Some(branch) = self.branches.get_mut(self.next) {
            if *branch == 0 {
                self.next += 1;
                continue;
            }
            let leaf = self.next * FAN + branch.trailing_zeros() as usize;
            *branch &= *branch - 1;
            return Some((leaf * FAN, std::mem::take(&mut self.leaves[leaf])));
        }
        None
    }

    /// Puts numbers back into the leaf that was taken last.
    #[inline]
    pub(super) fn put_back(&mut self, first: usize, bits: u64) {
        let leaf = first / FAN;
        self.leaves[leaf] = bits;
        self.branches[leaf / FAN] |= u64::from(bits != 0) << (leaf % FAN);
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.branches[self.next..].iter().all(|branch| *branch == 0)
    }

    /// Makes a set that was emptied, and filled again since, ready to be emptied once more.
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }
}
