//! Results on standard output, and whether they may be coloured.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};

use clap::ValueEnum;

use super::exit::Failure;

/// When results are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment variable NO_COLOR is set and not empty.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Whether standard output takes colour now.
    pub(crate) fn applies(self) -> bool {
        self.applies_to(&io::stdout())
    }

    /// Whether standard error takes colour now.
    pub(crate) fn applies_to_stderr(self) -> bool {
        self.applies_to(&io::stderr())
    }

    fn applies_to(self, stream: &impl IsTerminal) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && stream.is_terminal()
            }
        }
    }
}

/// Says something on standard error, as one line. Who talks to a closed terminal or pipe is not heard, and
/// that is no reason to stop a sweep, as `eprintln!` would by panicking.
macro_rules! tell {
    ($($message:tt)*) => {
        $crate::cli::terminal::write_line(format_args!($($message)*))
    };
}
pub(crate) use tell;

/// What [`tell!`] does.
pub(crate) fn write_line(message: std::fmt::Arguments<'_>) {
    // There is nobody left to tell of the failure.
    let _ = writeln!(io::stderr(), "{message}");
}

/// Says what is worth a word, one line each.
pub(crate) fn tell_notes(notes: &[String]) {
    notes.iter().for_each(|note| tell!("note: {note}"));
}

/// A number of things, in words.
pub(crate) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Words in lines of at most 110 characters, each ending with a line break; a longer word has a line of its own.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 110 {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines.push('\n');
    lines
}

/// Rows of cells as lines behind an indent, columns aligned to the left and two blanks apart.
pub(crate) fn table<const N: usize>(indent: &str, rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{indent}{}\n", line.trim_end())
    });
    lines.collect()
}

/// Writes results to standard output. A reader that has seen enough and closed its end is no failure.
///
/// # Errors
/// Any other failure to write.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::internal(format!(
            "standard output cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let word = "x".repeat(54);
        let long = "y".repeat(120);
        let text = wrapped(&format!("{word} {word}   {word}\n{long} a"));
        assert_eq!(text, format!("{word} {word}\n{word}\n{long}\na\n"));
    }
}
