//! The columns of `runs.csv`: the one list that both writing and reading follow.

use super::Row;

/// One column: its name, and how its field is written and read.
pub(super) struct Column {
    /// Name in the header; the name of the field of [`Row`].
    pub(super) name: &'static str,
    /// Whether the column may be missing: a file of an older version did not measure it yet.
    pub(super) optional: bool,
    /// The field as text.
    pub(super) write: fn(&Row) -> String,
    /// Sets the field from text, or says what was expected.
    pub(super) read: fn(&mut Row, &str) -> Result<(), &'static str>,
}

macro_rules! columns {
    ($($field:ident),* $(,)?) => {
        &[$(Column {
            name: stringify!($field),
            optional: is_optional(|row| &row.$field),
            write: |row| row.$field.to_text(),
            read: |row, text| {
                row.$field = Field::from_text(text)?;
                Ok(())
            },
        }),*]
    };
}

/// Columns up to `pruned`; the columns `pruned_<rule>` follow.
pub(super) const BEFORE_RULES: &[Column] = columns![
    run_id,
    experiment,
    level_file,
    level,
    level_title,
    boxes,
    floor,
    space,
    strategy,
    heuristic,
    pruning,
    threading,
    threads,
    table,
    table_reason,
    goal,
    repetition,
    sequence,
    seed,
    time_limit_s,
    status,
    detail,
    cost,
    moves,
    pushes,
    generated,
    pruned,
];

/// Columns behind the columns `pruned_<rule>`.
pub(super) const AFTER_RULES: &[Column] = columns![
    duplicates,
    reopened,
    states_visited,
    expanded,
    frontier_peak,
    wall_s,
    cpu_user_s,
    cpu_sys_s,
    peak_rss_bytes,
    rss_method,
    table_bytes,
    frontier_bytes,
    load_balance,
    idle_s,
    states_sent,
    messages_sent,
    cpu_pressure,
    involuntary_switches,
    cores,
    host,
    started_unix_s,
    revision,
];

/// The column with this name.
pub(super) fn by_name(name: &str) -> Option<&'static Column> {
    all().find(|column| column.name == name)
}

/// Every column but `pruned_<rule>`, in order.
pub(super) fn all() -> impl Iterator<Item = &'static Column> {
    BEFORE_RULES.iter().chain(AFTER_RULES)
}

/// A value of one field.
pub(super) trait Field: Sized {
    /// Whether a file may lack the column.
    const OPTIONAL: bool;

    /// As it stands in the file.
    fn to_text(&self) -> String;

    /// Reads it back, or says what was expected.
    fn from_text(text: &str) -> Result<Self, &'static str>;
}

/// Carries the type of a field into a constant.
const fn is_optional<F: Field>(_field: fn(&Row) -> &F) -> bool {
    F::OPTIONAL
}

impl Field for String {
    const OPTIONAL: bool = false;

    /// Control characters become blanks: a row is one line, so that a line cut off by a crash is
    /// recognised by its missing line break.
    fn to_text(&self) -> String {
        self.replace(char::is_control, " ")
    }

    fn from_text(text: &str) -> Result<Self, &'static str> {
        Ok(text.to_owned())
    }
}

impl Field for Option<String> {
    const OPTIONAL: bool = true;

    fn to_text(&self) -> String {
        self.as_ref().map_or_else(String::new, Field::to_text)
    }

    fn from_text(text: &str) -> Result<Self, &'static str> {
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }
}

impl Field for u64 {
    const OPTIONAL: bool = false;

    fn to_text(&self) -> String {
        self.to_string()
    }

    fn from_text(text: &str) -> Result<Self, &'static str> {
        text.parse()
            .map_err(|_| "a whole number from 0 to 18446744073709551615")
    }
}

impl Field for Option<u64> {
    const OPTIONAL: bool = true;

    fn to_text(&self) -> String {
        self.map_or_else(String::new, |value| value.to_string())
    }

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match text {
            "" => Ok(None),
            _ => text
                .parse()
                .map(Some)
                .map_err(|_| "a whole number from 0 to 18446744073709551615, or nothing"),
        }
    }
}

impl Field for Option<f64> {
    const OPTIONAL: bool = true;

    /// The shortest text that reads back as the same number. What is not finite was not measured.
    fn to_text(&self) -> String {
        self.filter(|value| value.is_finite())
            .map_or_else(String::new, |value| value.to_string())
    }

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match text {
            "" => Ok(None),
            _ => text
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .map(Some)
                .ok_or("a finite number with a decimal point, or nothing"),
        }
    }
}
