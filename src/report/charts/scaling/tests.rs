use super::*;
use crate::experiment::Row;

fn row(level: u64, threading: &str, threads: u64, wall_s: f64) -> Row {
    Row {
        level,
        strategy: "bfs".to_owned(),
        threading: threading.to_owned(),
        threads,
        status: "solved".to_owned(),
        wall_s: Some(wall_s),
        expanded: Some((wall_s * 100.0) as u64),
        ..Row::default()
    }
}

fn only_point(rows: Vec<Row>, quantity: Quantity) -> PointOfRuns {
    let data = Dataset::new(rows);
    let mut points = points(&data, &panel_titles(&data), quantity);
    assert_eq!(points.len(), 1, "{points:?}");
    points.remove(0)
}

/// Level 1: T(1) is the median of 7, 8, 100 and so 8; T(4) = 4, speedup 2. Level 2: T(1) = 16, T(4) the
/// median of 1, 2, 4: speedup 8, of the single runs 16, 8, 4. The geometric mean of 2 and 8 is 4.
fn rows() -> Vec<Row> {
    vec![
        row(1, "sequential", 1, 8.0),
        row(1, "sequential", 1, 7.0),
        row(1, "sequential", 1, 100.0),
        row(2, "sequential", 1, 16.0),
        row(1, "shared", 4, 4.0),
        row(2, "shared", 4, 2.0),
        row(2, "shared", 4, 1.0),
        row(2, "shared", 4, 4.0),
    ]
}

#[test]
fn speedup_of_hand_made_rows() {
    let point = only_point(rows(), SPEEDUP);
    assert!((point.center.mean - 4.0).abs() < 1e-12);
    assert_eq!(point.runs, [2.0, 8.0, 16.0, 4.0]);
    assert_eq!((point.threads, point.center.instances), (4.0, 2));
    // Of two instances a quarter of the resamples holds the first only, a quarter the second only:
    // far more than tails of 2.5 %. The runs of level 2 reach 16, which is no mean of instances.
    let interval = point.center.interval.unwrap();
    assert!((interval.low - 2.0).abs() < 1e-12, "{interval:?}");
    assert!((interval.high - 8.0).abs() < 1e-12, "{interval:?}");
}

#[test]
fn one_instance_has_no_interval_however_often_it_was_run() {
    let rows = rows().into_iter().filter(|row| row.level == 2).collect();
    let point = only_point(rows, SPEEDUP);
    assert_eq!((point.center.interval, point.runs.len()), (None, 3));
}

fn ticks(slowest: f64, quickest: f64) -> Vec<f64> {
    let data = Dataset::new(vec![
        row(1, "sequential", 1, 1.0),
        row(2, "sequential", 1, 1.0),
        row(1, "shared", 4, slowest),
        row(2, "shared", 4, quickest),
    ]);
    let points = points(&data, &panel_titles(&data), SPEEDUP);
    vertical_scale(&points, SPEEDUP, 4.0).ticks()
}

#[test]
fn a_short_range_of_speedups_has_powers_of_two_and_a_long_one_decades() {
    assert_eq!(ticks(2.0, 0.25), [0.5, 1.0, 2.0, 4.0]);
    // From a speedup of 1/250 to the ideal of 4.
    let decades = ticks(250.0, 1.0);
    let written: Vec<String> = decades.iter().map(|t| Unit::Ratio.format(*t)).collect();
    assert_eq!(written, ["0.01", "0.1", "1"]);
}

#[test]
fn efficiency_is_speedup_by_threads() {
    let point = only_point(rows(), EFFICIENCY);
    assert!((point.center.mean - 1.0).abs() < 1e-12);
    assert_eq!(point.runs, [0.5, 2.0, 4.0, 1.0]);
}

#[test]
fn overhead_is_expansions_over_sequential_ones() {
    let point = only_point(rows(), OVERHEAD);
    assert!((point.center.mean - 0.25).abs() < 1e-12);
    assert_eq!(point.runs, [0.5, 0.125, 0.0625, 0.25]);
}

#[test]
fn levels_that_one_side_did_not_answer_are_on_neither() {
    let limited = |row: Row| Row {
        status: "time_limit".to_owned(),
        ..row
    };
    let mut with_limited = rows();
    with_limited.push(limited(row(3, "sequential", 1, 60.0)));
    with_limited.push(row(3, "shared", 4, 1.0));
    // Half of the repetitions is no majority.
    with_limited.push(row(4, "sequential", 1, 1.0));
    with_limited.push(row(4, "shared", 4, 1.0));
    with_limited.push(limited(row(4, "shared", 4, 60.0)));
    assert_eq!(
        only_point(with_limited, SPEEDUP),
        only_point(rows(), SPEEDUP)
    );
}

#[test]
fn other_strategies_are_no_baseline() {
    let mut rows = rows();
    for row in &mut rows {
        if row.threading == "sequential" {
            "dfs".clone_into(&mut row.strategy);
        }
    }
    let refused = speedup(&Dataset::new(rows), "title").unwrap_err();
    assert!(refused.0.contains("same strategy"), "{refused:?}");
}

#[test]
fn a_missing_baseline_is_named() {
    let refused = speedup(&Dataset::new(vec![row(1, "shared", 2, 1.0)]), "title").unwrap_err();
    assert!(refused.0.contains("T(1) is unknown"), "{refused:?}");
}
