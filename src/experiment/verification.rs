//! Examines results after the fact: every solution is replayed, every count checked, every row compared
//! with what was planned, and answers with each other.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use thiserror::Error;

use super::configuration::Table;
use super::manifest::{KeptLevel, Manifest, ManifestError};
use super::measure::{check_solution, planned_row};
use super::plan::{RunSpec, plan};
use super::rows::RowsError;
use super::spec::Spec;
use super::{Row, SOLUTIONS, law, peek_rows, solution_file, status};
use crate::search::{Goal, Status, Strategy};

/// Results that cannot be examined.
#[derive(Debug, Error)]
pub enum VerificationError {
    /// There is no manifest to examine them by.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The rows cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

/// What an examination has found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Rows that were examined.
    pub rows: usize,
    /// Solutions that were replayed.
    pub replayed: usize,
    /// Wrong answers, one sentence each.
    pub wrong: Vec<String>,
    /// Runs that crashed.
    pub crashed: usize,
    /// Planned runs without a row.
    pub left: usize,
    /// What could not be examined, and why.
    pub notes: Vec<String>,
}

/// Examines a result directory. Takes time linear in its rows and the lengths of its solutions.
///
/// # Errors
/// [`VerificationError`] if there is nothing that could be examined.
pub fn verify(directory: &Path) -> Result<Verification, VerificationError> {
    let manifest = Manifest::read(directory)?;
    let mut verification = Verification::default();
    let rows = peek_rows(directory, &mut verification.notes)?;
    verification.rows = rows.len();
    verification.check_plan(&manifest, &rows);
    let levels: HashMap<_, _> = manifest
        .levels
        .iter()
        .map(|level| ((level.file.as_str(), level.number), level))
        .collect();
    for row in &rows {
        let level = levels.get(&(row.level_file.as_str(), row.level)).copied();
        match check_row(directory, level, row) {
            Ok(replayed) => verification.replayed += usize::from(replayed),
            Err(fault) => verification.accuse(row, &fault),
        }
        verification.crashed += usize::from(row.status == status::CRASHED);
    }
    verification.check_agreement(&rows);
    Ok(verification)
}

impl Verification {
    fn accuse(&mut self, row: &Row, fault: &str) {
        self.wrong.push(format!("{}: {fault}", name_of(row)));
    }

    /// Compares the rows with the plan: each planned run once, nothing else, and as it was planned.
    fn check_plan(&mut self, manifest: &Manifest, rows: &[Row]) {
        let planned: HashSet<&str> = manifest.planned.iter().map(String::as_str).collect();
        let mut seen = HashSet::new();
        for row in rows {
            if !planned.contains(row.run_id.as_str()) {
                self.accuse(row, "no such run was planned");
            } else if !seen.insert(row.run_id.as_str()) {
                self.accuse(row, "a second row of the same run");
            }
        }
        self.left = planned.len() - seen.len();
        match manifest.spec() {
            Ok(spec) => self.check_identities(manifest, &spec, rows),
            Err(error) => self
                .notes
                .push(format!("identities are not checked: {error}")),
        }
    }

    /// Makes the plan again and compares it with what the manifest and the rows say.
    fn check_identities(&mut self, manifest: &Manifest, spec: &Spec, rows: &[Row]) {
        let mut runs = plan(spec, &manifest.revision);
        runs.retain(|run| manifest.shard.is_none_or(|shard| shard.contains(run)));
        if !runs.iter().map(|run| &run.id).eq(&manifest.planned) {
            self.notes.push(
                "the experiment no longer gives the identities of the manifest: its levels have changed"
                    .to_owned(),
            );
            return;
        }
        let by_id: HashMap<&str, &RunSpec> =
            runs.iter().map(|run| (run.id.as_str(), run)).collect();
        for row in rows {
            let run = by_id.get(row.run_id.as_str());
            let fault = run.and_then(|run| differs(row, &planned_row(spec, run)));
            if let Some(column) = fault {
                self.accuse(row, &format!("{column} is not what was planned"));
            }
        }
    }

