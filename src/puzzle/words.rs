//! States grouped in words of 64 bits, so that a search can advance many of them at once.

use super::Puzzle;

/// Where a state stands: a bit of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Number of the word, below [`Words::words`].
    pub word: usize,
    /// Number of the bit, below 64.
    pub bit: u32,
}

/// A step that may have led to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predecessor<S, A> {
    /// The step.
    pub action: A,
    /// The state before it.
    pub state: S,
    /// The step back, from the later state to the earlier one, if there is one.
    pub back: Option<A>,
}

/// Takes in what [`Words::advance`] finds.
pub trait Steps<P: Puzzle> {
    /// One step for each of `bits`: `action` leads to these states of the word that is advanced, each from
    /// another state.
    fn within(&mut self, action: P::Action, bits: u64);

    /// One step: `action` leads to `state`, which stands in any word.
    fn across(&mut self, action: P::Action, state: P::State);
}

/// A numbering of the states of a puzzle by words and bits, under which many steps are one operation on a
/// word.
///
/// It pays where most steps stay within their word, as the steps of a player between boxes do.
///
/// # Guarantees an implementation gives
/// * Every state that can be reached has a place, no two of them the same one, and
///   [`state`](Words::state) inverts [`place`](Words::place).
/// * [`advance`](Words::advance) gives exactly the steps of [`Puzzle::successors`], for each of the states
///   given, in any order.
/// * [`predecessors`](Words::predecessors) gives every step that leads to the state, from whatever state,
///   and [`Predecessor::back`] is a legal step of the later state to the earlier one.
pub trait Words<P: Puzzle>: Sync {
    /// Remembers where the last word stood, so that a word soon after it is decoded fast.
    type Cursor: Default + Send;

    /// Number of words.
    fn words(&self) -> usize;

    /// Where a state stands.
    fn place(&self, state: &P::State) -> Place;

    /// The state at a place where one stands.
    fn state(&self, place: Place) -> P::State;

    /// The bits of a word that stand for solved states; others may be set where no state stands.
    fn goals(&self, word: usize) -> u64;

    /// All steps of the states at `bits` of a word.
    fn advance(&self, cursor: &mut Self::Cursor, word: usize, bits: u64, out: &mut impl Steps<P>);

    /// Appends all steps that lead to a state.
    fn predecessors(&self, state: &P::State, out: &mut Vec<Predecessor<P::State, P::Action>>);
}
