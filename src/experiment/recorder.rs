//! Writes what runs have found: one row and one solution file a run, on disk before the next one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Row;
use super::directory::{DirectoryError, ROWS_FILE, ResultDirectory, SOLUTIONS, system};
use crate::sokoban::pruning::RULE_NAMES;

/// What came of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedRun {
    /// Its row.
    pub row: Row,
    /// Its replayed solution in LURD.
    pub solution: Option<String>,
}

/// Rows that cannot be recorded.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The system refuses.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The file has other columns than this program writes.
    #[error(
        "{file}: its columns are those of another version of sokolab; begin anew with --fresh, which moves the old rows aside"
    )]
    Columns {
        /// The file.
        file: String,
    },
}

/// The one writer of a result directory.
///
/// A row is one line, handed to the system by one write and synced, so a crash at any moment leaves
/// whole rows and at most one line without its end, which is recognised later.
#[derive(Debug)]
pub struct Recorder {
    rows: File,
    rows_path: PathBuf,
    solutions: PathBuf,
}

impl Recorder {
    /// Goes on behind the rows that are there, or begins with the header.
    ///
    /// # Errors
    /// [`RecordError`] if the file has other columns or the system refuses.
    pub fn open(directory: &ResultDirectory) -> Result<Self, RecordError> {
        let path = directory.path().join(ROWS_FILE);
        let mut options = OpenOptions::new();
        let opened = options.append(true).create(true).open(&path);
        let mut recorder = Self {
            rows: opened.map_err(system(&path, "opened"))?,
            solutions: directory.path().join(SOLUTIONS),
            rows_path: path,
        };
        let header = line(&Row::header(&RULE_NAMES));
        let written = fs::read(&recorder.rows_path);
        let written = written.map_err(system(&recorder.rows_path, "read"))?;
        if written.is_empty() {
            recorder.append(&header)?;
        } else if !written.starts_with(&header) {
            let file = recorder.rows_path.display().to_string();
            return Err(RecordError::Columns { file });
        }
        Ok(recorder)
    }

    /// Records one run: first its solution, then its row, so that no solved row lacks its solution.
    ///
    /// # Errors
    /// If the system refuses; the disk is full, perhaps.
    pub fn record(&mut self, run: &FinishedRun) -> Result<(), RecordError> {
        if let Some(solution) = &run.solution {
            let path = self.solutions.join(solution_file(&run.row.run_id));
            let text = format!("{solution}\n");
            write_whole(&path, text.as_bytes()).map_err(system(&path, "written"))?;
        }
        self.append(&line(&run.row.to_record(&RULE_NAMES)))
    }

    fn append(&mut self, line: &[u8]) -> Result<(), RecordError> {
        let refused = system(&self.rows_path, "written");
        let before = self.rows.metadata().map_err(&refused)?.len();
        let written = self.rows.write_all(line);
        let written = written.and_then(|()| self.rows.sync_data());
        if written.is_err() {
            // A full disk takes a part of a line. Making a file shorter needs no room; if even that fails, the part is
            // recognised by its missing end.
            let _still_torn = self.rows.set_len(before);
        }
        Ok(written.map_err(refused)?)
    }
}

/// Name of the file of a solution.
#[must_use]
pub fn solution_file(run_id: &str) -> String {
    format!("{run_id}.lurd")
}

/// One record as a line of CSV.
pub(super) fn line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Memory takes every write.
    let _infallible = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

/// Writes a file so that it is there as a whole or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&part, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Opening, read_rows};

    fn run(id: &str, solution: Option<&str>) -> FinishedRun {
        FinishedRun {
            row: Row {
                run_id: id.to_owned(),
                level_title: "one, \"two\"\n".to_owned(),
                pruned_by_rule: RULE_NAMES.map(|rule| (rule.to_owned(), Some(1))).to_vec(),
                ..Row::default()
            },
            solution: solution.map(str::to_owned),
        }
    }

    fn open(path: &Path) -> ResultDirectory {
        ResultDirectory::open(path, Opening::Continue, &mut Vec::new()).unwrap()
    }

    #[test]
    fn rows_are_appended_behind_one_header_and_are_whole_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ROWS_FILE);
        for (index, id) in ["a", "b", "c"].into_iter().enumerate() {
            let directory = open(folder.path());
            let mut recorder = Recorder::open(&directory).unwrap();
            recorder.record(&run(id, None)).unwrap();
            let rows = read_rows(&path).unwrap();
            assert_eq!(rows.len(), index + 1);
            assert_eq!(rows[index].run_id, id);
            assert_eq!(rows[index].level_title, "one, \"two\" ");
        }
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(lines, 4);
    }

    #[test]
    fn a_solution_is_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let directory = open(folder.path());
        let mut recorder = Recorder::open(&directory).unwrap();
        recorder.record(&run("a", Some("rRd"))).unwrap();
        let files: Vec<_> = fs::read_dir(folder.path().join(SOLUTIONS))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(files, [folder.path().join(SOLUTIONS).join("a.lurd")]);
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), "rRd\n");
    }

    #[test]
    fn rows_of_other_columns_are_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(ROWS_FILE), "run_id,old\n").unwrap();
        let error = Recorder::open(&open(folder.path())).unwrap_err();
        assert!(error.to_string().contains("begin anew with --fresh"));
    }
}
