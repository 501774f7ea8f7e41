//! The same plan through Slurm, whole and with a node that dies. `scripts/check-slurm` brings a Slurm up on this machine
//! and runs these tests; they are no part of `cargo test`, as Slurm's daemons must be installed and run as root.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use rustix::process::{Pid, Signal, kill_process};
use sokolab::experiment::read_rows;

use crate::lab::{Ended, HUGE, Lab, TINY, deterministic_rows, parent, wait_for, wait_long_for};

/// A dead node is noticed after some 30 seconds, and its job begins again 120 seconds later.
const REQUEUE: Duration = Duration::from_secs(300);

/// Sixty runs of some milliseconds, whose counts all repeat.
fn sixty() -> Lab {
    let matrix = "strategy = [\"dfs\", \"bfs\", \"greedy\"]\nheuristic = [\"manhattan\"]\npruning = [\"none\", \"corner\"]";
    let head = "repetitions = 10\ntime_limit = \"60s\"\nmemory_limit = \"256MiB\"";
    Lab::new(TINY, head, matrix)
}

/// Sixteen runs of a second each, as the limit is what ends them.
fn sixteen_seconds() -> Lab {
    let matrix = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\", \"corner\"]";
    let head = "repetitions = 4\ntime_limit = \"1s\"\nmemory_limit = \"256MiB\"";
    Lab::new(HUGE, head, matrix)
}

const RUN: [&str; 6] = ["run", "test.toml", "--out", "out", "--executor", "slurm"];

fn complete(lab: &Lab, ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    lab.assert_complete();
    assert_eq!(lab.run(&["verify", "out"]).code, Some(0));
}

#[test]
#[ignore = "needs Slurm: scripts/check-slurm"]
fn a_job_array_gives_the_rows_of_a_local_sweep() {
    let lab = sixty();
    let ended = lab.run(&[&RUN[..], &["--bundle", "7", "--max-tasks", "3"]].concat());
    complete(&lab, &ended);
    assert!(
        ended.stderr.contains("tasks 0-8, up to 7 runs each"),
        "{}",
        ended.stderr
    );
    assert_eq!(lab.sweep_into("local").code, Some(0));
    let local = read_rows(lab.path("local/runs.csv")).expect("good rows");
    assert_eq!(deterministic_rows(lab.rows()), deterministic_rows(local));
    let again = lab.run(&RUN);
    assert!(
        again.stderr.contains("60 of 60 runs are done already"),
        "{}",
        again.stderr
    );
}

#[test]
#[ignore = "needs Slurm: scripts/check-slurm"]
fn a_detached_job_is_waited_for_by_whoever_asks_again() {
    let lab = sixty();
    // Late enough for the second command to find it waiting.
    let later = "--slurm-option=--begin=now+5";
    let options = ["--detach", "--bundle", "20", later];
    let ended = lab.run(&[&RUN[..], &options].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let next = "next, when the job has ended: sokolab collect out";
    assert!(ended.stderr.contains(next), "{}", ended.stderr);
    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(106), "{collected:?}");
    let tasks = "(tasks: 3 PENDING): sokolab collect out";
    assert!(collected.stderr.contains(tasks), "{}", collected.stderr);

    let dry = lab.run(&["run", "test.toml", "--out", "out", "--dry-run"]);
    assert!(dry.stderr.contains("0 of 60 runs are done"), "{dry:?}");

    let waited = lab.run(&RUN);
    let attached = "so no other one is handed in";
    assert!(waited.stderr.contains(attached), "{}", waited.stderr);
    complete(&lab, &waited);
    let scripts = fs::read_dir(lab.out().join("slurm")).expect("a folder");
    let names = scripts.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    assert_eq!(names.filter(|name| name.starts_with("job-")).count(), 1);
}

