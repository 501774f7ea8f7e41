//! A plan that is done in parts by processes that do not know of each other.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use sokolab::experiment::read_rows;
use sokolab::experiment::split_mix::SplitMix64;

use crate::lab::{HUGE, Lab, Sweep, TINY, deterministic_rows, wait_for};

const SMALL: &str = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\", \"corner\"]";

/// Twenty runs of some milliseconds each.
fn lab() -> Lab {
    Lab::new(TINY, "repetitions = 5\ntime_limit = \"60s\"", SMALL)
}

fn part(shard: &str) -> [&str; 6] {
    ["run", "test.toml", "--out", "out", "--shard", shard]
}

/// Folders of all attempts at a part.
fn attempts(lab: &Lab, folder: &str) -> Vec<PathBuf> {
    let attempts = lab.out().join("shards").join(folder).join("attempts");
    let entries = fs::read_dir(attempts).expect("a part that was begun");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

#[test]
fn parts_make_the_whole_and_collecting_again_changes_nothing() {
    let lab = lab();
    let parts = ["1/3", "2/3", "3/3"].map(|shard| lab.start(&part(shard)));
    for part in parts {
        let ended = part.wait();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stderr.contains("next: sokolab collect out"));
    }
    let status = lab.run(&["status", "out"]);
    assert_eq!(status.code, Some(106), "{status:?}");
    let told = "3 published, 20 rows of them not collected yet, 0 duplicates";
    assert!(status.stdout.contains(told), "{}", status.stdout);
    assert!(status.stderr.contains("next: sokolab collect out"));

    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(0), "{}", collected.stderr);
    lab.assert_complete();
    assert!(lab.out().join("report/index.html").exists());
    assert_eq!(lab.run(&["verify", "out"]).code, Some(0));
    let rows = fs::read(lab.out().join("runs.csv")).expect("rows");
    let manifest = fs::read(lab.out().join("manifest.toml")).expect("a manifest");
    assert_eq!(lab.run(&["collect", "out"]).code, Some(0));
    assert_eq!(fs::read(lab.out().join("runs.csv")).expect("rows"), rows);
    assert_eq!(
        fs::read(lab.out().join("manifest.toml")).expect("one"),
        manifest
    );

    assert_eq!(lab.sweep_into("whole").code, Some(0));
    let whole = read_rows(lab.path("whole/runs.csv")).expect("good rows");
    assert_eq!(deterministic_rows(lab.rows()), deterministic_rows(whole));
}

#[test]
fn of_attempts_at_the_same_part_one_counts_and_the_others_are_kept() {
    let lab = lab();
    let parts: Vec<Sweep> = (0..5).map(|_| lab.start(&part("1/2"))).collect();
    let ended: Vec<_> = parts.into_iter().map(Sweep::wait).collect();
    for part in &ended {
        assert_eq!(part.code, Some(0), "{part:?}");
    }
    let count = |words: &str| {
        ended
            .iter()
            .filter(|part| part.stderr.contains(words))
            .count()
    };
    assert_eq!(count("part 1/2: 10 rows are published"), 1, "{ended:?}");
    // One that begins when the part is done has nothing to do.
    let (late, lost) = (count("are done already"), count("are duplicates"));
    assert_eq!(late + lost, 4, "{ended:?}");
    assert_eq!(attempts(&lab, "1-of-2").len(), 1 + lost);

    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(106), "{}", collected.stderr);
    assert_eq!(collected.stderr.matches("is a duplicate").count(), lost);
    assert!(
        collected
            .stderr
            .contains("10 rows are in out, 10 runs are left")
    );
    assert!(collected.stderr.contains("next: sokolab resume out"));
    assert_eq!(lab.rows().len(), 10);
    // The other part is done by a sweep of the whole.
    assert_eq!(lab.run(&["resume", "out"]).code, Some(0));
    lab.assert_complete();
}

