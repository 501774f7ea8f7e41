//! Selections of levels by number: `all`, or numbers and ranges such as `1-12,15`.

use std::ops::RangeInclusive;

use thiserror::Error;

/// Why a selection was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// The collection holds no level at all.
    #[error("nothing can be selected: the collection holds no level")]
    NoLevels,
    /// Nothing between two commas, or nothing at all.
    #[error(
        "empty item {item} in the selection {spec:?}; expected \"all\", or numbers and ranges such as \"1-12,15\""
    )]
    EmptyItem {
        /// The whole selection.
        spec: String,
        /// Which item, from 1.
        item: usize,
    },
    /// Neither a number nor a range.
    #[error(
        "{item:?} in the selection is neither a number nor a range; expected \"all\", or numbers and ranges such as \"1-12,15\"{hint}"
    )]
    NoNumber {
        /// The item as written.
        item: String,
        /// Empty, or what was perhaps meant.
        hint: &'static str,
    },
    /// A number that no level of the collection has.
    #[error("there is no level {number}; expected 1 to {count}")]
    OutOfRange {
        /// The number as written.
        number: String,
        /// Levels in the collection.
        count: usize,
    },
    /// A range that runs backwards.
    #[error("the range {first}-{last} runs backwards; expected {last}-{first}")]
    Backwards {
        /// Its first number.
        first: usize,
        /// Its last number.
        last: usize,
    },
    /// A level that is selected twice.
    #[error("level {0} is selected twice; expected each level once")]
    Twice(usize),
}

/// The level numbers, from 1, that `spec` selects out of a collection of `count` levels, in the
/// order in which it names them: `all`, or numbers and ranges separated by commas.
///
/// Takes time and memory linear in `count` and the length of `spec`.
///
/// # Errors
/// [`SelectionError`] for the first item that is malformed, out of range, or selected before. A
/// selection is never empty.
pub fn select(spec: &str, count: usize) -> Result<Vec<usize>, SelectionError> {
    if count == 0 {
        return Err(SelectionError::NoLevels);
    }
    if spec.trim() == "all" {
        return Ok((1..=count).collect());
    }
    let mut chosen = vec![false; count];
    let mut numbers = Vec::new();
    for (index, item) in spec.split(',').map(str::trim).enumerate() {
        if item.is_empty() {
            let (spec, item) = (spec.to_owned(), index + 1);
            return Err(SelectionError::EmptyItem { spec, item });
        }
        for number in range(item, count)? {
            if std::mem::replace(&mut chosen[number - 1], true) {
                return Err(SelectionError::Twice(number));
            }
            numbers.push(number);
        }
    }
    Ok(numbers)
}

fn range(item: &str, count: usize) -> Result<RangeInclusive<usize>, SelectionError> {
    let (first, last) = item.split_once('-').unwrap_or((item, item));
    let (first, last) = (first.trim(), last.trim());
    if ![first, last].iter().all(|text| is_number(text)) {
        return Err(SelectionError::NoNumber {
            item: item.to_owned(),
            hint: hint(item),
        });
    }
    let (first, last) = (in_range(first, count)?, in_range(last, count)?);
    if first > last {
        return Err(SelectionError::Backwards { first, last });
    }
    Ok(first..=last)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits that do not even fit a `usize` are out of range too.
fn in_range(digits: &str, count: usize) -> Result<usize, SelectionError> {
    digits
        .parse()
        .ok()
        .filter(|number| (1..=count).contains(number))
        .ok_or_else(|| SelectionError::OutOfRange {
            number: digits.to_owned(),
            count,
        })
}

fn hint(item: &str) -> &'static str {
    let lower = item.to_lowercase();
    if lower == "*" || strsim::damerau_levenshtein(&lower, "all") <= 1 {
        "; did you mean \"all\"?"
    } else if lower.contains("..") {
        "; a range is written with '-'"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_ranges_are_taken_in_the_order_written() {
        assert_eq!(select("1-3,7", 9).unwrap(), [1, 2, 3, 7]);
        assert_eq!(select(" 7 , 1 - 3 ", 9).unwrap(), [7, 1, 2, 3]);
        assert_eq!(select("9", 9).unwrap(), [9]);
        assert_eq!(select("4-4", 9).unwrap(), [4]);
    }

    #[test]
    fn all_selects_every_level() {
        assert_eq!(select("all", 3).unwrap(), [1, 2, 3]);
        assert_eq!(select("all", 0), Err(SelectionError::NoLevels));
    }

    #[test]
    fn a_number_outside_the_collection_names_the_allowed_range() {
        for (spec, number) in [
            ("0", "0"),
            ("10", "10"),
            ("8-10", "10"),
            ("99999999999999999999999", "99999999999999999999999"),
        ] {
            let error = select(spec, 9).unwrap_err();
            let number = number.to_owned();
            assert_eq!(error, SelectionError::OutOfRange { number, count: 9 });
        }
        let message = select("10", 9).unwrap_err().to_string();
        assert_eq!(message, "there is no level 10; expected 1 to 9");
    }

    #[test]
    fn malformed_items_are_named() {
        for spec in ["x", "1-", "-1", "1-2-3", "+1", "1.5", "1 2", "٣"] {
            assert!(
                matches!(select(spec, 9), Err(SelectionError::NoNumber { item, hint: "" }) if item == spec),
                "{spec}"
            );
        }
        assert_eq!(
            select("1,,2", 9),
            Err(SelectionError::EmptyItem {
                spec: "1,,2".into(),
                item: 2
            })
        );
        assert!(matches!(
            select("", 9),
            Err(SelectionError::EmptyItem { item: 1, .. })
        ));
    }

    #[test]
    fn a_near_miss_of_all_is_recognised() {
        for spec in ["ALL", "al", "alll", "*"] {
            let message = select(spec, 9).unwrap_err().to_string();
            assert!(message.ends_with("did you mean \"all\"?"), "{message}");
        }
        let message = select("1..3", 9).unwrap_err().to_string();
        assert!(
            message.ends_with("a range is written with '-'"),
            "{message}"
        );
    }

    #[test]
    fn backward_ranges_and_repetitions_are_refused() {
        let backwards = SelectionError::Backwards { first: 3, last: 1 };
        assert_eq!(select("3-1", 9), Err(backwards));
        assert_eq!(select("1-3,2", 9), Err(SelectionError::Twice(2)));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_it_selects_exists(spec in "[0-9,\\- al]{0,20}|\\PC{0,20}", count in 0_usize..50) {
            if let Ok(numbers) = select(&spec, count) {
                prop_assert!(!numbers.is_empty());
                prop_assert!(numbers.iter().all(|number| (1..=count).contains(number)));
            }
        }
    }
}
