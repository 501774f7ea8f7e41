//! Exit codes, and how a subcommand reports failure.

use std::process::ExitCode;

/// How the process ends. The numbers are documented in the README and stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All well.
    Success = 0,
    /// A failure of sokolab itself or of the machine under it.
    Internal = 1,
    /// The command line or an input file is wrong.
    Usage = 2,
    /// The selection is empty.
    NothingSelected = 4,
    /// Some run crashed or was invalid.
    RunFailed = 100,
    /// A wrong answer.
    WrongAnswer = 101,
    /// Runs are left; resume to finish.
    Incomplete = 106,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl Exit {
    /// Results are worse than others: 1, as of programs that compare.
    pub(crate) const WORSE: Self = Self::Internal;
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A subcommand that could not do its work. The message says what, where, what was expected, and
/// what to do; it is printed to standard error behind `error: `.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: Exit,
    /// For the user.
    pub(crate) message: String,
}

impl Failure {
    /// The command line or an input file is wrong.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "`map_err(Failure::usage)` hands over the error itself"
    )]
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self {
            exit: Exit::Usage,
            message: message.to_string(),
        }
    }

    /// sokolab itself or the machine failed.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "`map_err(Failure::internal)` hands over the error itself"
    )]
    pub(crate) fn internal(message: impl ToString) -> Self {
        Self {
            exit: Exit::Internal,
            message: message.to_string(),
        }
    }
}
