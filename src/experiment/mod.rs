//! From an experiment file to measured rows: spec, plan, isolation, measuring, recording.

pub mod choices;
pub mod cluster;
mod columns;
pub mod compose;
pub mod configuration;
pub mod cores;
mod directory;
pub mod doctor;
pub mod law;
pub mod machine;
pub mod manifest;
mod measure;
mod order;
mod pipes;
pub mod plan;
pub mod pressure;
mod process;
mod recorder;
mod row;
mod rows;
pub mod runner;
pub mod schedule;
pub mod shard;
pub mod shim;
pub mod spec;
pub mod split_mix;
pub mod status;
pub mod sweep;
pub mod tables;
mod usage;
pub mod verification;
mod wire;
pub mod worker;

pub use directory::{
    DirectoryError, MANIFEST_FILE, Opening, RETRIED_FILE, ROWS_FILE, ResultDirectory, SOLUTIONS,
    is_in_use, peek_rows,
};
pub use measure::{check_solution, planned_row};
pub use process::StopFlag;
pub use recorder::{FinishedRun, RecordError, Recorder, solution_file};
pub use row::Row;
pub use rows::{FieldError, Header, HeaderError, RowsError, parse_rows, read_rows};
