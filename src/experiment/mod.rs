//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod choices;
pub mod compose;
pub mod configuration;
pub mod plan;
mod row;
pub mod spec;
pub mod split_mix;
mod wire;

pub use row::Row;
