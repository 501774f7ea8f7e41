//! Pairs, changes and ratios of rows made by hand.

use super::*;
use crate::experiment::manifest::KeptLevel;
use crate::experiment::spec::RunLimits;
use std::time::Duration;

/// The levels of a file, one for each board.
fn levels(file: &str, boards: &[&str]) -> Vec<KeptLevel> {
    let level = |(number, board): (u64, &&str)| KeptLevel {
        file: file.to_owned(),
        number,
        title: String::new(),
        board: (*board).to_owned(),
    };
    (1..).zip(boards).map(level).collect()
}

/// Rows of levels of `a.xsb`, without limits.
fn results(rows: &[Row]) -> Results {
    let levels = levels("a.xsb", &["first", "second", "third", "first"]);
    Results::new(rows.to_vec(), &levels, RunLimits::default()).expect("rows of these levels")
}

fn difference_of(old: &[Row], new: &[Row]) -> Difference {
    difference(results(old), results(new), true)
}

fn row(strategy: &str, level: u64, status: &str, wall_s: f64) -> Row {
    Row {
        level_file: "a.xsb".to_owned(),
        level,
        space: "pushes".to_owned(),
        strategy: strategy.to_owned(),
        threading: "sequential".to_owned(),
        threads: 1,
        repetition: 1,
        status: status.to_owned(),
        cost: Some(9),
        states_visited: Some(100),
        wall_s: Some(wall_s),
        ..Row::default()
    }
}

fn kinds(old: &Row, new: &Row) -> Vec<(Kind, String)> {
    let difference = difference_of(std::slice::from_ref(old), std::slice::from_ref(new));
    assert_eq!(difference.paired, 1);
    let changes = difference.changes.into_iter();
    changes.map(|change| (change.kind, change.what)).collect()
}

#[test]
fn the_same_rows_have_not_changed_whatever_the_time_and_the_revision() {
    let old = row("dfs", 1, "solved", 1.0);
    let new = Row {
        wall_s: Some(2.0),
        run_id: "other".to_owned(),
        revision: "other".to_owned(),
        ..old.clone()
    };
    assert_eq!(kinds(&old, &new), []);
}

#[test]
fn a_status_can_be_worse_better_other_or_impossible() {
    let of = |status| row("dfs", 1, status, 1.0);
    for (old, new, kind) in [
        ("solved", "time_limit", Kind::Regression),
        ("solved", "crashed", Kind::Regression),
        ("time_limit", "crashed", Kind::Regression),
        ("exhausted", "memory_limit", Kind::Regression),
        ("time_limit", "solved", Kind::Improvement),
        ("time_limit", "memory_limit", Kind::Change),
        ("solved", "unsolvable", Kind::Contradiction),
    ] {
        let expected = vec![(kind, format!("{old} -> {new}"))];
        assert_eq!(kinds(&of(old), &of(new)), expected);
    }
}

#[test]
fn a_shortest_solution_has_one_length() {
    let with = |strategy, threading: &str, cost| Row {
        cost: Some(cost),
        threading: threading.to_owned(),
        ..row(strategy, 1, "solved", 1.0)
    };
    let kind = |strategy, threading, old, new| {
        let (old, new) = (
            with(strategy, threading, old),
            with(strategy, threading, new),
        );
        kinds(&old, &new).first().map(|change| change.0)
    };
    assert_eq!(kind("bfs", "actors", 9, 8), Some(Kind::Contradiction));
    assert_eq!(kind("dfs", "sequential", 9, 12), Some(Kind::Regression));
    assert_eq!(kind("dfs", "sequential", 9, 7), Some(Kind::Improvement));
    assert_eq!(kind("dfs", "shared", 9, 12), None);
}

