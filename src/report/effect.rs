//! How much more or less one side of a comparison needs than the other, and whether that is more than chance.
//!
//! An effect is taken over levels: ratios of the values that both sides have there. The tests of one question are a
//! family, whose p-values are corrected together.

use std::collections::BTreeMap;

use super::data::Dataset;
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, medians, samples};
use super::quantity::Unit;
use super::significance::{holm, signed_rank};
use super::statistics::{Center, geometric_mean, paired_ratios};

/// What is compared, in this order.
pub const MEASURES: [Measure; 3] = [STATES_VISITED, WALL_TIME, PEAK_MEMORY];

/// Level at which a difference is commonly taken for more than chance.
pub const LEVEL: f64 = 0.05;

/// How to read [`cells`].
pub const NOTE: &str = "Ratio: geometric mean over the n levels that both sides answered; interval: bootstrap over these levels, \
     10,000 resamples. Wins: levels with less than the baseline; ties: with as much; losses: with more.";

/// How the values of one side compare with those of the other in one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Value / baseline over the levels that both sides answered, with the measure taken.
    pub ratio: Center,
    /// Levels with less than the baseline, as much, and more.
    pub wins_ties_losses: (usize, usize, usize),
    /// Two-sided p-value of the signed-rank test on logarithms of ratios, corrected by Holm for all tests of its
    /// family; none where all ratios are 1.
    pub p: Option<f64>,
}

/// One for each of [`MEASURES`]; none without a level that both sides answered.
pub type Effects = [Option<Effect>; MEASURES.len()];

/// Two configurations: that of the baseline, and what is compared with it; indices in the dataset.
pub type Pair = (usize, usize);

/// Value / baseline by level.
pub type Ratios = BTreeMap<usize, f64>;

impl Effect {
    /// The effect over some levels, its p-value not corrected yet. `None` without a level.
    #[must_use]
    pub fn of(ratios: Ratios) -> Option<Self> {
        let ratios: Vec<f64> = ratios.into_values().collect();
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let count = |wanted: fn(f64) -> bool| ratios.iter().filter(|ratio| wanted(**ratio)).count();
        Some(Self {
            ratio: Center::of(&ratios)?,
            wins_ties_losses: (
                count(|ratio| ratio < 1.0),
                count(|ratio| ratio == 1.0),
                count(|ratio| ratio > 1.0),
            ),
            p: signed_rank(&logarithms),
        })
    }
}

/// Titles of the columns of an effect.
pub const HEADINGS: [&str; 5] = [
    "n",
    "ratio",
    "95 % interval",
    "wins/ties/losses",
    "p (Holm)",
];

/// The columns of an effect, one for each of [`HEADINGS`]; dashes where there is none.
#[must_use]
pub fn cells(effect: Option<Effect>) -> [String; HEADINGS.len()] {
    let dash = || "–".to_owned();
    let Some(effect) = effect else {
        return ["0".to_owned(), dash(), dash(), dash(), dash()];
    };
    let ratio = |ratio| Unit::Ratio.format(ratio);
    let interval = effect.ratio.interval;
    let (wins, ties, losses) = effect.wins_ties_losses;
    [
        effect.ratio.instances.to_string(),
        ratio(effect.ratio.mean),
        interval.map_or_else(dash, |it| {
            format!("{} to {}", ratio(it.low), ratio(it.high))
        }),
        format!("{wins}/{ties}/{losses}"),
        effect.p.map_or_else(dash, p_value),
    ]
}

/// Small ones are not told apart: they say the same.
fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "<0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}

/// The ratios of the levels that both sides of some pair answered: the geometric mean over these pairs.
#[must_use]
pub fn ratios(data: &Dataset, pairs: &[Pair], measure: Measure) -> Ratios {
    let medians_of = |index| medians(&samples(data, index, measure));
    let mut of_level: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for &(baseline, value) in pairs {
        for (level, ratio) in paired_ratios(&medians_of(value), &medians_of(baseline)) {
            of_level.entry(level).or_default().push(ratio);
        }
    }
    of_level
        .into_iter()
        .filter_map(|(level, ratios)| Some((level, geometric_mean(&ratios)?)))
        .collect()
}

