//! `sokolab status`: what is finished, failed, left.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use super::collect::next_when_incomplete;
use super::exit::{Exit, Failure};
use super::sweep::count;
use super::terminal;
use super::terminal::tell;
use crate::experiment::cluster::{survey, uncollected_rows};
use crate::experiment::manifest::Manifest;
use crate::experiment::{is_in_use, peek_rows, status};

/// Say which runs of a result directory are finished, failed, left
///
/// Ends with exit code 100 if some run crashed or was invalid, 106 if runs are left, else 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Prints the counts.
///
/// # Errors
/// If the directory holds no results, or they cannot be read.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let manifest = Manifest::read(&args.directory).map_err(Failure::usage)?;
    let mut notes = Vec::new();
    let rows = peek_rows(&args.directory, &mut notes).map_err(Failure::usage)?;
    let done: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
    let left = manifest
        .planned
        .iter()
        .filter(|id| !done.contains(id.as_str()))
        .count();
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *by_status.entry(&row.status).or_default() += 1;
    }
    let mut text = format!(
        "{}: {} runs planned\n",
        manifest.experiment,
        manifest.planned.len()
    );
    for (status, count) in by_status {
        text.push_str(&format!("{count:>8}  {status}\n"));
    }
    text.push_str(&format!("{left:>8}  left\n"));
    let parts = survey(&args.directory).map_err(Failure::usage)?;
    let uncollected = uncollected_rows(&args.directory).map_err(Failure::usage)?;
    if !parts.is_empty() {
        text.push_str(&format!(
            "parts that are done apart: {} published, {} rows of them not collected yet, {} duplicates\n",
            parts.published(),
            uncollected.len(),
            parts.duplicates()
        ));
    }
    terminal::print(&text)?;
    notes.extend(parts.remarks());
    terminal::tell_notes(&notes);
    for row in &rows {
        if [status::CRASHED, status::INVALID].contains(&row.status.as_str()) {
            tell!(
                "{} {} ({}#{}): {}",
                row.status,
                row.run_id,
                row.level_file,
                row.level,
                row.detail
            );
        }
    }
    let failed = count(&rows, &[status::CRASHED, status::INVALID]);
    conclude(args, left, uncollected.len(), failed)
}

fn conclude(args: &Args, left: usize, uncollected: usize, failed: usize) -> Result<Exit, Failure> {
    let directory = args.directory.display();
    if is_in_use(&args.directory) {
        tell!("a sweep is writing there now");
    } else if uncollected > 0 {
        tell!("next: sokolab collect {directory}");
    } else if failed > 0 {
        tell!("next: sokolab resume {directory} --retry crashed,invalid");
    } else if left > 0 {
        tell!("next{}", next_when_incomplete(&args.directory)?);
    } else {
        tell!("next: sokolab report {directory}");
    }
    Ok(match (failed, left) {
        (1.., _) => Exit::RunFailed,
        (0, 1..) => Exit::Incomplete,
        (0, 0) => Exit::Success,
    })
}
