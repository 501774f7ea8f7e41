//! The sweep as a user runs it: from an experiment file to checked rows.

mod compare;
mod kill;
mod lab;
mod limits;
mod parts;
mod recovery;
mod slurm;

use std::fs;

use lab::{Lab, TINY};
use sokolab::experiment::Row;
use sokolab::experiment::cores::usable;

/// Two levels, one of them without a solution: the box stands in a corner.
const LEVELS: &str = "\
#######
#@ $ .#
#     #
# $ . #
#######

Title: Solvable

#####
#$ @#
# . #
#####

Title: Lost

";

const MATRIX: &str = "\
strategy = [\"dfs\", \"bfs\", \"greedy\"]
heuristic = [\"manhattan\"]
pruning = [\"none\", \"frozen\"]
threading = [\"shared\", \"actors\"]
threads = [1, 2]";

/// 2 levels, 3 strategies, 2 pruning levels, 2 models, 2 thread counts, 2 repetitions.
const RUNS: usize = 2 * 3 * 2 * 2 * 2 * 2;

fn lab() -> Lab {
    Lab::new(LEVELS, "repetitions = 2\ntime_limit = \"60s\"", MATRIX)
}

/// `generated = pruned + duplicates + reopened + (states_visited - 1)`, as METHODOLOGY.md states it.
fn assert_conserved(row: &Row) {
    let count = |count: Option<u64>| count.expect("counted");
    assert_eq!(
        count(row.generated),
        count(row.pruned) + count(row.duplicates) + count(row.reopened) + count(row.states_visited)
            - 1,
        "{row:?}"
    );
    let by_rule: u64 = row.pruned_by_rule.iter().filter_map(|rule| rule.1).sum();
    assert_eq!(count(row.pruned), by_rule);
}

#[test]
fn a_sweep_gives_one_checked_row_a_run_and_a_report() {
    let lab = lab();
    let sweep = lab.sweep(&[]);
    assert_eq!(sweep.code, Some(0), "{}", sweep.stderr);
    assert!(sweep.stderr.contains("next: sokolab verify out"));
    lab.assert_complete();
    let rows = lab.rows();
    assert_eq!(rows.len(), RUNS);
    for row in &rows {
        assert_conserved(row);
        let solution = lab
            .out()
            .join("solutions")
            .join(format!("{}.lurd", row.run_id));
        assert_eq!(solution.exists(), row.status == "solved");
        let expected = if row.level == 1 {
            "solved"
        } else {
            "unsolvable"
        };
        assert_eq!(row.status, expected, "{row:?}");
        assert!(row.wall_s.is_some_and(|wall| wall > 0.0 && wall < 60.0));
        assert!(row.peak_rss_bytes.is_some_and(|bytes| bytes > 1 << 20));
        assert!(row.cpu_user_s.is_some() && row.cpu_sys_s.is_some());
        assert!(row.load_balance.is_some() && row.idle_s.is_some());
        assert_eq!(row.states_sent.is_some(), row.threading == "actors");
    }
    let shortest = rows
        .iter()
        .filter(|row| row.strategy == "bfs" && row.level == 1);
    let costs: Vec<_> = shortest.map(|row| row.cost).collect();
    // The upper box needs two pushes to the right, the lower one two.
    assert_eq!(costs, [Some(4); RUNS / 2 / 3]);
    assert!(lab.out().join("report/index.html").exists());
    assert!(lab.out().join("manifest.toml").exists());
}

#[test]
fn good_results_pass_verification_and_status() {
    let lab = lab();
    lab.sweep(&["--jobs", "2"]);
    let verified = lab.run(&["verify", "out"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let expected = format!(
        "{RUNS} rows checked, {} solutions replayed, 0 wrong",
        RUNS / 2
    );
    assert!(verified.stdout.contains(&expected), "{}", verified.stdout);
    let status = lab.run(&["status", "out"]);
    assert_eq!(status.code, Some(0));
    assert!(status.stdout.contains("48  solved"), "{}", status.stdout);
    assert!(status.stdout.contains("0  left"));
}

#[test]
fn verification_finds_what_was_tampered_with() {
    let lab = Lab::new(TINY, "", "strategy = [\"bfs\"]\npruning = [\"none\"]");
    assert_eq!(lab.sweep(&[]).code, Some(0));
    let row = &lab.rows()[0];
    assert_eq!((row.cost, row.moves), (Some(2), Some(3)));
    let solution = lab.out().join(format!("solutions/{}.lurd", row.run_id));
    let rows = lab.out().join("runs.csv");
    let (good_solution, good_rows) = (
        fs::read_to_string(&solution).expect("a solution"),
        fs::read_to_string(&rows).expect("rows"),
    );
    assert_eq!(good_solution, "rRR\n");

    fs::write(&solution, "rR\n").expect("a writable file");
    let verified = lab.run(&["verify", "out"]);
    assert_eq!(verified.code, Some(101));
    assert!(
        verified.stdout.contains("some box is not on a goal"),
        "{verified:?}"
    );
    fs::write(&solution, good_solution).expect("a writable file");

    for (column, change, fault) in [
        ("expanded", "77", None),
        ("generated", "77", Some("generated = 77, but")),
        ("moves", "4", Some("the replay counts 3 moves")),
        ("strategy", "dfs", Some("strategy is not what was planned")),
        (
            "time_limit_s",
            "7",
            Some("time_limit_s is not what was planned"),
        ),
        ("run_id", "beef", Some("no such run was planned")),
    ] {
        fs::write(&rows, with_field(&good_rows, column, change)).expect("a writable file");
        let verified = lab.run(&["verify", "out"]);
        match fault {
            Some(fault) => {
                assert_eq!(verified.code, Some(101), "{column}: {verified:?}");
                assert!(verified.stdout.contains(fault), "{}", verified.stdout);
            }
            // No law binds this count.
            None => assert_eq!(verified.code, Some(0), "{column}: {verified:?}"),
        }
    }
}

/// The file with one field of its only row changed; no field of it is quoted.
fn with_field(rows: &str, column: &str, text: &str) -> String {
    let lines: Vec<&str> = rows.lines().collect();
    let index = lines[0].split(',').position(|name| name == column);
    let mut fields: Vec<&str> = lines[1].split(',').collect();
    fields[index.expect("a known column")] = text;
    format!("{}\n{}\n", lines[0], fields.join(","))
}

#[test]
fn one_solution_of_a_level_is_verified_by_itself() {
    let lab = Lab::new(TINY, "", "strategy = [\"bfs\"]\npruning = [\"none\"]");
    fs::write(lab.path("good.lurd"), "rRR").expect("a writable directory");
    fs::write(lab.path("bad.lurd"), "rRRR").expect("a writable directory");
    let good = lab.run(&["verify", "levels.xsb#1", "--solution", "good.lurd"]);
    assert_eq!(good.code, Some(0));
    assert_eq!(good.stdout, "solved: 3 moves, 2 pushes\n");
    let bad = lab.run(&["verify", "levels.xsb#1", "--solution", "bad.lurd"]);
    assert_eq!(bad.code, Some(101));
    assert!(
        bad.stdout.contains("a wall is behind the box"),
        "{}",
        bad.stdout
    );
}

#[test]
fn runs_at_the_same_time_have_cores_of_their_own() {
    let head = "repetitions = 6\npin = true\nwarm_ups = 2\ntime_limit = \"60s\"";
    let lab = Lab::new(TINY, head, "strategy = [\"bfs\"]\npruning = [\"none\"]");
    let ended = lab.sweep(&["--jobs", "2"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // Warm-ups leave no row.
    lab.assert_complete();
    let cores = usable().expect("Linux tells");
    for row in lab.rows() {
        let core = row.cores.expect("pinned").parse().expect("one core");
        assert!(cores.contains(&core), "{core} of {cores:?}");
    }
}

#[test]
fn more_threads_than_cores_cannot_be_pinned() {
    let threads = usable().expect("Linux tells").len() + 1;
    let matrix = format!(
        "strategy = [\"bfs\"]\npruning = [\"none\"]\nthreading = [\"shared\"]\nthreads = [{threads}]"
    );
    let ended = Lab::new(TINY, "pin = true", &matrix).sweep(&[]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("lower `threads`, or set pin = false"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_dry_run_names_what_is_left_and_does_nothing() {
    let lab = lab();
    let dry = lab.sweep(&["--dry-run"]);
    assert_eq!(dry.code, Some(0));
    assert_eq!(dry.stdout.lines().count(), RUNS + 1);
    assert!(
        dry.stderr.contains("96 runs, at most 1 h 36 min of search"),
        "{}",
        dry.stderr
    );
    assert!(!lab.out().exists());
    lab.sweep(&[]);
    let dry = lab.sweep(&["--dry-run"]);
    assert!(
        dry.stderr.contains("96 of 96 runs are done"),
        "{}",
        dry.stderr
    );
}

#[test]
fn a_worker_without_an_order_says_what_it_is() {
    let lab = lab();
    let worker = lab.run(&["__worker"]);
    assert_eq!(worker.code, Some(1));
    assert!(
        worker
            .stderr
            .contains("`sokolab run` starts this by itself")
    );
}
