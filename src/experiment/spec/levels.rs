//! The tables `[[levels]]`: level files, and which of their levels.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use toml::Spanned;

use super::document::{Document, place};
use super::error::{Fault, SpecError};
use crate::experiment::wire;
use crate::sokoban::collection::{self, Collection};
use crate::sokoban::selection::select;
use crate::sokoban::{Board, Level};

const TABLE: &str = "levels";

/// A level of the experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLevel {
    /// Its file, as the experiment file names it.
    pub file: String,
    /// The file that was found under this name.
    pub path: PathBuf,
    /// Number of the level in the file, from 1.
    pub number: usize,
    /// Title; empty if it has none.
    pub title: String,
    /// The level itself; it has a [`Board`].
    pub level: Level,
}

/// Where a level was selected: offset in the text, by file and number.
type Selected = HashMap<(PathBuf, usize), usize>;

/// Reads the selected levels, in the order in which they are named.
pub(super) fn planned(
    document: &Document<'_>,
    tables: Vec<Spanned<wire::Levels>>,
    base_folders: &[PathBuf],
) -> Result<Vec<PlannedLevel>, SpecError> {
    let mut planned = Vec::new();
    let mut selected = Selected::new();
    for table in tables {
        let span = table.span();
        let wire = table.into_inner();
        let file = document.required(span, TABLE, "file", wire.file)?;
        let file_error = |fault| document.error(file.span(), "levels.file", fault);
        let path = find(file.get_ref(), base_folders).map_err(file_error)?;
        let collection = collection::read(&path).map_err(|error| file_error(error.into()))?;
        let (spec, span, key) = match &wire.select {
            Some(select) => (select.get_ref().as_str(), select.span(), "levels.select"),
            None => ("all", file.span(), "levels.file"),
        };
        let error = |fault| document.error(span.clone(), key, fault);
        let numbers = select(spec, collection.levels.len()).map_err(|fault| error(fault.into()))?;
        let identity = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        for number in numbers {
            let level = playable(&collection, number).map_err(error)?;
            if let Some(before) = selected.insert((identity.clone(), number), span.start) {
                let line = place(document.text.as_bytes(), before).line;
                return Err(error(Fault::LevelTwice { number, line }));
            }
            planned.push(PlannedLevel {
                file: file.get_ref().clone(),
                path: path.clone(),
                number,
                title: level.title.clone().unwrap_or_default(),
                level: level.clone(),
            });
        }
    }
    Ok(planned)
}

/// The first of the folders that holds the file.
fn find(file: &str, base_folders: &[PathBuf]) -> Result<PathBuf, Fault> {
    if file.trim().is_empty() {
        return Err(Fault::EmptyText(super::keys::expected(TABLE, "file")));
    }
    let candidates = || base_folders.iter().map(|folder| folder.join(file));
    candidates().find(|path| path.is_file()).ok_or_else(|| {
        let mut paths: Vec<String> = candidates()
            .map(|path| path.display().to_string())
            .collect();
        paths.dedup();
        Fault::NoLevelFile(paths)
    })
}

/// A level that was read as written and has a board.
fn playable(collection: &Collection, number: usize) -> Result<&Level, Fault> {
    let level = collection.level(number)?;
    match Board::new(level) {
        Ok(_) => Ok(level),
        Err(source) => Err(Fault::Board {
            number,
            path: collection.name.clone(),
            source,
        }),
    }
}
