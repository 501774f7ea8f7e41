//! What limits and crashes make of a run.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use crate::assert_conserved;
use sokolab::experiment::read_rows;

use crate::lab::{HUGE, Lab, TINY, is_alive, wait_for};

const BFS: &str = "strategy = [\"bfs\"]\npruning = [\"none\"]";

#[test]
fn a_run_over_its_time_is_a_time_limit_with_its_counts() {
    let lab = Lab::new(HUGE, "time_limit = \"300ms\"", BFS);
    assert_eq!(lab.sweep(&[]).code, Some(0));
    let [row] = &lab.rows()[..] else {
        panic!("one run was planned");
    };
    assert_eq!(row.status, "time_limit");
    assert_eq!(row.time_limit_s, Some(0.3));
    assert_conserved(row);
    assert!(row.states_visited > Some(1000), "{row:?}");
    let wall = row.wall_s.expect("measured");
    assert!((0.3..5.0).contains(&wall), "{wall}");
    assert_eq!(row.cost, None);
}

#[test]
fn a_run_over_its_memory_is_a_memory_limit_within_its_memory() {
    let limit = 64 << 20;
    let head = "time_limit = \"120s\"\nmemory_limit = \"64MiB\"\nrepetitions = 1";
    let matrix = format!("{BFS}\nthreading = [\"shared\", \"actors\"]\nthreads = [2]");
    let lab = Lab::new(HUGE, head, &matrix);
    assert_eq!(lab.sweep(&[]).code, Some(0));
    for row in lab.rows() {
        assert_eq!(row.status, "memory_limit", "{row:?}");
        assert_conserved(&row);
        let peak = row.peak_rss_bytes.expect("Linux tells");
        // Allocators round up and threads have stacks, but not more than a third of so small a limit.
        assert!(peak < limit / 3 * 4, "{peak} of {limit}");
        assert!(peak > limit / 3, "{peak} of {limit}");
    }
}

#[test]
fn a_state_limit_is_one() {
    let lab = Lab::new(HUGE, "state_limit = 5000", BFS);
    assert_eq!(lab.sweep(&[]).code, Some(0));
    let row = &lab.rows()[0];
    assert_eq!(row.status, "state_limit");
    assert_conserved(row);
}

#[test]
fn a_killed_worker_is_a_crash_and_the_sweep_goes_on() {
    let levels = format!("{HUGE}{TINY}");
    let lab = Lab::new(
        &levels,
        "time_limit = \"60s\"\nmemory_limit = \"4GiB\"",
        BFS,
    );
    let sweep = lab.start_sweep();
    let worker = sweep.worker();
    let score = format!("/proc/{}/oom_score_adj", worker.as_raw_nonzero());
    assert_eq!(
        fs::read_to_string(score).expect("Linux tells"),
        "1000\n",
        "a machine without memory takes the run, not the sweep"
    );
    kill_process(worker, Signal::KILL).expect("it runs");
    let ended = sweep.wait();
    assert_eq!(ended.code, Some(100), "{ended:?}");
    assert!(ended.stderr.contains("crashed"), "{}", ended.stderr);
    let rows = lab.rows();
    assert_eq!(rows[0].status, "crashed");
    assert_eq!(rows[0].detail, "killed by signal 9, without a word");
    assert_eq!((rows[0].generated, rows[0].wall_s), (None, None));
    assert!(
        rows[0].cpu_user_s >= Some(0.05),
        "the kernel's accounts outlive it"
    );
    assert_eq!(rows[1].status, "solved");
    assert_eq!(rows[0].rss_method, "wait4");
    assert!(rows[0].peak_rss_bytes > Some(1 << 20));
    let status = lab.run(&["status", "out"]);
    assert_eq!(status.code, Some(100));
    let next = "next: sokolab resume out --retry crashed,invalid";
    assert!(status.stderr.contains(next), "{}", status.stderr);
    assert_eq!(lab.run(&["verify", "out"]).code, Some(100));
}

#[test]
fn a_crashed_run_is_done_again_when_asked_for_and_its_row_is_kept_aside() {
    let levels = format!("{HUGE}{TINY}");
    let head = "time_limit = \"2s\"\nmemory_limit = \"4GiB\"";
    let lab = Lab::new(&levels, head, BFS);
    let sweep = lab.start_sweep();
    kill_process(sweep.worker(), Signal::KILL).expect("it runs");
    assert_eq!(sweep.wait().code, Some(100));
    let resumed = lab.run(&["resume", "out"]);
    assert_eq!(resumed.code, Some(100), "{}", resumed.stderr);

    let retried = lab.run(&["resume", "out", "--retry", "crashed"]);
    assert_eq!(retried.code, Some(0), "{}", retried.stderr);
    assert!(
        retried
            .stderr
            .contains("1 rows are moved to out/retried.csv, and their runs are done again"),
        "{}",
        retried.stderr
    );
    lab.assert_complete();
    let statuses: Vec<String> = lab.rows().into_iter().map(|row| row.status).collect();
    assert_eq!(statuses, ["solved", "time_limit"]);
    let aside = read_rows(lab.out().join("retried.csv")).expect("good rows");
    assert_eq!(aside.len(), 1);
    assert_eq!(aside[0].status, "crashed");
    // A limit is a result: it is not done again until it pleases.
    let refused = lab.run(&["resume", "out", "--retry", "time_limit"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .stderr
            .contains("expected one of \"crashed\", \"invalid\""),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_killed_shim_takes_its_run_with_it() {
    let levels = format!("{HUGE}{TINY}");
    let head = "time_limit = \"60s\"\nmemory_limit = \"4GiB\"";
    let lab = Lab::new(&levels, head, BFS);
    let sweep = lab.start_sweep();
    let worker = sweep.worker();
    kill_process(sweep.shim(), Signal::KILL).expect("it runs");
    assert_eq!(sweep.wait().code, Some(100));
    wait_for("the end of the worker", || !is_alive(worker));
    let rows = lab.rows();
    assert_eq!(rows[0].status, "crashed");
    assert_eq!(
        rows[0].detail,
        "killed by signal 9: the process that watched the run ended without a word"
    );
    assert_eq!(rows[1].status, "solved");
}

#[test]
fn a_worker_that_hangs_is_killed_as_over_its_time() {
    let lab = Lab::new(HUGE, "time_limit = \"2s\"\nmemory_limit = \"4GiB\"", BFS);
    let sweep = lab.start_sweep();
    let worker = sweep.worker();
    let start = Instant::now();
    // A stopped process reacts to nothing but SIGKILL.
    kill_process(worker, Signal::STOP).expect("it runs");
    assert_eq!(sweep.wait().code, Some(0));
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(!is_alive(worker));
    let row = &lab.rows()[0];
    assert_eq!(row.status, "time_limit");
    assert!(
        row.detail.starts_with("did not end by itself"),
        "{}",
        row.detail
    );
}

#[test]
fn a_worker_that_somebody_ended_is_left_to_be_done() {
    let levels = format!("{HUGE}{TINY}");
    let lab = Lab::new(
        &levels,
        "time_limit = \"60s\"\nmemory_limit = \"4GiB\"",
        BFS,
    );
    let sweep = lab.start_sweep();
    kill_process(sweep.worker(), Signal::TERM).expect("it runs");
    let ended = sweep.wait();
    assert_eq!(ended.code, Some(106), "{ended:?}");
    assert!(
        ended
            .stderr
            .contains("1 rows are kept in out, 1 runs are left"),
        "{}",
        ended.stderr
    );
    assert_eq!(lab.run(&["status", "out"]).code, Some(106));
}
