//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod compose;
pub mod configuration;
mod row;

pub use row::Row;
