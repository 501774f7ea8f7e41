//! Slurm: the parts of a plan as the tasks of a job array.

mod commands;
mod script;
mod submission;
mod waiting;

pub use commands::{Queue, SlurmError, queue};
pub use submission::{SubmissionError, Submitted, Wishes, jobs, submit};
pub use waiting::{End, Glance, wait};
