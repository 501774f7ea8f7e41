//! How a visited table names states.

use std::fmt::Debug;
use std::hash::Hash;

use super::hash::hash_of;

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
/// * Orders are well mixed, in their leading bits and in the others that are used: whatever states a search
///   meets, they fill a table evenly. A table gives up where more than a few dozen states have one order.
pub trait Coding<S>: Sync {
    /// What the order does not say of a state: `()` where it says all.
    type Rest: Copy + Eq + Debug + Send + Sync + 'static;

    /// What a table keeps of each order.
    type Keep: Keep;

    /// The name of a state.
    fn key(&self, state: &S) -> Key<Self::Rest>;

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
