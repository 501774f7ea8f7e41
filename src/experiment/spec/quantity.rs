//! Durations and sizes with a unit, such as `60s` and `4GiB`.

use std::time::Duration;

use thiserror::Error;

/// A text that is no quantity with a unit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// Not a whole number followed by a unit.
    #[error("{found:?} is not a whole number with a unit; expected {expected}")]
    Malformed {
        /// What is there.
        found: String,
        /// The form, with examples.
        expected: &'static str,
    },
    /// A number with a unit that does not exist.
    #[error("{found:?} has the unknown unit {unit:?}; expected one of {allowed}{hint}")]
    UnknownUnit {
        /// What is there.
        found: String,
        /// The unit of it.
        unit: String,
        /// The units that exist.
        allowed: String,
        /// Empty, or what was perhaps meant.
        hint: String,
    },
    /// Zero, or more than can be counted.
    #[error("{found:?} is out of range; expected {expected}, more than zero and less than 2^64")]
    OutOfRange {
        /// What is there.
        found: String,
        /// The form, with examples.
        expected: &'static str,
    },
}

/// A dimension: its units, each with its worth in base units.
struct Units {
    units: &'static [(&'static str, u64)],
    expected: &'static str,
}

/// In milliseconds.
const TIME: Units = Units {
    units: &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)],
    expected: "a duration such as \"500ms\", \"60s\", \"2m\" or \"1h\"",
};

/// In bytes. Only powers of 1024, so that nobody has to guess what a `GB` is.
const MEMORY: Units = Units {
    units: &[
        ("B", 1),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ],
    expected: "a size such as \"500MiB\" or \"4GiB\"",
};

/// A duration: a whole number of `ms`, `s`, `m` (minutes) or `h`, more than zero.
///
/// # Errors
/// [`QuantityError`] says which part of the text is wrong and what is expected.
pub fn duration(text: &str) -> Result<Duration, QuantityError> {
    TIME.parse(text).map(Duration::from_millis)
}

/// A number of bytes: a whole number of `B`, `KiB`, `MiB`, `GiB` or `TiB`, more than zero.
///
/// # Errors
/// [`QuantityError`] says which part of the text is wrong and what is expected.
pub fn bytes(text: &str) -> Result<u64, QuantityError> {
    MEMORY.parse(text)
}

impl Units {
    fn parse(&self, text: &str) -> Result<u64, QuantityError> {
        let found = text.to_owned();
        let expected = self.expected;
        let end = text
            .find(|symbol: char| !symbol.is_ascii_digit() && symbol != '_')
            .unwrap_or(text.len());
        let (digits, unit) = (text[..end].replace('_', ""), text[end..].trim());
        if digits.is_empty() || unit.is_empty() || unit.starts_with(['.', ',']) {
            return Err(QuantityError::Malformed { found, expected });
        }
        let known = self.units.iter().find(|(name, _)| *name == unit);
        let &(_, worth) = known.ok_or_else(|| self.unknown(text, &digits, unit))?;
        let number: Option<u64> = digits.parse().ok();
        number
            .and_then(|number| number.checked_mul(worth))
            .filter(|&amount| amount > 0)
            .ok_or(QuantityError::OutOfRange { found, expected })
    }

    /// Units that differ in case or in the `i` are what people mean by them.
    fn unknown(&self, text: &str, digits: &str, unit: &str) -> QuantityError {
        let plain = |name: &str| name.to_lowercase().replace('i', "");
        let near = |name: &str| {
            let (name, unit) = (plain(name), plain(unit));
            name == unit || name == format!("{unit}b") || unit.starts_with(&name)
        };
        let meant = self.units.iter().filter(|(name, _)| near(name));
        let meant = meant.max_by_key(|(name, _)| name.len());
        let names: Vec<&str> = self.units.iter().map(|(name, _)| *name).collect();
        QuantityError::UnknownUnit {
            found: text.to_owned(),
            unit: unit.to_owned(),
            allowed: names.join(", "),
            hint: meant.map_or_else(String::new, |(name, _)| {
                format!("; did you mean \"{digits}{name}\"?")
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_every_unit() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("60s", 60_000),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("10 s", 10_000),
            ("1_000ms", 1_000),
        ] {
            let expected = Duration::from_millis(milliseconds);
            assert_eq!(duration(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn sizes_in_every_unit() {
        for (text, expected) in [
            ("7B", 7),
            ("1KiB", 1_024),
            ("500MiB", 524_288_000),
            ("4GiB", 4_294_967_296),
            ("1TiB", 1_099_511_627_776),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_missing_number_or_unit_is_malformed() {
        for text in ["", "60", "s", "-5s", "1.5s", "1,5s", "٣s", "s60", "_s"] {
            let error = duration(text).unwrap_err();
            assert!(matches!(error, QuantityError::Malformed { .. }), "{text}");
        }
    }

    #[test]
    fn nothing_and_too_much_are_out_of_range() {
        for text in [
            "0s",
            "18446744073709551616ms",
            "99999999999999999999h",
            "6000000000000000h",
        ] {
            let error = duration(text).unwrap_err();
            assert!(matches!(error, QuantityError::OutOfRange { .. }), "{text}");
        }
    }

    #[test]
    fn a_near_unit_is_suggested() {
        for (text, meant) in [("4GB", "4GiB"), ("500mib", "500MiB"), ("2G", "2GiB")] {
            let message = bytes(text).unwrap_err().to_string();
            let hint = format!("; did you mean \"{meant}\"?");
            assert!(message.ends_with(&hint), "{message}");
        }
        for (text, meant) in [("60sec", "60s"), ("2min", "2m"), ("5MS", "5ms")] {
            let message = duration(text).unwrap_err().to_string();
            let hint = format!("; did you mean \"{meant}\"?");
            assert!(message.ends_with(&hint), "{message}");
        }
        assert_eq!(
            duration("3 parsecs").unwrap_err().to_string(),
            "\"3 parsecs\" has the unknown unit \"parsecs\"; expected one of ms, s, m, h"
        );
    }
}
