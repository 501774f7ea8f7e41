//! What the kernel tells of itself, of this process and of file systems, below a folder that tests can make up.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FsWord, statfs, statvfs};

/// Type of a tmpfs (statfs(2)).
const TMPFS: FsWord = 0x0102_1994;

/// What a file system has to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// What this user may still write.
    pub(super) bytes: u64,
    /// Whether its files are in memory and nowhere else.
    pub(super) is_in_memory: bool,
}

/// Where `/proc` and `/sys` are, and the programs.
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

    /// The soft limit of this process with a name of `/proc/self/limits`, which is the one that is kept to; infinite if there
    /// is none.
    pub(super) fn limit(&self, name: &str) -> Option<f64> {
        soft_limit(&self.text("proc/self/limits")?, name)
    }

    /// What the file system has that holds a path; none if there is no such path.
    pub(super) fn room(&self, path: &str) -> Option<Room> {
        let path = self.root.join(path);
        let (blocks, kind) = (statvfs(&path).ok()?, statfs(&path).ok()?);
        Some(Room {
            bytes: blocks.f_bavail.saturating_mul(blocks.f_frsize),
            is_in_memory: kind.f_type == TMPFS,
        })
    }

    /// A variable of the environment that this process was started in.
    pub(super) fn variable(&self, name: &str) -> Option<String> {
        // Another variable may be no text, which must not hide this one.
        let variables = fs::read(self.root.join("proc/self/environ")).ok()?;
        let mut variables = variables.split(|&byte| byte == 0);
        variables.find_map(|variable| {
            let value = str::from_utf8(variable).ok()?.strip_prefix(name)?;
            Some(value.strip_prefix('=')?.to_owned())
        })
    }

    /// Whether a file is there that someone may execute.
    pub(super) fn is_program(&self, path: &str) -> bool {
        const EXECUTE: u32 = 0o111;
        fs::metadata(self.root.join(path))
            .is_ok_and(|file| file.is_file() && file.permissions().mode() & EXECUTE != 0)
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

/// A line has the name, the soft limit, the hard one and perhaps a unit (proc_pid_limits(5)). The soft one must be taken by
/// its place, as it need not be a number while the hard one is.
fn soft_limit(limits: &str, name: &str) -> Option<f64> {
    let columns = limits.lines().find_map(|line| line.strip_prefix(name))?;
    match columns.split_whitespace().next()? {
        "unlimited" => Some(f64::INFINITY),
        number => number.parse::<u64>().ok().map(|number| number as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::soft_limit;

    #[test]
    fn the_soft_limit_is_the_first_column() {
        let limits = "Limit        Soft Limit  Hard Limit  Units\n\
                      Max processes        unlimited   96367   processes\n\
                      Max open files       1024        524288  files\n\
                      Max nice priority    0           0\n\
                      Max locked memory    much        8388608 bytes\n";
        assert_eq!(soft_limit(limits, "Max processes"), Some(f64::INFINITY));
        assert_eq!(soft_limit(limits, "Max open files"), Some(1024.0));
        assert_eq!(soft_limit(limits, "Max nice priority"), Some(0.0));
        assert_eq!(soft_limit(limits, "Max locked memory"), None);
        assert_eq!(soft_limit(limits, "Max address space"), None);
    }
}
