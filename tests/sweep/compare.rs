//! Two sets of results, compared.

use std::fs;

use crate::lab::{Lab, TINY};

const MATRIX: &str = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\"]";

/// Results in `out` and, measured anew, in `again`.
fn twice() -> Lab {
    let lab = Lab::new(TINY, "repetitions = 3\ntime_limit = \"60s\"", MATRIX);
    assert_eq!(lab.sweep(&[]).code, Some(0));
    assert_eq!(lab.sweep_into("again").code, Some(0));
    lab
}

/// Replaces the first occurrence of a text in a file.
fn replace(lab: &Lab, file: &str, from: &str, to: &str) {
    let path = lab.path(file);
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replacen(from, to, 1)).expect("a writable file");
}

#[test]
fn the_same_experiment_has_the_same_results_twice() {
    let lab = twice();
    // A level that takes a millisecond is no measure of time.
    let diff = lab.run(&["diff", "out", "again", "--tolerance", "1000"]);
    assert_eq!(diff.code, Some(0), "{diff:?}");
    let counts = "6 runs compared, 0 only in the old results, 0 only in the new ones\n";
    assert!(diff.stdout.starts_with(counts), "{}", diff.stdout);
    assert!(diff.stdout.contains("1.000 n=1"), "{}", diff.stdout);
    assert!(diff.stderr.contains("not worse"), "{}", diff.stderr);
}

