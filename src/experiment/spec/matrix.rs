//! The tables `[[matrix]]` and `[[exclude]]`: the combinations to run.

use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;

use super::document::Document;
use super::error::{Fault, SpecError};
use super::exclude::Exclusion;
use super::lists::{Lists, Written};
use crate::experiment::choices::{HEURISTICS, PRUNINGS, SPACES, STRATEGIES, TABLES, THREADINGS};
use crate::experiment::configuration::{Configuration, ConfigurationError, Space, Table};
use crate::experiment::wire;
use crate::parallel::bitmap::BitmapError;
use crate::parallel::{ConfigError, Threading};
use crate::search::Strategy;
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;

const TABLE: &str = "matrix";

/// All combinations of all tables, without those excluded, each once, in the order of the file; the
/// values of later keys change faster.
pub(super) fn configurations(
    document: &Document<'_>,
    tables: Vec<Spanned<wire::Matrix>>,
    excludes: Option<Written<wire::Exclude>>,
) -> Result<Vec<Configuration>, SpecError> {
    let exclude_span = excludes.as_ref().map_or(0..0, Spanned::span);
    let excludes = excludes.map_or_else(Vec::new, Spanned::into_inner);
    let exclusions: Result<Vec<_>, _> = excludes
        .into_iter()
        .map(|table| Exclusion::new(document, table))
        .collect();
    let exclusions = exclusions?;
    let mut seen = HashSet::new();
    let mut configurations = Vec::new();
    for table in tables {
        let block = Block::new(document, table)?;
        let kept: Vec<Configuration> = block
            .combinations()
            .filter(|one| !exclusions.iter().any(|exclusion| exclusion.matches(one)))
            .collect();
        block.check(document, &kept)?;
        configurations.extend(kept.into_iter().filter(|&one| seen.insert(one)));
    }
    if configurations.is_empty() {
        return Err(document.error(exclude_span, "exclude", Fault::NothingLeft));
    }
    Ok(configurations)
}

/// One `[[matrix]]`: the different values of each key, at least one each.
struct Block {
    space: Vec<Space>,
    strategy: Vec<Strategy>,
    heuristic: Vec<Option<HeuristicKind>>,
    pruning: Vec<PruningLevel>,
    threading: Vec<Threading>,
    threads: Vec<usize>,
    table: Vec<Table>,
    /// Where the threading models and the tables are named, for errors of combinations.
    threading_span: Range<usize>,
    table_span: Range<usize>,
}

impl Block {
    fn new(document: &Document<'_>, table: Spanned<wire::Matrix>) -> Result<Self, SpecError> {
        let span = table.span();
        let wire = table.into_inner();
        let required = |key, list| document.required(span.clone(), TABLE, key, list);
        let lists = Lists {
            document,
            table: TABLE,
        };
        let space = required("space", wire.space)?;
        let strategy = required("strategy", wire.strategy)?;
        let pruning = required("pruning", wire.pruning)?;
        let strategies = lists.chosen("strategy", &strategy, STRATEGIES)?;
        let heuristics = match wire.heuristic {
            Some(list) => Some(lists.chosen("heuristic", &list, HEURISTICS)?),
            None => None,
        };
        if heuristics.is_none() {
            require_no_heuristic(document, &strategy, &strategies)?;
        }
        let threading_span = wire.threading.as_ref().map_or(span.clone(), Spanned::span);
        let threading = wire.threading.as_ref();
        let threading = threading.map(|list| lists.chosen("threading", list, THREADINGS));
        let threads = wire.threads.as_ref().map(|list| lists.threads(list));
        let table_span = wire.table.as_ref().map_or(span.clone(), Spanned::span);
        let table = wire.table.as_ref();
        let table = table.map(|list| lists.chosen("table", list, TABLES));
        Ok(Self {
            space: lists.chosen("space", &space, SPACES)?,
            strategy: strategies,
            heuristic: heuristics
                .map_or_else(|| vec![None], |all| all.into_iter().map(Some).collect()),
            pruning: lists.chosen("pruning", &pruning, PRUNINGS)?,
            threading: threading
                .transpose()?
                .unwrap_or_else(|| vec![Threading::Sequential]),
            threads: threads.transpose()?.unwrap_or_else(|| vec![1]),
            table: table.transpose()?.unwrap_or_else(|| vec![Table::Hash]),
            threading_span,
            table_span,
        })
    }

    /// Every combination; strategies without heuristic repeat for each heuristic.
    fn combinations(&self) -> impl Iterator<Item = Configuration> {
        let sizes = [
            self.space.len(),
            self.strategy.len(),
            self.heuristic.len(),
            self.pruning.len(),
            self.threading.len(),
            self.threads.len(),
            self.table.len(),
        ];
        (0..sizes.iter().product()).map(|index| self.combination(index))
    }

