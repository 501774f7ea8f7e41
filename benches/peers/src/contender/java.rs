//! The concurrent puzzle framework in Java.

use std::ffi::OsString;
use std::path::Path;

/// The command that runs it on a level. `classes` is the folder with its compiled classes.
pub(super) fn command(classes: &Path, threads: usize, rows: &[&str]) -> Vec<OsString> {
    let mut command: Vec<OsString> = vec!["java".into(), "-cp".into(), classes.into()];
    command.extend(["Census".into(), threads.to_string().into()]);
    command.extend(rows.iter().map(OsString::from));
    command
}
