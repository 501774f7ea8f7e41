//! The text of an experiment file: from bytes to places, from a refusal of serde to a fault of ours.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::error::{Fault, SpecError};
use super::keys;
use crate::experiment::choices::nearest;
use crate::experiment::wire;
use crate::sokoban::finding::Place;

/// A text and the name of its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Document<'_> {
    /// Reads the wire form.
    pub(super) fn read(&self) -> Result<wire::File, SpecError> {
        let syntax = |error: toml::de::Error| {
            let end = self.text.len();
            let span = error.span().unwrap_or(end..end);
            self.error(span, "", Fault::Syntax(error.message().to_owned()))
        };
        let root = DeTable::parse(self.text).map_err(syntax)?;
        let deserializer = Deserializer::from(root.clone());
        wire::File::deserialize(deserializer).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            match find(root.get_ref(), "", &span) {
                Some(found) => self.refusal(span, found),
                None => self.error(span, "", Fault::Syntax(error.message().to_owned())),
            }
        })
    }

    /// The value of a key of a table at `table_span`.
    pub(super) fn required<T>(
        &self,
        table_span: Range<usize>,
        table: &'static str,
        name: &'static str,
        value: Option<T>,
    ) -> Result<T, SpecError> {
        value.ok_or_else(|| {
            let expected = keys::expected(table, name);
            let fault = Fault::MissingKey { table, expected };
            self.error(table_span, &path(table, name), fault)
        })
    }

    /// The tables `[[name]]`, at least one.
    pub(super) fn tables<T>(
        &self,
        name: &'static str,
        tables: Option<Spanned<Vec<T>>>,
    ) -> Result<Vec<T>, SpecError> {
        let tables = self.required(0..0, "", name, tables)?;
        if tables.get_ref().is_empty() {
            let fault = Fault::EmptyList(keys::expected("", name));
            return Err(self.error(tables.span(), name, fault));
        }
        Ok(tables.into_inner())
    }

    fn refusal(&self, span: Range<usize>, found: Found) -> SpecError {
        let Found { table, name, value } = found;
        let key = path(&table, &name);
        let Some(found) = value else {
            let allowed = keys::names(&table);
            let suggestion = nearest(&name, &allowed);
            let fault = Fault::UnknownKey {
                table,
                allowed,
                suggestion,
            };
            return self.error(span, &key, fault);
        };
        let expected = keys::expected(&table, &name);
        self.error(span, &key, Fault::WrongType { found, expected })
    }

    /// The error for a fault of `key` at a place.
    pub(super) fn error(
        &self,
        span: Range<usize>,
        key: &str,
        fault: impl Into<Fault>,
    ) -> SpecError {
        SpecError::At {
            file: self.file.to_owned(),
            place: place(self.text.as_bytes(), span.start),
            key: key.to_owned(),
            fault: Box::new(fault.into()),
        }
    }
}

/// The place of a byte of a text. Takes time linear in the text before it.
pub(super) fn place(text: &[u8], offset: usize) -> Place {
    let before = &text[..offset.min(text.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n');
    let start = start.map_or(0, |newline| newline + 1);
    Place {
        line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
        column: String::from_utf8_lossy(&before[start..]).chars().count() + 1,
    }
}

/// A key with its table, as messages name it.
pub(super) fn path(table: &str, name: &str) -> String {
    if table.is_empty() {
        name.to_owned()
    } else {
        format!("{table}.{name}")
    }
}

/// What serde stumbled upon: a key, or a value with its nearest key.
struct Found {
    table: String,
    name: String,
    /// The value in words; `None` for the key itself.
    value: Option<String>,
}

/// The key or value at exactly `span`.
///
/// The parser limits the depth of a document, and so the depth of this recursion.
fn find(table: &DeTable<'_>, path: &str, span: &Range<usize>) -> Option<Found> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref().as_ref();
        let here = |value: Option<&DeValue<'_>>| Found {
            table: path.to_owned(),
            name: name.to_owned(),
            value: value.map(describe),
        };
        let at_key = key.span() == *span;
        // With a dotted key, the table that it opens has the place of the key.
        if at_key && !keys::names(path).contains(&name) {
            return Some(here(None));
        }
        if at_key || value.span() == *span {
            return Some(here(Some(value.get_ref())));
        }
        match value.get_ref() {
            DeValue::Table(table) => find(table, name, span),
            DeValue::Array(items) => items.iter().find_map(|item| match item.get_ref() {
                _ if item.span() == *span => Some(here(Some(item.get_ref()))),
                DeValue::Table(table) => find(table, name, span),
                _ => None,
            }),
            _ => None,
        }
    })
}

/// A value in words; long texts are cut.
fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            let mut start: String = text.chars().take(40).collect();
            if start.len() < text.len() {
                start.push('…');
            }
            format!("the text {start:?}")
        }
        DeValue::Integer(number) => format!("the integer {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
