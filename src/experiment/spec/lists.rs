//! Lists of values, as `[[matrix]]` and `[[exclude]]` have them.

use std::collections::HashSet;
use std::hash::Hash;

use toml::Spanned;

use super::document::{Document, path};
use super::error::{Fault, SpecError};
use super::keys::expected;
use crate::experiment::choices::Choices;

/// Most threads of a run, as [`SearchConfig::check`](crate::parallel::SearchConfig::check) has it.
const MAX_THREADS: i64 = crate::parallel::MAX_THREADS as i64;

/// A list as it was written.
pub(super) type Written<T> = Spanned<Vec<Spanned<T>>>;

/// Lists of values of a table.
pub(super) struct Lists<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) table: &'static str,
}

impl Lists<'_> {
    /// The values that a list names, which are all different.
    pub(super) fn chosen<T: Copy + Eq + Hash>(
        &self,
        key: &'static str,
        list: &Written<String>,
        choices: Choices<T>,
    ) -> Result<Vec<T>, SpecError> {
        self.values(key, list, |name| Ok(choices.by_name(name)?))
    }

    /// The thread counts of a list, which are all different.
    pub(super) fn threads(&self, list: &Written<i64>) -> Result<Vec<usize>, SpecError> {
        self.values("threads", list, |&found| {
            let in_range = (1..=MAX_THREADS).contains(&found);
            let threads = usize::try_from(found).ok().filter(|_| in_range);
            let expected = "1 to 1024 threads";
            threads.ok_or(Fault::OutOfRange { found, expected })
        })
    }

    fn values<W, T: Copy + Eq + Hash>(
        &self,
        key: &'static str,
        list: &Written<W>,
        value_of: impl Fn(&W) -> Result<T, Fault>,
    ) -> Result<Vec<T>, SpecError> {
        let error = |span, fault| self.document.error(span, &path(self.table, key), fault);
        if list.get_ref().is_empty() {
            let fault = Fault::EmptyList(expected(self.table, key));
            return Err(error(list.span(), fault));
        }
        let mut seen = HashSet::new();
        let mut values = Vec::new();
        for item in list.get_ref() {
            let value = value_of(item.get_ref()).map_err(|fault| error(item.span(), fault))?;
            if !seen.insert(value) {
                return Err(error(item.span(), Fault::Twice));
            }
            values.push(value);
        }
        Ok(values)
    }
}
