//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod choices;
mod columns;
pub mod compose;
pub mod configuration;
pub mod plan;
mod row;
mod rows;
pub mod spec;
pub mod split_mix;
mod wire;

pub use row::Row;
pub use rows::{FieldError, Header, HeaderError, RowsError, parse_rows, read_rows};