    /// Answers to the same question must agree, whatever found them.
    fn check_agreement(&mut self, rows: &[Row]) {
        let mut instances: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            let instance = (&row.level_file, row.level, &row.space);
            instances.entry(instance).or_default().push(row);
        }
        for rows in instances.values() {
            self.check_costs(rows);
            self.check_censuses(rows);
        }
    }

    /// Shortest is shortest: no strategy beats an optimal one, and a proof of unsolvability stands alone.
    fn check_costs(&mut self, rows: &[&Row]) {
        let solved = || rows.iter().filter(|row| row.cost.is_some());
        let Some(best) = solved().min_by_key(|row| row.cost) else {
            return;
        };
        for row in solved().filter(|row| is_optimal(row) && row.cost > best.cost) {
            let cost = best.cost.unwrap_or_default();
            self.accuse(
                row,
                &format!("not shortest: {} found {cost}", name_of(best)),
            );
        }
        let unsolvable = |row: &&&Row| row.status == Status::Unsolvable.name();
        for row in rows.iter().filter(unsolvable) {
            self.accuse(row, &format!("unsolvable, but {} solved it", name_of(best)));
        }
    }

    /// A census counts the same in every order of visiting.
    fn check_censuses(&mut self, rows: &[&Row]) {
        let census =
            |row: &&&Row| row.goal == Goal::Census.name() && row.status == Status::Complete.name();
        let counts = |row: &Row| {
            [row.states_visited, row.generated, row.pruned]
                .map(count_text)
                .join(", ")
        };
        let mut first: BTreeMap<&str, &Row> = BTreeMap::new();
        for row in rows.iter().filter(census) {
            let reference = *first.entry(&row.pruning).or_insert(row);
            if counts(row) != counts(reference) {
                let fault = format!(
                    "states visited, generated, pruned are {}, but {} counted {}",
                    counts(row),
                    name_of(reference),
                    counts(reference)
                );
                self.accuse(row, &fault);
            }
        }
    }
}

/// A count of a row in a message.
fn count_text(count: Option<u64>) -> String {
    count.map_or_else(|| "nothing".to_owned(), |count| count.to_string())
}

/// Strategies whose solutions are shortest in their space, with every estimate there is.
#[must_use]
pub fn is_optimal(row: &Row) -> bool {
    [Strategy::Bfs, Strategy::Astar]
        .iter()
        .any(|strategy| strategy.name() == row.strategy)
}

/// A run in words.
fn name_of(row: &Row) -> String {
    format!(
        "{} ({}#{}, {} {} {} {} {}, repetition {})",
        row.run_id,
        row.level_file,
        row.level,
        row.space,
        row.strategy,
        row.pruning,
        row.threading,
        row.threads,
        row.repetition
    )
}

/// The first column that says what was asked, and says it differently.
fn differs(row: &Row, planned: &Row) -> Option<&'static str> {
    let columns = [
        ("level_file", row.level_file == planned.level_file),
        ("level", row.level == planned.level),
        ("boxes", row.boxes == planned.boxes),
        ("floor", row.floor == planned.floor),
        ("space", row.space == planned.space),
        ("strategy", row.strategy == planned.strategy),
        ("heuristic", row.heuristic == planned.heuristic),
        ("pruning", row.pruning == planned.pruning),
        ("threading", row.threading == planned.threading),
        ("threads", row.threads == planned.threads),
        ("table", is_table_of(row, planned)),
        ("goal", row.goal == planned.goal),
        ("repetition", row.repetition == planned.repetition),
        ("seed", row.seed == planned.seed),
        ("time_limit_s", is_limit_of(row, planned)),
    ];
    let differing = columns.iter().find(|(_, same)| !same);
    differing.map(|&(column, _)| column)
}

/// Older versions did not write the limit.
fn is_limit_of(row: &Row, planned: &Row) -> bool {
    row.time_limit_s.is_none() || row.time_limit_s == planned.time_limit_s
}

