//! A directory with levels and an experiment, and the program on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sokolab::experiment::{Row, peek_rows, read_rows};
use tempfile::TempDir;

/// Two pushes solve it.
pub(crate) const TINY: &str = "#######\n#@ $ .#\n#######\n\nTitle: Tiny\n\n";

/// Far more positions than any test can visit: nine boxes on 100 cells.
pub(crate) const HUGE: &str = "\
############
#@ . . .   #
#          #
#  $ $ $   #
#          #
#  . . .   #
#          #
#  $ $ $   #
#          #
#  . . .   #
#  $ $ $   #
############

Title: Huge

";

/// How long a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A working directory of its own.
pub(crate) struct Lab {
    folder: TempDir,
}

impl Lab {
    /// A lab with levels and an experiment on them. `head` goes into the table `[experiment]`, `matrix` into
    /// `[[matrix]]`.
    pub(crate) fn new(levels: &str, head: &str, matrix: &str) -> Self {
        let lab = Self {
            folder: tempfile::tempdir().expect("a temporary directory"),
        };
        fs::write(lab.path("levels.xsb"), levels).expect("a writable directory");
        lab.write_experiment(head, matrix);
        lab
    }

    pub(crate) fn write_experiment(&self, head: &str, matrix: &str) {
        let text = format!(
            "[experiment]\nname = \"test\"\nquestion = \"Does it work?\"\n{head}\n\n\
             [[levels]]\nfile = \"levels.xsb\"\n\n[[matrix]]\nspace = [\"pushes\"]\n{matrix}\n"
        );
        fs::write(self.path("test.toml"), text).expect("a writable directory");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Where the results are.
    pub(crate) fn out(&self) -> PathBuf {
        self.path("out")
    }

    /// The program, in the lab.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sokolab"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        let output = self.command(arguments).output();
        Ended::of(&output.expect("the program starts"))
    }

    /// `sokolab run test.toml` into another directory.
    pub(crate) fn sweep_into(&self, out: &str) -> Ended {
        self.run(&["run", "test.toml", "--out", out])
    }

    /// `sokolab run test.toml --out out` with further arguments.
    pub(crate) fn sweep(&self, arguments: &[&str]) -> Ended {
        self.run(&[&["run", "test.toml", "--out", "out"], arguments].concat())
    }

    /// Starts a sweep and does not wait for it.
    pub(crate) fn start_sweep(&self) -> Sweep {
        self.start(&["run", "test.toml", "--out", "out"])
    }

    /// Starts the program and does not wait for it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Sweep {
        let mut command = self.command(arguments);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Sweep(child.expect("the program starts"))
    }

    /// All rows; the file must be whole.
    pub(crate) fn rows(&self) -> Vec<Row> {
        read_rows(self.out().join("runs.csv")).expect("good rows")
    }

    /// Rows so far, while a sweep writes.
    pub(crate) fn rows_so_far(&self) -> usize {
        peek_rows(&self.out(), &mut Vec::new()).map_or(0, |rows| rows.len())
    }

    /// Identities of the plan, in order.
    pub(crate) fn plan(&self) -> Vec<String> {
        let plan = self.run(&["plan", "test.toml"]);
        assert_eq!(plan.code, Some(0), "{}", plan.stderr);
        let lines = plan.stdout.lines().skip(1);
        lines
            .map(|line| line.split_whitespace().last().expect("cells").to_owned())
            .collect()
    }

    /// Exactly one row for each planned run.
    pub(crate) fn assert_complete(&self) {
        let sorted = |mut ids: Vec<String>| {
            ids.sort_unstable();
            ids
        };
        let rows = self.rows().into_iter().map(|row| row.run_id).collect();
        assert_eq!(sorted(rows), sorted(self.plan()));
    }
}

/// What a program has said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A sweep that runs.
pub(crate) struct Sweep(Child);

impl Sweep {
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).expect("it runs");
    }

    pub(crate) fn wait(self) -> Ended {
        Ended::of(&self.0.wait_with_output().expect("it can be waited for"))
    }

    /// The process that watches the run under way.
    pub(crate) fn shim(&self) -> Pid {
        children(Pid::from_child(&self.0))[0]
    }

    /// Waits until a run's process searches.
    pub(crate) fn worker(&self) -> Pid {
        let parent = Pid::from_child(&self.0);
        let mut found = None;
        // It counts as searching when it has used processor time.
        wait_for("a worker that searches", || {
            let shims = children(parent).into_iter();
            let mut workers = shims.flat_map(children);
            found = workers.find(|&pid| has_worked(pid));
            found.is_some()
        });
        found.expect("just found")
    }
}

/// Waits until something has happened that must happen soon.
pub(crate) fn wait_for(what: &str, happened: impl FnMut() -> bool) {
    wait_long_for(what, PATIENCE, happened);
}

/// Waits until something has happened.
pub(crate) fn wait_long_for(what: &str, patience: Duration, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < patience, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process is there and is no zombie.
pub(crate) fn is_alive(pid: Pid) -> bool {
    stat(pid.as_raw_nonzero().get()).is_some_and(|stat| stat[0] != "Z")
}

/// The process that has started another one.
pub(crate) fn parent(pid: Pid) -> Option<Pid> {
    Pid::from_raw(stat(pid.as_raw_nonzero().get())?[1].parse().ok()?)
}

/// What of a row is the same whenever and wherever it is measured.
fn deterministic(row: &Row) -> Row {
    Row {
        wall_s: None,
        cpu_user_s: None,
        cpu_sys_s: None,
        peak_rss_bytes: None,
        cpu_pressure: None,
        involuntary_switches: None,
        started_unix_s: None,
        host: None,
        ..row.clone()
    }
}

/// Rows in the order of execution, as far as they are the same whenever and wherever they are measured.
pub(crate) fn deterministic_rows(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| row.sequence);
    rows.iter().map(deterministic).collect()
}

/// Fields of `/proc/PID/stat` from the third on: state, parent, ...
fn stat(pid: i32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    let fields = stat.rsplit_once(')')?.1;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

fn children(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").expect("a mounted /proc");
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |&number: &i32| {
        stat(number).is_some_and(|stat| stat[1] == parent.as_raw_nonzero().to_string())
    };
    numbers.filter(is_child).filter_map(Pid::from_raw).collect()
}

/// Whether a process has used at least 50 ms of processor time in user mode.
fn has_worked(pid: Pid) -> bool {
    let user_ticks = stat(pid.as_raw_nonzero().get()).and_then(|stat| stat[11].parse().ok());
    user_ticks.is_some_and(|ticks: u64| ticks >= 5)
}
