//! States as numbers.

/// A numbering of the states of a puzzle.
///
/// # Guarantees an implementation gives
/// * Every state that can be reached has a rank below [`ranks`](Ranking::ranks), and no two of them the same one.
/// * [`rank`](Ranking::rank) is a pure function of the state.
///
/// Not every number below the limit need be the rank of a state that can be reached.
pub trait Ranking<S>: Sync {
    /// One more than the largest rank that a state can have.
    fn ranks(&self) -> u64;

    /// The rank of a state that can be reached.
    fn rank(&self, state: &S) -> u64;
}
