//! Rows as CSV records (RFC 4180), and reading of whole files.

use std::fs;
use std::path::Path;

use thiserror::Error;

use super::Row;
use super::columns::{AFTER_RULES, BEFORE_RULES, Column, Field, all, by_name};

/// Prefix of the columns that count by rule.
const RULE_PREFIX: &str = "pruned_";

/// A file of rows that cannot be read. `file` is the path as it was given, `line` counts from 1.
#[derive(Debug, Error)]
pub enum RowsError {
    /// The file cannot be opened or read.
    #[error("{file}: {source}; expected a runs.csv that `sokolab run` wrote")]
    Read {
        /// The path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The text is no CSV in UTF-8.
    #[error("{file}: {message}; expected CSV in UTF-8, as `sokolab run` writes it")]
    Csv {
        /// The path.
        file: String,
        /// What the CSV reader says, its place included.
        message: String,
    },
    /// The first line does not name the columns.
    #[error("{file}, line 1: {fault}")]
    Header {
        /// The path.
        file: String,
        /// What is wrong.
        fault: HeaderError,
    },
    /// A field cannot be read.
    #[error(
        "{file}, line {line}: {fault}; mend the line, or delete it, and `sokolab resume` does its run again"
    )]
    Field {
        /// The path.
        file: String,
        /// The line.
        line: u64,
        /// What is wrong.
        fault: FieldError,
    },
    /// The last line has no line break: its writing was cut off.
    #[error(
        "{file}, line {line}: the line is cut off; `sokolab resume` drops it and does its run again"
    )]
    Torn {
        /// The path.
        file: String,
        /// The line.
        line: usize,
    },
}

/// A header that does not name the columns of a row.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// A column that no row has.
    #[error("unknown column {name:?}{}", suggestion(.nearest))]
    Unknown {
        /// As it stands there.
        name: String,
        /// The known column that is spelt most alike, if any is near.
        nearest: Option<&'static str>,
    },
    /// A column that is there twice.
    #[error("column {0:?} is there twice; expected each column once")]
    Twice(String),
    /// A column that every row needs.
    #[error("column {0:?} is missing; expected the header that `sokolab run` writes")]
    Missing(&'static str),
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    match nearest {
        Some(name) => format!("; did you mean {name:?}?"),
        None => "; expected the header that `sokolab run` writes".to_owned(),
    }
}

/// A field with the wrong content.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldError {
    /// The line has too few or too many fields.
    #[error("number of fields: {found}; expected {expected}, one for each column of the header")]
    Count {
        /// Fields of the line.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// The content is of the wrong kind.
    #[error("column {column}: {found:?}; expected {expected}")]
    Content {
        /// The column.
        column: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
}

/// What stands in one column of a file.
enum Place {
    Column(&'static Column),
    Rule(String),
}

/// The columns of one file, in its order.
pub struct Header(Vec<Place>);

impl std::fmt::Debug for Header {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}

impl Header {
    /// Understands the first line of a file. Columns may stand in any order; columns of measured
    /// values may be missing, as in files of older versions.
    ///
    /// # Errors
    /// [`HeaderError`] for the first column that is unknown, double, or missing.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, HeaderError> {
        let mut places: Vec<Place> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(HeaderError::Twice(name.to_owned()));
            }
            places.push(place_of(name)?);
        }
        match all().find(|column| !column.optional && !seen.contains(column.name)) {
            Some(column) => Err(HeaderError::Missing(column.name)),
            None => Ok(Self(places)),
        }
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|place| match place {
            Place::Column(column) => column.name.to_owned(),
            Place::Rule(rule) => format!("{RULE_PREFIX}{rule}"),
        })
    }
}

fn place_of(name: &str) -> Result<Place, HeaderError> {
    if let Some(column) = by_name(name) {
        return Ok(Place::Column(column));
    }
    match name.strip_prefix(RULE_PREFIX) {
        Some(rule) if !rule.is_empty() => Ok(Place::Rule(rule.to_owned())),
        _ => Err(HeaderError::Unknown {
            name: name.to_owned(),
            nearest: all()
                .map(|column| column.name)
                .max_by(|a, b| strsim::jaro(a, name).total_cmp(&strsim::jaro(b, name)))
                .filter(|nearest| strsim::jaro(nearest, name) > 0.8),
        }),
    }
}

