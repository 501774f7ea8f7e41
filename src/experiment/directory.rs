//! The directory of an experiment's results: who may write there, and what is there already.
//!
//! | path | content |
//! |---|---|
//! | `runs.csv` | one row a run |
//! | `solutions/<run_id>.lurd` | the solution of a solved run |
//! | `retried.csv` | rows of runs that were done again |
//! | `manifest.toml` | what was asked, by what program, on which machine |
//! | `shards/` | parts of the runs that are done apart, see `cluster` |
//! | `slurm/` | what was given to Slurm, and what its tasks said |
//! | `report/` | what `sokolab report` makes of it |
//! | `lock` | held while a sweep writes |
//! | `previous-<n>/` | results that `--fresh` moved aside |

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::recorder::{line, write_whole};
use super::rows::RowsError;
use super::{Row, parse_rows, read_rows};
use crate::sokoban::pruning::RULE_NAMES;

/// File of the rows.
pub const ROWS_FILE: &str = "runs.csv";
/// File of the provenance.
pub const MANIFEST_FILE: &str = "manifest.toml";
/// Directory of the solutions.
pub const SOLUTIONS: &str = "solutions";
/// File of the rows whose runs were done again.
pub const RETRIED_FILE: &str = "retried.csv";
/// Directory of the parts that are done apart.
pub(super) const SHARDS: &str = "shards";
/// Directory of what was given to Slurm.
pub(super) const SLURM: &str = "slurm";
const LOCK_FILE: &str = "lock";
/// What belongs to one set of results and is moved aside with it.
const CONTENT: [&str; 7] = [
    ROWS_FILE,
    MANIFEST_FILE,
    SOLUTIONS,
    RETRIED_FILE,
    SHARDS,
    SLURM,
    "report",
];

/// What may happen to results that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Opening {
    /// They are kept and completed; none need be there.
    #[default]
    Continue,
    /// They are kept and completed; they must be there.
    Resume,
    /// They are moved aside.
    Fresh,
}

/// A result directory that cannot be used.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// Something cannot be read, written, made or moved.
    #[error("{path}: cannot be {done}: {source}{}", remedy(.source))]
    System {
        /// What.
        path: String,
        /// What was tried.
        done: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A file stands where the directory should.
    #[error(
        "{path} is a file; results are written to a directory: move the file away, or choose a directory with --out"
    )]
    NoDirectory {
        /// The path.
        path: String,
    },
    /// The directory holds something, and no results.
    #[error(
        "{directory} is not empty and holds no results of sokolab (there is {entry:?}); choose a new or an empty directory with --out"
    )]
    NotOurs {
        /// The directory.
        directory: String,
        /// One thing that is there.
        entry: String,
    },
    /// Another sweep writes there.
    #[error(
        "{directory} is in use by another sweep (process {holder}); wait until it has ended, or choose another directory with --out"
    )]
    Locked {
        /// The directory.
        directory: String,
        /// Number of the process, as far as it is known.
        holder: String,
    },
    /// Nothing to resume.
    #[error(
        "{directory} holds no {ROWS_FILE} and no {MANIFEST_FILE}, so there is nothing to resume; begin with: sokolab run EXPERIMENT.toml --out {directory}"
    )]
    NothingToResume {
        /// The directory.
        directory: String,
    },
    /// The rows cannot be read.
    #[error(
        "{0}; the rows cannot be continued: mend the file, or begin anew with --fresh (which moves them aside)"
    )]
    Rows(#[from] RowsError),
}

/// A result directory that this process alone writes to, as long as the value lives.
#[derive(Debug)]
pub struct ResultDirectory {
    path: PathBuf,
    /// The kernel gives the lock back when the file is closed, however the process ends.
    _lock: File,
}

