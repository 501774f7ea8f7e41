//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

mod columns;
pub mod compose;
pub mod configuration;
mod row;
mod rows;

pub use row::Row;
pub use rows::{FieldError, Header, HeaderError, RowsError, parse_rows, read_rows};
