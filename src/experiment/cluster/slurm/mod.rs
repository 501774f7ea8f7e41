//! Slurm: the parts of a plan as the tasks of a job array.

mod commands;
mod script;
mod submission;
mod waiting;

pub use commands::{Queue, SlurmError};
pub use submission::{
    SubmissionError, Submitted, Wishes, active_job, answers, is_known_to_slurm, submit,
};
pub use waiting::{End, Glance, wait};