/// A run that was free to choose names the table it chose.
fn is_table_of(row: &Row, planned: &Row) -> bool {
    planned.table == Table::Auto.name() || row.table == planned.table
}

/// Checks one row by itself; says whether a solution was replayed.
fn check_row(directory: &Path, level: Option<&KeptLevel>, row: &Row) -> Result<bool, String> {
    if row.status == status::INVALID {
        return Err(format!("the answer was invalid: {}", row.detail));
    }
    law::conservation(row)?;
    law::has_counts(row)?;
    if row.status != Status::Solved.name() {
        return match row.cost {
            None => Ok(false),
            Some(cost) => Err(format!("cost {cost} with status {}", row.status)),
        };
    }
    let level = level.ok_or("the manifest does not hold the level")?;
    let path = directory.join(SOLUTIONS).join(solution_file(&row.run_id));
    let solution = fs::read_to_string(&path)
        .map_err(|error| format!("solved, but {}: {error}", path.display()))?;
    let replay = check_solution(&level.level(), &solution)?;
    let counted = (Some(replay.moves), Some(replay.pushes));
    if counted != (row.moves, row.pushes) {
        return Err(format!(
            "the replay counts {} moves and {} pushes, the row says {} and {}",
            replay.moves,
            replay.pushes,
            count_text(row.moves),
            count_text(row.pushes)
        ));
    }
    let in_space = if row.space == super::configuration::Space::Moves.name() {
        replay.moves
    } else {
        replay.pushes
    };
    if row.cost == Some(in_space) {
        Ok(true)
    } else {
        Err(format!(
            "cost {}, but the replay counts {in_space}",
            count_text(row.cost)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(strategy: &str, status: &str, cost: Option<u64>) -> Row {
        Row {
            strategy: strategy.to_owned(),
            status: status.to_owned(),
            cost,
            ..Row::default()
        }
    }

    fn faults(rows: &[Row]) -> Vec<String> {
        let mut verification = Verification::default();
        verification.check_agreement(rows);
        verification.wrong
    }

    #[test]
    fn an_optimal_strategy_must_not_be_beaten() {
        let longer = row("bfs", "solved", Some(7));
        let rows = [longer.clone(), row("dfs", "solved", Some(9))];
        assert_eq!(faults(&rows), [""; 0]);
        let rows = [longer.clone(), row("dfs", "solved", Some(6))];
        let found = faults(&rows);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("not shortest"), "{found:?}");
        // In another space costs mean something else.
        let other = Row {
            space: "pushes".to_owned(),
            ..row("dfs", "solved", Some(6))
        };
        assert_eq!(faults(&[longer, other]), [""; 0]);
    }

    #[test]
    fn a_proof_of_unsolvability_stands_alone() {
        let rows = [
            row("dfs", "unsolvable", None),
            row("bfs", "solved", Some(3)),
        ];
        assert!(faults(&rows)[0].contains("unsolvable, but"));
        let rows = [
            row("dfs", "unsolvable", None),
            row("bfs", "time_limit", None),
        ];
        assert_eq!(faults(&rows), [""; 0]);
    }

    #[test]
    fn censuses_agree_for_each_pruning_level() {
        let census = |strategy, pruning: &str, visited| Row {
            goal: "census".to_owned(),
            pruning: pruning.to_owned(),
            states_visited: Some(visited),
            ..row(strategy, "complete", None)
        };
        let rows = [
            census("dfs", "none", 10),
            census("bfs", "none", 10),
            census("bfs", "corner", 8),
        ];
        assert_eq!(faults(&rows), [""; 0]);
        let rows = [census("dfs", "none", 10), census("bfs", "none", 11)];
        assert_eq!(faults(&rows).len(), 1);
    }

    #[test]
    fn what_was_asked_must_be_what_was_planned() {
        let planned = row("bfs", "", None);
        assert_eq!(differs(&row("bfs", "solved", Some(1)), &planned), None);
        let changed = row("dfs", "solved", Some(1));
        assert_eq!(differs(&changed, &planned), Some("strategy"));
    }
}
