//! Sokoban: levels, rules, state encoding, move and push spaces, pruning rules, heuristics.
//!
//! Knows no search.

pub mod board;
mod cell_set;
pub mod direction;
pub mod encoding;
pub mod heuristic;
pub mod level;
pub mod moves;
pub mod pruning;
pub mod pushes;
pub mod region;
mod ring;
pub mod rules;
mod solution;
pub mod space;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use board::{Board, BoardError, Cell};
pub use direction::Direction;
pub use level::{Level, Tile};
