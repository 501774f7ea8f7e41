//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod choices;
pub mod compose;
pub mod configuration;
mod row;
mod wire;

pub use row::Row;
