//! Questions and orders to Slurm, by its own commands, which are found by `PATH`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Command, Stdio};

use thiserror::Error;

/// Slurm does not do what was asked.
#[derive(Debug, Error)]
pub enum SlurmError {
    /// A command is not there.
    #[error(
        "{command} cannot be started: {source}; Slurm's commands must be in PATH: go to a login node of the cluster, or run here with --executor local"
    )]
    Missing {
        /// The command.
        command: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A command has failed.
    #[error("{command} has failed: {message}")]
    Refused {
        /// The command with its arguments.
        command: String,
        /// What it says, on one line.
        message: String,
    },
    /// A command says something else than expected.
    #[error("{command} says {found:?}; expected {expected}")]
    Answer {
        /// The command.
        command: &'static str,
        /// What it says.
        found: String,
        /// What it should.
        expected: &'static str,
    },
}

/// Where the tasks of a job are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Queue {
    /// Number of tasks that wait or run, by state.
    Tasks(BTreeMap<String, usize>),
    /// None of them waits or runs.
    Empty,
}

/// Looks up the tasks of a job. That Slurm does not answer says nothing of the job.
pub(super) fn queue(job: u64) -> Result<Queue, SlurmError> {
    let jobs = format!("--jobs={job}");
    let words = ["--noheader", "--array", "--format=%T", &jobs];
    match ask("squeue", words) {
        Ok(states) => Ok(queue_of(&states)),
        // Slurm forgets a job some minutes after its end.
        Err(SlurmError::Refused { message, .. }) if message.contains("Invalid job id") => {
            Ok(Queue::Empty)
        }
        Err(error) => Err(error),
    }
}

fn queue_of(states: &str) -> Queue {
    let mut tasks = BTreeMap::new();
    for state in states.split_whitespace() {
        *tasks.entry(state.to_owned()).or_default() += 1;
    }
    if tasks.is_empty() {
        Queue::Empty
    } else {
        Queue::Tasks(tasks)
    }
}

/// Most tasks of one array, numbered from 0.
pub(super) fn max_array_size() -> Result<u64, SlurmError> {
    let config = ask("scontrol", ["show", "config"])?;
    max_array_size_of(&config).ok_or_else(|| SlurmError::Answer {
        command: "scontrol show config",
        found: config.lines().take(3).collect::<Vec<_>>().join(" "),
        expected: "a line `MaxArraySize = NUMBER` with a number above 0",
    })
}

fn max_array_size_of(config: &str) -> Option<u64> {
    let mut pairs = config.lines().filter_map(|line| line.split_once('='));
    let (_, size) = pairs.find(|(key, _)| key.trim() == "MaxArraySize")?;
    size.trim().parse().ok().filter(|&size| size > 0)
}

/// Hands a job in; returns its number.
pub(super) fn submit(arguments: &[OsString]) -> Result<u64, SlurmError> {
    let answer = ask("sbatch", arguments)?;
    job_of(&answer).ok_or_else(|| SlurmError::Answer {
        command: "sbatch",
        found: answer.trim().to_owned(),
        expected: "the number of a job",
    })
}

/// `sbatch --parsable` says `JOB` or `JOB;CLUSTER`.
fn job_of(answer: &str) -> Option<u64> {
    answer.trim().split(';').next()?.parse().ok()
}

fn ask<S: AsRef<OsStr>>(
    command: &'static str,
    arguments: impl IntoIterator<Item = S>,
) -> Result<String, SlurmError> {
    let mut asked = Command::new(command);
    asked.args(arguments).stdin(Stdio::null());
    let output = asked.output();
    let output = output.map_err(|source| SlurmError::Missing { command, source })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    Err(SlurmError::Refused {
        command: command_line(&asked),
        message: match lines.join("; ") {
            said if said.is_empty() => output.status.to_string(),
            said => said,
        },
    })
}

fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_an_array_is_found_among_the_configuration() {
        let config =
            "Configuration data as of now\nMaxArraySize            = 1001\nMaxJobCount = 10000\n";
        assert_eq!(max_array_size_of(config), Some(1001));
        assert_eq!(max_array_size_of("MaxArraySize = 0\n"), None);
        assert_eq!(max_array_size_of("MaxArraySizes = 7\n"), None);
    }

    #[test]
    fn the_number_of_a_job_is_read_with_and_without_a_cluster() {
        assert_eq!(job_of("17\n"), Some(17));
        assert_eq!(job_of("17;north\n"), Some(17));
        assert_eq!(job_of("Submitted batch job 17\n"), None);
    }

    #[test]
    fn tasks_are_counted_by_their_state() {
        let tasks = [("PENDING".to_owned(), 1), ("RUNNING".to_owned(), 2)];
        let expected = Queue::Tasks(BTreeMap::from(tasks));
        assert_eq!(queue_of("RUNNING\nPENDING\nRUNNING\n"), expected);
        assert_eq!(queue_of("\n"), Queue::Empty);
    }

    #[test]
    fn a_command_that_fails_is_quoted_with_its_words() {
        let error = ask("ls", ["--no-such-option"]).unwrap_err().to_string();
        assert!(
            error.starts_with("ls --no-such-option has failed: "),
            "{error}"
        );
        let error = ask("no-such-command", [""; 0]).unwrap_err().to_string();
        assert!(error.contains("--executor local"), "{error}");
    }
}
