//! Every key and value misspelt, every type wrong, and whatever else an experiment must not say.

use proptest::prelude::*;

use super::*;

/// Line number, from 1, and text of the line of `FULL` on which a key of a table stands.
fn line_of(key: &Key) -> (usize, &'static str) {
    let mut table = "";
    for (number, line) in (1..).zip(FULL.lines()) {
        let is_key = if line.starts_with('[') {
            table = line.trim_matches(['[', ']']);
            key.table.is_empty() && table == key.name
        } else {
            table == key.table && line.split(' ').next() == Some(key.name)
        };
        if is_key {
            return (number, line);
        }
    }
    panic!("FULL has no {}.{}", key.table, key.name);
}

fn with_line(number: usize, new: &str) -> String {
    let lines = (1..).zip(FULL.lines());
    let lines: Vec<&str> = lines
        .map(|(own, line)| if own == number { new } else { line })
        .collect();
    lines.join("\n")
}

fn refusal(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

/// Slips of the pen: a letter doubled, left out, and swapped with its neighbour.
fn misspellings(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    let mut doubled = letters.clone();
    doubled.insert(middle, letters[middle]);
    let mut short = letters.clone();
    short.remove(middle);
    let mut swapped = letters;
    swapped.swap(middle - 1, middle);
    let all = [doubled, short, swapped].map(|letters| letters.into_iter().collect::<String>());
    all.into_iter().filter(|other| other != word).collect()
}

#[test]
fn the_list_of_keys_and_the_example_have_the_same_keys() {
    let keys = FULL.lines().filter(|line| line.contains(" = ")).count();
    let tables = FULL.lines().filter(|line| line.starts_with('[')).count();
    // `[[exclude]]` stands there twice, the second time with two keys.
    assert_eq!(keys - 2 + tables - 1, KEYS.len());
    for key in &KEYS {
        line_of(key);
    }
}

#[test]
fn every_misspelt_key_is_named_with_its_line_and_the_right_spelling() {
    for key in &KEYS {
        let (number, line) = line_of(key);
        for wrong in misspellings(key.name) {
            let column = line.find(key.name).unwrap() + 1;
            let text = with_line(number, &line.replacen(key.name, &wrong, 1));
            let message = refusal(&text);
            let path = document::path(key.table, &wrong);
            let start = format!("e.toml:{number}:{column}: {path}: unknown key in ");
            assert!(message.starts_with(&start), "{message}");
            let end = format!("; did you mean {:?}?", key.name);
            assert!(message.ends_with(&end), "{message}");
        }
    }
}

#[test]
fn every_misspelt_value_is_named_with_its_line_and_the_right_spelling() {
    use crate::experiment::choices::*;
    let lists = [
        ("experiment", "goal", GOALS.names()),
        ("matrix", "space", SPACES.names()),
        ("matrix", "strategy", STRATEGIES.names()),
        ("matrix", "heuristic", HEURISTICS.names()),
        ("matrix", "pruning", PRUNINGS.names()),
        ("matrix", "threading", THREADINGS.names()),
        ("matrix", "table", TABLES.names()),
        ("exclude", "space", SPACES.names()),
        ("exclude", "strategy", STRATEGIES.names()),
        ("exclude", "heuristic", HEURISTICS.names()),
        ("exclude", "pruning", PRUNINGS.names()),
        ("exclude", "threading", THREADINGS.names()),
        ("exclude", "table", TABLES.names()),
    ];
    for (table, name, values) in lists {
        let key = KEYS
            .iter()
            .find(|key| (key.table, key.name) == (table, name));
        let (number, _) = line_of(key.unwrap());
        for value in &values {
            for wrong in misspellings(value) {
                let list = if table == "matrix" {
                    format!("[{wrong:?}]")
                } else {
                    format!("{wrong:?}")
                };
                let message = refusal(&with_line(number, &format!("{name} = {list}")));
                let column = name.len() + if table == "matrix" { 5 } else { 4 };
                let start = format!(
                    "e.toml:{number}:{column}: {table}.{name}: {wrong:?} is not allowed; expected "
                );
                assert!(message.starts_with(&start), "{message}");
                for allowed in &values {
                    assert!(message.contains(&format!("{allowed:?}")), "{message}");
                }
                let end = format!("; did you mean {value:?}?");
                assert!(message.ends_with(&end), "{message}");
            }
        }
    }
}

#[test]
fn a_wrong_type_is_named_with_its_line_and_what_is_expected() {
    for key in KEYS.iter().filter(|key| !key.table.is_empty()) {
        let (number, _) = line_of(key);
        for (wrong, found) in [
            ("true", "true"),
            ("1.5", "the number 1.5"),
            ("1979-05-27", "the date 1979-05-27"),
            ("{ a = 1 }", "a table"),
            ("[true]", "true"),
        ] {
            if key.name == "pin" && wrong == "true" {
                continue;
            }
            let message = refusal(&with_line(number, &format!("{} = {wrong}", key.name)));
            let start = format!("e.toml:{number}:");
            let path = document::path(key.table, key.name);
            assert!(message.starts_with(&start), "{message}");
            // A list where none belongs is refused as a list, before its items.
            let found = [found, "a list"]
                .map(|found| format!("{path}: found {found}; expected {}", key.expected));
            assert!(
                found.iter().any(|found| message.ends_with(found)),
                "{message}"
            );
        }
    }
}

#[test]
fn a_table_of_another_kind_is_refused() {
    for (wrong, start) in [
        (
            "experiment = true",
            "e.toml:1:14: experiment: found true; expected a table [experiment]",
        ),
        (
            "[[experiment]]",
            "e.toml:1:1: experiment: found a list; expected a table [experiment]",
        ),
        (
            "levels = [1]",
            "e.toml:1:11: levels: found the integer 1; expected tables, each headed [[levels]] with two brackets",
        ),
        (
            "[matrix]",
            "e.toml:1:1: matrix: found a table; expected tables, each headed [[matrix]] with two brackets",
        ),
        (
            "exclude.threads = 1",
            "e.toml:1:1: exclude: found a table; expected tables, each headed [[exclude]] with two brackets",
        ),
        (
            "levels = []",
            "e.toml:1:1: experiment: missing in the experiment file; expected a table [experiment]",
        ),
    ] {
        assert_eq!(refusal(wrong), start);
    }
}

#[test]
fn a_key_that_must_be_there_is_named() {
    for key in KEYS
        .iter()
        .filter(|key| key.default.is_none() && !key.table.is_empty())
    {
        let (number, _) = line_of(key);
        let message = refusal(&with_line(number, ""));
        let path = document::path(key.table, key.name);
        let expected = format!(
            "{path}: missing in {}; expected {}",
            keys::header(key.table),
            key.expected
        );
        assert!(message.ends_with(&expected), "{message}");
    }
}

#[test]
fn a_key_with_a_default_may_be_left_out() {
    for key in KEYS
        .iter()
        .filter(|key| key.default.is_some() && !key.table.is_empty())
    {
        // Without these, the example would mean something that is refused for another reason.
        if matches!(
            (key.table, key.name),
            ("levels", "select") | ("matrix", "heuristic")
        ) {
            continue;
        }
        let (number, _) = line_of(key);
        assert!(parse(&with_line(number, "")).is_ok(), "{}", key.name);
    }
}

#[test]
fn values_out_of_range_are_refused() {
    for (table, name, value) in [
        ("experiment", "name", "\"\""),
        ("experiment", "name", "\"../up\""),
        ("experiment", "name", "\".hidden\""),
        ("experiment", "question", "\"  \""),
        ("experiment", "hypothesis", "\"\""),
        ("experiment", "repetitions", "0"),
        ("experiment", "repetitions", "-1"),
        ("experiment", "repetitions", "99999999999999999999999999"),
        ("experiment", "seed", "-1"),
        ("experiment", "time_limit", "\"0s\""),
        ("experiment", "memory_limit", "\"4GB\""),
        ("experiment", "state_limit", "0"),
        ("experiment", "warm_ups", "-1"),
        ("experiment", "warm_ups", "1001"),
        ("levels", "file", "\"\""),
        ("levels", "file", "\"levels\""),
        ("levels", "file", "\"levels/none.xsb\""),
        ("levels", "select", "\"\""),
        ("levels", "select", "\"4\""),
        ("levels", "select", "\"3\""),
        ("matrix", "space", "[]"),
        ("matrix", "threads", "[]"),
        ("matrix", "threads", "[0]"),
        ("matrix", "threads", "[1, 1025]"),
        ("exclude", "threading", "[]"),
        ("exclude", "threads", "0"),
    ] {
        let key = KEYS
            .iter()
            .find(|key| (key.table, key.name) == (table, name));
        let (number, _) = line_of(key.unwrap());
        let message = refusal(&with_line(number, &format!("{name} = {value}")));
        let start = format!("e.toml:{number}:");
        assert!(message.starts_with(&start), "{message}");
        assert!(
            message.contains(&format!(": {table}.{name}: ")),
            "{message}"
        );
    }
}

#[test]
fn impossible_combinations_are_fine_once_excluded_as_the_message_says() {
    let keys = "strategy = [\"dfs\", \"bfs\", \"greedy\"]\nheuristic = [\"manhattan\"]\nthreading = [\"sequential\", \"layered\"]\nthreads = [1, 2, 4]";
    let mut tables = matrix(keys);
    for _ in 0..2 {
        let message = with_matrix(&tables).unwrap_err().to_string();
        let (_, exclude) = message.split_once("\n\n").unwrap();
        tables = format!("{tables}{exclude}\n");
    }
    assert_eq!(
        texts(&with_matrix(&tables).unwrap()),
        [
            "pushes dfs - none sequential 1 hash",
            "pushes bfs - none sequential 1 hash",
            "pushes bfs - none layered 1 hash",
            "pushes bfs - none layered 2 hash",
            "pushes bfs - none layered 4 hash",
            "pushes greedy manhattan none sequential 1 hash",
        ]
    );
}

#[test]
fn an_exclusion_of_everything_is_refused() {
    let tables = matrix("strategy = [\"bfs\"]");
    let message = |exclude: &str| {
        with_matrix(&format!("{tables}{exclude}"))
            .unwrap_err()
            .to_string()
    };
    assert!(message("[[exclude]]\n").starts_with("e.toml:11:1: exclude: without a key"));
    assert!(
        message("[[exclude]]\nspace = \"pushes\"")
            .starts_with("e.toml:11:1: exclude: [[exclude]] leaves no")
    );
}

#[test]
fn a_level_selected_twice_names_the_other_place() {
    let again = "[[levels]]\nfile = \"levels/../levels/a.xsb\"\nselect = \"2,1\"\n";
    let tables = format!("{again}{}", matrix("strategy = [\"bfs\"]"));
    let message = with_matrix(&tables).unwrap_err().to_string();
    let start = "e.toml:9:10: levels.select: level 1 was selected before, on line 6; ";
    assert!(message.starts_with(start), "{message}");
}

#[test]
fn more_runs_than_a_plan_holds_are_refused() {
    // Two levels and eleven combinations.
    let text =
        |repetitions: u64| FULL.replace("repetitions = 3", &format!("repetitions = {repetitions}"));
    assert!(parse(&text(45_454)).is_ok());
    assert!(refusal(&text(45_455)).contains("are 1000010 runs; expected at most 1000000"));
    assert!(refusal(&text(i64::MAX as u64)).starts_with("e.toml:1:1: experiment: 2 levels, "));
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let folder = folder();
    let path = folder.path().join("e.toml");
    assert!(matches!(
        Spec::read(&path),
        Err(SpecError::Unreadable { .. })
    ));
    assert!(matches!(
        Spec::read(folder.path()),
        Err(SpecError::Directory { .. })
    ));
    fs::write(&path, "; 1\n#####\n#@$.#\n#####\n").unwrap();
    assert!(matches!(Spec::read(&path), Err(SpecError::Levels { .. })));
    // A ruler of a comment makes no level file of an experiment.
    fs::write(&path, "#####\n[experimnt]\n").unwrap();
    assert!(matches!(Spec::read(&path), Err(SpecError::At { .. })));
    fs::write(&path, "#".repeat(MAX_BYTES as usize + 1)).unwrap();
    assert!(matches!(Spec::read(&path), Err(SpecError::TooLarge { .. })));
    fs::write(&path, b"# \xc3\xa4\n# \xc3\xa4\xff").unwrap();
    let message = Spec::read(&path).unwrap_err().to_string();
    assert!(
        message.ends_with("e.toml:2:4: not UTF-8 text; save the file as UTF-8"),
        "{message}"
    );
}

#[test]
fn deep_nesting_is_a_syntax_error() {
    let message = refusal(&format!("levels = {}", "[".repeat(100_000)));
    assert!(message.contains("not valid TOML"), "{message}");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}|[\\[\\]a-z=\"\n .#'{},0-9]{0,200}") {
        let _ = Spec::parse(&text, "e.toml", &[]);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let folder = folder();
        let path = folder.path().join("e.toml");
        fs::write(&path, bytes).unwrap();
        prop_assert!(Spec::read(&path).is_err());
    }

    #[test]
    fn no_edit_of_an_experiment_makes_it_panic(at in 0..FULL.len(), length in 0_usize..30, new in "\\PC{0,10}") {
        let end = (at + length).min(FULL.len());
        let text = format!("{}{new}{}", &FULL[..at], &FULL[end..]);
        if let Err(error) = parse(&text) {
            let message = error.to_string();
            prop_assert!(message.starts_with("e.toml:"), "{}", message);
        }
    }
}
