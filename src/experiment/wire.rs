//! The experiment file as it is written: a mirror for serde, not yet validated.
//!
//! Every key is optional here, so that a missing one is reported by [`Spec`](super::Spec) in its own
//! words. Unknown keys are refused in every table, and every value carries its place in the text.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{I64Deserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use toml::Spanned;

/// A value with its place, if the key is there.
type Value<T> = Option<Spanned<T>>;
/// A list whose items have places too.
type List<T> = Value<Vec<Spanned<T>>>;

/// The whole file.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) experiment: Value<Experiment>,
    pub(super) levels: List<Levels>,
    pub(super) matrix: List<Matrix>,
    pub(super) exclude: List<Exclude>,
}

/// `[experiment]`
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Experiment {
    pub(super) name: Value<String>,
    pub(super) question: Value<String>,
    pub(super) hypothesis: Value<String>,
    pub(super) repetitions: Value<i64>,
    pub(super) seed: Value<i64>,
    pub(super) goal: Value<String>,
    pub(super) time_limit: Value<String>,
    pub(super) memory_limit: Value<String>,
    pub(super) state_limit: Value<i64>,
    pub(super) warm_ups: Value<i64>,
    pub(super) pin: Value<bool>,
}

/// `[[levels]]`
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Levels {
    pub(super) file: Value<String>,
    pub(super) select: Value<String>,
}

/// `[[matrix]]`
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Matrix {
    pub(super) space: List<String>,
    pub(super) strategy: List<String>,
    pub(super) heuristic: List<String>,
    pub(super) pruning: List<String>,
    pub(super) threading: List<String>,
    pub(super) threads: List<i64>,
    pub(super) table: List<String>,
}

/// `[[exclude]]`
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exclude {
    pub(super) space: Value<OneOrMany<String>>,
    pub(super) strategy: Value<OneOrMany<String>>,
    pub(super) heuristic: Value<OneOrMany<String>>,
    pub(super) pruning: Value<OneOrMany<String>>,
    pub(super) threading: Value<OneOrMany<String>>,
    pub(super) threads: Value<OneOrMany<i64>>,
    pub(super) table: Value<OneOrMany<String>>,
}

/// A single value, or a list of them.
#[derive(Debug)]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<Spanned<T>>),
}

impl<T> OneOrMany<T> {
    /// The list it stands for.
    pub(super) fn into_list(spanned: Spanned<Self>) -> Spanned<Vec<Spanned<T>>> {
        let span = spanned.span();
        let items = match spanned.into_inner() {
            Self::One(value) => vec![Spanned::new(span.clone(), value)],
            Self::Many(values) => values,
        };
        Spanned::new(span, items)
    }
}

/// By hand, because the derived form for untagged enums loses the place of an error.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrManyVisitor(PhantomData))
    }
}

struct OneOrManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value or a list of values")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(StrDeserializer::new(text)).map(OneOrMany::One)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
        T::deserialize(I64Deserializer::new(number)).map(OneOrMany::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMany::Many)
    }
}
