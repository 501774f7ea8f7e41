//! Collecting: rows of published attempts become rows of the whole, each run once.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::layout::{ShardFolder, shard_folders};
use super::publication::{Finished, PublicationError};
use super::survey::published;
use crate::experiment::directory::{DirectoryError, ResultDirectory, system};
use crate::experiment::manifest::{Manifest, ManifestError};
use crate::experiment::recorder::{FinishedRun, RecordError, Recorder, solution_file};
use crate::experiment::{RETRIED_FILE, Row, RowsError, SOLUTIONS, peek_rows, read_rows};
use crate::search::Status;

/// Published rows that cannot be collected.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// The system refuses.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A publication cannot be read.
    #[error(transparent)]
    Publication(#[from] PublicationError),
    /// Rows that are there cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Rows cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The manifest of an attempt cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// An attempt has done runs that nobody has planned.
    #[error(
        "{attempt}: run {run_id} is not of this plan: the attempt was made with another experiment file, other levels or another revision of sokolab; move its folder away to collect the others"
    )]
    Foreign {
        /// Folder of the attempt.
        attempt: String,
        /// The first such run.
        run_id: String,
    },
    /// A solved run whose solution is gone.
    #[error(
        "{attempt}: run {run_id} is solved, but its solution is missing; move its folder away, and the part is done again"
    )]
    NoSolution {
        /// Folder of the attempt.
        attempt: String,
        /// The run.
        run_id: String,
    },
}

/// A row of a published attempt, and where the attempt is.
#[derive(Debug, Clone, PartialEq)]
struct Offer {
    row: Row,
    attempt: PathBuf,
}

/// What published rows mean for the whole.
#[derive(Debug, Default, PartialEq)]
struct Merged {
    /// Rows that the whole lacks, in the order of execution.
    missing: Vec<Offer>,
    /// Rows of runs that have another row already.
    repeated: usize,
}

/// Collects what is published in a result directory into its rows, solutions and manifest; returns all rows, `kept` first.
/// Collecting again changes nothing.
///
/// # Errors
/// [`CollectionError`]; rows that were recorded before it stay.
pub(in crate::experiment) fn collect(
    directory: &ResultDirectory,
    manifest: &mut Manifest,
    mut kept: Vec<Row>,
    notes: &mut Vec<String>,
) -> Result<Vec<Row>, CollectionError> {
    let folders = shard_folders(directory.path())?;
    if folders.is_empty() {
        return Ok(kept);
    }
    let published = all_published(&folders)?;
    let offers = offers(&published)?;
    let retried = retried_rows(directory.path())?;
    let planned: HashSet<&str> = manifest.planned.iter().map(String::as_str).collect();
    let merged = merge(&kept, &retried, offers, |id| planned.contains(id))?;
    note_machines(&published, manifest)?;
    let mut recorder = Recorder::open(directory)?;
    let count = merged.missing.len();
    for offer in merged.missing {
        let solution = solution(&offer)?;
        let run = FinishedRun {
            row: offer.row,
            solution,
        };
        recorder.record(&run)?;
        kept.push(run.row);
    }
    if count > 0 {
        notes.push(format!("{count} rows of published parts are collected"));
    }
    if merged.repeated > 0 {
        notes.push(format!(
            "{} published rows are of runs that were done elsewhere, too; the row that was collected first is kept",
            merged.repeated
        ));
    }
    Ok(kept)
}

/// Rows of published attempts that are not collected yet; another process may be collecting them.
///
/// # Errors
/// [`CollectionError`] if something cannot be read.
pub fn uncollected_rows(out: &Path) -> Result<Vec<Row>, CollectionError> {
    let folders = shard_folders(out)?;
    let offers = offers(&all_published(&folders)?)?;
    let retried = retried_rows(out)?;
    let kept = peek_rows(out, &mut Vec::new())?;
    // Whether they are of the plan is asked when they are collected.
    let merged = merge(&kept, &retried, offers, |_| true)?;
    Ok(merged.missing.into_iter().map(|offer| offer.row).collect())
}

fn offers(published: &[Published<'_>]) -> Result<Vec<Offer>, PublicationError> {
    let mut offers = Vec::new();
    for (folder, finished) in published {
        let attempt = folder.attempt(&finished.attempt);
        let rows = finished.rows(folder)?.into_iter();
        offers.extend(rows.map(|row| Offer {
            row,
            attempt: attempt.clone(),
        }));
    }
    Ok(offers)
}

/// A published attempt, and the part that it is of.
type Published<'a> = (&'a ShardFolder, Finished);

fn all_published(folders: &[ShardFolder]) -> Result<Vec<Published<'_>>, PublicationError> {
    let mut all = Vec::new();
    for folder in folders {
        all.extend(published(folder)?.into_iter().map(|one| (folder, one)));
    }
    Ok(all)
}

