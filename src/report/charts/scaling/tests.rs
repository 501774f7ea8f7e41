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
    assert!((point.mean - 4.0).abs() < 1e-12);
    assert_eq!(point.runs, [2.0, 8.0, 16.0, 4.0]);
    assert_eq!((point.threads, point.instances), (4.0, 2));
}

#[test]
fn efficiency_is_speedup_by_threads() {
    let point = only_point(rows(), EFFICIENCY);
    assert!((point.mean - 1.0).abs() < 1e-12);
    assert_eq!(point.runs, [0.5, 2.0, 4.0, 1.0]);
}

#[test]
fn overhead_is_expansions_over_sequential_ones() {
    let point = only_point(rows(), OVERHEAD);
    assert!((point.mean - 0.25).abs() < 1e-12);
    assert_eq!(point.runs, [0.5, 0.125, 0.0625, 0.25]);
}

#[test]
fn censored_runs_are_on_neither_side() {
    let limited = |row: Row| Row {
        status: "time_limit".to_owned(),
        ..row
    };
    let mut with_limited = rows();
    with_limited.push(limited(row(2, "shared", 4, 60.0)));
    with_limited.push(limited(row(1, "sequential", 1, 60.0)));
    with_limited.push(limited(row(3, "sequential", 1, 60.0)));
    with_limited.push(row(3, "shared", 4, 1.0));
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