    /// The combination with an index: a number whose digits, the last key first, are the values.
    fn combination(&self, mut index: usize) -> Configuration {
        let rest = &mut index;
        let table = digit(rest, &self.table);
        let threads = digit(rest, &self.threads);
        let threading = digit(rest, &self.threading);
        let pruning = digit(rest, &self.pruning);
        let heuristic = digit(rest, &self.heuristic);
        let strategy = digit(rest, &self.strategy);
        Configuration {
            space: digit(rest, &self.space),
            strategy,
            heuristic: heuristic.filter(|_| strategy.uses_heuristic()),
            pruning,
            threading,
            threads,
            table,
        }
    }

    /// Refuses combinations for which there is no engine, and says how to exclude all of their kind.
    fn check(&self, document: &Document<'_>, kept: &[Configuration]) -> Result<(), SpecError> {
        let Some(source) = kept.iter().find_map(|one| one.check().err()) else {
            return Ok(());
        };
        let kind = Kind::of(&source);
        let of_kind = |one: &&Configuration| {
            let error = one.check().err();
            error.is_some_and(|error| Kind::of(&error) == kind)
        };
        let mut values = Vec::new();
        for one in kept.iter().filter(of_kind) {
            push_new(&mut values, kind.key.value(one));
        }
        let exclude = kind.exclusion(&values);
        let (span, path) = match kind.among {
            Some(("table", _)) => (&self.table_span, "matrix.table"),
            _ => (&self.threading_span, "matrix.threading"),
        };
        let fault = Fault::Impossible { source, exclude };
        Err(document.error(span.clone(), path, fault))
    }
}

/// A key whose values make combinations impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Culprit {
    Space,
    Strategy,
    Threading,
    Threads,
}

impl Culprit {
    const fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Strategy => "strategy",
            Self::Threading => "threading",
            Self::Threads => "threads",
        }
    }

    /// The value of a combination, as it is written.
    fn value(self, one: &Configuration) -> String {
        match self {
            Self::Space => format!("{:?}", one.space.name()),
            Self::Strategy => format!("{:?}", one.strategy.name()),
            Self::Threading => format!("{:?}", one.threading.name()),
            Self::Threads => one.threads.to_string(),
        }
    }
}

/// What impossible combinations have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// A key and its value, if values of the culprit are impossible only beside it.
    among: Option<(&'static str, &'static str)>,
    key: Culprit,
}

impl Kind {
    const fn of(error: &ConfigurationError) -> Self {
        let sequential = Some(("threading", Threading::Sequential.name()));
        let layered = Some(("threading", Threading::Layered.name()));
        let bitmap = Some(("table", Table::Bitmap.name()));
        let (among, key) = match error {
            ConfigurationError::Engine(error)
            | ConfigurationError::Bitmap(BitmapError::Config(error)) => match error {
                ConfigError::Threads(_) => (None, Culprit::Threads),
                ConfigError::SequentialThreads(_) => (sequential, Culprit::Threads),
                ConfigError::LayeredStrategy(_) => (layered, Culprit::Strategy),
            },
            ConfigurationError::Bitmap(BitmapError::Strategy(_)) => (bitmap, Culprit::Strategy),
            ConfigurationError::Bitmap(BitmapError::Threading(_)) => (bitmap, Culprit::Threading),
            ConfigurationError::BitmapSpace(_) => (bitmap, Culprit::Space),
        };
        Self { among, key }
    }

    /// The table that excludes these values.
    fn exclusion(&self, values: &[String]) -> String {
        let among = self
            .among
            .map_or_else(String::new, |(key, value)| format!("{key} = {value:?}\n"));
        let values = match values {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        format!("[[exclude]]\n{among}{} = {values}", self.key.name())
    }
}

/// A strategy that orders by a heuristic needs one.
fn require_no_heuristic(
    document: &Document<'_>,
    written: &Written<String>,
    strategies: &[Strategy],
) -> Result<(), SpecError> {
    let Some(strategy) = strategies.iter().find(|strategy| strategy.uses_heuristic()) else {
        return Ok(());
    };
    let mut names = written.get_ref().iter();
    let span = names.find(|name| name.get_ref() == strategy.name());
    let span = span.map_or_else(|| written.span(), Spanned::span);
    let heuristics: Vec<String> = HEURISTICS
        .names()
        .iter()
        .map(|name| format!("{name:?}"))
        .collect();
    let fault = Fault::NoHeuristic(strategy.name(), heuristics.join(", "));
    Err(document.error(span, "matrix.strategy", fault))
}

fn digit<T: Copy>(rest: &mut usize, values: &[T]) -> T {
    let value = values[*rest % values.len()];
    *rest /= values.len();
    value
}

fn push_new<T: PartialEq>(values: &mut Vec<T>, value: T) {
    if !values.contains(&value) {
        values.push(value);
    }
}