#[test]
#[ignore = "needs Slurm: scripts/check-slurm"]
fn runs_that_are_done_here_while_a_job_waits_are_not_doubled_by_it() {
    let lab = sixty();
    let later = "--slurm-option=--begin=now+5";
    let ended = lab.run(&[&RUN[..], &["--detach", later]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let here = lab.run(&["resume", "out"]);
    assert!(
        here.stderr.contains("is at work on these runs, too"),
        "{}",
        here.stderr
    );
    complete(&lab, &here);
    let rows = fs::read(lab.out().join("runs.csv")).expect("rows");
    wait_for("the end of the job", || tasks_of_user() == 0);
    let collected = lab.run(&["collect", "out"]);
    complete(&lab, &collected);
    assert_eq!(fs::read(lab.out().join("runs.csv")).expect("rows"), rows);
}

/// Tasks that wait or run.
fn tasks_of_user() -> usize {
    let squeue = Command::new("squeue")
        .args(["--noheader", "--array"])
        .output();
    let output = squeue.expect("squeue is there").stdout;
    output.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
#[ignore = "needs Slurm: scripts/check-slurm"]
fn what_slurm_refuses_is_told_and_nothing_is_lost() {
    let lab = sixty();
    let ended = lab.run(&[&RUN[..], &["--slurm-option=--partition=nowhere"]].concat());
    assert_eq!(ended.code, Some(2), "{ended:?}");
    for words in [
        "sbatch",
        "--partition=nowhere",
        "has failed: ",
        "nvalid partition",
        "ask for something else",
    ] {
        assert!(ended.stderr.contains(words), "{words}: {}", ended.stderr);
    }
    assert_eq!(lab.run(&["resume", "out"]).code, Some(0));
    lab.assert_complete();
}

/// Numbers of the tasks that run on a node, as `17_0`.
fn tasks_on(node: &str) -> Vec<String> {
    let words = ["--noheader", "--array", "--states=RUNNING", "--format=%i"];
    let mut squeue = Command::new("squeue");
    let output = squeue
        .args(words)
        .arg(format!("--nodelist={node}"))
        .output();
    let output = output.expect("squeue is there").stdout;
    let text = String::from_utf8(output).expect("numbers");
    text.split_whitespace().map(str::to_owned).collect()
}

/// The folder and the process of the first attempt of a task, which has written a row.
fn attempt_of(lab: &Lab, task: &str) -> Option<(PathBuf, Pid)> {
    let shards = fs::read_dir(lab.out().join("shards")).ok()?;
    let attempts =
        shards.filter_map(|shard| fs::read_dir(shard.ok()?.path().join("attempts")).ok());
    let mut paths = attempts
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    let start = format!("slurm-{task}-restart-0-");
    let is_its = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(&start))
    };
    let path = paths.find(is_its)?;
    let rows = fs::read_to_string(path.join("runs.csv")).ok()?;
    let process = path.to_str()?.rsplit_once('-')?.1.parse().ok()?;
    (rows.lines().count() > 1).then_some((path, Pid::from_raw(process)?))
}

/// Kills the daemon of a node, as `kill -9` does.
fn kill_daemon(node: &str) {
    let root = env::var("SLURM_CONF").expect("scripts/check-slurm sets it");
    let root = Path::new(&root).parent().expect("a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/slurm-loopback");
    let killed = Command::new(script)
        .arg("kill")
        .arg(root)
        .arg(node)
        .status();
    assert!(killed.is_ok_and(|status| status.success()));
}

/// A process that stands still, until this value is dropped: also when a test fails.
struct Stopped(Pid);

impl Stopped {
    fn new(process: Pid) -> Self {
        kill_process(process, Signal::STOP).expect("it runs");
        Self(process)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // One that has been killed meanwhile cannot go on, and need not.
        let _gone = kill_process(self.0, Signal::CONT);
    }
}

/// A node loses its daemon. Of the two tasks that it runs one dies with it, the other hangs and comes to itself when its part
/// was done again by a node that lives.
#[test]
#[ignore = "needs Slurm: scripts/check-slurm"]
fn a_dead_node_costs_no_row_and_one_that_comes_back_doubles_none() {
    let lab = sixteen_seconds();
    let run = lab.start(&[&RUN[..], &["--bundle", "4"]].concat());
    let mut found = Vec::new();
    wait_for("two tasks at work on the first node", || {
        let tasks = tasks_on("n1");
        found = tasks
            .iter()
            .filter_map(|task| attempt_of(&lab, task))
            .collect();
        found.len() == 2
    });
    let [(_, dead), (hung_path, hung)] = &found[..] else {
        panic!("two were found");
    };
    kill_daemon("n1");
    // Slurm's own process beside the task first: it would tell of the task's end, which a dead machine does not.
    kill_process(parent(*dead).expect("it runs"), Signal::KILL).expect("it runs");
    kill_process(*dead, Signal::KILL).expect("it runs");
    let stopped = Stopped::new(*hung);

    // Longer than the patience of the other tests.
    let ended = run.wait();
    complete(&lab, &ended);
    let rows = fs::read(lab.out().join("runs.csv")).expect("rows");
    let status = lab.run(&["status", "out"]);
    for words in ["was not finished, and another attempt", "is at work"] {
        assert_eq!(status.stderr.matches(words).count(), 1, "{status:?}");
    }

    drop(stopped);
    wait_long_for("the end of the task that hung", REQUEUE, || {
        hung_path.join("finished.toml").exists()
    });
    let collected = lab.run(&["collect", "out"]);
    complete(&lab, &collected);
    assert_eq!(
        collected.stderr.matches("is a duplicate").count(),
        1,
        "{}",
        collected.stderr
    );
    assert_eq!(fs::read(lab.out().join("runs.csv")).expect("rows"), rows);
}

#[test]
#[ignore = "needs GNU parallel: scripts/check-slurm"]
fn gnu_parallel_does_the_parts() {
    let lab = sixty();
    let program = env!("CARGO_BIN_EXE_sokolab");
    let mut parallel = Command::new("parallel");
    parallel.args([
        "--will-cite",
        program,
        "run",
        "test.toml",
        "--out",
        "out",
        "--shard",
        "{}/4",
    ]);
    parallel
        .args([":::", "1", "2", "3", "4"])
        .current_dir(lab.path(""));
    let output = parallel.output().expect("GNU parallel is installed");
    assert!(output.status.success(), "{output:?}");
    let collected = lab.run(&["collect", "out"]);
    complete(&lab, &collected);
}
