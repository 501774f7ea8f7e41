//! How a visited table names states.

use std::fmt::Debug;
use std::hash::Hash;

use super::hash::{hash_of, mix};

/// The name of a state in a visited table. Equal names mean equal states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key<T> {
    /// Says where in a table the state belongs: states are spread evenly over all 64-bit numbers.
    pub order: u64,
    /// What the order does not say of the state.
    pub rest: T,
}

/// A way to name the states of a puzzle.
///
/// # Guarantees an implementation gives
/// * [`key`](Coding::key) is a pure function of the state, and two states that can be reached have different keys.
/// * The leading bits of orders are well mixed: whatever states a search meets, they fill a table evenly. A table
///   panics where hundreds of states have one order.
pub trait Coding<S>: Sync {
    /// What the order does not say of a state: `()` where it says all.
    type Rest: Copy + Eq + Debug + Send + Sync + 'static;

    /// What a table keeps of each order.
    type Keep: Keep;

    /// The name of a state.
    fn key(&self, state: &S) -> Key<Self::Rest>;

    /// A well-mixed number that says which states belong together where each worker owns a part of the space: states with
    /// the same number have one owner. Few steps should lead from one such group to another, as what they lead to must be
    /// sent to its owner (Y. Jinnai and A. Fukunaga, "On Hash-Based Work Distribution Methods for Parallel Best-First
    /// Search", Journal of Artificial Intelligence Research 60, 2017, on abstraction), and groups should be many.
    #[inline]
    fn group(&self, state: &S) -> u64 {
        mix(self.key(state).order)
    }

    /// Leading bits of the orders that are used, from 1 to 64; the bits after them are zero.
    #[inline]
    fn bits(&self) -> u32 {
        u64::BITS
    }
}

/// What a table keeps of an order, and how full it gets.
pub trait Keep: Debug + Send + Sync + 'static {
    /// Whether only what the place of the state does not tell.
    const QUOTIENT: bool;
    /// Whether little memory matters more than little time.
    const DENSE: bool;
}

/// Tables keep all of an order.
#[derive(Debug, Clone, Copy)]
pub enum WholeOrder {}

impl Keep for WholeOrder {
    const QUOTIENT: bool = false;
    const DENSE: bool = false;
}

/// Tables keep only what the place of the state does not tell of its order.
#[derive(Debug, Clone, Copy)]
pub enum Quotient {}

impl Keep for Quotient {
    const QUOTIENT: bool = true;
    const DENSE: bool = false;
}

/// Like [`Quotient`], and tables are as full as they can be.
#[derive(Debug, Clone, Copy)]
pub enum DenseQuotient {}

impl Keep for DenseQuotient {
    const QUOTIENT: bool = true;
    const DENSE: bool = true;
}

/// Names any state that can be hashed by its hash and itself. A coding of the puzzle's own takes 8 bytes a
/// state less.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hashed;

impl<S: Copy + Eq + Hash + Debug + Send + Sync + 'static> Coding<S> for Hashed {
    type Rest = S;
    type Keep = WholeOrder;

    #[inline]
    fn key(&self, state: &S) -> Key<S> {
        Key {
            order: hash_of(state),
            rest: *state,
        }
    }
}
