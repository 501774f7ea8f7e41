//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

mod row;

pub use row::Row;
