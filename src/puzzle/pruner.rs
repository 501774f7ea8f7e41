//! Rejection of successors from which the goal is out of reach.

use super::Puzzle;

/// Position of a rule in the list that [`Pruner::rules`] returns.
pub type RuleIndex = usize;

/// Whether the active rules can remove a state from which the goal could be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// No rule ever removes a solvable state of this puzzle: an exhausted search proves unsolvability.
    Sound,
    /// Not proved: an exhausted search proves nothing.
    Unproved,
}

/// A list of pruning rules over one puzzle.
///
/// The verdict is a pure function of the action and the state it led to, so that a census under
/// pruning counts the same states in every order of visiting.
pub trait Pruner<P: Puzzle>: Sync {
    /// The first rule that rejects `state`, which `action` has just led to; `None` keeps it.
    fn verdict(&self, puzzle: &P, action: P::Action, state: &P::State) -> Option<RuleIndex>;

    /// Whether a rule may reject a state that `action` leads to. Where none does, a search need not ask for
    /// the verdict on each such state.
    fn concerns(&self, _action: P::Action) -> bool {
        true
    }

    /// Names of the active rules, in the order in which they are asked. Where there are none, no verdict is asked for.
    fn rules(&self) -> &[&'static str];

    /// What an exhausted search under these rules proves.
    fn soundness(&self) -> Soundness;
}

/// The null object: nothing is pruned.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPruning;

impl<P: Puzzle> Pruner<P> for NoPruning {
    fn verdict(&self, _puzzle: &P, _action: P::Action, _state: &P::State) -> Option<RuleIndex> {
        None
    }

    #[inline]
    fn concerns(&self, _action: P::Action) -> bool {
        false
    }

    fn rules(&self) -> &[&'static str] {
        &[]
    }

    fn soundness(&self) -> Soundness {
        Soundness::Sound
    }
}
