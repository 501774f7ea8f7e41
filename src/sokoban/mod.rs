//! Sokoban: levels, rules, state encoding, move and push spaces, pruning rules, heuristics.
//!
//! Knows no search.

pub mod board;
mod cell_set;
pub mod check;
pub mod coding;
pub mod collection;
pub mod dead_squares;
pub mod direction;
pub mod encoding;
pub mod finding;
pub mod heuristic;
pub mod level;
pub mod lurd;
pub mod moves;
pub mod pruning;
mod push_sets;
pub mod pushes;
pub mod ranking;
pub mod region;
mod ring;
pub mod rules;
pub mod run_length;
pub mod selection;
mod shifts;
mod solution;
pub mod space;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod words;

pub use board::{Board, BoardError, Cell};
pub use direction::Direction;
pub use level::{Level, Tile};