/// Rows that were moved aside because their runs are to be done again. Where they came from they are still there, and
/// must not come back.
fn retried_rows(out: &Path) -> Result<Vec<Row>, RowsError> {
    let path = out.join(RETRIED_FILE);
    if path.exists() {
        read_rows(path)
    } else {
        Ok(Vec::new())
    }
}

/// Decides which of the offered rows the whole lacks. Linear.
fn merge(
    kept: &[Row],
    retried: &[Row],
    offers: Vec<Offer>,
    is_planned: impl Fn(&str) -> bool,
) -> Result<Merged, CollectionError> {
    let kept: HashMap<&str, &Row> = kept.iter().map(|row| (row.run_id.as_str(), row)).collect();
    let mut aside: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in retried {
        aside.entry(&row.run_id).or_default().push(row);
    }
    let mut taken = HashSet::new();
    let mut merged = Merged::default();
    for offer in offers {
        let (row, id) = (&offer.row, offer.row.run_id.as_str());
        if !is_planned(id) {
            return Err(CollectionError::Foreign {
                attempt: offer.attempt.display().to_string(),
                run_id: id.to_owned(),
            });
        }
        if aside.get(id).is_some_and(|rows| rows.contains(&row)) {
            continue;
        }
        match kept.get(id) {
            // Collected before.
            Some(&same) if same == row => {}
            None if taken.insert(id.to_owned()) => merged.missing.push(offer),
            Some(_) | None => merged.repeated += 1,
        }
    }
    merged.missing.sort_by_key(|offer| offer.row.sequence);
    Ok(merged)
}

/// Adds the machines of published attempts to the manifest, each start once.
fn note_machines(
    published: &[Published<'_>],
    manifest: &mut Manifest,
) -> Result<(), CollectionError> {
    for (folder, finished) in published {
        let of_attempt = Manifest::read(&folder.attempt(&finished.attempt))?;
        for session in of_attempt.sessions {
            if !manifest.sessions.contains(&session) {
                manifest.sessions.push(session);
            }
        }
    }
    Ok(())
}

fn solution(offer: &Offer) -> Result<Option<String>, CollectionError> {
    let run_id = &offer.row.run_id;
    let path = offer.attempt.join(SOLUTIONS).join(solution_file(run_id));
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim_end().to_owned())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(system(&path, "read")(error).into())
        }
        Err(_) if offer.row.status == Status::Solved.name() => Err(CollectionError::NoSolution {
            attempt: offer.attempt.display().to_string(),
            run_id: run_id.clone(),
        }),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, sequence: u64, wall_s: f64) -> Row {
        Row {
            run_id: id.to_owned(),
            sequence,
            wall_s: Some(wall_s),
            ..Row::default()
        }
    }

    fn offer(row: Row) -> Offer {
        let attempt = PathBuf::from("out/shards/1-of-2/attempts/a");
        Offer { row, attempt }
    }

    fn merged(kept: &[Row], retried: &[Row], offered: &[Row]) -> Merged {
        let offers = offered.iter().cloned().map(offer).collect();
        merge(kept, retried, offers, |id| "abc".contains(id)).unwrap()
    }

    #[test]
    fn each_run_is_taken_once_in_the_order_of_execution() {
        let offered = [
            row("c", 3, 1.0),
            row("a", 1, 1.0),
            row("b", 2, 1.0),
            row("a", 1, 2.0),
        ];
        let merged = merged(&[row("b", 2, 9.0)], &[], &offered);
        let missing: Vec<Row> = merged.missing.into_iter().map(|offer| offer.row).collect();
        assert_eq!(missing, [row("a", 1, 1.0), row("c", 3, 1.0)]);
        assert_eq!(merged.repeated, 2);
    }

    #[test]
    fn what_was_collected_before_is_neither_missing_nor_repeated() {
        let rows = [row("a", 1, 1.0), row("b", 2, 1.0)];
        assert_eq!(merged(&rows, &[], &rows), Merged::default());
    }

    #[test]
    fn a_row_that_was_moved_aside_does_not_come_back_but_its_successor_comes() {
        let (crashed, again) = (row("a", 1, 1.0), row("a", 1, 2.0));
        let aside = [crashed.clone()];
        assert_eq!(merged(&[], &aside, &aside), Merged::default());
        let merged = merged(&[], &aside, &[crashed, again.clone()]);
        assert_eq!(merged.missing, [offer(again)]);
        assert_eq!(merged.repeated, 0);
    }

    #[test]
    fn a_run_that_nobody_has_planned_is_refused() {
        let offers = vec![offer(row("x", 1, 1.0))];
        let error = merge(&[], &[], offers, |id| id == "a").unwrap_err();
        assert!(
            error.to_string().contains("run x is not of this plan"),
            "{error}"
        );
        assert!(error.to_string().contains("attempts/a"), "{error}");
    }
}
