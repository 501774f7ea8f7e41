//! The conservation law of METHODOLOGY.md, on a row.

use super::Row;
use crate::search::Status;

/// Checks `generated = pruned + duplicates + reopened + (states_visited - 1)`, and that `pruned` is the sum
/// of its parts. A row without counts breaks no law.
///
/// # Errors
/// The equation with the numbers of the row, if it does not hold.
pub fn conservation(row: &Row) -> Result<(), String> {
    let counts = (
        row.generated,
        row.pruned,
        row.duplicates,
        row.reopened,
        row.states_visited,
    );
    let (Some(generated), Some(pruned), Some(duplicates), Some(reopened), Some(visited)) = counts
    else {
        return Ok(());
    };
    let by_rule: u128 = sum(row.pruned_by_rule.iter().filter_map(|(_, count)| *count));
    if by_rule != u128::from(pruned) {
        return Err(format!(
            "pruned = {pruned}, but its columns by rule add up to {by_rule}"
        ));
    }
    let accounted = sum([pruned, duplicates, reopened, visited]);
    if u128::from(generated) + 1 == accounted {
        Ok(())
    } else {
        Err(format!(
            "generated = {generated}, but pruned + duplicates + reopened + states_visited - 1 = \
             {pruned} + {duplicates} + {reopened} + {visited} - 1"
        ))
    }
}

/// Statuses that an engine gives when it has ended by itself, with all of its counts.
const COUNTED: [Status; 4] = [
    Status::Solved,
    Status::Unsolvable,
    Status::Exhausted,
    Status::Complete,
];

/// Checks that a run that ended by itself has the counts that the law is about. A run that was ended from
/// outside may lack them.
///
/// # Errors
/// The first column that is empty.
pub fn has_counts(row: &Row) -> Result<(), String> {
    if !COUNTED.iter().any(|status| status.name() == row.status) {
        return Ok(());
    }
    let counts = [
        ("generated", row.generated),
        ("pruned", row.pruned),
        ("duplicates", row.duplicates),
        ("reopened", row.reopened),
        ("states_visited", row.states_visited),
        ("expanded", row.expanded),
    ];
    match counts.iter().find(|(_, count)| count.is_none()) {
        None => Ok(()),
        Some((column, _)) => Err(format!("{column} is empty, though the run ended by itself")),
    }
}

/// Wide enough for any counts that a damaged file may hold.
fn sum(counts: impl IntoIterator<Item = u64>) -> u128 {
    counts.into_iter().map(u128::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(counts: [u64; 5], by_rule: &[u64]) -> Row {
        let [generated, pruned, duplicates, reopened, visited] = counts;
        let rule = |&count: &u64| ("rule".to_owned(), Some(count));
        Row {
            generated: Some(generated),
            pruned: Some(pruned),
            duplicates: Some(duplicates),
            reopened: Some(reopened),
            states_visited: Some(visited),
            pruned_by_rule: by_rule.iter().map(rule).collect(),
            ..Row::default()
        }
    }

    #[test]
    fn every_successor_is_pruned_known_reopened_or_new() {
        assert_eq!(conservation(&row([10, 3, 4, 1, 3], &[1, 2])), Ok(()));
        let broken = conservation(&row([10, 3, 4, 1, 4], &[3]));
        assert_eq!(
            broken.unwrap_err(),
            "generated = 10, but pruned + duplicates + reopened + states_visited - 1 = 3 + 4 + 1 + 4 - 1"
        );
    }

    #[test]
    fn what_was_pruned_is_the_sum_over_rules() {
        let broken = conservation(&row([10, 3, 4, 1, 3], &[1, 1]));
        assert_eq!(
            broken.unwrap_err(),
            "pruned = 3, but its columns by rule add up to 2"
        );
    }

    #[test]
    fn a_search_that_did_nothing_has_visited_its_start() {
        assert_eq!(conservation(&row([0, 0, 0, 0, 1], &[])), Ok(()));
        assert!(conservation(&row([0, 0, 0, 0, 0], &[])).is_err());
    }

    #[test]
    fn a_run_that_ended_by_itself_has_its_counts() {
        let mut answered = Row {
            status: "solved".to_owned(),
            expanded: Some(1),
            ..row([10, 3, 4, 1, 3], &[3])
        };
        assert_eq!(has_counts(&answered), Ok(()));
        answered.states_visited = None;
        assert!(
            has_counts(&answered)
                .unwrap_err()
                .contains("states_visited")
        );
        answered.status = "crashed".to_owned();
        assert_eq!(has_counts(&answered), Ok(()));
    }

    #[test]
    fn no_counts_break_no_law_and_no_counts_overflow() {
        assert_eq!(conservation(&Row::default()), Ok(()));
        assert!(conservation(&row([u64::MAX; 5], &[u64::MAX, u64::MAX])).is_err());
    }
}
