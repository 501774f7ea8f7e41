//! Medians, quartiles, geometric means and bootstrap intervals.

use std::collections::BTreeMap;

use crate::experiment::split_mix::SplitMix64;

/// Resamples of a bootstrap interval: enough that the 2.5 % tails hold 250 of them.
pub const RESAMPLES: usize = 10_000;

/// Seed of the intervals of reports: fixed, so that the same rows give the same words and charts.
const SEED: u64 = 1;

/// Median and quartiles of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quartiles {
    /// First quartile.
    pub lower: f64,
    /// Median.
    pub median: f64,
    /// Third quartile; none if it lies beyond the largest known value.
    pub upper: Option<f64>,
    /// Size of the sample.
    pub count: usize,
}

impl Quartiles {
    /// Quartiles of the finite values of a sample, or `None` if it has none. O(n log n).
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        Self::censored(values, 0)
    }

    /// Quartiles of the finite values of a sample and of `larger` more, of which no more is known than that they are larger than
    /// all of these. `None` if the median is not known. O(n log n).
    #[must_use]
    pub fn censored(values: &[f64], larger: usize) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len() + larger;
        let quantile = |share| quantile_of_censored(&sorted, count, share);
        Some(Self {
            lower: quantile(0.25)?,
            median: quantile(0.5)?,
            upper: quantile(0.75),
            count,
        })
    }
}

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Where a positive quantity lies over instances, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Center {
    /// Geometric mean over instances.
    pub mean: f64,
    /// Bootstrap 95 % interval over instances; none for a single one.
    pub interval: Option<Interval>,
    /// Number of instances.
    pub instances: usize,
}

impl Center {
    /// The centre of one value for each instance, or `None` as [`geometric_mean`].
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Self {
            mean: geometric_mean(values)?,
            interval: bootstrap_interval(values, SEED),
            instances: values.len(),
        })
    }
}

/// Median of the finite values, or `None` if there are none. O(n log n).
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    Quartiles::of(values).map(|quartiles| quartiles.median)
}

/// Quantile `share` (0 to 1) of ascending values: definition 7 of Hyndman and Fan, "Sample Quantiles
/// in Statistical Packages" (1996), which interpolates linearly between order statistics.
fn quantile_of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    quantile_of_censored(sorted, sorted.len(), share)
}

/// The same for `count` values of which only the smallest are known: `sorted`. `None` if another one would enter.
fn quantile_of_censored(sorted: &[f64], count: usize, share: f64) -> Option<f64> {
    let last = count.checked_sub(1)?;
    let position = share * last as f64;
    let below = sorted.get(position.floor() as usize)?;
    let above = sorted.get(position.ceil() as usize)?;
    // Written so that two equal neighbours give exactly themselves.
    Some(below + (above - below) * position.fract())
}

/// Geometric mean of positive finite values, or `None` if there are none, or one that is neither.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms = logarithms(values)?;
    Some(mean(&logarithms).exp())
}

/// Percentile bootstrap interval (95 %) of the geometric mean (Efron and Tibshirani, "An Introduction
/// to the Bootstrap", 1993, chapter 13) over [`RESAMPLES`] resamples. The same values and seed give
/// the same interval. `None` for fewer than two values, or one that is not positive and finite.
#[must_use]
pub fn bootstrap_interval(values: &[f64], seed: u64) -> Option<Interval> {
    let logarithms = logarithms(values).filter(|l| l.len() >= 2)?;
    let mut random = SplitMix64::new(seed);
    let count = logarithms.len();
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..count).map(|_| logarithms[random.below(count as u64) as usize]);
            drawn.sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Some(Interval {
        low: quantile_of_sorted(&means, 0.025)?.exp(),
        high: quantile_of_sorted(&means, 0.975)?.exp(),
    })
}

/// `numerator / denominator` for each instance that both sides have. Instances
/// whose values are not positive and finite have no ratio.
#[must_use]
pub fn paired_ratios<K: Ord + Copy>(
    numerator: &BTreeMap<K, f64>,
    denominator: &BTreeMap<K, f64>,
) -> BTreeMap<K, f64> {
    numerator
        .iter()
        .filter_map(|(instance, top)| Some((*instance, top / denominator.get(instance)?)))
        .filter(|(_, ratio)| ratio.is_finite() && *ratio > 0.0)
        .collect()
}

