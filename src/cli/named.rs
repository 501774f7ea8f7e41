//! Options whose values are names that an experiment file allows, too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::experiment::choices::Choices;

/// Takes the names of `choices` and no other; a near miss is answered with what was perhaps meant.
#[derive(Debug, Clone)]
pub(crate) struct Named<T: 'static>(pub(crate) Choices<T>);

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let choices = self.0;
        StringValueParser::new()
            .try_map(move |name| choices.by_name(&name))
            .parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.0.names().into_iter();
        Some(Box::new(names.map(PossibleValue::new)))
    }
}
