//! One table `[[exclude]]`.

use toml::Spanned;

use super::document::Document;
use super::error::{Fault, SpecError};
use super::keys;
use super::lists::Lists;
use crate::experiment::choices::{HEURISTICS, PRUNINGS, SPACES, STRATEGIES, TABLES, THREADINGS};
use crate::experiment::configuration::{Configuration, Space, Table};
use crate::experiment::wire::{self, OneOrMany};
use crate::parallel::Threading;
use crate::search::Strategy;
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;

const TABLE: &str = "exclude";

/// A pattern of combinations: for each key the values it matches, `None` for all.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exclusion {
    space: Option<Vec<Space>>,
    strategy: Option<Vec<Strategy>>,
    heuristic: Option<Vec<HeuristicKind>>,
    pruning: Option<Vec<PruningLevel>>,
    threading: Option<Vec<Threading>>,
    threads: Option<Vec<usize>>,
    table: Option<Vec<Table>>,
}

impl Exclusion {
    pub(super) fn new(
        document: &Document<'_>,
        table: Spanned<wire::Exclude>,
    ) -> Result<Self, SpecError> {
        let span = table.span();
        let wire = table.into_inner();
        let lists = Lists {
            document,
            table: TABLE,
        };
        let exclusion = Self {
            space: values(wire.space, |list| lists.chosen("space", list, SPACES))?,
            strategy: values(wire.strategy, |list| {
                lists.chosen("strategy", list, STRATEGIES)
            })?,
            heuristic: values(wire.heuristic, |list| {
                lists.chosen("heuristic", list, HEURISTICS)
            })?,
            pruning: values(wire.pruning, |list| lists.chosen("pruning", list, PRUNINGS))?,
            threading: values(wire.threading, |list| {
                lists.chosen("threading", list, THREADINGS)
            })?,
            threads: values(wire.threads, |list| lists.threads(list))?,
            table: values(wire.table, |list| lists.chosen("table", list, TABLES))?,
        };
        if exclusion == Self::EVERYTHING {
            let fault = Fault::EmptyExclude(keys::names(TABLE));
            return Err(document.error(span, TABLE, fault));
        }
        Ok(exclusion)
    }

    const EVERYTHING: Self = Self {
        space: None,
        strategy: None,
        heuristic: None,
        pruning: None,
        threading: None,
        threads: None,
        table: None,
    };

    /// Whether each key that is given names the configuration's value. A strategy without a heuristic
    /// matches no heuristic.
    pub(super) fn matches(&self, one: &Configuration) -> bool {
        let heuristic = self.heuristic.as_ref();
        allows(&self.space, &one.space)
            && allows(&self.strategy, &one.strategy)
            && heuristic.is_none_or(|all| one.heuristic.is_some_and(|own| all.contains(&own)))
            && allows(&self.pruning, &one.pruning)
            && allows(&self.threading, &one.threading)
            && allows(&self.threads, &one.threads)
            && allows(&self.table, &one.table)
    }
}

fn allows<T: PartialEq>(values: &Option<Vec<T>>, value: &T) -> bool {
    values.as_ref().is_none_or(|values| values.contains(value))
}

fn values<W, T>(
    written: Option<Spanned<OneOrMany<W>>>,
    read: impl Fn(&Spanned<Vec<Spanned<W>>>) -> Result<Vec<T>, SpecError>,
) -> Result<Option<Vec<T>>, SpecError> {
    let list = written.map(OneOrMany::into_list);
    list.map(|list| read(&list)).transpose()
}
