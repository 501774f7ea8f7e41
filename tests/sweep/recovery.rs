//! Sweeps that end in the middle, and what is made of their rows.

use std::fs;

use rustix::process::Signal;

use crate::lab::{HUGE, Lab, TINY, is_alive, wait_for};

const SMALL: &str = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\", \"corner\"]";

/// Forty runs of some ten milliseconds each.
fn many() -> Lab {
    Lab::new(TINY, "repetitions = 10\ntime_limit = \"60s\"", SMALL)
}

fn slow() -> Lab {
    let levels = format!("{TINY}{HUGE}");
    let head = "time_limit = \"60s\"\nmemory_limit = \"4GiB\"";
    Lab::new(&levels, head, "strategy = [\"bfs\"]\npruning = [\"none\"]")
}

#[test]
fn a_line_that_was_cut_off_is_done_again() {
    let lab = many();
    assert_eq!(lab.sweep(&[]).code, Some(0));
    let path = lab.out().join("runs.csv");
    let rows = fs::read(&path).expect("rows");
    // The last row loses its end, at the worst place: behind a number that is complete to look at.
    fs::write(&path, &rows[..rows.len() - 5]).expect("a writable file");
    let status = lab.run(&["status", "out"]);
    assert_eq!(status.code, Some(106));
    assert!(
        status.stderr.contains("the last line is cut off"),
        "{}",
        status.stderr
    );
    let resumed = lab.run(&["resume", "out"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert!(
        resumed.stderr.contains("its run is done again"),
        "{}",
        resumed.stderr
    );
    assert!(
        resumed.stderr.contains("39 of 40 runs are done already"),
        "{}",
        resumed.stderr
    );
    lab.assert_complete();
}

#[test]
fn a_sweep_that_was_killed_is_finished_with_one_row_a_run() {
    let lab = many();
    let sweep = lab.start_sweep();
    wait_for("some rows", || lab.rows_so_far() >= 3);
    sweep.signal(Signal::KILL);
    assert_eq!(sweep.wait().code, None);
    let before = lab.rows_so_far();
    assert!((3..40).contains(&before), "{before} rows");
    let resumed = lab.sweep(&["--resume"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    lab.assert_complete();
    assert_eq!(lab.run(&["verify", "out"]).code, Some(0));
}

#[test]
fn a_worker_dies_with_its_sweep() {
    let lab = slow();
    let sweep = lab.start_sweep();
    let worker = sweep.worker();
    sweep.signal(Signal::KILL);
    sweep.wait();
    wait_for("the end of the worker", || !is_alive(worker));
}

#[test]
fn an_interrupt_keeps_rows_and_leaves_no_process() {
    for signal in [Signal::INT, Signal::TERM] {
        let lab = slow();
        let sweep = lab.start_sweep();
        let worker = sweep.worker();
        sweep.signal(signal);
        let ended = sweep.wait();
        assert_eq!(ended.code, Some(130), "{ended:?}");
        assert!(!is_alive(worker));
        assert!(
            ended
                .stderr
                .contains("1 rows are kept in out, 1 runs are left"),
            "{ended:?}"
        );
        assert!(
            ended.stderr.contains("next: sokolab resume out"),
            "{ended:?}"
        );
        assert_eq!(lab.rows().len(), 1);
        assert_eq!(lab.rows()[0].status, "solved");
    }
}

#[test]
fn a_second_sweep_on_the_same_directory_is_refused() {
    let lab = slow();
    let first = lab.start_sweep();
    first.worker();
    for arguments in [&[][..], &["--resume"], &["--fresh"]] {
        let second = lab.sweep(arguments);
        assert_eq!(second.code, Some(2), "{second:?}");
        assert!(
            second.stderr.contains("in use by another sweep"),
            "{}",
            second.stderr
        );
    }
    let status = lab.run(&["status", "out"]);
    assert!(
        status.stderr.contains("a sweep is writing there now"),
        "{}",
        status.stderr
    );
    first.signal(Signal::INT);
    assert_eq!(first.wait().code, Some(130));
}

#[test]
fn nothing_is_done_twice() {
    let lab = many();
    lab.sweep(&[]);
    let rows = fs::read(lab.out().join("runs.csv")).expect("rows");
    let again = lab.sweep(&[]);
    assert_eq!(again.code, Some(0));
    assert!(
        again.stderr.contains("40 of 40 runs are done already"),
        "{}",
        again.stderr
    );
    assert_eq!(fs::read(lab.out().join("runs.csv")).expect("rows"), rows);
}

#[test]
fn what_was_not_begun_cannot_be_resumed() {
    let lab = many();
    let resumed = lab.sweep(&["--resume"]);
    assert_eq!(resumed.code, Some(2));
    assert!(
        resumed.stderr.contains("there is nothing to resume"),
        "{}",
        resumed.stderr
    );
    assert_eq!(lab.run(&["resume", "out"]).code, Some(2));
}

#[test]
fn rows_of_a_changed_experiment_are_not_mixed() {
    let lab = many();
    lab.sweep(&[]);
    lab.write_experiment("repetitions = 10\ntime_limit = \"30s\"", SMALL);
    let changed = lab.sweep(&[]);
    assert_eq!(changed.code, Some(2));
    for words in [
        "holds 40 rows that are not of this plan",
        "the experiment file has changed",
        "--fresh",
    ] {
        assert!(changed.stderr.contains(words), "{}", changed.stderr);
    }
    // The directory still holds its own experiment.
    assert_eq!(lab.run(&["resume", "out"]).code, Some(0));

    let fresh = lab.sweep(&["--fresh"]);
    assert_eq!(fresh.code, Some(0), "{}", fresh.stderr);
    assert!(
        fresh
            .stderr
            .contains("earlier results are moved to out/previous-1")
    );
    lab.assert_complete();
    assert!(lab.out().join("previous-1/runs.csv").exists());
}

#[test]
fn an_experiment_that_has_grown_keeps_its_rows() {
    let lab = many();
    lab.sweep(&[]);
    lab.write_experiment("repetitions = 11\ntime_limit = \"60s\"", SMALL);
    let grown = lab.sweep(&[]);
    assert_eq!(grown.code, Some(0), "{}", grown.stderr);
    assert!(
        grown.stderr.contains("40 of 44 runs are done already"),
        "{}",
        grown.stderr
    );
    assert!(
        grown
            .stderr
            .contains("all 40 rows that are there still belong to it")
    );
    lab.assert_complete();
}

#[test]
fn rows_that_cannot_be_written_end_the_sweep_and_keep_the_others() {
    let lab = many();
    let plan = lab.plan();
    // A directory stands where the solution of the fifth run belongs.
    let obstacle = lab.out().join(format!("solutions/{}.lurd", plan[4]));
    fs::create_dir_all(&obstacle).expect("a writable directory");
    let ended = lab.sweep(&[]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(&plan[4]), "{}", ended.stderr);
    assert_eq!(lab.rows().len(), 4);
    fs::remove_dir(&obstacle).expect("a writable directory");
    assert_eq!(lab.run(&["resume", "out"]).code, Some(0));
    lab.assert_complete();
}

#[test]
fn rows_without_a_manifest_are_not_continued() {
    let lab = many();
    lab.sweep(&[]);
    fs::remove_file(lab.out().join("manifest.toml")).expect("a manifest");
    let again = lab.sweep(&[]);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.stderr.contains("manifest.toml"), "{}", again.stderr);
}
