//! A child process: started in a group of its own, watched, and ended when its time is over.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::usage::{self, CpuTime, PressureGauge};

/// How often a waiting thread looks whether it was asked to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// Time between the polite and the final signal: enough to stop a search, write a report, and hand back
/// gigabytes of memory.
const FINAL_GRACE: Duration = Duration::from_secs(5);

/// How much of standard error is kept: the last lines say why a process died.
const STDERR_TAIL: usize = 4096;

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
    /// Processor time as the kernel counted it, at the resolution of its clock tick.
    pub(super) cpu: Option<CpuTime>,
    /// Share of the time in which some task of the machine waited for a processor, in percent.
    pub(super) cpu_pressure: Option<f64>,
    /// Time from its start to its end.
    pub(super) elapsed: Duration,
}

impl Ended {
    /// How the process ended, for a message.
    pub(super) fn how(&self) -> String {
        match (self.exit.code(), self.exit.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("killed by signal {signal}"),
            (None, None) => self.exit.to_string(),
        }
    }
}

/// Starts `program` with one argument, gives it `input`, and waits for its end.
///
/// After `time`, if given, its group gets SIGTERM, and SIGKILL if that does not help; when `stop` is
/// raised, SIGKILL at once.
///
/// # Errors
/// If the process cannot be started or waited for.
pub(super) fn run(
    program: &Path,
    argument: &str,
    input: &[u8],
    time: Option<Duration>,
    stop: &StopFlag,
) -> io::Result<Ended> {
    let pressure = PressureGauge::start();
    let start = Instant::now();
    let mut child = Command::new(program)
        .arg0("sokolab")
        .arg(argument)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let group = Pid::from_child(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A process that dies before it has read everything says why by itself.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_tail(stderr));
        let (ended, end) = bounded(1);
        scope.spawn(move || ended.send(wait_unreaped(group)));
        let cause = watch(&end, group, time.map(|time| start + time), stop);
        let (elapsed, cpu_pressure) = (start.elapsed(), pressure.percent());
        let cpu = usage::cpu_of(group);
        let exit = reap(&mut child, cause.is_err())?;
        Ok(Ended {
            exit,
            cause: cause?,
            stdout: stdout.join().unwrap_or_default(),
            stderr_tail: one_line(&stderr.join().unwrap_or_default()),
            cpu,
            cpu_pressure,
            elapsed,
        })
    })
}

/// Waits for the end of the process and leaves it a zombie, so that its accounts can still be read and
/// its number is not given to another process.
fn wait_unreaped(pid: Pid) -> io::Result<()> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    rustix::io::retry_on_intr(|| waitid(WaitId::Pid(pid), options))
        .map(drop)
        .map_err(io::Error::from)
}

/// Takes the process out of the system's table; one that could not be watched is killed first.
fn reap(child: &mut Child, kill: bool) -> io::Result<ExitStatus> {
    if kill {
        child.kill()?;
    }
    child.wait()
}

/// Waits for the end of a process and signals its group when its time is over.
fn watch(
    end: &Receiver<io::Result<()>>,
    group: Pid,
    deadline: Option<Instant>,
    stop: &StopFlag,
) -> io::Result<Option<Cause>> {
    let mut cause = None;
    let mut next = deadline;
    loop {
        match end.recv_timeout(STOP_INTERVAL) {
            Ok(waited) => return waited.map(|()| cause),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other(
                    "the thread that waits for a run has ended",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.is_stopped() {
            cause = Some(Cause::Stopped);
            signal(group, Signal::KILL);
        } else if next.is_some_and(|time| Instant::now() >= time) {
            let first = cause.replace(Cause::OverTime).is_none();
            signal(group, if first { Signal::TERM } else { Signal::KILL });
            next = Some(Instant::now() + FINAL_GRACE);
        }
    }
}

/// A group that has ended in this very moment needs no signal.
fn signal(group: Pid, signal: Signal) {
    let _gone = kill_process_group(group, signal);
}

fn read_all(stream: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What arrived before an error is all there is; an incomplete report is told apart later.
        let _incomplete = stream.read_to_end(&mut bytes);
    }
    bytes
}

fn read_tail(stream: Option<impl Read>) -> Vec<u8> {
    let mut tail = Vec::new();
    let mut buffer = [0; STDERR_TAIL];
    let Some(mut stream) = stream else {
        return tail;
    };
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        tail.extend_from_slice(&buffer[..count]);
        let surplus = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..surplus);
    }
    tail
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
    use super::*;

    /// Runs a shell script; its text is the input, which `sh -s` reads as commands.
    fn shell(script: &str, time: Option<Duration>, stop: &StopFlag) -> Ended {
        run(Path::new("/bin/sh"), "-s", script.as_bytes(), time, stop).unwrap()
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
        assert_eq!(ended.how(), "exit code 3");
        assert_eq!(ended.cause, None);
    }

    #[test]
    fn only_the_end_of_standard_error_is_kept() {
        let ended = shell_for(
            "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done",
            60_000,
        );
        assert!(ended.stderr_tail.ends_with("| line 2998 | line 2999"));
        assert!(ended.stderr_tail.len() < 2 * STDERR_TAIL);
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
        assert_eq!(ended.how(), "killed by signal 9");
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
    fn processor_time_is_that_of_the_child() {
        let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let busy = shell_for(script, 60_000);
        let cpu = busy.cpu.expect("Linux tells");
        let total = cpu.user_s + cpu.sys_s;
        assert!(
            total > 0.0 && total <= busy.elapsed.as_secs_f64() + 0.02,
            "{busy:?}"
        );
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let missing = Path::new("/no/such/program");
        let error = run(missing, "-s", b"", None, &StopFlag::default()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