fn logarithms(values: &[f64]) -> Option<Vec<f64>> {
    let positive = |value: &f64| value.is_finite() && *value > 0.0;
    (!values.is_empty() && values.iter().all(positive))
        .then(|| values.iter().map(|value| value.ln()).collect())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-12 * right.abs().max(1.0)
    }

    #[test]
    fn quartiles_follow_definition_seven() {
        // 1..=10: position 0.25 * 9 = 2.25, so 3 + 0.25 * (4 - 3); likewise 5.5 and 7.75.
        let values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        let quartiles = Quartiles::of(&values).unwrap();
        assert_eq!(
            quartiles,
            Quartiles {
                lower: 3.25,
                median: 5.5,
                upper: Some(7.75),
                count: 10
            }
        );
    }

    /// Values of `numpy.quantile` 2.4.6.
    #[test]
    fn quartiles_are_those_of_another_program() {
        let quartiles = Quartiles::of(&[3.1, 0.2, 7.7, 5.0, 1.4, 9.9, 2.6]).unwrap();
        assert!(close(quartiles.lower, 2.0) && close(quartiles.median, 3.1));
        assert!(close(quartiles.upper.unwrap(), 6.35));
    }

    #[test]
    fn one_value_is_its_own_quartiles_and_none_has_none() {
        let quartiles = Quartiles::of(&[4.0]).unwrap();
        assert_eq!((quartiles.lower, quartiles.upper), (4.0, Some(4.0)));
        assert_eq!(Quartiles::of(&[]), None);
        assert_eq!(median(&[f64::NAN, 3.0, f64::INFINITY, 1.0]), Some(2.0));
    }

    #[test]
    fn geometric_mean_of_powers() {
        // The cube root of 1 * 10 * 100 is 10.
        assert!(close(geometric_mean(&[1.0, 10.0, 100.0]).unwrap(), 10.0));
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(geometric_mean(&[1.0, 0.0]), None);
        assert_eq!(geometric_mean(&[1.0, f64::NAN]), None);
    }

    /// The decimal logarithms of 1, 10, 100, 1000 are 0, 1, 2, 3. Of the 256 equally likely resamples
    /// 1 has sum 0, 4 have sum 1 and 10 have sum 2: P(sum <= 1) = 1.95 % and P(sum <= 2) = 5.86 %, so
    /// the 2.5 % point is sum 2, a mean logarithm of 0.5. By symmetry the 97.5 % point is 2.5.
    #[test]
    fn bootstrap_interval_matches_the_exact_resampling_distribution() {
        let interval = bootstrap_interval(&[1.0, 10.0, 100.0, 1000.0], 7).unwrap();
        assert!(close(interval.low, 10_f64.powf(0.5)), "{interval:?}");
        assert!(close(interval.high, 10_f64.powf(2.5)), "{interval:?}");
    }

    /// Of the 27 equally likely resamples of 1, 10, 100 one is all ones and one all hundreds: each has a
    /// probability of 3.7 %, more than a tail of 2.5 % and less than one of 5 %.
    #[test]
    fn bootstrap_tails_hold_two_and_a_half_percent_each() {
        let interval = bootstrap_interval(&[1.0, 10.0, 100.0], 7).unwrap();
        assert!(close(interval.low, 1.0), "{interval:?}");
        assert!(close(interval.high, 100.0), "{interval:?}");
    }

    #[test]
    fn bootstrap_needs_two_values_and_repeats_itself() {
        assert_eq!(bootstrap_interval(&[2.0], 1), None);
        let values = [1.0, 1.7, 2.9, 0.4, 5.0];
        assert_eq!(
            bootstrap_interval(&values, 3),
            bootstrap_interval(&values, 3)
        );
    }

    #[test]
    fn ratios_pair_only_what_both_sides_have() {
        let left = BTreeMap::from([(1, 2.0), (2, 9.0), (3, 5.0), (4, 1.0)]);
        let right = BTreeMap::from([(1, 4.0), (2, 3.0), (4, 0.0), (9, 1.0)]);
        let ratios: Vec<f64> = paired_ratios(&left, &right).into_values().collect();
        assert_eq!(ratios, [0.5, 3.0]);
    }

    #[test]
    fn quartiles_beyond_the_known_values_do_not_exist() {
        // Five values, the known ones 1 and 2: the median is the third.
        assert_eq!(Quartiles::censored(&[2.0, 1.0], 3), None);
        // Of 1, 2, 3 and one beyond the third quartile is at position 2.25, past 3.
        let quartiles = Quartiles::censored(&[3.0, 1.0, 2.0], 1).unwrap();
        assert_eq!(
            (quartiles.lower, quartiles.median, quartiles.upper),
            (1.75, 2.5, None)
        );
        assert_eq!(Quartiles::censored(&[], 3), None);
    }

    proptest! {
        #[test]
        fn quartiles_are_ordered_and_inside_the_sample(values in prop::collection::vec(-1e9..1e9_f64, 1..40)) {
            let quartiles = Quartiles::of(&values).unwrap();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(low <= quartiles.lower && quartiles.lower <= quartiles.median);
            let upper = quartiles.upper.unwrap();
            prop_assert!(quartiles.median <= upper && upper <= high);
        }
    }
}
