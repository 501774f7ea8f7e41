//! The small process between the sweep and a run: it starts the run, watches it, ends it with everything it has
//! started, and gives its account.
//!
//! ```text
//! sweep --order--> shim --order--> worker
//!       <-account-      <-report--
//! ```
//!
//! On Linux the peak memory that the system reports of a process begins at the peak of whoever started it. A sweep grows
//! with its rows; the shim is the same small program for every run, and smaller than any run of a worker. It also
//! outlives the run, however that ends, so time and memory of a run that was killed are known too.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Signal, getpid, set_child_subreaper};
use serde::{Deserialize, Serialize};
use signal_hook::consts::SIGTERM;
use thiserror::Error;

use super::process::{self, Cause, Ended, FINAL_GRACE, Limits, Orphan, StopFlag, THIS_PROGRAM};
use super::{cores, usage};

/// Name of the hidden subcommand.
pub const SUBCOMMAND: &str = "__shim";

/// Option of the subcommand: seconds after which the run is ended.
const SECONDS: &str = "--seconds";
/// Option of the subcommand: cores that the run is kept on, divided by commas.
const CORES: &str = "--cores";

/// Time that a shim has for its own end, before it is ended itself.
const GRACE: Duration = Duration::from_secs(5);

/// What a shim is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The program to run.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Time after which it is ended.
    pub time: Option<Duration>,
    /// Cores that it is kept on; any, if there are none.
    pub cores: Vec<usize>,
}

/// What a shim says of a run that has ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// Exit code of the run; none if a signal ended it.
    pub exit_code: Option<i32>,
    /// Signal that ended the run.
    pub signal: Option<i32>,
    /// Whether it was ended because its time was over.
    pub over_time: bool,
    /// Whether it was ended because everything was asked to stop.
    pub stopped: bool,
    /// Time from the start of the run to its end, in seconds.
    pub elapsed_s: f64,
    /// User time of the run and of all it has started and waited for, in seconds.
    pub cpu_user_s: Option<f64>,
    /// System time of the same.
    pub cpu_sys_s: Option<f64>,
    /// Peak memory of the largest process of the run, or of the shim if that is larger.
    pub peak_rss_bytes: Option<u64>,
    /// How often the run was taken off a processor.
    pub involuntary_switches: Option<u64>,
    /// Share of the time in which some task of the machine waited for a processor, in percent.
    pub cpu_pressure: Option<f64>,
    /// The end of its standard error, on one line.
    pub stderr_tail: String,
    /// All of its standard output.
    pub stdout: String,
}

impl Account {
    fn of(ended: Ended) -> Self {
        let usage = usage::of_children();
        Self {
            exit_code: ended.exit_code(),
            signal: ended.signal(),
            over_time: ended.cause == Some(Cause::OverTime),
            stopped: ended.cause == Some(Cause::Stopped),
            elapsed_s: ended.elapsed.as_secs_f64(),
            cpu_user_s: usage.map(|usage| usage.cpu_user_s),
            cpu_sys_s: usage.map(|usage| usage.cpu_sys_s),
            peak_rss_bytes: usage.map(|usage| usage.peak_rss_bytes),
            involuntary_switches: usage.map(|usage| usage.involuntary_switches),
            cpu_pressure: ended.cpu_pressure,
            stderr_tail: ended.stderr_tail,
            stdout: String::from_utf8_lossy(&ended.stdout).into_owned(),
        }
    }

    /// How the run ended, for a message.
    #[must_use]
    pub fn how(&self) -> String {
        process::how(self.exit_code, self.signal)
    }

    /// Whether it ended by itself and well.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.exit_code == Some(0)
    }
}

