//! Effects, pairs and corrections of rows made by hand.

use super::*;
use crate::experiment::Row;

fn row(pruning: &str, strategy: &str, level: u64, states: u64) -> Row {
    Row {
        level_file: "a.xsb".to_owned(),
        level,
        strategy: strategy.to_owned(),
        pruning: pruning.to_owned(),
        threading: "sequential".to_owned(),
        threads: 1,
        status: "solved".to_owned(),
        states_visited: Some(states),
        wall_s: Some(states as f64 / 1000.0),
        pruned_by_rule: vec![("corner".to_owned(), (pruning != "none").then_some(0))],
        ..Row::default()
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for level in 1..=5 {
        for strategy in ["bfs", "dfs"] {
            rows.push(row("none", strategy, level, 1000 * level));
        }
        rows.push(row("corner", "bfs", level, 500 * level));
        rows.push(row("corner", "dfs", level, 125 * level));
    }
    rows
}

#[test]
fn levels_count_once_and_configurations_by_themselves() {
    let found = compare(&Dataset::new(rows()), Axis::Pruning, None).unwrap();
    assert_eq!(found.baseline, "none");
    let lines: Vec<(Option<&str>, f64, usize)> = found
        .lines
        .iter()
        .map(|line| {
            let effect = line.effects[0].unwrap();
            (
                line.configuration.as_deref(),
                effect.ratio.mean,
                effect.ratio.instances,
            )
        })
        .collect();
    let expected = [
        (None, 0.25, 5),
        (Some("bfs"), 0.5, 5),
        (Some("dfs"), 0.125, 5),
    ];
    for (line, expected) in lines.iter().zip(expected) {
        assert_eq!((line.0, line.2), (expected.0, expected.2));
        assert!((line.1 - expected.1).abs() < 1e-12, "{lines:?}");
    }
    assert_eq!(found.lines[0].answered, [(10, 10), (10, 10)]);
    assert_eq!(
        found.lines[0].effects[0].unwrap().wins_ties_losses,
        (5, 0, 0)
    );
    assert_eq!(found.costs, []);
    assert_eq!(found.lines[0].effects[2], None, "memory was not measured");
}

#[test]
fn tests_over_all_configurations_are_a_family_and_single_ones_another() {
    let found = compare(&Dataset::new(rows()), Axis::Pruning, None).unwrap();
    assert_eq!((found.of_all.tests, found.of_single.tests), (2, 4));
    // Five levels that all have less: 2 / 2^5, for states and for time; then the same for two configurations.
    for (line, tests) in found.lines.iter().zip([2.0, 4.0, 4.0]) {
        let p = line.effects[0].unwrap().p.unwrap();
        assert!((p - tests * 0.0625).abs() < 1e-12, "{p}");
    }
}

#[test]
fn censored_runs_never_enter_and_costs_are_named() {
    let mut rows = rows();
    for row in rows
        .iter_mut()
        .filter(|row| row.pruning == "corner" && row.level == 5)
    {
        row.status = "time_limit".to_owned();
    }
    for row in rows
        .iter_mut()
        .filter(|row| row.pruning == "corner" && row.level == 2)
    {
        row.wall_s = Some(20.0);
    }
    let found = compare(&Dataset::new(rows), Axis::Pruning, None).unwrap();
    assert_eq!(found.lines[0].effects[0].unwrap().ratio.instances, 4);
    assert_eq!(found.lines[0].answered, [(10, 10), (8, 10)]);
    let [cost] = &found.costs[..] else {
        panic!("{:?}", found.costs);
    };
    assert_eq!((cost.instance.level, cost.value.as_str()), (2, "corner"));
    assert!((cost.ratio - 10.0).abs() < 1e-12);
}

#[test]
fn several_threads_are_compared_with_the_model_of_one() {
    let shared = |threads, states| Row {
        threading: "shared".to_owned(),
        threads,
        ..row("none", "bfs", 1, states)
    };
    let rows = vec![row("none", "bfs", 1, 100), shared(1, 200), shared(2, 50)];
    let found = compare(&Dataset::new(rows), Axis::Threading, Some("sequential")).unwrap();
    let ratios: Vec<f64> = found.lines[1..]
        .iter()
        .map(|line| line.effects[0].unwrap().ratio.mean)
        .collect();
    assert!(
        (ratios[0] - 2.0).abs() < 1e-12 && (ratios[1] - 0.5).abs() < 1e-12,
        "{ratios:?}"
    );
}

#[test]
fn strategies_are_compared_whether_they_take_a_heuristic_or_not() {
    let informed = |strategy, heuristic: &str, states| Row {
        heuristic: heuristic.to_owned(),
        ..row("none", strategy, 1, states)
    };
    let data = Dataset::new(vec![
        row("none", "bfs", 1, 100),
        informed("greedy", "manhattan", 50),
        informed("greedy", "matching", 25),
        informed("astar", "manhattan", 80),
    ]);
    let ratios = |baseline| {
        let found = compare(&data, Axis::Strategy, Some(baseline)).unwrap();
        assert_eq!(found.unpaired.len(), 0, "{found:?}");
        let ratios = found.lines.into_iter().map(|line| {
            let states = line.effects[0].unwrap().ratio.mean;
            let configuration = line.configuration.unwrap_or_default();
            (line.value, configuration, (states * 1e9).round() / 1e9)
        });
        ratios.collect::<Vec<_>>()
    };
    let expected = |lines: &[(&str, &str, f64)]| -> Vec<(String, String, f64)> {
        let owned = lines.iter();
        owned
            .map(|(value, label, ratio)| ((*value).to_owned(), (*label).to_owned(), *ratio))
            .collect()
    };
    // sqrt(0.5 * 0.25) of both heuristics together.
    let against_bfs = [
        ("astar", "", 0.8),
        ("greedy", "", 0.353_553_391),
        ("greedy", "manhattan", 0.5),
        ("greedy", "matching", 0.25),
    ];
    assert_eq!(ratios("bfs"), expected(&against_bfs));
    let against_greedy = [
        ("astar", "", 1.6),
        ("bfs", "", 2.828_427_125),
        ("bfs", "manhattan", 2.0),
        ("bfs", "matching", 4.0),
    ];
    assert_eq!(ratios("greedy"), expected(&against_greedy));
}

#[test]
fn what_has_no_partner_is_told() {
    let dfs = |threads| Row {
        threading: "shared".to_owned(),
        threads,
        ..row("none", "dfs", 1, 10)
    };
    let rows = vec![row("none", "bfs", 1, 100), dfs(2)];
    let data = Dataset::new(rows.clone());
    let error = compare(&data, Axis::Strategy, Some("bfs")).unwrap_err();
    assert!(error.to_string().contains("another --baseline"), "{error}");
    let with_greedy = [rows, vec![row("none", "greedy", 1, 50)]].concat();
    let found = compare(&Dataset::new(with_greedy), Axis::Strategy, Some("bfs")).unwrap();
    assert_eq!(found.unpaired, ["dfs"]);
}

#[test]
fn what_varies_is_listed_with_its_values() {
    let listed = varied(&Dataset::new(rows()));
    let owned = |values: [&str; 2]| values.map(str::to_owned).to_vec();
    assert_eq!(
        listed,
        [
            (Axis::Strategy, owned(["bfs", "dfs"])),
            (Axis::Pruning, owned(["none", "corner"])),
        ]
    );
}

#[test]
fn what_cannot_be_compared_is_told() {
    let data = Dataset::new(rows());
    let error = compare(&data, Axis::Space, None).unwrap_err();
    assert!(
        error.to_string().contains("it varies strategy, pruning"),
        "{error}"
    );
    let error = compare(&data, Axis::Pruning, Some("edge")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no row has pruning = \"edge\"; expected one of none, corner"
    );
}
