//! Replay of solutions and the brute-force oracle: shares only data types with the solver.

pub mod replay;

pub use replay::{Obstacle, Replay, ReplayError, Stepper, replay};
