//! Values that are chosen by name, and what was perhaps meant by a name that is none.

use thiserror::Error;

use super::configuration::{Space, Table};
use super::status::Retry;
use crate::parallel::Threading;
use crate::search::{Goal, Strategy};
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;

/// The values that a key allows, with their names.
#[derive(Debug, Clone, Copy)]
pub struct Choices<T: 'static> {
    all: &'static [T],
    name: fn(T) -> &'static str,
}

/// State spaces.
pub const SPACES: Choices<Space> = Choices::new(&Space::ALL, Space::name);
/// Strategies.
pub const STRATEGIES: Choices<Strategy> = Choices::new(&Strategy::ALL, Strategy::name);
/// Heuristics.
pub const HEURISTICS: Choices<HeuristicKind> =
    Choices::new(&HeuristicKind::ALL, HeuristicKind::name);
/// Pruning levels.
pub const PRUNINGS: Choices<PruningLevel> = Choices::new(&PruningLevel::ALL, PruningLevel::name);
/// Threading models.
pub const THREADINGS: Choices<Threading> = Choices::new(&Threading::ALL, Threading::name);
/// Visited tables.
pub const TABLES: Choices<Table> = Choices::new(&Table::ALL, Table::name);
/// Goals.
pub const GOALS: Choices<Goal> = Choices::new(&Goal::ALL, Goal::name);
/// Runs that may be done again.
pub const RETRIES: Choices<Retry> = Choices::new(&Retry::ALL, Retry::status);

/// A name that none of the allowed values has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{found:?} is not allowed; expected {}{}", one_of(.allowed), did_you_mean(.suggestion))]
pub struct UnknownName {
    /// What is there.
    pub found: String,
    /// The names of all allowed values.
    pub allowed: Vec<&'static str>,
    /// The allowed name that was perhaps meant.
    pub suggestion: Option<&'static str>,
}

impl<T: Copy> Choices<T> {
    const fn new(all: &'static [T], name: fn(T) -> &'static str) -> Self {
        Self { all, name }
    }

    /// The names of all values, in documentation order.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.all.iter().map(|&value| (self.name)(value)).collect()
    }

    /// The value with a name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names of all values, if none has it.
    pub fn by_name(&self, name: &str) -> Result<T, UnknownName> {
        let found = self.all.iter().find(|&&value| (self.name)(value) == name);
        found.copied().ok_or_else(|| {
            let allowed = self.names();
            UnknownName {
                found: name.to_owned(),
                suggestion: nearest(name, &allowed),
                allowed,
            }
        })
    }
}

/// The candidate that was perhaps meant by a misspelt `word`; `None` if none is near.
///
/// Near is what one of three letters wrong can explain (a swap of neighbours counts once), or one being
/// the beginning of the other. Case does not matter.
pub(super) fn nearest(word: &str, candidates: &[&'static str]) -> Option<&'static str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    let distance = |candidate: &str| {
        let begins = length >= 2 && (candidate.starts_with(&word) || word.starts_with(candidate));
        let edits = strsim::damerau_levenshtein(&word, candidate);
        let tolerated = (length.max(candidate.len()) / 3).max(1);
        (begins || edits <= tolerated).then_some(edits)
    };
    // Longer texts are no slips of the pen, and the distance takes time quadratic in their length.
    if length > 64 {
        return None;
    }
    let near = candidates.iter().filter_map(|&candidate| {
        let edits = distance(candidate)?;
        Some((edits, candidate))
    });
    near.min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// `; did you mean "x"?`, or nothing.
pub(super) fn did_you_mean(suggestion: &Option<&'static str>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// `"a"`, or `one of "a", "b"`.
fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_by_its_name_and_by_no_other() {
        for strategy in Strategy::ALL {
            assert_eq!(STRATEGIES.by_name(strategy.name()), Ok(strategy));
        }
        for name in ["", "DFS", " dfs", "dfs "] {
            assert!(STRATEGIES.by_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_near_miss_is_recognised_and_a_far_one_is_not() {
        let threadings = THREADINGS.names();
        for (word, meant) in [
            ("sequental", Some("sequential")),
            ("SHARED", Some("shared")),
            ("seq", Some("sequential")),
            ("actor", Some("actors")),
            ("atcors", Some("actors")),
            ("rayon", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &threadings), meant, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(1_000_000), &threadings), None);
    }

    #[test]
    fn the_message_names_what_is_there_and_what_is_allowed() {
        assert_eq!(
            STRATEGIES.by_name("dsf").unwrap_err().to_string(),
            "\"dsf\" is not allowed; expected one of \"dfs\", \"bfs\", \"greedy\", \"astar\"; did you mean \"dfs\"?"
        );
        assert_eq!(
            HEURISTICS.by_name("euclid").unwrap_err().to_string(),
            "\"euclid\" is not allowed; expected \"manhattan\""
        );
    }
}
