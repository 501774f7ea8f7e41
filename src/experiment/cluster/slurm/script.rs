//! The text of a batch script, and the words that hand it in.

use std::ffi::OsString;
use std::path::Path;

use crate::experiment::cluster::tasks::Needs;

/// What is handed in.
#[derive(Debug)]
pub(super) struct Job<'a> {
    /// Name of the experiment.
    pub(super) experiment: &'a str,
    /// The program, as a path that is good on all nodes.
    pub(super) program: &'a Path,
    /// The result directory, as such a path.
    pub(super) out: &'a Path,
    /// Parts of the plan.
    pub(super) parts: u64,
    /// Numbers of the tasks, as `0-3,7`.
    pub(super) tasks: &'a str,
    /// Most tasks at the same time.
    pub(super) at_once: Option<u64>,
    /// What each task needs.
    pub(super) needs: Needs,
}

impl Job<'_> {
    /// The script that every task runs. It becomes the program itself, so that a signal of Slurm reaches it. The plan is that of the result directory, so an experiment file that is edited
    /// while tasks wait changes nothing.
    pub(super) fn script(&self) -> String {
        format!(
            "#!/bin/sh\n\
             # Task K of the array does part K+1 of {parts} of the experiment {experiment}.\n\
             exec {program} resume {out} --shard \"$((SLURM_ARRAY_TASK_ID + 1))/{parts}\"\n",
            parts = self.parts,
            // A line break would end the comment.
            experiment = self.experiment.replace(char::is_control, " "),
            program = quoted(self.program),
            out = quoted(self.out),
        )
    }

    /// The arguments of `sbatch` before the script; `extra` comes last, so that it overrules the others.
    pub(super) fn arguments(&self, logs: &Path, extra: &[String]) -> Vec<OsString> {
        let array = match self.at_once {
            Some(at_once) => format!("--array={}%{at_once}", self.tasks),
            None => format!("--array={}", self.tasks),
        };
        // Slurm takes `%` in the name of a file for the start of a pattern.
        let logs = logs.display().to_string().replace('%', "%%");
        let mut words = vec![
            "--parsable".to_owned(),
            format!("--job-name=sokolab-{}", self.experiment),
            array,
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", self.needs.cpus),
            // A task whose machine dies is started again.
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--output={logs}/%A_%a.log"),
        ];
        words.extend(self.needs.memory_mib.map(|mib| format!("--mem={mib}M")));
        words.extend(
            self.needs
                .minutes
                .map(|minutes| format!("--time={minutes}")),
        );
        words.extend(extra.iter().cloned());
        words.into_iter().map(OsString::from).collect()
    }
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job<'static> {
        Job {
            experiment: "first",
            program: Path::new("/opt/so ko/sokolab"),
            out: Path::new("/home/o'neil/out"),
            parts: 9,
            tasks: "0-3,7",
            at_once: Some(4),
            needs: Needs {
                cpus: 2,
                memory_mib: Some(1536),
                minutes: Some(12),
            },
        }
    }

    #[test]
    fn the_script_does_one_part_of_the_plan_in_the_directory() {
        let expected = "#!/bin/sh\n\
            # Task K of the array does part K+1 of 9 of the experiment first.\n\
            exec '/opt/so ko/sokolab' resume '/home/o'\\''neil/out' --shard \"$((SLURM_ARRAY_TASK_ID + 1))/9\"\n";
        assert_eq!(job().script(), expected);
    }

    #[test]
    fn the_job_asks_for_what_its_runs_need_and_further_options_have_the_last_word() {
        let extra = ["--partition=long".to_owned(), "--mem=2G".to_owned()];
        let words = job().arguments(Path::new("/out/100%"), &extra);
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        let expected = [
            "--parsable",
            "--job-name=sokolab-first",
            "--array=0-3,7%4",
            "--nodes=1",
            "--ntasks=1",
            "--cpus-per-task=2",
            "--requeue",
            "--open-mode=append",
            "--output=/out/100%%/%A_%a.log",
            "--mem=1536M",
            "--time=12",
            "--partition=long",
            "--mem=2G",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn what_has_no_limit_is_not_asked_for() {
        let needs = Needs {
            cpus: 1,
            memory_mib: None,
            minutes: None,
        };
        let job = Job {
            at_once: None,
            needs,
            ..job()
        };
        let words = job.arguments(Path::new("/out"), &[]);
        let has = |start: &str| {
            let mut texts = words.iter().filter_map(|word| word.to_str());
            texts.any(|word| word.starts_with(start))
        };
        assert!(!has("--mem") && !has("--time"), "{words:?}");
        assert!(has("--array=0-3,7"));
    }
}
