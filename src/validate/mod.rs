//! Replay of solutions and the brute-force oracle: shares only data types with the solver.

pub mod oracle;
pub mod replay;

pub use oracle::{Census, CostSpace, Optimum, OracleError, census, optimum};
pub use replay::{Obstacle, Replay, ReplayError, Stepper, replay};
