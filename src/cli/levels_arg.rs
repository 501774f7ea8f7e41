//! The argument `LEVELS[#N]`: a level file, and perhaps which of its levels.

use std::convert::Infallible;
use std::path::Path;
use std::str::FromStr;

use super::exit::{Exit, Failure};
use crate::sokoban::collection::{self, Collection, CollectionError};
use crate::sokoban::selection::{SelectionError, select};

/// A level file with a selection: `levels.xsb`, `levels.xsb#3`, `levels.xsb#3-7,9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LevelsArg {
    /// As the user wrote it.
    text: String,
}

impl FromStr for LevelsArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self {
            text: text.to_owned(),
        })
    }
}

/// What a [`LevelsArg`] names.
#[derive(Debug)]
pub(crate) struct SelectedLevels {
    /// All of the file.
    pub(crate) collection: Collection,
    /// Numbers of the selected levels, from 1; never empty.
    pub(crate) numbers: Vec<usize>,
}

impl LevelsArg {
    /// The file and the selection. A file whose very name holds a `#` is taken for what it is.
    fn parts(&self) -> (&str, &str) {
        match self.text.rsplit_once('#') {
            Some((path, selection)) if !Path::new(&self.text).exists() => (path, selection),
            _ => (&self.text, "all"),
        }
    }

    /// Reads the whole file, whatever is selected of it.
    ///
    /// # Errors
    /// If the file cannot be read; the message says what to do.
    pub(crate) fn read(&self) -> Result<Collection, Failure> {
        self.read_file().map_err(Failure::usage)
    }

    fn read_file(&self) -> Result<Collection, CollectionError> {
        collection::read(self.parts().0)
    }

    /// Reads the file and resolves the selection.
    ///
    /// # Errors
    /// If the file cannot be read, the selection is malformed or out of range, or nothing is there to
    /// be selected ([`Exit::NothingSelected`]).
    pub(crate) fn load(&self) -> Result<SelectedLevels, Failure> {
        let (path, selection) = self.parts();
        let collection = self.read()?;
        match select(selection, collection.levels.len()) {
            Ok(numbers) => Ok(SelectedLevels {
                collection,
                numbers,
            }),
            Err(error @ SelectionError::NoLevels) => Err(Failure {
                exit: Exit::NothingSelected,
                message: format!("{path}: {error}; `sokolab check {path}` says why"),
            }),
            Err(error) => Err(Failure::usage(format!("{path}#{selection}: {error}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn arg(text: impl std::fmt::Display) -> LevelsArg {
        LevelsArg {
            text: format!("{text}"),
        }
    }

    const BOARD: &str = "#####\n#@$.#\n#####\n\n";

    #[test]
    fn a_selection_follows_the_last_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("three.xsb");
        fs::write(&path, BOARD.repeat(3)).unwrap();
        let path = path.display();
        assert_eq!(arg(&path).load().unwrap().numbers, [1, 2, 3]);
        let numbers = |selection: &str| {
            arg(format!("{path}#{selection}"))
                .load()
                .map(|selected| selected.numbers)
        };
        assert_eq!(numbers("2").unwrap(), [2]);
        assert_eq!(numbers("3,1-2").unwrap(), [3, 1, 2]);
        let failure = numbers("4").unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert_eq!(
            failure.message,
            format!("{path}#4: there is no level 4; expected 1 to 3")
        );
        assert_eq!(numbers("").unwrap_err().exit, Exit::Usage);
    }

    #[test]
    fn a_hash_in_an_existing_name_is_part_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a#1");
        fs::write(&path, BOARD).unwrap();
        assert_eq!(arg(path.display()).load().unwrap().numbers, [1]);
        assert_eq!(
            arg(format!("{}#1", path.display())).load().unwrap().numbers,
            [1]
        );
    }

    #[test]
    fn a_missing_file_and_an_empty_one_are_told_apart() {
        let failure = arg("no/such.xsb#1").load().unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        assert!(failure.message.starts_with("no/such.xsb: no such file"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.xsb");
        fs::write(&path, "nothing\n").unwrap();
        let failure = arg(path.display()).load().unwrap_err();
        assert_eq!(failure.exit, Exit::NothingSelected);
    }
}
