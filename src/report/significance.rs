//! Whether a difference between pairs is more than chance: the signed-rank test, and its correction for many tests.

use libm::erfc;

/// Pairs up to which the distribution of the statistic is counted exactly.
const EXACT_UP_TO: usize = 50;

/// Two-sided p-value of Wilcoxon's signed-rank test that differences are symmetric about zero (F. Wilcoxon, "Individual
/// Comparisons by Ranking Methods", Biometrics Bulletin 1, 1945). Differences of zero are left out, equal ones share
/// their ranks. Up to 50 others the distribution is counted, ties and all; beyond, it is taken as normal, with the variance
/// corrected for ties. `None` if no difference is left, or one is not finite. O(n log n), O(n³) where it is counted.
#[must_use]
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    let SignedRanks { ranks, positive } = SignedRanks::of(differences)?;
    let negative = ranks.iter().sum::<usize>() - positive;
    Some((2.0 * at_most(&ranks, positive.min(negative))).min(1.0))
}

/// One-sided p-value of the same test, against differences that lie above zero: small only if they do. `None`, and the cost,
/// as of [`signed_rank`].
#[must_use]
pub fn signed_rank_above(differences: &[f64]) -> Option<f64> {
    let SignedRanks { ranks, positive } = SignedRanks::of(differences)?;
    // As many ways to give signs have so large a sum of positive ranks as have so small a sum of negative ones.
    let negative = ranks.iter().sum::<usize>() - positive;
    Some(at_most(&ranks, negative))
}

/// The ranks of the differences that are not zero, and the sum of those of positive ones; all of them doubled.
struct SignedRanks {
    ranks: Vec<usize>,
    positive: usize,
}

impl SignedRanks {
    fn of(differences: &[f64]) -> Option<Self> {
        if differences.iter().any(|difference| !difference.is_finite()) {
            return None;
        }
        let differences = differences.iter().copied();
        let mut sorted: Vec<f64> = differences.filter(|it| *it != 0.0).collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let ranks = doubled_ranks(&sorted);
        let signed = sorted.iter().zip(&ranks);
        let positive = signed.filter(|(difference, _)| **difference > 0.0);
        let positive = positive.map(|(_, rank)| rank).sum();
        Some(Self { ranks, positive })
    }
}

/// The probability that the ranks of one sign have at most this sum.
fn at_most(ranks: &[usize], sum: usize) -> f64 {
    if ranks.len() <= EXACT_UP_TO {
        exact(ranks, sum)
    } else {
        normal(ranks, sum)
    }
}

/// Twice the rank of each value, so that means of ranks are whole numbers. The values are sorted by size.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for group in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        let first = ranks.len() + 1;
        let last = ranks.len() + group.len();
        ranks.extend(group.iter().map(|_| first + last));
    }
    ranks
}

/// Counts in what share of the 2^n ways to give signs the sum of positive ranks is at most `most`.
fn exact(ranks: &[usize], most: usize) -> f64 {
    let all: usize = ranks.iter().sum();
    // Share of the ways that have each sum; shares instead of numbers of ways never overflow.
    let mut shares = vec![0.0; all + 1];
    shares[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { shares[sum - rank] } else { 0.0 };
            shares[sum] = (shares[sum] + with) / 2.0;
        }
    }
    shares[..=most].iter().sum()
}

fn normal(ranks: &[usize], most: usize) -> f64 {
    let ranks: Vec<f64> = ranks.iter().map(|&rank| rank as f64 / 2.0).collect();
    let mean = ranks.iter().sum::<f64>() / 2.0;
    // With the ranks as they are shared, this is the variance corrected for ties.
    let variance = ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
    let deviations = (mean - most as f64 / 2.0) / variance.sqrt();
    erfc(deviations / std::f64::consts::SQRT_2) / 2.0
}