impl Row {
    /// The names of all columns for runs that know these rules.
    #[must_use]
    pub fn header(rules: &[&str]) -> Vec<String> {
        let before = BEFORE_RULES.iter().map(|column| column.name.to_owned());
        let by_rule = rules.iter().map(|rule| format!("{RULE_PREFIX}{rule}"));
        let after = AFTER_RULES.iter().map(|column| column.name.to_owned());
        before.chain(by_rule).chain(after).collect()
    }

    /// The fields, in the order of [`Row::header`] for the same rules.
    ///
    /// # Panics
    /// If the row counts a rule that has no column: the count would be lost.
    #[must_use]
    pub fn to_record(&self, rules: &[&str]) -> Vec<String> {
        for (rule, _) in &self.pruned_by_rule {
            assert!(
                rules.contains(&rule.as_str()),
                "rule {rule} has no column among {rules:?}"
            );
        }
        let count_of = |rule: &&str| {
            let known = self.pruned_by_rule.iter().find(|(name, _)| name == rule);
            known.and_then(|(_, count)| *count).to_text()
        };
        let before = BEFORE_RULES.iter().map(|column| (column.write)(self));
        let after = AFTER_RULES.iter().map(|column| (column.write)(self));
        before
            .chain(rules.iter().map(count_of))
            .chain(after)
            .collect()
    }

    /// Reads the fields of one line.
    ///
    /// # Errors
    /// [`FieldError`] for a wrong number of fields, or the first field with the wrong content.
    pub fn from_record<'a>(
        header: &Header,
        record: impl IntoIterator<Item = &'a str, IntoIter: ExactSizeIterator>,
    ) -> Result<Self, FieldError> {
        let record = record.into_iter();
        if record.len() != header.0.len() {
            return Err(FieldError::Count {
                found: record.len(),
                expected: header.0.len(),
            });
        }
        let mut row = Self::default();
        for (place, text) in header.0.iter().zip(record) {
            row.set(place, text)?;
        }
        Ok(row)
    }

    fn set(&mut self, place: &Place, text: &str) -> Result<(), FieldError> {
        let (column, result) = match place {
            Place::Column(column) => (column.name.to_owned(), (column.read)(self, text)),
            Place::Rule(rule) => {
                let count = Field::from_text(text)
                    .map(|count| self.pruned_by_rule.push((rule.clone(), count)));
                (format!("{RULE_PREFIX}{rule}"), count)
            }
        };
        result.map_err(|expected| FieldError::Content {
            column,
            found: text.to_owned(),
            expected,
        })
    }
}

/// Reads a `runs.csv`. An empty file has no rows.
///
/// # Errors
/// [`RowsError`] names the file, the line, the column, and what was expected.
pub fn read_rows(path: impl AsRef<Path>) -> Result<Vec<Row>, RowsError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => parse_rows(&bytes, &file),
        Err(source) => Err(RowsError::Read { file, source }),
    }
}

/// Reads the content of a `runs.csv`; `file` is its name in messages. Linear in the size.
///
/// # Errors
/// As [`read_rows`].
pub fn parse_rows(bytes: &[u8], file: &str) -> Result<Vec<Row>, RowsError> {
    if bytes.last().is_some_and(|&last| last != b'\n') {
        return Err(RowsError::Torn {
            file: file.to_owned(),
            line: 1 + bytes.iter().filter(|&&byte| byte == b'\n').count(),
        });
    }
    let csv_error = |error: csv::Error| RowsError::Csv {
        file: file.to_owned(),
        message: error.to_string(),
    };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let names = reader.headers().map_err(csv_error)?.clone();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let header = Header::parse(&names).map_err(|fault| RowsError::Header {
        file: file.to_owned(),
        fault,
    })?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(csv_error)?;
        let row = Row::from_record(&header, Fields(&record).iter());
        rows.push(row.map_err(|fault| RowsError::Field {
            file: file.to_owned(),
            line: record.position().map_or(0, csv::Position::line),
            fault,
        })?);
    }
    Ok(rows)
}

/// The fields of a record, with their number known in advance.
struct Fields<'a>(&'a csv::StringRecord);

impl<'a> Fields<'a> {
    fn iter(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let record = self.0;
        (0..record.len()).map(move |index| &record[index])
    }
}

#[cfg(test)]
mod tests;
