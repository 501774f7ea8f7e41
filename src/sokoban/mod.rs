//! Sokoban: levels, rules, state encoding, move and push spaces, pruning rules, heuristics.
//!
//! Knows no search.

pub mod board;
pub mod direction;
pub mod level;

pub use board::{Board, BoardError, Cell};
pub use direction::Direction;
pub use level::{Level, Tile};
