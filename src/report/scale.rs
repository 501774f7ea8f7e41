//! From values to places along an axis, and the ticks of the axis.

/// Values that span more than this factor are drawn on a logarithmic axis.
const LOGARITHMIC_SPAN: f64 = 10.0;

/// No axis reaches beyond these; there, rounding to round values would leave the range of `f64`.
const LEAST: f64 = 1e-250;
const GREATEST: f64 = 1e250;

/// Most ticks of an axis.
const MOST_TICKS: usize = 9;

/// An axis: which values it spans, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    kind: Kind,
    /// Share of its length that stays free above the highest value.
    headroom: f64,
}

/// How values are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Equal steps.
    Linear,
    /// Equal factors; ticks at 1, 2 and 5 times powers of ten.
    Decimal,
    /// Equal factors; ticks at powers of two.
    Binary,
}

impl Scale {
    /// An axis for these values, logarithmic if they are positive and span more than a factor of
    /// ten, else linear from zero. `None` without a finite value.
    #[must_use]
    pub fn over(values: &[f64]) -> Option<Self> {
        let (low, high) = extremes(values)?;
        if low > 0.0 && high / low > LOGARITHMIC_SPAN {
            return Self::decimal(low, high);
        }
        Some(Self::linear(low, high))
    }

    /// A linear axis that contains zero and ends at a round value.
    #[must_use]
    pub fn linear(low: f64, high: f64) -> Self {
        let (low, high) = (low.clamp(-GREATEST, 0.0), high.clamp(0.0, GREATEST));
        let step = round_step((high - low) / 5.0);
        let scale = Self {
            low: (low / step).floor() * step,
            high: (high / step).ceil() * step,
            kind: Kind::Linear,
            headroom: 0.0,
        };
        if scale.high > scale.low {
            return scale;
        }
        Self {
            high: scale.low + 1.0,
            ..scale
        }
    }

    /// A logarithmic axis that ends at 1, 2 or 5 times powers of ten. `None` unless both ends are
    /// positive and finite.
    #[must_use]
    pub fn decimal(low: f64, high: f64) -> Option<Self> {
        positive_range(low, high).map(|(low, high)| {
            let (low, high) = (decimal_below(low), decimal_above(high));
            Self {
                low,
                high: if high > low { high } else { low * 10.0 },
                kind: Kind::Decimal,
                headroom: 0.0,
            }
        })
    }

    /// A logarithmic axis that ends at powers of two. `None` unless both ends are positive and finite.
    #[must_use]
    pub fn binary(low: f64, high: f64) -> Option<Self> {
        positive_range(low, high).map(|(low, high)| {
            let (first, last) = (low.log2().floor(), high.log2().ceil());
            Self {
                low: first.exp2(),
                high: last.max(first + 1.0).exp2(),
                kind: Kind::Binary,
                headroom: 0.0,
            }
        })
    }

    /// The same axis with a share of its length, below 1, free above its highest value.
    #[must_use]
    pub const fn with_headroom(self, headroom: f64) -> Self {
        Self { headroom, ..self }
    }

    /// Lowest value of the axis.
    #[must_use]
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// Highest value of the axis.
    #[must_use]
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// Whether the axis is logarithmic.
    #[must_use]
    pub fn is_logarithmic(&self) -> bool {
        self.kind != Kind::Linear
    }

    /// Where a value lies: 0 at the low end, 1 (less the headroom) at the high end; values outside go
    /// to the nearer end.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            // Differences of logarithms: the quotient of far ends would overflow.
            Kind::Decimal | Kind::Binary => {
                let above = value.max(f64::MIN_POSITIVE).ln() - self.low.ln();
                above / (self.high.ln() - self.low.ln())
            }
        };
        share.clamp(0.0, 1.0) * (1.0 - self.headroom)
    }

    /// Values to mark, ascending, at most `MOST_TICKS`.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        match self.kind {
            Kind::Linear => {
                let step = round_step((self.high - self.low) / 5.0);
                let steps = ((self.high - self.low) / step).round() as usize;
                (0..=steps).map(|i| self.low + i as f64 * step).collect()
            }
            Kind::Decimal => self.decimal_ticks(),
            Kind::Binary => {
                let (first, last) = (
                    self.low.log2().round() as i32,
                    self.high.log2().round() as i32,
                );
                let stride = ((last - first) as usize / MOST_TICKS) + 1;
                (first..=last)
                    .step_by(stride)
                    .map(|e| f64::from(e).exp2())
                    .collect()
            }
        }
    }

    /// Powers of ten; on a short axis 1, 2 and 5 times them, on a long one every second, third, ...
    fn decimal_ticks(&self) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let all = |factors: &[f64], stride: usize| -> Vec<f64> {
            (first..=last)
                .step_by(stride)
                .flat_map(|exponent| factors.iter().map(move |f| f * 10_f64.powi(exponent)))
                .filter(|tick| *tick >= self.low * 0.999 && *tick <= self.high * 1.001)
                .collect()
        };
        let fine = all(&[1.0, 2.0, 5.0], 1);
        if fine.len() <= 7 {
            return fine;
        }
        let stride = (last - first) as usize / MOST_TICKS + 1;
        all(&[1.0], stride)
    }
}

