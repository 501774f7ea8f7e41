//! `sokolab report`: charts, tables and a page from measured rows.

use std::path::PathBuf;

use crate::report::{self, ReportError, ReportSummary};

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
    let written = report::generate(&args.directories, &out).map_err(failure)?;
    terminal::print(&format!("{}\n", written.page.display()))?;
    comment(&written, &args.directories);
    Ok(Exit::Success)
}

/// A report that cannot be made, for the user.
pub(super) fn failure(error: ReportError) -> Failure {
    match error {
        ReportError::NoRows(_) => Failure {
            exit: Exit::NothingSelected,
            message: error.to_string(),
        },
        ReportError::Rows(_) | ReportError::Manifest(_) => Failure::usage(error),
        ReportError::Canvas(_) | ReportError::Write(_) => Failure::internal(error),
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