/// Holm's correction (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
/// 1979): p-values of one family, in the same order, each so large that all of them can be held against one level.
/// O(n log n).
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (place, index) in order.into_iter().enumerate() {
        let factor = (p_values.len() - place) as f64;
        largest = largest.max((p_values[index] * factor).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_p(differences: &[f64], expected: f64) {
        let p = signed_rank(differences).unwrap();
        assert!((p - expected).abs() < 1e-9, "{p} instead of {expected}");
    }

    /// The sums of the 8 subsets of the ranks 1, 2, 3 are 0, 1, 2, 3, 3, 4, 5, 6.
    #[test]
    fn one_side_is_the_share_of_sums_as_large() {
        let above = |differences: &[f64]| signed_rank_above(differences).unwrap();
        assert_eq!(above(&[1.0, 2.0, 3.0]), 1.0 / 8.0);
        assert_eq!(above(&[1.0, 2.0, -3.0]), 5.0 / 8.0);
        assert_eq!(above(&[-1.0, -2.0, 3.0]), 5.0 / 8.0);
        assert_eq!(above(&[-1.0, -2.0, -3.0]), 1.0);
        assert_eq!(signed_rank_above(&[0.0, 0.0]), None);
        // Beyond the pairs that are counted: all on one side of 60 is past all doubt, and the other side is certain.
        let all: Vec<f64> = (1..=60).map(f64::from).collect();
        assert!(above(&all) < 1e-9);
        let none: Vec<f64> = all.iter().map(|value| -value).collect();
        assert!(above(&none) > 1.0 - 1e-9);
    }

    /// Values of `scipy.stats.wilcoxon` 1.17.1: `method="exact"`.
    #[test]
    fn few_pairs_are_counted() {
        assert_p(&[1.5, -0.5, 2.25, 3.0, -1.0, 0.75, 4.5, 2.0], 0.0546875);
        assert_p(&[1.0], 1.0);
        assert_p(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.0625);
        // Darwin's plants, cross-fertilised less self-fertilised, in inches (R. A. Fisher, "The Design of Experiments", 1935).
        let plants = [
            6.125, -8.375, 1.0, 2.0, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7.0, 3.0, 9.375, 7.5,
            -6.0,
        ];
        assert_p(&plants, 0.041259765625);
    }

    /// Values of `scipy.stats.wilcoxon` 1.17.1 with `PermutationMethod`, which goes through all signs.
    #[test]
    fn ties_are_counted_and_zeros_left_out() {
        let ties = [
            1.0, 2.0, 2.0, -3.0, 4.0, -4.0, 5.0, 6.0, 7.0, 8.0, -1.0, 2.0, 3.0, 9.0, -2.0, 10.0,
        ];
        assert_p(&ties, 0.017791748046875);
        assert_p(
            &[0.0, 0.0, 1.0, 2.0, 3.0, -1.0, 4.0, 5.0, -2.0, 6.0],
            0.0859375,
        );
    }

    /// Values of `scipy.stats.wilcoxon` 1.17.1: `method="exact"` for 50 pairs, `method="approx"` for 64 with ties.
    #[test]
    fn many_pairs() {
        let fifty = [
            0.354, 0.573, -0.682, -0.807, 0.5, -0.167, 0.536, 1.06, -1.349, 0.554, 1.525, 0.002,
            -0.511, 1.052, 0.553, 1.196, -0.045, -1.182, 0.19, -0.146, 1.075, 0.494, -1.331,
            -0.895, 1.184, 0.98, -0.34, 0.299, 0.746, 0.768, 1.176, 0.556, 0.205, 0.041, 1.356,
            -1.951, 0.161, 0.333, -1.125, 0.633, -0.351, 1.162, 0.174, 0.969, 1.519, 0.683, -0.576,
            -1.214, 2.053, 0.189,
        ];
        assert_p(&fifty, 0.04193213473556767);
        let tied = [
            5, -2, -4, -2, 0, 5, 0, -4, -1, 2, 5, 4, 7, -3, 6, -5, 2, -2, -3, 3, -2, 2, -2, -4, 4,
            0, 3, 3, 7, 0, -3, 3, 7, 7, 6, 3, -1, 0, -5, -3, -1, -1, 2, 1, 4, 6, 6, 5, 7, -1, 6, 7,
            -3, 1, 2, 4, 4, -4, 1, -4, 7, -3, 0, 6, 1, 3, 1, 6, 2, 3,
        ];
        assert_p(&tied.map(f64::from), 0.001546011538741255);
    }

    #[test]
    fn nothing_to_compare_has_no_p_value() {
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[0.0, 0.0]), None);
        assert_eq!(signed_rank(&[1.0, f64::NAN]), None);
    }

    /// The worked example of `p.adjust` in R: 0.01, 0.02, 0.03, 0.04, 0.05.
    #[test]
    fn many_tests_are_held_to_a_stricter_level() {
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        let corrected = holm(&[0.03, 0.01, 0.05, 0.02, 0.04]);
        assert!(
            close(&corrected, &[0.09, 0.05, 0.09, 0.08, 0.09]),
            "{corrected:?}"
        );
        // `multipletests(.., method="holm")` of statsmodels 0.15.0.
        let corrected = holm(&[0.0007, 0.04, 0.012, 0.3, 0.0101, 0.049]);
        let expected = [0.0042, 0.12, 0.0505, 0.3, 0.0505, 0.12];
        assert!(close(&corrected, &expected), "{corrected:?}");
        assert_eq!(holm(&[0.7, 0.9]), [1.0, 1.0]);
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