#[test]
fn only_counts_that_repeat_are_compared() {
    let with = |threading: &str, status, states| Row {
        threading: threading.to_owned(),
        states_visited: Some(states),
        ..row("dfs", 1, status, 1.0)
    };
    let kind = |threading, status, old, new| {
        let (old, new) = (with(threading, status, old), with(threading, status, new));
        kinds(&old, &new).first().map(|change| change.0)
    };
    assert_eq!(
        kind("sequential", "solved", 100, 101),
        Some(Kind::Regression)
    );
    assert_eq!(
        kind("sequential", "solved", 100, 99),
        Some(Kind::Improvement)
    );
    assert_eq!(
        kind("sequential", "state_limit", 100, 99),
        Some(Kind::Improvement)
    );
    assert_eq!(kind("sequential", "time_limit", 100, 99), None);
    assert_eq!(kind("shared", "solved", 100, 99), None);
    assert_eq!(kind("shared", "complete", 100, 101), Some(Kind::Regression));
}

#[test]
fn a_free_choice_of_table_is_not_the_table_that_it_came_to() {
    let asked = |reason: Option<&str>, status| Row {
        table: "hash".to_owned(),
        table_reason: reason.map(str::to_owned),
        ..row("bfs", 1, status, 1.0)
    };
    let old = [
        asked(Some("too large"), "complete"),
        asked(None, "complete"),
    ];
    for (first, second) in [("complete", "time_limit"), ("time_limit", "complete")] {
        let new = [asked(Some("too large"), first), asked(None, second)];
        let difference = difference_of(&old, &new);
        assert_eq!(difference.paired, 2);
        assert_eq!(difference.changes.len(), 1, "{difference:?}");
    }
}

#[test]
fn rows_of_one_side_are_counted_and_ratios_are_of_instances_of_both() {
    let old = [
        row("bfs", 1, "solved", 1.0),
        row("bfs", 2, "solved", 1.0),
        row("bfs", 3, "solved", 1.0),
        row("dfs", 1, "solved", 1.0),
    ];
    let new = [
        row("bfs", 1, "solved", 2.0),
        row("bfs", 2, "solved", 8.0),
        row("bfs", 3, "time_limit", 60.0),
        row("greedy", 1, "solved", 1.0),
    ];
    let difference = difference_of(&old, &new);
    assert_eq!(
        (difference.paired, difference.only_old, difference.only_new),
        (
            3,
            vec!["a.xsb#1 pushes dfs sequential x1 repetition 1".to_owned()],
            vec!["a.xsb#1 pushes greedy sequential x1 repetition 1".to_owned()]
        )
    );
    let [line] = &difference.lines[..] else {
        panic!("only bfs is in both: {:?}", difference.lines);
    };
    let wall = line.wall.expect("measured").ratio;
    assert!((wall.mean - 4.0).abs() < 1e-12, "{wall:?}");
    assert_eq!(wall.instances, 2);
    let not_asked = super::difference(results(&old), results(&new), false);
    assert_eq!(not_asked.lines[0].wall, None);
}

#[test]
fn a_repetition_of_one_side_shifts_no_median() {
    let repetition = |repetition, wall_s| Row {
        repetition,
        ..row("bfs", 1, "solved", wall_s)
    };
    let old = [repetition(1, 1.0)];
    let new = [repetition(1, 1.0), repetition(2, 50.0), repetition(3, 50.0)];
    let difference = difference_of(&old, &new);
    assert_eq!(difference.only_new.len(), 2);
    let wall = difference.lines[0].wall.expect("measured").ratio;
    assert!((wall.mean - 1.0).abs() < 1e-12, "{wall:?}");
}

