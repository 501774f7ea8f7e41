//! Scores that carry the runs without an answer, which no mean of times may do: PAR2 and the agile score.
//!
//! Each run has its score; an instance has the mean over its repetitions, a configuration the mean over its instances, so
//! that an instance with more repetitions weighs no more than others.

use std::collections::BTreeMap;

use super::data::{Dataset, Run};
use super::measure::WALL_TIME;

/// How runs below one limit of time are scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scoring {
    limit_s: f64,
}

/// The time limits that rows were measured under.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeLimits {
    /// Every row has this one, in seconds.
    Common(f64),
    /// Some rows have none, or do not say which.
    Missing,
    /// There are several, in seconds, ascending.
    Several(Vec<f64>),
}

impl TimeLimits {
    /// The limits of all rows. O(n).
    #[must_use]
    pub fn of(data: &Dataset) -> Self {
        let mut limits: Vec<f64> = Vec::new();
        for run in data.runs() {
            match run.row.time_limit_s.filter(|limit| *limit > 0.0) {
                None => return Self::Missing,
                Some(limit) if !limits.contains(&limit) => limits.push(limit),
                Some(_) => {}
            }
        }
        limits.sort_by(f64::total_cmp);
        match limits[..] {
            [] => Self::Missing,
            [limit] => Self::Common(limit),
            _ => Self::Several(limits),
        }
    }
}

impl Scoring {
    /// `None` unless all rows have one and the same limit: scores below different limits do not compare.
    #[must_use]
    pub fn of(data: &Dataset) -> Option<Self> {
        match TimeLimits::of(data) {
            TimeLimits::Common(limit_s) => Some(Self { limit_s }),
            TimeLimits::Missing | TimeLimits::Several(_) => None,
        }
    }

    /// Penalised average runtime, in seconds: the time of an answered run, twice the limit for any other (the penalty of the
    /// SAT competitions). `None` if the time of an answered run was not measured.
    #[must_use]
    pub fn par2(&self, data: &Dataset, configuration: usize) -> Option<f64> {
        mean_over_instances(data.runs_of(configuration), |time_s| {
            time_s.unwrap_or(2.0 * self.limit_s)
        })
    }

    /// The agile score of the International Planning Competition, from 0 to 1: 1 for an answer within a second, from there
    /// to the limit falling with the logarithm of the time to 0, and 0 for any other run. `None` as [`Self::par2`], and where
    /// the limit is a second or less, which leaves nothing to tell apart.
    #[must_use]
    pub fn agile(&self, data: &Dataset, configuration: usize) -> Option<f64> {
        if self.limit_s <= 1.0 {
            return None;
        }
        mean_over_instances(data.runs_of(configuration), |time_s| match time_s {
            None => 0.0,
            // Not below 0, where a row claims an answer beyond its limit.
            Some(time_s) => (1.0 - time_s.ln() / self.limit_s.ln()).clamp(0.0, 1.0),
        })
    }
}

/// The mean over instances of the mean score over their runs; `score` takes the time of an answer. `None` if there are no runs,
/// or an answered one has no time.
fn mean_over_instances<'a>(
    runs: impl Iterator<Item = &'a Run>,
    score: impl Fn(Option<f64>) -> f64,
) -> Option<f64> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for run in runs {
        let measured = (WALL_TIME.read)(&run.row).filter(|time| time.is_finite());
        let time_s = match run.answered() {
            true => Some(measured?),
            false => None,
        };
        let (sum, count) = sums.entry(run.instance).or_default();
        *sum += score(time_s);
        *count += 1.0;
    }
    let instances = sums.len();
    let total: f64 = sums.into_values().map(|(sum, count)| sum / count).sum();
    (instances > 0).then(|| total / instances as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Row;

    fn row(level: u64, status: &str, wall_s: f64) -> Row {
        Row {
            level,
            status: status.to_owned(),
            wall_s: Some(wall_s),
            time_limit_s: Some(100.0),
            ..Row::default()
        }
    }

    fn scores(rows: Vec<Row>) -> (Option<f64>, Option<f64>) {
        let data = Dataset::new(rows);
        let scoring = Scoring::of(&data);
        let of = |score: fn(&Scoring, &Dataset, usize) -> Option<f64>| score(&scoring?, &data, 0);
        (of(Scoring::par2), of(Scoring::agile))
    }

    #[track_caller]
    fn assert_close(found: Option<f64>, expected: f64) {
        let found = found.expect("a score");
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn unanswered_runs_cost_twice_the_limit_and_earn_nothing() {
        let rows = vec![
            row(1, "solved", 10.0),
            row(1, "solved", 20.0),
            row(1, "time_limit", 100.0),
            row(2, "unsolvable", 0.5),
            row(3, "crashed", 0.1),
            row(4, "memory_limit", 3.0),
        ];
        let (par2, agile) = scores(rows);
        // Level 1: (10 + 20 + 200) / 3. Levels 2 to 4: 0.5, 200, 200.
        assert_close(par2, (230.0 / 3.0 + 400.5) / 4.0);
        // Below a limit of 100 s: 10 s score 1 - 1/2, 20 s score 1 - lg 20 / 2 = 0.349485002168; half a second scores 1.
        assert_close(agile, ((0.5 + 0.349_485_002_168_009_4) / 3.0 + 1.0) / 4.0);
    }

    #[test]
    fn the_agile_score_falls_from_one_at_a_second_to_zero_at_the_limit() {
        let at = |wall_s| scores(vec![row(1, "solved", wall_s)]).1;
        for (wall_s, expected) in [
            (0.0, 1.0),
            (1.0, 1.0),
            (10.0, 0.5),
            (100.0, 0.0),
            (150.0, 0.0),
        ] {
            assert_close(at(wall_s), expected);
        }
    }

    #[test]
    fn without_one_limit_for_all_there_is_no_score() {
        let limited = |time_limit_s| Row {
            time_limit_s,
            ..row(1, "solved", 0.5)
        };
        assert_eq!(scores(vec![limited(None)]), (None, None));
        assert_eq!(
            scores(vec![limited(Some(60.0)), limited(None)]),
            (None, None)
        );
        assert_eq!(
            scores(vec![limited(Some(60.0)), limited(Some(30.0))]),
            (None, None)
        );
        assert_eq!(scores(vec![]), (None, None));
        let data = Dataset::new(vec![limited(Some(60.0)), limited(Some(30.0))]);
        assert_eq!(TimeLimits::of(&data), TimeLimits::Several(vec![30.0, 60.0]));
    }

    #[test]
    fn a_limit_of_a_second_leaves_nothing_for_the_agile_score() {
        let of = |limit| {
            scores(vec![Row {
                time_limit_s: Some(limit),
                ..row(1, "solved", 0.25)
            }])
        };
        assert_eq!(of(1.0), (Some(0.25), None));
        assert_eq!(of(0.5), (Some(0.25), None));
    }

    #[test]
    fn an_answer_without_a_time_leaves_no_score() {
        let unmeasured = Row {
            wall_s: None,
            ..row(1, "solved", 0.0)
        };
        assert_eq!(
            scores(vec![unmeasured, row(2, "solved", 1.0)]),
            (None, None)
        );
    }
}
