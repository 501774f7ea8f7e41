//! Every key of the experiment file: what it expects, its default, what it means.
//!
//! Error messages are written from this list, and a test holds it against the wire form.

/// One key of the experiment file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The table it stands in; empty for the file itself.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The form of its value, with an example.
    pub expected: &'static str,
    /// What holds if it is left out; `None` if it must be there.
    pub default: Option<&'static str>,
    /// What it decides.
    pub meaning: &'static str,
}

const NAME_OR_NAMES: &str = "a name or a list of names";
const ANY: Option<&str> = Some("matches every value");

/// All keys, in the order of the documentation.
#[rustfmt::skip] // One key on one line reads as the table that it is.
pub const KEYS: [Key; 31] = [
    key("", "experiment", "a table [experiment]", None, "what is asked, and the limits of each run"),
    key("", "levels", "tables, each headed [[levels]] with two brackets", None, "level files, and which of their levels"),
    key("", "matrix", "tables, each headed [[matrix]] with two brackets", None, "values of which every combination is run"),
    key("", "exclude", "tables, each headed [[exclude]] with two brackets", Some("nothing is excluded"), "combinations to leave out"),
    key("experiment", "name", "a text such as \"pruning-by-threads\"", None, "names the folder of the results"),
    key("experiment", "question", "a text in quotes", None, "the question that the experiment answers"),
    key("experiment", "hypothesis", "a text in quotes", Some("none"), "the answer that is expected"),
    key("experiment", "repetitions", "an integer, at least 1", Some("1"), "how often each combination is run on each level"),
    key("experiment", "seed", "an integer, at least 0", Some("1"), "decides the order of the runs"),
    key("experiment", "goal", "\"solve\" or \"census\"", Some("\"solve\""), "find a solution, or visit everything reachable"),
    key("experiment", "time_limit", "a duration such as \"500ms\", \"60s\", \"2m\" or \"1h\"", Some("unlimited"), "wall time of each search"),
    key("experiment", "memory_limit", "a size such as \"500MiB\" or \"4GiB\"", Some("unlimited"), "memory of each search"),
    key("experiment", "state_limit", "an integer such as 10_000_000, from 1 to 2^63 - 1", Some("unlimited"), "states in the visited table of each search"),
    key("experiment", "warm_ups", "an integer from 0 to 1000", Some("0"), "runs that are done and thrown away before the first one is measured"),
    key("experiment", "pin", "true or false", Some("false"), "whether each run keeps to cores of its own"),
    key("levels", "file", "a path such as \"levels/quickstart.xsb\"", None, "a level file, looked up from the folder of the experiment file, the folder above, and the working directory, in this order"),
    key("levels", "select", "\"all\", or numbers and ranges such as \"1-12,15\"", Some("\"all\""), "the levels of the file, by number from 1"),
    key("matrix", "space", "a list of names such as [\"pushes\"]", None, "state spaces"),
    key("matrix", "strategy", "a list of names such as [\"dfs\", \"bfs\"]", None, "strategies"),
    key("matrix", "heuristic", "a list of names such as [\"manhattan\"]", Some("none, if no strategy uses one"), "estimates, for the strategies that use one"),
    key("matrix", "pruning", "a list of names such as [\"none\", \"frozen\"]", None, "pruning levels"),
    key("matrix", "threading", "a list of names such as [\"sequential\", \"shared\"]", Some("[\"sequential\"]"), "threading models"),
    key("matrix", "threads", "a list of integers such as [1, 2, 4]", Some("[1]"), "numbers of worker threads"),
    key("matrix", "table", "a list of names such as [\"auto\"]", Some("[\"hash\"]"), "how visited states are remembered"),
    key("exclude", "space", NAME_OR_NAMES, ANY, "state spaces"),
    key("exclude", "strategy", NAME_OR_NAMES, ANY, "strategies"),
    key("exclude", "heuristic", NAME_OR_NAMES, ANY, "estimates; no match for strategies that use none"),
    key("exclude", "pruning", NAME_OR_NAMES, ANY, "pruning levels"),
    key("exclude", "threading", NAME_OR_NAMES, ANY, "threading models"),
    key("exclude", "threads", "an integer or a list of integers", ANY, "numbers of worker threads"),
    key("exclude", "table", NAME_OR_NAMES, ANY, "visited tables"),
];

const fn key(
    table: &'static str,
    name: &'static str,
    expected: &'static str,
    default: Option<&'static str>,
    meaning: &'static str,
) -> Key {
    Key {
        table,
        name,
        expected,
        default,
        meaning,
    }
}

/// The names of the keys of a table.
pub(super) fn names(table: &str) -> Vec<&'static str> {
    let keys = KEYS.iter().filter(|key| key.table == table);
    keys.map(|key| key.name).collect()
}

/// What a key of a table expects.
pub(super) fn expected(table: &str, name: &str) -> &'static str {
    let mut keys = KEYS.iter();
    keys.find(|key| key.table == table && key.name == name)
        .map_or("no such key", |key| key.expected)
}

/// How a table is headed in the file.
pub(super) fn header(table: &str) -> String {
    match table {
        "" => "the experiment file".to_owned(),
        "experiment" => "[experiment]".to_owned(),
        list => format!("[[{list}]]"),
    }
}
