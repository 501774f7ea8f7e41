//! The table `[experiment]`.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;

use super::document::{Document, path};
use super::error::{Fault, SpecError};
use super::keys::expected;
use super::{RunLimits, quantity};
use crate::experiment::choices::GOALS;
use crate::experiment::wire;
use crate::search::Goal;

const TABLE: &str = "experiment";

/// Longest name: it becomes a folder, and file systems stop at 255 bytes.
const MAX_NAME: usize = 100;

/// Most warm-ups: more would be an experiment of their own.
const MAX_WARM_UPS: u64 = 1000;

/// What the table says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Name, fit for a folder.
    pub name: String,
    /// The question it answers.
    pub question: String,
    /// The answer that is expected.
    pub hypothesis: Option<String>,
    /// How often each configuration is run on each level, at least 1.
    pub repetitions: u64,
    /// Decides the order of the runs.
    pub seed: u64,
    /// What each search is for.
    pub goal: Goal,
    /// Limits of each search.
    pub limits: RunLimits,
    /// Runs that are done and thrown away before the first one is measured.
    pub warm_ups: u64,
    /// Whether each run keeps to cores of its own.
    pub pin: bool,
}

impl Header {
    /// Reads the table of an experiment file and judges nothing else, so that its levels need not be there; `file_name` is for
    /// messages.
    ///
    /// # Errors
    /// [`SpecError`] for the first thing that is wrong.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, SpecError> {
        let document = Document {
            file: file_name,
            text,
        };
        let file = document.read()?;
        let (header, _) = Self::new(&document, file.experiment)?;
        Ok(header)
    }

    /// The table, and its place in the text.
    pub(super) fn new(
        document: &Document<'_>,
        table: Option<Spanned<wire::Experiment>>,
    ) -> Result<(Self, Range<usize>), SpecError> {
        let table = document.required(0..0, "", TABLE, table)?;
        let span = table.span();
        let wire = table.into_inner();
        let name = document.required(span.clone(), TABLE, "name", wire.name)?;
        let question = document.required(span.clone(), TABLE, "question", wire.question)?;
        let at = |key| At { document, key };
        let least = |key, value: Option<_>, least| {
            let checked = value.map(|value| at(key).at_least(&value, least));
            checked.transpose()
        };
        let warm_ups = wire.warm_ups;
        let warm_ups = warm_ups.map(|number| at("warm_ups").within(&number, 0..=MAX_WARM_UPS));
        let goal = wire
            .goal
            .map(|goal| at("goal").value(&goal, |name| GOALS.by_name(name)));
        let time = wire.time_limit;
        let time = time.map(|text| at("time_limit").value(&text, quantity::duration));
        let memory = wire.memory_limit;
        let memory = memory.map(|text| at("memory_limit").value(&text, quantity::bytes));
        let hypothesis = wire.hypothesis.map(|text| at("hypothesis").text(text));
        let header = Self {
            name: at("name").value(&name, folder_name)?,
            question: at("question").text(question)?,
            hypothesis: hypothesis.transpose()?,
            repetitions: least("repetitions", wire.repetitions, 1)?.unwrap_or(1),
            seed: least("seed", wire.seed, 0)?.unwrap_or(1),
            goal: goal.transpose()?.unwrap_or(Goal::Solve),
            limits: RunLimits {
                time: time.transpose()?,
                memory_bytes: memory.transpose()?,
                states: least("state_limit", wire.state_limit, 1)?,
            },
            warm_ups: warm_ups.transpose()?.unwrap_or(0),
            pin: wire.pin.is_some_and(Spanned::into_inner),
        };
        Ok((header, span))
    }
}

/// A key of the table, for the errors of its value.
struct At<'a> {
    document: &'a Document<'a>,
    key: &'static str,
}

impl At<'_> {
    fn error(&self, span: Range<usize>, fault: impl Into<Fault>) -> SpecError {
        self.document.error(span, &path(TABLE, self.key), fault)
    }

    /// The value of a text, as `read` takes it.
    fn value<T, E: Into<Fault>>(
        &self,
        text: &Spanned<String>,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        read(text.get_ref()).map_err(|error| self.error(text.span(), error))
    }

    fn text(&self, text: Spanned<String>) -> Result<String, SpecError> {
        if text.get_ref().trim().is_empty() {
            let fault = Fault::EmptyText(expected(TABLE, self.key));
            return Err(self.error(text.span(), fault));
        }
        Ok(text.into_inner())
    }

    fn at_least(&self, number: &Spanned<i64>, least: u64) -> Result<u64, SpecError> {
        self.within(number, least..=u64::MAX)
    }

    fn within(&self, number: &Spanned<i64>, range: RangeInclusive<u64>) -> Result<u64, SpecError> {
        let found = *number.get_ref();
        let in_range = u64::try_from(found)
            .ok()
            .filter(|number| range.contains(number));
        in_range.ok_or_else(|| {
            let expected = expected(TABLE, self.key);
            self.error(number.span(), Fault::OutOfRange { found, expected })
        })
    }
}

/// Names become folders: a name with a separator or of dots only would lead elsewhere.
fn folder_name(name: &str) -> Result<String, Fault> {
    let fits = |symbol: char| symbol.is_ascii_alphanumeric() || "-_.".contains(symbol);
    let valid = !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.starts_with('.')
        && name.chars().all(fits);
    if valid {
        Ok(name.to_owned())
    } else {
        Err(Fault::Name(name.to_owned()))
    }
}