/// A shim that cannot do its work.
#[derive(Debug, Error)]
pub enum ShimError {
    /// What the run is to read cannot be read.
    #[error("standard input: {0}; `sokolab run` starts this by itself")]
    Input(#[source] io::Error),
    /// Nobody waits for the account.
    #[error(transparent)]
    Orphan(#[from] Orphan),
    /// The run cannot be started or watched.
    #[error("{program}: cannot be run: {source}")]
    Run {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// Something of the system cannot be arranged.
    #[error("{what}: {source}")]
    System {
        /// What.
        what: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The account cannot be put in words.
    #[error("the account cannot be written as TOML: {0}")]
    Form(#[from] toml::ser::Error),
    /// The account cannot be written.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
}

/// Does the work of a shim: hands its standard input to the program, waits for its end, and prints the account. SIGTERM
/// ends the program at once; so does the end of the process that started the shim.
///
/// # Errors
/// [`ShimError`] if the program cannot be run, or nobody takes the account.
pub fn main(assignment: &Assignment) -> Result<(), ShimError> {
    let failed = |what| move |source| ShimError::System { what, source };
    let stop = StopFlag::default();
    signal_hook::flag::register(SIGTERM, stop.as_atomic())
        .map_err(failed("SIGTERM cannot be handled"))?;
    process::end_with_parent(Signal::TERM)?;
    // Whatever the run leaves behind becomes a child of the shim, so that its time is counted.
    set_child_subreaper(Some(getpid()))
        .map_err(|error| failed("orphans cannot be adopted")(error.into()))?;
    if !assignment.cores.is_empty() {
        cores::pin(&assignment.cores).map_err(failed("the cores cannot be used"))?;
    }
    let mut input = Vec::new();
    io::stdin()
        .read_to_end(&mut input)
        .map_err(ShimError::Input)?;
    let limits = Limits {
        time: assignment.time,
        first_signal_of_stop: Signal::KILL,
    };
    let Assignment {
        program, arguments, ..
    } = assignment;
    let ended = process::run(program, arguments, &input, &limits, &stop);
    let ended = ended.map_err(|source| ShimError::Run {
        program: program.display().to_string(),
        source,
    })?;
    process::reap_orphans();
    let text = toml::to_string(&Account::of(ended))?;
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    written
        .and_then(|()| stdout.flush())
        .map_err(ShimError::Output)
}

/// Starts a shim that runs this very program with a subcommand, gives it `input`, and waits for the account. None if
/// everything was asked to stop meanwhile. A shim that dies without an account is a run that died with its words.
///
/// # Errors
/// If no process can be started or watched at all.
pub(super) fn run(
    subcommand: &str,
    input: &[u8],
    time: Option<Duration>,
    cores: Option<&[usize]>,
    stop: &StopFlag,
) -> io::Result<Option<Account>> {
    let mut arguments: Vec<OsString> = vec![SUBCOMMAND.into()];
    if let Some(time) = time {
        arguments.extend([SECONDS.into(), time.as_secs_f64().to_string().into()]);
    }
    if let Some(cores) = cores {
        let numbers: Vec<String> = cores.iter().map(usize::to_string).collect();
        arguments.extend([CORES.into(), numbers.join(",").into()]);
    }
    arguments.extend([THIS_PROGRAM.into(), subcommand.into()]);
    let limits = Limits {
        time: time.map(|time| time + FINAL_GRACE + GRACE),
        first_signal_of_stop: Signal::TERM,
    };
    let ended = process::run(Path::new(THIS_PROGRAM), &arguments, input, &limits, stop)?;
    if ended.cause == Some(Cause::Stopped) {
        return Ok(None);
    }
    let account = std::str::from_utf8(&ended.stdout)
        .ok()
        .and_then(|text| toml::from_str::<Account>(text).ok())
        .filter(|_| ended.exit.success());
    let account = account.unwrap_or_else(|| Account {
        stdout: String::new(),
        exit_code: ended.exit_code(),
        signal: ended.signal(),
        over_time: ended.cause == Some(Cause::OverTime),
        stderr_tail: last_words(&ended.stderr_tail),
        elapsed_s: ended.elapsed.as_secs_f64(),
        ..Account::default()
    });
    // A shim that itself had to be ended, as its run did not die, says that it was stopped.
    let over_time = account.over_time || ended.cause == Some(Cause::OverTime);
    let account = Account {
        over_time,
        stopped: account.stopped && !over_time,
        ..account
    };
    Ok((!account.stopped).then_some(account))
}

/// What a shim that gave no account has said instead.
fn last_words(stderr_tail: &str) -> String {
    const WHO: &str = "the process that watched the run ended";
    if stderr_tail.is_empty() {
        format!("{WHO} without a word")
    } else {
        format!("{WHO}: {stderr_tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_survives_its_journey() {
        let account = Account {
            exit_code: Some(0),
            elapsed_s: 0.25,
            stdout: "a = '''x'''\n\"\u{7}\n".to_owned(),
            ..Account::default()
        };
        let text = toml::to_string(&account).unwrap();
        assert_eq!(toml::from_str::<Account>(&text).unwrap(), account);
        assert!(account.is_success());
    }
}
