//! What the kernel tells in files, below a folder that tests can make up.

use std::fs;
use std::path::{Path, PathBuf};

/// Where `/proc` and `/sys` are.
#[derive(Debug)]
pub(super) struct System {
    root: PathBuf,
}

impl System {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The text of a file; none if there is no such file.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join(path)).ok()?;
        Some(text.trim().to_owned())
    }

    /// The first number of a file.
    pub(super) fn number(&self, path: &str) -> Option<f64> {
        self.text(path)?.split_whitespace().next()?.parse().ok()
    }

    /// The number that follows a name in a file such as `/proc/meminfo`.
    pub(super) fn field(&self, path: &str, name: &str) -> Option<f64> {
        let text = self.text(path)?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let mut numbers = line.split(|symbol: char| !symbol.is_ascii_digit() && symbol != '.');
        numbers.find(|part| !part.is_empty())?.parse().ok()
    }

    /// Names in a folder, sorted; none if there is no such folder.
    pub(super) fn names(&self, path: &str) -> Option<Vec<String>> {
        let entries = fs::read_dir(self.root.join(path)).ok()?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort();
        Some(names)
    }
}