/// The tests that are corrected together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Family {
    /// How many they are.
    pub tests: usize,
}

impl Family {
    /// Corrects the p-values of all tests of one family.
    pub fn correct<'a>(effects: impl Iterator<Item = &'a mut Effects>) -> Self {
        let effects = effects.flatten();
        let mut tests: Vec<&mut f64> = effects
            .filter_map(|effect| effect.as_mut()?.p.as_mut())
            .collect();
        let raw: Vec<f64> = tests.iter().map(|p| **p).collect();
        for (p, corrected) in tests.iter_mut().zip(holm(&raw)) {
            **p = corrected;
        }
        Self { tests: tests.len() }
    }

    /// How many levels that differ a test must have at least for any p of the family to fall below [`LEVEL`]: if all n go the same
    /// way, the two-sided exact p is 2 / 2^n, and Holm's correction multiplies the smallest of the family by its size.
    #[must_use]
    pub fn least_levels(self) -> usize {
        let mut levels = 1;
        let mut smallest = self.tests as f64;
        while smallest >= LEVEL {
            levels += 1;
            smallest /= 2.0;
        }
        levels
    }

    /// The same in words, of `what` the tests are.
    #[must_use]
    pub fn note(self, what: &str) -> String {
        let (tests, levels) = (self.tests, self.least_levels());
        let plural = if tests == 1 { "" } else { "s" };
        format!(
            "p (Holm): signed-rank test, two-sided, corrected for the {tests} test{plural} {what}; a p below {LEVEL} takes at least \
             {levels} levels that differ (2 / 2^{levels} × {tests})."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_that_significance_takes_grow_with_the_family() {
        // 2/2^5 = 0.0625 and 2/2^6 = 0.03125; ten tests: 20/2^8 = 0.078, 20/2^9 = 0.039.
        let least = |tests| Family { tests }.least_levels();
        assert_eq!([least(1), least(10)], [6, 9]);
        for tests in 1..50 {
            let all_on_one_side = |levels: usize| {
                let ratios = (0..levels).map(|level| (level, 2.0 + level as f64));
                let mut effects = vec![[Effect::of(ratios.collect()), None, None]; tests];
                let family = Family::correct(effects.iter_mut());
                assert_eq!(family.tests, tests);
                effects[0][0].and_then(|effect| effect.p).expect("a test")
            };
            let enough = least(tests);
            assert!(all_on_one_side(enough) < LEVEL, "{tests}");
            assert!(all_on_one_side(enough - 1) >= LEVEL, "{tests}");
        }
    }

    /// Values of scipy 1.17.1: `stats.gmean`, and `stats.wilcoxon(numpy.log(ratios), method="exact")`.
    #[test]
    fn an_effect_is_that_of_another_program() {
        let ratios = [0.53, 0.61, 1.7, 0.22, 0.9, 0.47, 0.83, 0.35, 1.12, 0.71];
        let effect = Effect::of((0..).zip(ratios).collect()).unwrap();
        assert!((effect.ratio.mean - 0.641_569_956_000_713_1).abs() < 1e-12);
        assert!((effect.p.unwrap() - 0.048_828_125).abs() < 1e-12);
        assert_eq!(effect.wins_ties_losses, (8, 0, 2));
    }

    #[test]
    fn an_effect_counts_its_levels_and_its_sides() {
        let ratios = Ratios::from([(1, 0.5), (2, 1.0), (3, 2.0), (4, 4.0)]);
        let effect = Effect::of(ratios);
        let [n, ratio, _, sides, p] = cells(effect);
        // The fourth root of 4; ranks 1.5, 1.5 and 3, of which 1.5 are below: 3 of the 8 ways to give signs have no more.
        assert_eq!([n, ratio, sides, p], ["4", "1.41", "1/1/2", "0.7500"]);
        assert_eq!(cells(None), ["0", "–", "–", "–", "–"]);
    }
}
