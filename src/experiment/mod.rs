//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod choices;
mod columns;
pub mod compose;
pub mod configuration;
mod order;
mod process;
mod row;
mod rows;
mod usage;
mod wire;
pub mod worker;

pub use row::Row;
pub use rows::{FieldError, Header, HeaderError, RowsError, parse_rows, read_rows};
