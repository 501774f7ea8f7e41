//! Sokoban: levels, rules, state encoding, move and push spaces, pruning rules, heuristics.
//!
//! Knows no search.

pub mod board;
pub mod check;
pub mod collection;
pub mod dead_squares;
pub mod direction;
pub mod finding;
pub mod level;
pub mod lurd;
pub mod run_length;
pub mod selection;

pub use board::{Board, BoardError, Cell};
pub use direction::Direction;
pub use level::{Level, Tile};
