//! `sokolab check`: everything that is wrong with level files.

use std::fmt::Write;

use super::exit::{Exit, Failure};
use super::levels_arg::LevelsArg;
use super::terminal;
use super::terminal::{counted, tell};
use crate::sokoban::check;
use crate::sokoban::finding::Severity;

/// Report everything that is wrong with level files: line, column, what is there, what was expected
///
/// Findings go to standard output, one a line, as `file:line:column: severity: what`. An error makes a level
/// unusable; a warning is worth a look. Ends with exit code 2 if there is any error, else 0.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Level files to check, as a whole; a selection (`#3-7`) limits the findings to those levels
    #[arg(required = true, value_name = "LEVELS[#N]")]
    levels: Vec<LevelsArg>,
}

/// Checks the files.
///
/// # Errors
/// If a file cannot be read or the selection is wrong.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut reports = Vec::new();
    for levels in &args.levels {
        let report = Report::of(levels)?;
        terminal::print(&report.findings)?;
        tell!("{}", report.summary());
        reports.push(report);
    }
    if let Some(Report { file, .. }) = reports.iter().find(|report| report.errors > 0) {
        tell!("next: mend what is named above, then run `sokolab check {file}` again");
        return Ok(Exit::Usage);
    }
    if let Some(Report { file, first, .. }) = reports.first() {
        tell!("next: sokolab show {file}#{first}");
    }
    Ok(Exit::Success)
}

/// The findings of one file.
#[derive(Debug)]
struct Report {
    file: String,
    /// One a line.
    findings: String,
    /// Number of levels looked at.
    levels: usize,
    /// Number of the first of them.
    first: usize,
    errors: usize,
    warnings: usize,
}

impl Report {
    fn of(levels: &LevelsArg) -> Result<Self, Failure> {
        let (collection, numbers) = match levels.load() {
            Ok(selected) => (selected.collection, selected.numbers),
            // A file without levels has findings that say so.
            Err(failure) if failure.exit == Exit::NothingSelected => (levels.read()?, Vec::new()),
            Err(failure) => return Err(failure),
        };
        let mut report = Self {
            findings: String::new(),
            levels: numbers.len(),
            first: numbers.first().copied().unwrap_or(1),
            errors: 0,
            warnings: 0,
            file: collection.name.clone(),
        };
        let selected = |level: Option<usize>| level.is_none_or(|number| numbers.contains(&number));
        for finding in check::collection(&collection) {
            if selected(finding.level) {
                let line = finding.render(&collection.name);
                let _infallible = writeln!(report.findings, "{line}");
                match finding.severity() {
                    Severity::Error => report.errors += 1,
                    Severity::Warning => report.warnings += 1,
                }
            }
        }
        Ok(report)
    }

    fn summary(&self) -> String {
        format!(
            "{}: {} checked: {}, {}",
            self.file,
            counted(self.levels, "level"),
            counted(self.errors, "error"),
            counted(self.warnings, "warning")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn report(text: &str, selection: &str) -> (Report, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.xsb");
        fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        let arg = format!("{path}{selection}").parse().unwrap();
        (Report::of(&arg).unwrap(), path)
    }

    const TWO_LEVELS: &str = "#####\n#@$ #\n#####\n\n#####\n#@* #\n#####\n";

    #[test]
    fn findings_are_lines_and_are_counted() {
        let (report, path) = report(TWO_LEVELS, "");
        assert_eq!(
            report.findings,
            format!(
                "{path}:1:1: error: level 1: boxes: 1, goals: 0; expected as many goals as boxes\n\
                 {path}:5:1: warning: level 2: already solved: every box stands on a goal; expected a box off its goal\n"
            )
        );
        assert_eq!(
            report.summary(),
            format!("{path}: 2 levels checked: 1 error, 1 warning")
        );
    }

    #[test]
    fn a_selection_limits_the_findings() {
        let (report, _) = report(TWO_LEVELS, "#2");
        assert_eq!((report.levels, report.errors, report.warnings), (1, 0, 1));
    }

    #[test]
    fn a_file_without_levels_has_an_error() {
        let (report, path) = report("hello\n", "");
        assert_eq!((report.levels, report.errors), (0, 1));
        assert!(
            report
                .findings
                .starts_with(&format!("{path}:1:1: error: no level found"))
        );
    }
}
