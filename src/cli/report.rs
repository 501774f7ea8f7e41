//! `sokolab report`: charts, tables and a page from measured rows.

use std::path::PathBuf;

use crate::report::splice::{Splice, SpliceError};
use crate::report::{self, ReportError, ReportOptions, ReportSummary};

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;

/// Arguments of `sokolab report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Result directories, each with a runs.csv; their rows are reported together
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,

    /// Directory of the report [default: DIR/report; required with several DIR]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Configuration that the others are compared with, as the summary names it; "dfs corner shared x2" will do for
    /// "dfs · corner · shared ×2" [default: the first of the summary]
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,

    /// Markdown file that takes parts of the report between lines <!-- sokolab:begin NAME --> and <!-- sokolab:end NAME -->; NAME
    /// is summary, comparison, or chart:CHART with the name of a chart
    #[arg(long, value_name = "FILE.md")]
    splice: Option<PathBuf>,
}

/// Makes the report and says where it is.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let out = match (&args.out, args.directories.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [directory]) => directory.join("report"),
        (None, _) => {
            return Err(Failure::usage(
                "several result directories: say where their common report goes with --out DIR",
            ));
        }
    };
    let options = ReportOptions {
        out,
        baseline: args.baseline.clone(),
        splice: args.splice.clone().map(|file| Splice {
            file,
            command: command(args),
        }),
    };
    let written = report::generate(&args.directories, &options).map_err(failure)?;
    terminal::print(&format!("{}\n", written.page.display()))?;
    comment(&written, &args.directories);
    Ok(Exit::Success)
}

/// The command that makes the same report again, for a shell.
fn command(args: &Args) -> String {
    let option = |name: &str, value: Option<String>| -> Vec<String> {
        let words = value.map(|value| vec![name.to_owned(), value]);
        words.unwrap_or_default()
    };
    let path = |path: &PathBuf| path.display().to_string();
    let words = ["sokolab".to_owned(), "report".to_owned()].into_iter();
    let words = words
        .chain(args.directories.iter().map(path))
        .chain(option("--out", args.out.as_ref().map(path)))
        .chain(option("--baseline", args.baseline.clone()))
        .chain(option("--splice", args.splice.as_ref().map(path)));
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
fn quoted(word: String) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./=:,+@%".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A report that cannot be made, for the user.
pub(super) fn failure(error: ReportError) -> Failure {
    match error {
        ReportError::NoRows(_) => Failure {
            exit: Exit::NothingSelected,
            message: error.to_string(),
        },
        ReportError::Canvas(_)
        | ReportError::Write(_)
        | ReportError::Splice(SpliceError::Write(_)) => Failure::internal(error),
        ReportError::Rows(_)
        | ReportError::Manifest(_)
        | ReportError::Baseline(_)
        | ReportError::Splice(_) => Failure::usage(error),
    }
}

/// Says what the report is made from, what it lacks, and what to do next.
fn comment(written: &ReportSummary, directories: &[PathBuf]) {
    tell!(
        "{} charts from {} rows; open the page in a browser",
        written.drawn,
        written.rows
    );
    if written.repeated > 0 {
        tell!(
            "note: {} rows were left out, their runs occur in earlier rows",
            written.repeated
        );
    }
    for (name, reason) in &written.skipped {
        tell!("no chart {name}: {reason}");
    }
    for directory in directories {
        tell!("next: sokolab verify {}", directory.display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_written_as_a_shell_takes_it() {
        let args = Args {
            directories: vec!["results/a b".into(), "c".into()],
            out: Some("it's".into()),
            baseline: Some("dfs · none".to_owned()),
            splice: None,
        };
        assert_eq!(
            command(&args),
            "sokolab report 'results/a b' c --out 'it'\\''s' --baseline 'dfs · none'"
        );
    }
}