impl ResultDirectory {
    /// Opens a directory, makes it if need be, and locks it. What happened to earlier results is told
    /// in `notes`, one sentence each.
    ///
    /// # Errors
    /// [`DirectoryError`] if another sweep writes there, there is nothing to resume, something else is kept there, or the
    /// system refuses.
    pub fn open(
        path: &Path,
        opening: Opening,
        notes: &mut Vec<String>,
    ) -> Result<Self, DirectoryError> {
        // Parts that are done apart leave a manifest before the first row is collected.
        let holds = |name| path.join(name).exists();
        if opening == Opening::Resume && !holds(ROWS_FILE) && !holds(MANIFEST_FILE) {
            let directory = path.display().to_string();
            return Err(DirectoryError::NothingToResume { directory });
        }
        if !holds(ROWS_FILE) && !holds(MANIFEST_FILE) {
            refuse_what_is_not_ours(path)?;
        }
        fs::create_dir_all(path).map_err(system(path, "made"))?;
        let directory = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        if opening == Opening::Fresh {
            directory.move_aside(notes)?;
        }
        let solutions = path.join(SOLUTIONS);
        fs::create_dir_all(&solutions).map_err(system(&solutions, "made"))?;
        Ok(directory)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The rows that are there. A last line that was cut off by a crash is dropped, with a note.
    ///
    /// # Errors
    /// [`DirectoryError`] if the file cannot be read or mended.
    pub fn rows(&self, notes: &mut Vec<String>) -> Result<Vec<Row>, DirectoryError> {
        let path = self.path.join(ROWS_FILE);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let dropped = drop_torn_line(&path).map_err(system(&path, "mended"))?;
        if dropped > 0 {
            notes.push(format!(
                "{}: the last line was cut off; its {dropped} bytes are dropped and its run is done again",
                path.display()
            ));
        }
        Ok(read_rows(&path)?)
    }

    /// Moves rows to [`RETRIED_FILE`], so that their runs are to be done again; returns the others. A crash on the way
    /// leaves each row in one of the files at least, and the rows that are read as they were or without those moved.
    ///
    /// # Errors
    /// [`DirectoryError`] if the system refuses; then the rows are as they were.
    pub fn retry(
        &self,
        rows: Vec<Row>,
        is_retried: impl Fn(&Row) -> bool,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Row>, DirectoryError> {
        let (retried, kept): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_retried);
        if retried.is_empty() {
            return Ok(kept);
        }
        let aside = self.path.join(RETRIED_FILE);
        append_rows(&aside, &retried).map_err(system(&aside, "written"))?;
        let path = self.path.join(ROWS_FILE);
        write_whole(&path, &table(&kept)).map_err(system(&path, "written"))?;
        notes.push(format!(
            "{} rows are moved to {}, and their runs are done again",
            retried.len(),
            aside.display()
        ));
        Ok(kept)
    }

    fn move_aside(&self, notes: &mut Vec<String>) -> Result<(), DirectoryError> {
        let present = CONTENT.map(|name| (name, self.path.join(name)));
        if !present.iter().any(|(_, path)| path.exists()) {
            return Ok(());
        }
        let previous = (1..)
            .map(|number| self.path.join(format!("previous-{number}")))
            .find(|path| !path.exists());
        let previous = previous.unwrap_or_else(|| self.path.join("previous"));
        fs::create_dir(&previous).map_err(system(&previous, "made"))?;
        for (name, path) in present.iter().filter(|(_, path)| path.exists()) {
            fs::rename(path, previous.join(name)).map_err(system(path, "moved"))?;
        }
        notes.push(format!(
            "earlier results are moved to {}",
            previous.display()
        ));
        Ok(())
    }
}

/// Rows as a file, with their header.
fn table(rows: &[Row]) -> Vec<u8> {
    let lines = rows.iter().map(|row| line(&row.to_record(&RULE_NAMES)));
    let header = line(&Row::header(&RULE_NAMES));
    std::iter::once(header).chain(lines).flatten().collect()
}

/// Adds rows to a file, behind a header if it is new.
fn append_rows(path: &Path, rows: &[Row]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.append(true).create(true).read(true).open(path)?;
    let table = table(rows);
    let header = line(&Row::header(&RULE_NAMES)).len();
    let is_new = file.metadata()?.len() == 0;
    file.write_all(if is_new { &table } else { &table[header..] })?;
    file.sync_data()
}

/// The rows of a directory that another process may be writing to. A last line without its end is left
/// out, with a note; nothing is changed.
///
/// # Errors
/// [`RowsError`] if the file cannot be read. A missing file has no rows.
pub fn peek_rows(directory: &Path, notes: &mut Vec<String>) -> Result<Vec<Row>, RowsError> {
    let path = directory.join(ROWS_FILE);
    let file = path.display().to_string();
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(RowsError::Read { file, source }),
    };
    let whole = whole_lines(&bytes);
    if whole < bytes.len() {
        notes.push(format!(
            "{file}: the last line is cut off, or is being written just now; it is left out"
        ));
    }
    parse_rows(&bytes[..whole], &file)
}

/// Whether a sweep holds the lock of a directory at this moment.
#[must_use]
pub fn is_in_use(directory: &Path) -> bool {
    let file = File::open(directory.join(LOCK_FILE));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Length of a text up to its last line break.
fn whole_lines(bytes: &[u8]) -> usize {
    let last = bytes.iter().rposition(|&byte| byte == b'\n');
    last.map_or(0, |at| at + 1)
}

/// Wraps an error of the system.
pub(super) fn system<'a>(
    path: &'a Path,
    done: &'static str,
) -> impl Fn(io::Error) -> DirectoryError + use<'a> {
    move |source| DirectoryError::System {
        path: path.display().to_string(),
        done,
        source,
    }
}

/// What to do about an error of the system, as the end of a sentence; nothing where that is anybody's guess.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; get the right to write there, or choose another directory with --out"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; make room, or choose a directory on another disk with --out"
        }
        _ => "",
    }
}