/// The ends of a logarithmic axis, within [`LEAST`] and [`GREATEST`]. `None` unless both are positive
/// and finite, and in order.
fn positive_range(low: f64, high: f64) -> Option<(f64, f64)> {
    let range = (low.clamp(LEAST, GREATEST), high.clamp(LEAST, GREATEST));
    (low > 0.0 && low <= high && high.is_finite()).then_some(range)
}

fn extremes(values: &[f64]) -> Option<(f64, f64)> {
    values
        .iter()
        .copied()
        .filter(|value| value.is_finite())
        .fold(None, |found, value| match found {
            None => Some((value, value)),
            Some((low, high)) => Some((value.min(low), value.max(high))),
        })
}

/// The next of 1, 2, 5 times a power of ten that is not below `step`; 1 for a step of zero.
fn round_step(step: f64) -> f64 {
    if step > 0.0 { decimal_above(step) } else { 1.0 }
}

fn decimal_above(value: f64) -> f64 {
    let power = 10_f64.powi(value.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|candidate| *candidate >= value * (1.0 - 1e-9))
        .unwrap_or(value)
}

fn decimal_below(value: f64) -> f64 {
    let power = 10_f64.powi(value.log10().floor() as i32);
    [5.0, 2.0, 1.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|candidate| *candidate <= value * (1.0 + 1e-9))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wide_values_get_a_logarithmic_axis() {
        let scale = Scale::over(&[30.0, 70_000.0]).unwrap();
        assert_eq!((scale.low(), scale.high()), (20.0, 100_000.0));
        assert_eq!(scale.ticks(), [100.0, 1000.0, 10_000.0, 100_000.0]);
        // Half of the logarithm of 5000 above 20: the square root of the factor.
        assert!((scale.position(20.0 * 5000_f64.sqrt()) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn narrow_values_get_a_linear_axis_from_zero() {
        let scale = Scale::over(&[3.0, 9.5]).unwrap();
        assert_eq!(scale.ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert!((scale.position(5.0) - 0.5).abs() < 1e-12);
        assert_eq!(scale.position(99.0), 1.0);
        assert_eq!(scale.with_headroom(0.25).position(10.0), 0.75);
    }

    #[test]
    fn a_short_logarithmic_axis_marks_ones_twos_and_fives() {
        let scale = Scale::decimal(1.5, 40.0).unwrap();
        assert_eq!(scale.ticks(), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
    }

    #[test]
    fn powers_of_two() {
        let scale = Scale::binary(0.6, 5.0).unwrap();
        assert_eq!(scale.ticks(), [0.5, 1.0, 2.0, 4.0, 8.0]);
        assert_eq!(scale.position(2.0), 0.5);
        assert_eq!(Scale::binary(0.0, 1.0), None);
    }

    #[test]
    fn nothing_to_span() {
        assert_eq!(Scale::over(&[]), None);
        assert_eq!(Scale::over(&[f64::NAN]), None);
        assert_eq!(Scale::over(&[0.0]).unwrap().ticks().first(), Some(&0.0));
    }

    proptest! {
        #[test]
        fn every_axis_has_a_few_ascending_ticks_inside(
            values in prop::collection::vec(1e-9..1e15_f64, 1..6),
        ) {
            let scale = Scale::over(&values).unwrap();
            let ticks = scale.ticks();
            prop_assert!(ticks.len() >= 2 && ticks.len() <= 11, "{ticks:?}");
            prop_assert!(ticks.windows(2).all(|pair| pair[0] < pair[1]));
            for value in values {
                prop_assert!(scale.low() <= value * 1.0001 && value <= scale.high() * 1.0001);
            }
        }
    }
}
