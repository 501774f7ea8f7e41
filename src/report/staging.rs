//! Files that replace earlier ones all at once at the end, or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file of the report that cannot be written.
#[derive(Debug, Error)]
#[error(
    "cannot write the report to {path}: {source}; earlier files there are as they were, give another directory with --out or make room"
)]
pub struct StagingError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// A hidden directory beside the files that it will replace; removed when dropped.
#[derive(Debug)]
pub(super) struct Staging {
    target: PathBuf,
    directory: PathBuf,
    files: Vec<PathBuf>,
}

impl Staging {
    /// Prepares to write below `target`, which is created if need be. Staged files lie on the same
    /// file system as `target`, so that renaming them is atomic.
    ///
    /// # Errors
    /// [`StagingError`] if a directory cannot be created.
    pub(super) fn new(target: &Path) -> Result<Self, StagingError> {
        let directory = target.join(format!(".staging-{}", std::process::id()));
        fs::create_dir_all(&directory).map_err(at(&directory))?;
        Ok(Self {
            target: target.to_owned(),
            directory,
            files: Vec::new(),
        })
    }

    /// The place to write a staged file to, whose final place is `name` below the target.
    ///
    /// # Errors
    /// [`StagingError`] if its directory cannot be created.
    pub(super) fn reserve(&mut self, name: impl AsRef<Path>) -> Result<PathBuf, StagingError> {
        let path = self.directory.join(&name);
        for root in [&self.directory, &self.target] {
            let file = root.join(&name);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent).map_err(at(parent))?;
            }
        }
        self.files.push(name.as_ref().to_owned());
        Ok(path)
    }

    /// Stages a file.
    ///
    /// # Errors
    /// [`StagingError`] if it cannot be written.
    pub(super) fn write(
        &mut self,
        name: impl AsRef<Path>,
        contents: &str,
    ) -> Result<(), StagingError> {
        let path = self.reserve(name)?;
        fs::write(&path, contents).map_err(at(&path))
    }

    /// Puts all staged files in their final places, in the order in which they were staged, once all
    /// of them are safe on the disk.
    ///
    /// # Errors
    /// [`StagingError`] if a file cannot be flushed or renamed.
    pub(super) fn publish(self) -> Result<(), StagingError> {
        for name in &self.files {
            let path = self.directory.join(name);
            File::open(&path)
                .and_then(|file| file.sync_all())
                .map_err(at(&path))?;
        }
        for name in &self.files {
            let path = self.target.join(name);
            fs::rename(self.directory.join(name), &path).map_err(at(&path))?;
        }
        Ok(())
    }
}

/// Replaces one file all at once: a link by what it points to, and with the permissions it had.
///
/// # Errors
/// [`StagingError`] if it cannot be written; it is as it was then.
pub(super) fn replace(file: &Path, contents: &str) -> Result<(), StagingError> {
    let file = file.canonicalize().map_err(at(file))?;
    let permissions = fs::metadata(&file).map_err(at(&file))?.permissions();
    let target = file.parent().unwrap_or(&file);
    let name = file.file_name().unwrap_or_default();
    let mut staging = Staging::new(target)?;
    staging.write(name, contents)?;
    let staged = staging.directory.join(name);
    fs::set_permissions(&staged, permissions).map_err(at(&staged))?;
    staging.publish()
}

impl Drop for Staging {
    fn drop(&mut self) {
        // A leftover staging directory harms nobody, and there is no one left to tell.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> StagingError {
    let path = path.to_owned();
    move |source| StagingError { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_changes_before_publishing_and_nothing_stays_behind() {
        let target = tempfile::tempdir().unwrap();
        fs::write(target.path().join("page"), "old").unwrap();
        let mut staging = Staging::new(target.path()).unwrap();
        staging.write("page", "new").unwrap();
        drop(staging);
        assert_eq!(
            fs::read_to_string(target.path().join("page")).unwrap(),
            "old"
        );

        let mut staging = Staging::new(target.path()).unwrap();
        staging.write("page", "new").unwrap();
        staging.write("charts/a", "chart").unwrap();
        staging.publish().unwrap();
        let read = |name: &str| fs::read_to_string(target.path().join(name)).unwrap();
        assert_eq!(
            (read("page").as_str(), read("charts/a").as_str()),
            ("new", "chart")
        );
        assert_eq!(fs::read_dir(target.path()).unwrap().count(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_is_replaced_behind_its_link_and_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(link.is_symlink());
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let occupied = directory.path().join("occupied");
        fs::write(&occupied, "a file").unwrap();
        let error = Staging::new(&occupied).unwrap_err();
        assert!(error.to_string().contains("occupied"), "{error}");
    }
}
