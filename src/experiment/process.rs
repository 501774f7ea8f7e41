//! A child process: started in a group of its own, watched, and ended when its time is over.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process_group, pidfd_open,
    set_parent_process_death_signal, waitpid,
};
use thiserror::Error;

use super::pipes::Pipes;
use super::usage::PressureGauge;

/// How often a waiting thread looks whether it was asked to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// Time between the polite and the final signal: enough to stop a search, write a report, and hand back
/// gigabytes of memory.
pub(super) const FINAL_GRACE: Duration = Duration::from_secs(5);

/// The binary of this very process, also when its file has been replaced since.
pub(super) const THIS_PROGRAM: &str = "/proc/self/exe";

/// By this variable of its environment a process knows who started it.
const PARENT: &str = "SOKOLAB_PARENT";

/// A request to stop everything, as Ctrl-C makes it. Clones are the same request.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler to raise.
    #[must_use]
    pub fn as_atomic(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Why a process was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// It ran beyond its time.
    OverTime,
    /// Everything was asked to stop.
    Stopped,
}

/// A process that has ended, one way or another.
#[derive(Debug)]
pub(super) struct Ended {
    /// How, as the system says.
    pub(super) exit: ExitStatus,
    /// Whether it was ended from outside, and why.
    pub(super) cause: Option<Cause>,
    /// All of its standard output.
    pub(super) stdout: Vec<u8>,
    /// The end of its standard error, on one line.
    pub(super) stderr_tail: String,
    /// Share of the time in which some task of the machine waited for a processor, in percent.
    pub(super) cpu_pressure: Option<f64>,
    /// Time from its start to its end.
    pub(super) elapsed: Duration,
}

impl Ended {
    /// Exit code; none if a signal ended it.
    pub(super) fn exit_code(&self) -> Option<i32> {
        self.exit.code()
    }

    /// Signal that ended it.
    pub(super) fn signal(&self) -> Option<i32> {
        self.exit.signal()
    }
}

/// How a process ended, for a message.
pub(super) fn how(exit_code: Option<i32>, signal: Option<i32>) -> String {
    match (exit_code, signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "ended in an unknown way".to_owned(),
    }
}

/// When a process is ended from outside, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Time after which its group gets SIGTERM, and SIGKILL if that does not help.
    pub(super) time: Option<Duration>,
    /// What its group gets when everything is asked to stop: SIGKILL, or SIGTERM first.
    pub(super) first_signal_of_stop: Signal,
}

/// Starts `program`, gives it `input`, and waits for its end and that of its group.
///
/// # Errors
/// If the process cannot be started or waited for.
pub(super) fn run(
    program: &Path,
    arguments: &[OsString],
    input: &[u8],
    limits: &Limits,
    stop: &StopFlag,
) -> io::Result<Ended> {
    let pressure = PressureGauge::start();
    let start = Instant::now();
    let mut command = Command::new(program);
    if program == Path::new(THIS_PROGRAM) {
        // Lists of processes show a name that people know.
        command.arg0("sokolab");
    }
    let mut child = command
        .args(arguments)
        .env(PARENT, getpid().as_raw_nonzero().to_string())
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let group = Pid::from_child(&child);
    let pipes = Pipes::of(&mut child, input).inspect_err(|_| signal(group, Signal::KILL));
    let mut pipes = pipes?;
    let cause = watch(group, &mut pipes, start, limits, stop);
    let (elapsed, cpu_pressure) = (start.elapsed(), pressure.percent());
    // Until it is waited for, its number, and that of its group, is not given to another process.
    signal(group, Signal::KILL);
    let exit = child.wait()?;
    let (stdout, tail) = pipes.finish();
    Ok(Ended {
        exit,
        cause: cause?,
        stdout,
        stderr_tail: one_line(&tail),
        cpu_pressure,
        elapsed,
    })
}

/// Takes note of the end of processes whose parents have ended before them, as far as they have ended themselves.
pub(super) fn reap_orphans() {
    while let Ok(Some(_)) = waitpid(None, WaitOptions::NOHANG) {}
}

/// Serves a process until its end, and signals its group when its time is over.
fn watch(
    group: Pid,
    pipes: &mut Pipes<'_>,
    start: Instant,
    limits: &Limits,
    stop: &StopFlag,
) -> io::Result<Option<Cause>> {
    let process = pidfd_open(group, PidfdFlags::empty())?;
    let (mut cause, mut was_stopped) = (None, false);
    let mut next = limits.time.map(|time| start + time);
    while !pipes.serve(process.as_fd(), STOP_INTERVAL)? {
        if stop.is_stopped() && !was_stopped {
            was_stopped = true;
            // A process that was over its time before stays so.
            cause = cause.or(Some(Cause::Stopped));
            signal(group, limits.first_signal_of_stop);
            next = Some(Instant::now() + FINAL_GRACE);
        } else if next.is_some_and(|time| Instant::now() >= time) {
            let first = cause.is_none();
            cause = cause.or(Some(Cause::OverTime));
            signal(group, if first { Signal::TERM } else { Signal::KILL });
            next = Some(Instant::now() + FINAL_GRACE);
        }
    }
    Ok(cause)
}