#[test]
fn an_edited_level_is_another_question_and_a_moved_one_is_not() {
    let side = |file: &str, boards: &[&str], rows: &[(u64, u64)]| {
        let rows = rows.iter().map(|&(level, states)| Row {
            level_file: file.to_owned(),
            states_visited: Some(states),
            ..row("bfs", level, "solved", 1.0)
        });
        let levels = levels(file, boards);
        Results::new(rows.collect(), &levels, RunLimits::default()).expect("rows of these levels")
    };
    let old = side("a.xsb", &["p", "q", "p"], &[(1, 10), (2, 20), (3, 30)]);
    let edited = side("a.xsb", &["p", "other", "p"], &[(1, 10), (2, 20), (3, 30)]);
    let found = difference(old.clone(), edited, true);
    assert_eq!(found.redrawn, ["a.xsb#2"]);
    assert_eq!(found.paired, 2);
    assert_eq!((found.only_old.len(), found.only_new.len()), (1, 1));
    // The second occurrence of a board is not the first one.
    let moved = side("b.xsb", &["q", "p", "p"], &[(1, 20), (2, 10), (3, 31)]);
    let found = difference(old, moved, true);
    assert_eq!((found.paired, found.redrawn.len()), (3, 0));
    let told = found.changes.iter();
    let told: Vec<(&str, &str)> = told
        .map(|change| (change.run.as_str(), change.what.as_str()))
        .collect();
    let run = "b.xsb#3 pushes bfs sequential x1 repetition 1";
    assert_eq!(told, [(run, "states_visited 30 -> 31")]);
}

#[test]
fn a_row_of_no_level_is_told_with_what_to_do() {
    let stray = Row {
        run_id: "abc".to_owned(),
        ..row("bfs", 9, "solved", 1.0)
    };
    let levels = levels("a.xsb", &["p"]);
    let error = Results::new(vec![stray], &levels, RunLimits::default()).unwrap_err();
    let words = error.to_string();
    assert!(words.starts_with("run abc is of a.xsb#9, "), "{words}");
    assert!(words.contains("restore the file"), "{words}");
}

#[test]
fn what_a_changed_limit_cut_short_is_set_aside() {
    let side = |seconds, status| {
        let limits = RunLimits {
            time: Some(Duration::from_secs(seconds)),
            ..RunLimits::default()
        };
        let rows = vec![row("bfs", 1, status, 1.0), row("dfs", 1, "solved", 1.0)];
        Results::new(rows, &levels("a.xsb", &["p"]), limits).expect("rows of this level")
    };
    let found = |old: &Results, new: &Results, times| {
        let found = difference(old.clone(), new.clone(), times);
        let kinds: Vec<Kind> = found.changes.iter().map(|change| change.kind).collect();
        (found.paired, found.limited, kinds)
    };
    let (solved, cut) = (side(60, "solved"), side(60, "time_limit"));
    let worse = vec![Kind::Regression];
    assert_eq!(found(&solved, &cut, true), (2, 0, worse.clone()));
    assert_eq!(found(&solved, &side(5, "time_limit"), true), (1, 1, vec![]));
    assert_eq!(found(&cut, &side(90, "solved"), true), (1, 1, vec![]));
    // A machine that is slower meets its limit earlier.
    assert_eq!(found(&solved, &cut, false), (1, 1, vec![]));
    // A limit of another kind has not changed.
    assert_eq!(
        found(&solved, &side(5, "memory_limit"), true),
        (2, 0, worse)
    );
}

#[test]
fn nothing_changes_the_size_of_a_space_and_a_program_repeats_itself() {
    let with = |pruning: &str, status, revision: &str, states, generated| Row {
        pruning: pruning.to_owned(),
        revision: revision.to_owned(),
        states_visited: Some(states),
        generated: Some(generated),
        ..row("bfs", 1, status, 1.0)
    };
    let kind = |pruning, status, revisions: [&str; 2], states: [u64; 2], generated: [u64; 2]| {
        let side = |it: usize| with(pruning, status, revisions[it], states[it], generated[it]);
        let found = kinds(&side(0), &side(1));
        found.first().map(|change| change.0)
    };
    let two = ["1", "2"];
    let fewer = [100, 99];
    let same = [7, 7];
    let contradiction = Some(Kind::Contradiction);
    assert_eq!(kind("none", "complete", two, fewer, same), contradiction);
    assert_eq!(kind("none", "unsolvable", two, fewer, same), contradiction);
    let better = Some(Kind::Improvement);
    assert_eq!(kind("frozen", "complete", two, fewer, same), better);
    assert_eq!(kind("none", "solved", two, fewer, same), better);
    assert_eq!(kind("none", "solved", two, same, fewer), better);
    let worse = Some(Kind::Regression);
    assert_eq!(kind("none", "solved", two, same, [99, 100]), worse);
    assert_eq!(
        kind("frozen", "solved", ["1", "1"], fewer, same),
        contradiction
    );
    let dirty = ["1-dirty", "1-dirty"];
    assert_eq!(kind("frozen", "solved", dirty, fewer, same), better);
}

