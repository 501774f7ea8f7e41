//! Quantities as people read them: `12.3 k`, `45 ms`, `1.5 GB`.

/// What a number measures, and so how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number of things: `950`, `12.3 k`, `4 M`.
    Count,
    /// Seconds: `80 µs`, `12.3 ms`, `60 s`.
    Seconds,
    /// Bytes, in powers of 1000: `4.2 MB`.
    Bytes,
    /// A ratio: `0.25`, `1.5`.
    Ratio,
    /// A share from 0 to 1, written in percent: `75 %`.
    Share,
}

const SMALL: [(f64, &str); 4] = [(1e-9, "n"), (1e-6, "µ"), (1e-3, "m"), (1.0, "")];
const LARGE: [(f64, &str); 5] = [(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];

impl Unit {
    /// Writes `value` with three significant digits and without trailing zeros.
    #[must_use]
    pub fn format(self, value: f64) -> String {
        match self {
            Self::Count => with_prefix(value, &LARGE, ""),
            Self::Seconds => with_prefix(value, &SMALL, "s"),
            Self::Bytes => with_prefix(value, &LARGE, "B"),
            Self::Ratio => significant(value),
            Self::Share => format!("{} %", significant(value * 100.0)),
        }
    }
}

/// Rounds first and chooses the prefix after, so that 999.9 is written `1 k`, never `1000`.
fn with_prefix(value: f64, prefixes: &[(f64, &str)], unit: &str) -> String {
    let rounded = round_significant(value);
    let (factor, prefix) = prefixes
        .iter()
        .rev()
        .find(|(factor, _)| rounded.abs() >= *factor)
        .or_else(|| prefixes.iter().find(|_| rounded != 0.0))
        .copied()
        .unwrap_or((1.0, ""));
    let digits = significant(rounded / factor);
    match (prefix, unit) {
        ("", "") => digits,
        _ => format!("{digits} {prefix}{unit}"),
    }
}

fn round_significant(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let decimals = 2 - value.abs().log10().floor() as i32;
    let scale = 10_f64.powi(decimals.clamp(-300, 300));
    (value * scale).round() / scale
}

/// Three significant digits without trailing zeros; integers keep all of theirs.
fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let rounded = round_significant(value);
    let decimals = match rounded.abs() {
        0.0 => 0,
        magnitude => (2 - magnitude.log10().floor() as i32).clamp(0, 12) as usize,
    };
    let digits = format!("{rounded:.decimals$}");
    match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_use_thousands() {
        let written = [0.0, 2.5, 999.0, 999.9, 1000.0, 12_345.0, 4e6, 1.5e9];
        let written: Vec<String> = written.map(|v| Unit::Count.format(v)).into();
        assert_eq!(
            written,
            ["0", "2.5", "999", "1 k", "1 k", "12.3 k", "4 M", "1.5 G"]
        );
    }

    #[test]
    fn seconds_and_bytes_carry_their_unit() {
        assert_eq!(Unit::Seconds.format(0.000_08), "80 µs");
        assert_eq!(Unit::Seconds.format(0.0123), "12.3 ms");
        assert_eq!(Unit::Seconds.format(0.9996), "1 s");
        assert_eq!(Unit::Seconds.format(3600.0), "3600 s");
        assert_eq!(Unit::Seconds.format(0.0), "0 s");
        assert_eq!(Unit::Seconds.format(2e-12), "0.002 ns");
        assert_eq!(Unit::Bytes.format(4_200_000.0), "4.2 MB");
    }

    #[test]
    fn shares_and_ratios() {
        assert_eq!(Unit::Share.format(0.755), "75.5 %");
        assert_eq!(Unit::Ratio.format(0.012_34), "0.0123");
        assert_eq!(Unit::Ratio.format(f64::NAN), "–");
    }
}