#[test]
fn a_run_that_is_no_longer_solved_is_a_regression() {
    let lab = twice();
    replace(&lab, "again/runs.csv", ",solved,", ",time_limit,");
    let diff = lab.run(&["diff", "out", "again"]);
    assert_eq!(diff.code, Some(1), "{diff:?}");
    assert!(
        diff.stdout.contains("regression: levels.xsb#1 pushes "),
        "{}",
        diff.stdout
    );
    assert!(
        diff.stdout.contains("solved -> time_limit"),
        "{}",
        diff.stdout
    );
    assert!(
        diff.stderr.contains("worse: 1 regression"),
        "{}",
        diff.stderr
    );
    let back = lab.run(&["diff", "again", "out", "--tolerance", "1000"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    assert!(back.stdout.contains("improvement: "), "{}", back.stdout);
}

#[test]
fn runs_of_one_side_are_named_and_a_tolerance_is_a_ratio() {
    let lab = twice();
    let rows = fs::read_to_string(lab.path("again/runs.csv")).expect("rows");
    let all_but_one: String = rows
        .lines()
        .take(6)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(lab.path("again/runs.csv"), all_but_one).expect("a writable file");
    let diff = lab.run(&["diff", "out", "again", "--tolerance", "1000"]);
    let counts = "5 runs compared, 1 only in the old results, 0 only in the new ones\nonly old: ";
    assert!(diff.stdout.starts_with(counts), "{}", diff.stdout);
    for wrong in ["NaN", "-1", "0.9", "inf", "much"] {
        let refused = lab.run(&["diff", "out", "again", &format!("--tolerance={wrong}")]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let words = "expected new / old, a number from 1 on";
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}

#[test]
fn an_edited_level_is_another_question() {
    let lab = twice();
    replace(&lab, "again/manifest.toml", "#@", "#+");
    let diff = lab.run(&["diff", "out", "again"]);
    assert_eq!(diff.code, Some(2), "{diff:?}");
    assert!(
        diff.stderr.contains("have no run in common"),
        "{}",
        diff.stderr
    );
}

#[test]
fn a_run_that_a_changed_limit_cut_short_is_no_regression() {
    let lab = twice();
    replace(&lab, "again/runs.csv", ",solved,", ",time_limit,");
    replace(&lab, "again/manifest.toml", "60s", "5s");
    let diff = lab.run(&["diff", "out", "again", "--tolerance", "1000"]);
    assert_eq!(diff.code, Some(0), "{diff:?}");
    let words = "note: 1 run set aside: one side ended at a limit that has changed";
    assert!(diff.stderr.contains(words), "{}", diff.stderr);
}

#[test]
fn times_of_another_machine_are_compared_by_force_only() {
    let lab = twice();
    replace(
        &lab,
        "again/manifest.toml",
        "hardware_threads = ",
        "hardware_threads = 9",
    );
    let diff = lab.run(&["diff", "out", "again"]);
    assert!(
        diff.stderr
            .contains("times are not compared, nor runs at a limit of time: measured on"),
        "{}",
        diff.stderr
    );
    let last = diff.stdout.lines().last().expect("a table");
    assert_eq!(
        last.split("  ").filter(|cell| !cell.is_empty()).nth(2),
        Some("-"),
        "{last}"
    );
    let forced = lab.run(&["diff", "out", "again", "--force", "--tolerance", "1000"]);
    assert!(
        forced.stderr.contains("times are compared all the same"),
        "{}",
        forced.stderr
    );
    let last = forced.stdout.lines().last().expect("a table");
    assert_ne!(
        last.split("  ").filter(|cell| !cell.is_empty()).nth(2),
        Some("-"),
        "{last}"
    );
}

#[test]
fn results_of_other_questions_cannot_be_compared() {
    let lab = twice();
    lab.write_experiment(
        "repetitions = 1",
        "strategy = [\"bfs\"]\npruning = [\"corner\"]",
    );
    assert_eq!(lab.sweep_into("other").code, Some(0));
    let diff = lab.run(&["diff", "out", "other"]);
    assert_eq!(diff.code, Some(2), "{diff:?}");
    assert!(
        diff.stderr.contains("have no run in common"),
        "{}",
        diff.stderr
    );
    let nothing = lab.run(&["diff", "out", "nowhere"]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
}

#[test]
fn pruning_levels_are_compared_with_the_weakest() {
    let matrix = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\", \"corner\"]";
    let lab = Lab::new(TINY, "time_limit = \"60s\"", matrix);
    assert_eq!(lab.sweep(&[]).code, Some(0));
    let compare = lab.run(&["compare", "out", "--vary", "pruning"]);
    assert_eq!(compare.code, Some(0), "{compare:?}");
    let first = "pruning: against \"none\", per level that both answered";
    assert_eq!(compare.stdout.lines().next(), Some(first));
    for words in [
        "states visited",
        "wall time",
        "peak memory",
        "corner   all",
        "corner   bfs",
        "2/2 -> 2/2",
        "p (Holm)",
        "wins/ties/losses",
        "levels that differ",
    ] {
        assert!(
            compare.stdout.contains(words),
            "{words}: {}",
            compare.stdout
        );
    }
    let listed = lab.run(&["compare", "out"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let expected = "column    values\nstrategy  bfs, dfs\npruning   none, corner\n";
    assert_eq!(listed.stdout, expected);
    let next = "next: sokolab compare out --vary strategy";
    assert!(listed.stderr.contains(next), "{}", listed.stderr);
    let wrong = lab.run(&["compare", "out", "--vary", "pruning", "--baseline", "edge"]);
    assert_eq!(wrong.code, Some(2));
    assert!(
        wrong.stderr.contains("expected one of none, corner"),
        "{}",
        wrong.stderr
    );
    let not_varied = lab.run(&["compare", "out", "--vary", "threads"]);
    assert_eq!(not_varied.code, Some(2));
    assert!(
        not_varied.stderr.contains("it varies strategy, pruning"),
        "{}",
        not_varied.stderr
    );
}

#[test]
fn the_doctor_finds_a_debug_build_and_names_what_to_do() {
    let lab = Lab::new(TINY, "repetitions = 1", MATRIX);
    let doctor = lab.run(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
    let build = doctor.stdout.lines().next().expect("findings");
    if cfg!(debug_assertions) {
        assert_eq!(build, "warn    build             debug");
        assert!(
            doctor.stdout.contains("build with --release"),
            "{}",
            doctor.stdout
        );
    } else {
        assert_eq!(build, "ok      build             release");
    }
    assert!(
        doctor.stderr.contains("next: sokolab run"),
        "{}",
        doctor.stderr
    );
}