/// A group that has ended in this very moment needs no signal.
fn signal(group: Pid, signal: Signal) {
    let _gone = kill_process_group(group, signal);
}

/// The process that started this one has ended; nobody waits for what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the process that started this one has ended; nobody waits for its result")]
pub struct Orphan;

/// Has the kernel send this process a signal when the process that started it ends. A process that was started by hand
/// outlives nobody.
///
/// # Errors
/// [`Orphan`] if that has happened already.
pub(super) fn end_with_parent(signal: Signal) -> Result<(), Orphan> {
    let Some(parent) = std::env::var_os(PARENT) else {
        return Ok(());
    };
    // It may have ended before the kernel was asked, so the question comes after.
    let asked = set_parent_process_death_signal(Some(signal));
    let is_there = getppid().is_some_and(|pid| *parent == *pid.as_raw_nonzero().to_string());
    match asked {
        Ok(()) if is_there => Ok(()),
        _ => Err(Orphan),
    }
}

/// Lines joined by `" | "`.
fn one_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    lines.join(" | ")
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Runs a shell script; its text is the input, which `sh -s` reads as commands.
    fn shell(script: &str, time: Option<Duration>, stop: &StopFlag) -> Ended {
        let limits = Limits {
            time,
            first_signal_of_stop: Signal::KILL,
        };
        let (program, input) = (Path::new("/bin/sh"), script.as_bytes());
        run(program, &["-s".into()], input, &limits, stop).unwrap()
    }

    fn shell_for(script: &str, milliseconds: u64) -> Ended {
        let time = Duration::from_millis(milliseconds);
        shell(script, Some(time), &StopFlag::default())
    }

    #[test]
    fn output_error_and_code_are_collected() {
        let ended = shell_for("echo out; echo one >&2; echo; echo two >&2; exit 3", 60_000);
        assert_eq!(ended.stdout, b"out\n\n");
        assert_eq!(ended.stderr_tail, "one | two");
        assert_eq!(ended.exit.code(), Some(3));
        assert_eq!(how(ended.exit_code(), ended.signal()), "exit code 3");
        assert_eq!(ended.cause, None);
    }

    #[test]
    fn only_the_end_of_standard_error_is_kept() {
        let ended = shell_for(
            "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done",
            60_000,
        );
        assert!(ended.stderr_tail.ends_with("| line 2998 | line 2999"));
        assert!(ended.stderr_tail.len() < 2 * 4096);
    }

    #[test]
    fn a_process_over_its_time_is_asked_to_end() {
        let ended = shell_for(
            "trap 'echo polite; exit 0' TERM; while :; do sleep 0.05; done",
            300,
        );
        assert_eq!(ended.cause, Some(Cause::OverTime));
        assert_eq!(ended.stdout, b"polite\n");
        assert!(ended.elapsed >= Duration::from_millis(300));
        assert!(ended.elapsed < FINAL_GRACE);
    }

    #[test]
    fn a_process_that_ignores_the_request_is_killed_with_its_group() {
        let start = Instant::now();
        // The inner sleep holds standard output open: were it left alive, reading would take a minute.
        let ended = shell_for("trap '' TERM; sleep 60; echo never", 100);
        assert_eq!(ended.cause, Some(Cause::OverTime));
        assert_eq!(ended.signal(), Some(9));
        assert_eq!(how(None, Some(9)), "killed by signal 9");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_stop_kills_at_once() {
        let stop = StopFlag::default();
        let remote = stop.clone();
        let timer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            remote.stop();
        });
        let ended = shell("trap '' TERM; sleep 60", None, &stop);
        timer.join().unwrap();
        assert_eq!(ended.cause, Some(Cause::Stopped));
        assert_eq!(ended.exit.signal(), Some(9));
        assert!(ended.elapsed < Duration::from_secs(5));
    }

    #[test]
    fn what_a_process_leaves_behind_ends_with_it() {
        let start = Instant::now();
        let ended = shell_for("sleep 60 & echo started", 60_000);
        assert_eq!(ended.stdout, b"started\n");
        assert_eq!(ended.exit_code(), Some(0));
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_polite_stop_asks_first() {
        let stop = StopFlag::default();
        let remote = stop.clone();
        let timer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            remote.stop();
        });
        let limits = Limits {
            time: None,
            first_signal_of_stop: Signal::TERM,
        };
        let script = b"trap 'echo polite; exit 0' TERM; while :; do sleep 0.05; done";
        let ended = run(Path::new("/bin/sh"), &["-s".into()], script, &limits, &stop).unwrap();
        timer.join().unwrap();
        assert_eq!(ended.cause, Some(Cause::Stopped));
        assert_eq!(ended.stdout, b"polite\n");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let missing = Path::new("/no/such/program");
        let limits = Limits {
            time: None,
            first_signal_of_stop: Signal::KILL,
        };
        let error = run(missing, &[], b"", &limits, &StopFlag::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
