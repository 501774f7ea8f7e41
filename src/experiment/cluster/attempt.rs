//! Names and folders of attempts, no two alike.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::directory::{DirectoryError, system};

/// What tells this attempt from all others: the task of the job array, how often it was started again, the machine, the
/// process. `variable` looks up the environment.
///
/// `SLURM_JOB_ID` is no part of it: the last task of an array has the number of the whole array there.
pub(super) fn name(variable: impl Fn(&str) -> Option<String>, host: &str, process: u32) -> String {
    let place = format!("{}-{process}", plain(host));
    let array = variable("SLURM_ARRAY_JOB_ID").zip(variable("SLURM_ARRAY_TASK_ID"));
    match array {
        Some((job, task)) => {
            // Slurm sets it from the second start on.
            let restarts = variable("SLURM_RESTART_COUNT").unwrap_or_else(|| "0".to_owned());
            let (job, task, restarts) = (plain(&job), plain(&task), plain(&restarts));
            format!("slurm-{job}_{task}-restart-{restarts}-{place}")
        }
        None => place,
    }
}

/// A text as part of a file name.
fn plain(text: &str) -> String {
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-.".contains(symbol);
    text.chars()
        .map(|symbol| if is_plain(symbol) { symbol } else { '_' })
        .collect()
}

/// Makes the folder of an attempt; returns its name and path. Where the name is taken, as by a container that was started
/// again with the same number of process, a number is added.
pub(super) fn create(attempts: &Path, name: &str) -> Result<(String, PathBuf), DirectoryError> {
    fs::create_dir_all(attempts).map_err(system(attempts, "made"))?;
    let mut tries = 1_u64;
    loop {
        let tried = match tries {
            1 => name.to_owned(),
            _ => format!("{name}-try-{tries}"),
        };
        let path = attempts.join(&tried);
        match fs::create_dir(&path) {
            Ok(()) => return Ok((tried, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => tries += 1,
            Err(error) => return Err(system(&path, "made")(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(key: &str) -> Option<String> {
        let pairs = [
            ("SLURM_JOB_ID", "17"),
            ("SLURM_ARRAY_JOB_ID", "12"),
            ("SLURM_ARRAY_TASK_ID", "5"),
        ];
        let found = pairs.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn a_task_of_an_array_is_named_by_array_task_restart_host_and_process() {
        let first = name(environment, "node1", 99);
        assert_eq!(first, "slurm-12_5-restart-0-node1-99");
        let again = |key: &str| match key {
            "SLURM_RESTART_COUNT" => Some("2".to_owned()),
            key => environment(key),
        };
        assert_eq!(name(again, "a/b c", 7), "slurm-12_5-restart-2-a_b_c-7");
    }

    #[test]
    fn without_an_array_host_and_process_are_the_name() {
        let no_array = |key: &str| (key == "SLURM_JOB_ID").then(|| "17".to_owned());
        assert_eq!(name(no_array, "laptop", 3), "laptop-3");
        assert_eq!(name(|_| None, "pod", 1), "pod-1");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let attempts = folder.path().join("attempts");
        let names: Vec<String> = (0..3)
            .map(|_| create(&attempts, "pod-1").unwrap().0)
            .collect();
        assert_eq!(names, ["pod-1", "pod-1-try-2", "pod-1-try-3"]);
    }
}