#[test]
fn another_table_is_told_and_its_counts_are_not_compared() {
    let of = |table: &str, states, bytes| Row {
        table: table.to_owned(),
        table_reason: Some("automatic".to_owned()),
        states_visited: Some(states),
        peak_rss_bytes: Some(bytes),
        ..row("bfs", 1, "solved", 1.0)
    };
    let (old, new) = (of("hash", 100, 1000), of("bitmap", 200, 500));
    let what = "table hash -> bitmap, counts not compared".to_owned();
    assert_eq!(kinds(&old, &new), [(Kind::Change, what)]);
    let found = difference_of(&[old], &[new]);
    assert_eq!(found.lines[0].states, None);
    let memory = found.lines[0].memory.expect("measured").ratio;
    assert!((memory.mean - 0.5).abs() < 1e-12, "{memory:?}");
}

#[test]
fn pressure_on_either_side_is_counted() {
    let under = |cpu_pressure| Row {
        cpu_pressure: Some(cpu_pressure),
        ..row("bfs", 1, "solved", 1.0)
    };
    let count = |old, new| difference_of(&[under(old)], &[under(new)]).under_pressure;
    assert_eq!(
        [count(0.0, 0.0), count(50.0, 0.0), count(0.0, 50.0)],
        [0, 1, 1]
    );
}

/// Two configurations on two instances: ratios 2 and 8 of the first, 2 and 0.5 of the second.
#[test]
fn all_configurations_together_count_each_instance_once() {
    let side = |times: [f64; 4]| {
        let of = |strategy, level, time| row(strategy, level, "solved", time);
        let [a, b, c, d] = times;
        [
            of("bfs", 1, a),
            of("bfs", 2, b),
            of("dfs", 1, c),
            of("dfs", 2, d),
        ]
    };
    let found = difference_of(&side([1.0; 4]), &side([2.0, 8.0, 2.0, 0.5]));
    let means: Vec<f64> = found
        .lines
        .iter()
        .map(|line| line.wall.expect("measured").ratio.mean)
        .collect();
    assert!((means[0] - 4.0).abs() < 1e-12 && (means[1] - 1.0).abs() < 1e-12);
    let overall = found.overall.expect("two configurations");
    let wall = overall.wall.expect("measured");
    // Instances: the square roots of 2 * 2 and of 8 * 0.5.
    assert!((wall.ratio.mean - 2.0).abs() < 1e-12, "{wall:?}");
    assert_eq!(wall.ratio.instances, 2);
    // Both above 1: one way in four to give signs.
    assert_eq!(wall.p, Some(0.25));
    // Those of bfs, 2 and 8; of dfs, ratios as far above as below 1. Two tests of time, and none of memory, which was not measured.
    assert_eq!(found.tests, 2);
    assert_eq!(found.lines[0].wall.unwrap().p, Some(0.5));
}

#[test]
fn one_configuration_is_not_told_twice() {
    let rows = [row("bfs", 1, "solved", 1.0), row("bfs", 2, "solved", 1.0)];
    assert_eq!(difference_of(&rows, &rows).overall, None);
}
