//! Whether more time or memory is needed than before, by more than is tolerated and by more than chance.

use crate::report::effect::{LEVEL, Ratios};
use crate::report::significance::{holm, signed_rank_above};
use crate::report::statistics::Center;

use super::Line;

/// Ratios of a quantity that makes new results worse if there is more of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// New / old over the instances that both sides answered.
    pub ratio: Center,
    /// One-sided p-value of the signed-rank test that the ratios lie above 1, corrected by Holm for all tests of its family;
    /// none where all ratios are 1.
    pub p: Option<f64>,
}

impl Judged {
    /// The ratios of some instances, p not corrected yet. `None` without an instance.
    pub(super) fn of(ratios: &Ratios) -> Option<Self> {
        let ratios: Vec<f64> = ratios.values().copied().collect();
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        Some(Self {
            ratio: Center::of(&ratios)?,
            p: signed_rank_above(&logarithms),
        })
    }

    /// Whether there is more than `tolerance` times as much as before.
    #[must_use]
    pub fn is_beyond(&self, tolerance: f64) -> bool {
        self.ratio.mean > tolerance
    }

    /// Whether it is beyond `tolerance` by more than chance would explain.
    #[must_use]
    pub fn is_worse(&self, tolerance: f64) -> bool {
        self.is_beyond(tolerance) && self.p.is_some_and(|p| p < LEVEL)
    }
}

/// Corrects the p-values of lines that are judged together: one in twenty would be worse by chance. Returns how many there are.
pub(super) fn correct(lines: &mut [Line]) -> usize {
    let judged = lines
        .iter_mut()
        .flat_map(|line| [&mut line.wall, &mut line.memory]);
    let mut tests: Vec<&mut f64> = judged.filter_map(|it| it.as_mut()?.p.as_mut()).collect();
    let raw: Vec<f64> = tests.iter().map(|p| **p).collect();
    for (p, corrected) in tests.iter_mut().zip(holm(&raw)) {
        **p = corrected;
    }
    tests.len()
}

/// How many instances a test must have at least for a p below [`LEVEL`] in a family of `tests`: if the ratios of all n lie above
/// 1, p is 1 / 2^n, and Holm's correction multiplies the smallest by the size of the family.
#[must_use]
pub fn least_instances(tests: usize) -> usize {
    let mut instances = 0;
    let mut smallest = tests as f64;
    while smallest >= LEVEL {
        instances += 1;
        smallest /= 2.0;
    }
    instances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(ratios: &[f64]) -> Option<Judged> {
        Judged::of(&(0..).zip(ratios.iter().copied()).collect())
    }

    fn line(ratios: &[f64]) -> Line {
        Line {
            label: String::new(),
            states: None,
            wall: judged(ratios),
            memory: None,
        }
    }

    #[test]
    fn worse_takes_size_and_more_than_chance() {
        let is_worse = |ratios: &[f64], tolerance| judged(ratios).unwrap().is_worse(tolerance);
        // 1 / 2^5 = 0.031, 1 / 2^4 = 0.0625.
        assert!(is_worse(&[2.0; 5], 1.1));
        assert!(!is_worse(&[2.0; 4], 1.1));
        assert!(!is_worse(&[2.0; 5], 2.5));
        assert!(!is_worse(&[0.25, 0.5, 1.0, 4.0, 64.0], 1.1));
        assert!(!is_worse(&[1.0; 9], 1.0));
        assert!(!is_worse(&[0.5; 9], 1.1), "less is no more");
    }

    /// Two tests of five instances: 2 / 2^5 = 0.0625. Of six: 2 / 2^6 = 0.031.
    #[test]
    fn what_is_tested_together_takes_more_instances() {
        let verdicts = |instances: usize| {
            let mut lines = [line(&vec![2.0; instances]), line(&vec![2.0; instances])];
            assert_eq!(correct(&mut lines), 2);
            lines.map(|line| line.wall.unwrap().is_worse(1.1))
        };
        assert_eq!(verdicts(5), [false, false]);
        assert_eq!(verdicts(6), [true, true]);
        assert_eq!([1, 2, 10, 136].map(least_instances), [5, 6, 8, 12]);
        assert_eq!(least_instances(0), 0);
    }
}
