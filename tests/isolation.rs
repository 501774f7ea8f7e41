//! What the shim says of a run is true of the run alone: it has nothing of who started it, nor of the runs before.
//!
//! The truth is what the run says of itself (`VmHWM` of `/proc/self/status`), or what it was made to use.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use sokolab::experiment::shim::{Account, SUBCOMMAND};

const MEBIBYTE: u64 = 1 << 20;

/// Runs a program under a shim, with `input` as its standard input.
fn account_of(options: &[&str], program: &[&str], input: &str) -> Account {
    let mut shim = Command::new(env!("CARGO_BIN_EXE_sokolab"))
        .arg(SUBCOMMAND)
        .args(options)
        .args(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the shim starts");
    let mut stdin = shim.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the shim reads");
    drop(stdin);
    let output = shim.wait_with_output().expect("the shim ends");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    toml::from_str(&text).expect("an account")
}

/// A search that visits a few positions only, with what it says of its own peak.
fn small_search() -> (Account, u64) {
    let order = "board = [\"#######\", \"#@ $ .#\", \"#######\"]\nspace = \"pushes\"\nstrategy = \"bfs\"\n\
        pruning = \"none\"\nthreading = \"sequential\"\nthreads = 1\ntable = \"hash\"\ngoal = \"solve\"\n";
    let account = account_of(&[], &["/proc/self/exe", "__worker"], order);
    assert!(account.is_success(), "{account:?}");
    let report: toml::Table = account.stdout.parse().expect("a report");
    let own = report["peak_rss_bytes"].as_integer().expect("Linux tells");
    (account, own as u64)
}

/// `dd` takes a buffer of so many bytes and fills it.
fn memory_hog(mebibytes: u64) -> Account {
    let size = format!("bs={mebibytes}M");
    let hog = ["dd", "if=/dev/zero", "of=/dev/null", &size, "count=1"];
    let account = account_of(&[], &hog, "");
    assert!(account.is_success(), "{account:?}");
    account
}

fn assert_within_a_tenth(measured: u64, truth: u64) {
    let ratio = measured as f64 / truth as f64;
    assert!(
        (0.9..=1.1).contains(&ratio),
        "{measured} instead of {truth}"
    );
}

#[test]
fn memory_of_the_parent_is_not_that_of_the_run() {
    let ballast = vec![1_u8; 300 * MEBIBYTE as usize];
    let (account, own) = small_search();
    assert_within_a_tenth(account.peak_rss_bytes.expect("told"), own);
    assert!(own < 30 * MEBIBYTE, "{own}");
    // What the system says of the shim itself shows what the shim is for.
    let naive = getrusage(UsageWho::RUSAGE_CHILDREN)
        .expect("told")
        .max_rss() as u64
        * 1024;
    assert!(naive >= 300 * MEBIBYTE, "{naive}");
    assert_eq!(
        ballast.iter().map(|&byte| u64::from(byte)).sum::<u64>(),
        300 * MEBIBYTE
    );
}

#[test]
fn memory_of_a_large_run_is_its_own_and_not_that_of_the_next() {
    let large = memory_hog(400);
    assert_within_a_tenth(large.peak_rss_bytes.expect("told"), 400 * MEBIBYTE);
    let (small, own) = small_search();
    assert_within_a_tenth(small.peak_rss_bytes.expect("told"), own);
}

#[test]
fn a_run_of_fifty_milliseconds_takes_fifty_milliseconds() {
    // Another process may have the processor when the time is over, so the best of some tries counts.
    let elapsed = (0..10).map(|_| account_of(&[], &["sleep", "0.05"], "").elapsed_s);
    let best = elapsed.fold(f64::INFINITY, f64::min);
    assert!((0.05..0.055).contains(&best), "{best}");
}

#[test]
fn processor_time_is_that_of_the_whole_tree() {
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    let script = format!("({busy}) & ({busy}) & wait; {busy}; times");
    let account = account_of(&[], &["sh", "-s"], &script);
    // `times` prints the user and system time of the shell, then those of what it has waited for, as 0m1.250000s.
    let told: f64 = account
        .stdout
        .split_whitespace()
        .map(|time| {
            let (minutes, seconds) = time.split_once('m').expect("minutes");
            let seconds: f64 = seconds.trim_end_matches('s').parse().expect("seconds");
            60.0 * minutes.parse::<f64>().expect("minutes") + seconds
        })
        .sum();
    let measured = account.cpu_user_s.expect("told") + account.cpu_sys_s.expect("told");
    // The shell knows its time to a tick of 10 ms for each of the four figures, and ends after it has said it.
    assert!(
        (told - 0.04..told + 0.1).contains(&measured),
        "{measured} instead of {told}"
    );
}

#[test]
fn a_run_over_its_time_is_ended_with_what_it_has_started_and_still_accounted_for() {
    let start = Instant::now();
    let script = "trap '' TERM; sleep 60 & x=0; while :; do x=$((x+1)); done";
    let account = account_of(&["--seconds", "0.2"], &["sh", "-s"], script);
    assert!(account.over_time);
    assert_eq!(account.signal, Some(9));
    assert!(account.cpu_user_s > Some(0.1), "{account:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_run_keeps_to_its_cores() {
    let status = ["grep", "Cpus_allowed_list", "/proc/self/status"];
    let core = sokolab::experiment::cores::usable().expect("told")[0].to_string();
    let account = account_of(&["--cores", &core], &status, "");
    assert_eq!(account.stdout.split_whitespace().last(), Some(&*core));
    let output = Command::new(env!("CARGO_BIN_EXE_sokolab"))
        .args([SUBCOMMAND, "--cores", "100000", "true"])
        .stdin(Stdio::null())
        .output()
        .expect("the shim starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("the cores cannot be used"), "{words}");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_sokolab"))
        .args([SUBCOMMAND, "/no/such/program"])
        .stdin(Stdio::null())
        .output()
        .expect("the shim starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        words.contains("/no/such/program: cannot be run: No such file"),
        "{words}"
    );
}