/// Results do not mix with what people keep in a folder: `--fresh` would move a part of it aside, and nobody could tell
/// later what belongs together. What an interrupted beginning leaves is ours, and hidden files are nobody's content.
fn refuse_what_is_not_ours(path: &Path) -> Result<(), DirectoryError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            let path = path.display().to_string();
            return Err(DirectoryError::NoDirectory { path });
        }
        Err(error) => return Err(system(path, "read")(error)),
    };
    for entry in entries {
        let entry = entry.map_err(system(path, "read"))?.file_name();
        let entry = entry.to_string_lossy();
        let is_ours = CONTENT.contains(&&*entry) || entry == LOCK_FILE;
        if !is_ours && !entry.starts_with("previous") && !entry.starts_with('.') {
            return Err(DirectoryError::NotOurs {
                directory: path.display().to_string(),
                entry: entry.into_owned(),
            });
        }
    }
    Ok(())
}

fn lock(directory: &Path) -> Result<File, DirectoryError> {
    let path = directory.join(LOCK_FILE);
    let mut options = OpenOptions::new();
    let open = options.read(true).write(true).create(true).truncate(false);
    let mut file = open.open(&path).map_err(system(&path, "opened"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            return Err(DirectoryError::Locked {
                directory: directory.display().to_string(),
                holder: if known {
                    holder.trim().to_owned()
                } else {
                    "of unknown number".to_owned()
                },
            });
        }
        Err(TryLockError::Error(source)) => return Err(system(&path, "locked")(source)),
    }
    let written = file
        .set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()));
    written.map_err(system(&path, "written"))?;
    Ok(file)
}

/// Cuts a file behind its last line break; returns how many bytes were cut.
fn drop_torn_line(path: &Path) -> io::Result<u64> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let keep = whole_lines(&bytes);
    let dropped = (bytes.len() - keep) as u64;
    if dropped > 0 {
        file.set_len(keep as u64)?;
        file.sync_all()?;
    }
    Ok(dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path, opening: Opening) -> Result<(ResultDirectory, Vec<String>), String> {
        let mut notes = Vec::new();
        ResultDirectory::open(path, opening, &mut notes)
            .map(|directory| (directory, notes))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_second_sweep_is_refused_and_told_why() {
        let folder = tempfile::tempdir().unwrap();
        let (first, _) = open(folder.path(), Opening::Continue).unwrap();
        let message = open(folder.path(), Opening::Fresh).unwrap_err();
        let holder = format!("in use by another sweep (process {})", std::process::id());
        assert!(message.contains(&holder), "{message}");
        drop(first);
        assert!(open(folder.path(), Opening::Continue).is_ok());
    }

    #[test]
    fn nothing_cannot_be_resumed_and_no_directory_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none");
        let message = open(&path, Opening::Resume).unwrap_err();
        assert!(message.contains("holds no runs.csv"), "{message}");
        assert!(!path.exists());
    }

    #[test]
    fn what_is_not_ours_is_refused_and_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("thesis.tex"), "text").unwrap();
        for opening in [Opening::Continue, Opening::Fresh] {
            let message = open(path, opening).unwrap_err();
            assert!(
                message.contains("\"thesis.tex\"") && message.contains("--out"),
                "{message}"
            );
        }
        assert_eq!(fs::read_dir(path).unwrap().count(), 1);

        let message = open(&path.join("thesis.tex"), Opening::Continue).unwrap_err();
        assert!(message.contains("is a file"), "{message}");
    }

    #[test]
    fn an_interrupted_beginning_and_hidden_files_are_no_hindrance() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join(".gitignore"), "*").unwrap();
        fs::write(path.join(LOCK_FILE), "").unwrap();
        fs::create_dir(path.join(SOLUTIONS)).unwrap();
        assert!(open(path, Opening::Continue).is_ok());
    }

    #[test]
    fn fresh_moves_earlier_results_aside_and_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let (directory, notes) = open(path, Opening::Fresh).unwrap();
        assert_eq!(notes, [""; 0], "nothing was there");
        drop(directory);
        fs::write(path.join(ROWS_FILE), "old").unwrap();
        let (_directory, notes) = open(path, Opening::Fresh).unwrap();
        let previous = path.join("previous-1");
        assert_eq!(
            notes,
            [format!(
                "earlier results are moved to {}",
                previous.display()
            )]
        );
        assert_eq!(fs::read_to_string(previous.join(ROWS_FILE)).unwrap(), "old");
        assert!(!path.join(ROWS_FILE).exists());
    }

    #[test]
    fn a_line_that_was_cut_off_is_dropped_with_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ROWS_FILE);
        let header = Row::header(&[]).join(",");
        fs::write(&path, format!("{header}\nabc,def")).unwrap();
        let (directory, mut notes) = open(folder.path(), Opening::Resume).unwrap();
        assert_eq!(directory.rows(&mut notes).unwrap(), []);
        assert!(notes[0].contains("its 7 bytes are dropped"), "{notes:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{header}\n"));
        notes.clear();
        directory.rows(&mut notes).unwrap();
        assert_eq!(notes, [""; 0]);
    }
}
