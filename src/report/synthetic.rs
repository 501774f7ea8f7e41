//! Made-up rows with the shape of real ones, for tests.

use crate::experiment::Row;

pub(super) const RULES: [&str; 3] = ["corner", "edge", "frozen"];

/// Which configurations to make up.
pub(super) struct Sweep<'a> {
    pub(super) strategies: &'a [&'a str],
    /// How many levels of the ladder `none`, `corner`, `edge`, `frozen`.
    pub(super) ladder: usize,
    /// Threading models and thread counts.
    pub(super) threading: &'a [(&'a str, u64)],
    pub(super) levels: u64,
    pub(super) repetitions: u64,
}

/// The grid of a usual experiment: some hundred runs, the slow ones cut short.
pub(super) const USUAL: Sweep<'static> = Sweep {
    strategies: &["bfs", "dfs", "greedy"],
    ladder: 4,
    threading: &[("sequential", 1)],
    levels: 8,
    repetitions: 3,
};

/// Threading models at several thread counts.
pub(super) const SCALING: Sweep<'static> = Sweep {
    strategies: &["bfs", "dfs"],
    ladder: 1,
    threading: &[
        ("sequential", 1),
        ("shared", 1),
        ("shared", 2),
        ("shared", 4),
        ("shared", 8),
        ("actors", 1),
        ("actors", 2),
        ("actors", 4),
        ("actors", 8),
    ],
    levels: 6,
    repetitions: 5,
};

/// Rows of a sweep. Numbers follow simple laws with a spread that depends on nothing but the place of
/// the run, so that the same sweep always gives the same rows.
pub(super) fn rows(sweep: &Sweep<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for level in 1..=sweep.levels {
        for repetition in 1..=sweep.repetitions {
            for (index, strategy) in sweep.strategies.iter().enumerate() {
                for ladder in 0..sweep.ladder {
                    for (model, threads) in sweep.threading {
                        let noise =
                            noise(&[level, repetition, index as u64, ladder as u64, *threads]);
                        rows.push(Row {
                            run_id: format!("{:016x}", rows.len()),
                            level,
                            repetition,
                            strategy: (*strategy).to_owned(),
                            threading: (*model).to_owned(),
                            threads: *threads,
                            ..row(level, index, ladder, (speed(model, *threads), noise))
                        });
                    }
                }
            }
        }
    }
    rows
}

/// A number from 0.8 to 1.25.
fn noise(place: &[u64]) -> f64 {
    let mixed = place.iter().fold(17_u64, |sum, part| {
        (sum ^ part)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    });
    0.8 + 0.45 * (mixed % 1000) as f64 / 999.0
}

fn speed(model: &str, threads: u64) -> f64 {
    let p = threads as f64;
    match model {
        "shared" => 0.85 * p.powf(0.8),
        "actors" => 0.6 * p.powf(0.95),
        _ => 1.0,
    }
}

fn row(level: u64, strategy: usize, ladder: usize, (speed, noise): (f64, f64)) -> Row {
    let states = 250.0 * 2.6_f64.powi(level as i32) * [3.0, 1.0, 0.25][strategy % 3]
        / 2.2_f64.powi(ladder as i32);
    let visited = states * (0.95 + noise / 20.0);
    let wall_s = visited * 2e-6 * (1.0 + 0.2 * ladder as f64) * noise / speed;
    let solved = wall_s < 1.2;
    Row {
        experiment: "made-up".to_owned(),
        level_file: "levels/ladder.xsb".to_owned(),
        space: "pushes".to_owned(),
        pruning: ["none", "corner", "edge", "frozen"][ladder].to_owned(),
        goal: "solve".to_owned(),
        table: "hash".to_owned(),
        status: if solved { "solved" } else { "time_limit" }.to_owned(),
        time_limit_s: Some(1.2),
        generated: Some((visited * 4.0) as u64),
        pruned_by_rule: RULES
            .iter()
            .enumerate()
            .map(|(rule, name)| {
                let share = [0.3, 0.12, 0.05][rule] * noise;
                (
                    (*name).to_owned(),
                    (rule < ladder).then_some((visited * 4.0 * share) as u64),
                )
            })
            .collect(),
        states_visited: Some(visited as u64),
        expanded: Some((visited * 0.9 * noise) as u64),
        wall_s: Some(wall_s.min(1.2)),
        peak_rss_bytes: Some((6e6 + visited * 48.0) as u64),
        revision: "0123abc".to_owned(),
        ..Row::default()
    }
}