#[test]
fn an_attempt_that_was_killed_counts_for_nothing_and_its_part_is_done_again() {
    let levels = format!("{TINY}{HUGE}");
    let head = "time_limit = \"1s\"\nmemory_limit = \"4GiB\"\nrepetitions = 2";
    let lab = Lab::new(&levels, head, "strategy = [\"bfs\"]\npruning = [\"none\"]");
    let killed = lab.start(&part("1/1"));
    killed.worker();
    killed.signal(Signal::KILL);
    assert_eq!(killed.wait().code, None);
    let [attempt] = &attempts(&lab, "1-of-1")[..] else {
        panic!("one attempt was made");
    };
    let rows = read_rows(attempt.join("runs.csv")).expect("good rows");
    assert!((1..4).contains(&rows.len()), "{} rows", rows.len());

    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(106), "{collected:?}");
    assert!(
        collected.stderr.contains("none of its rows is counted"),
        "{collected:?}"
    );
    assert!(
        collected
            .stderr
            .contains("0 rows are in out, 4 runs are left")
    );
    let again = lab.run(&["resume", "out", "--shard", "1/1"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(lab.run(&["collect", "out"]).code, Some(0));
    lab.assert_complete();
    let status = lab.run(&["status", "out"]);
    assert_eq!(status.code, Some(0), "{status:?}");
    assert!(
        status
            .stderr
            .contains("was not finished, and another attempt is published")
    );
}

#[test]
fn kills_of_parts_and_of_collectors_lose_nothing_and_repeat_nothing() {
    let lab = Lab::new(TINY, "repetitions = 25\ntime_limit = \"60s\"", SMALL);
    let shards: Vec<String> = (1..=8).map(|index| format!("{index}/8")).collect();
    let mut random = SplitMix64::new(11);
    let mut killed = 0;
    for shard in shards.iter().cycle().take(60) {
        // Two attempts at the same part, and somebody who collects meanwhile.
        let processes = [
            lab.start(&part(shard)),
            lab.start(&part(shard)),
            lab.start(&["collect", "out"]),
        ];
        // Some of the parts get done within that time, and most do not.
        thread::sleep(Duration::from_micros(random.below(80_000)));
        for process in &processes {
            process.signal(Signal::KILL);
        }
        let ended = processes.map(Sweep::wait);
        killed += ended.iter().filter(|ended| ended.code.is_none()).count();
    }
    assert!(killed > 30, "{killed} processes were killed");
    for shard in &shards {
        let ended = lab.run(&part(shard));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }
    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(0), "{}", collected.stderr);
    lab.assert_complete();
    assert_eq!(lab.run(&["verify", "out"]).code, Some(0));
    assert_eq!(lab.sweep_into("whole").code, Some(0));
    let whole = read_rows(lab.path("whole/runs.csv")).expect("good rows");
    assert_eq!(deterministic_rows(lab.rows()), deterministic_rows(whole));
}

#[test]
fn a_published_run_that_crashed_is_done_again_when_asked_for() {
    let head = "time_limit = \"1s\"\nmemory_limit = \"4GiB\"";
    let lab = Lab::new(HUGE, head, "strategy = [\"bfs\"]\npruning = [\"none\"]");
    let sweep = lab.start(&part("1/1"));
    rustix::process::kill_process(sweep.worker(), Signal::KILL).expect("it runs");
    assert_eq!(sweep.wait().code, Some(100));
    assert_eq!(lab.run(&["collect", "out"]).code, Some(100));
    assert_eq!(lab.rows()[0].status, "crashed");

    // Moved aside, and not brought back by its part, which is published with it.
    fs::remove_file(lab.path("levels.xsb")).expect("a file");
    let refused = lab.run(&["resume", "out", "--retry", "crashed"]);
    assert_eq!(refused.code, Some(2), "no levels, no runs: {refused:?}");
    fs::write(lab.path("levels.xsb"), HUGE).expect("a writable directory");
    let retried = lab.start(&["resume", "out", "--retry", "crashed"]);
    wait_for("the row to be moved", || {
        lab.out().join("retried.csv").exists()
    });
    retried.worker();
    retried.signal(Signal::INT);
    assert_eq!(retried.wait().code, Some(130));
    let collected = lab.run(&["collect", "out"]);
    assert_eq!(collected.code, Some(106), "{collected:?}");
    assert_eq!(lab.rows(), []);

    // The part has a second round.
    let again = lab.run(&["resume", "out", "--shard", "1/1"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(lab.out().join("shards/1-of-1/published-2.toml").exists());
    assert_eq!(lab.run(&["collect", "out"]).code, Some(0));
    assert_eq!(lab.rows()[0].status, "time_limit");
    lab.assert_complete();
}

#[test]
fn parts_of_another_plan_are_refused() {
    let lab = lab();
    assert_eq!(lab.run(&part("1/2")).code, Some(0));
    lab.write_experiment("repetitions = 5\ntime_limit = \"30s\"", SMALL);
    let other = lab.run(&part("2/2"));
    assert_eq!(other.code, Some(2), "{other:?}");
    for words in ["belongs to another plan", "the experiment file has changed"] {
        assert!(other.stderr.contains(words), "{}", other.stderr);
    }
    let whole = lab.sweep(&[]);
    assert_eq!(whole.code, Some(2), "{whole:?}");
    assert!(
        whole.stderr.contains("is not of this plan"),
        "{}",
        whole.stderr
    );
    let fresh = lab.sweep(&["--fresh"]);
    assert_eq!(fresh.code, Some(0), "{}", fresh.stderr);
    assert!(lab.out().join("previous-1/shards/1-of-2").exists());
    lab.assert_complete();
}

#[test]
fn options_that_contradict_each_other_are_refused_with_what_to_do() {
    let lab = lab();
    for (options, words) in [
        ("--shard 1/2 --fresh", "choose another directory with --out"),
        ("--shard 1/2 --retry crashed", "without --shard"),
        ("--shard 1/2 --executor slurm", "exclude each other"),
        ("--shard 3/2", "expected I/N"),
        ("--detach", "add --executor slurm"),
        ("--bundle 3", "add --executor slurm"),
        ("--slurm-option=--partition=x", "add --executor slurm"),
        ("--executor slurm --jobs 2", "--max-tasks"),
        ("--executor slurm --bundle 0", "1.."),
    ] {
        let ended = lab.sweep(&options.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, Some(2), "{options}: {ended:?}");
        assert!(ended.stderr.contains(words), "{options}: {}", ended.stderr);
    }
    assert!(!lab.out().exists());
}
