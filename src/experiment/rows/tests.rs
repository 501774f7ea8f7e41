use proptest::prelude::*;

use super::*;

const RULES: [&str; 2] = ["corner", "edge"];

fn row() -> Row {
    Row {
        run_id: "00ff".to_owned(),
        experiment: "first, \"quoted\"".to_owned(),
        level: 3,
        threads: 2,
        repetition: 1,
        sequence: 7,
        seed: u64::MAX,
        status: "solved".to_owned(),
        cost: Some(0),
        pruned_by_rule: vec![("corner".to_owned(), Some(5)), ("edge".to_owned(), None)],
        time_limit_s: Some(60.0),
        wall_s: Some(0.1),
        ..Row::default()
    }
}

fn file_of(header: &[String], records: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect("memory can be written");
    for record in records {
        writer.write_record(record).expect("memory can be written");
    }
    writer.into_inner().expect("memory can be flushed")
}

fn file_with(column: &str, text: &str) -> Vec<u8> {
    let header = Row::header(&RULES);
    let mut record = row().to_record(&RULES);
    let index = header.iter().position(|name| name == column);
    record[index.expect("a known column")] = text.to_owned();
    file_of(&header, &[row().to_record(&RULES), record])
}

#[test]
fn columns_are_the_fields_of_a_row_in_their_order() {
    // The Debug text of a row names each field once, in the order of declaration.
    let debug = format!("{:#?}", Row::default());
    let fields: Vec<&str> = debug
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(": "))
        .map(|(name, _)| name)
        .collect();
    let expected: Vec<&str> = fields
        .iter()
        .flat_map(|&name| match name {
            "pruned_by_rule" => vec!["pruned_corner", "pruned_edge"],
            _ => vec![name],
        })
        .collect();
    assert_eq!(Row::header(&RULES), expected);
}

#[test]
fn what_was_not_measured_is_empty_and_zero_is_zero() {
    let header = Row::header(&RULES);
    let record = row().to_record(&RULES);
    let field = |name: &str| {
        let index = header.iter().position(|column| column == name);
        record[index.expect("a known column")].as_str()
    };
    assert_eq!(field("cost"), "0");
    assert_eq!(field("moves"), "");
    assert_eq!(field("pruned_corner"), "5");
    assert_eq!(field("pruned_edge"), "");
    assert_eq!(field("wall_s"), "0.1");
    assert_eq!(field("cpu_user_s"), "");
    assert_eq!(field("seed"), "18446744073709551615");
}

#[test]
fn a_row_is_one_line_whatever_its_texts_hold() {
    let row = Row {
        detail: "thread 'main' panicked\nat the disco\r\n".to_owned(),
        ..row()
    };
    let bytes = file_of(&Row::header(&RULES), &[row.to_record(&RULES)]);
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 2);
    let rows = parse_rows(&bytes, "runs.csv").expect("a good file");
    assert_eq!(rows[0].detail, "thread 'main' panicked at the disco  ");
}

#[test]
#[should_panic(expected = "rule edge has no column")]
fn a_count_without_a_column_is_not_lost_in_silence() {
    let _ = row().to_record(&["corner"]);
}

#[test]
fn an_empty_file_has_no_rows() {
    assert_eq!(parse_rows(b"", "runs.csv").expect("no rows"), []);
}

/// What to do about a line that cannot be read.
const REMEDY: &str = "; mend the line, or delete it, and `sokolab resume` does its run again";

#[test]
fn wrong_fields_are_named_with_line_column_and_expectation() {
    let cases = [
        (
            "threads",
            "two",
            "column threads: \"two\"; expected a whole number from 0 to 18446744073709551615",
        ),
        (
            "threads",
            "",
            "column threads: \"\"; expected a whole number from 0 to 18446744073709551615",
        ),
        (
            "cost",
            "-1",
            "column cost: \"-1\"; expected a whole number from 0 to 18446744073709551615, or nothing",
        ),
        (
            "wall_s",
            "inf",
            "column wall_s: \"inf\"; expected a finite number with a decimal point, or nothing",
        ),
        (
            "wall_s",
            "4.56s",
            "column wall_s: \"4.56s\"; expected a finite number with a decimal point, or nothing",
        ),
        (
            "pruned_edge",
            "x",
            "column pruned_edge: \"x\"; expected a whole number from 0 to 18446744073709551615, or nothing",
        ),
    ];
    for (column, text, message) in cases {
        let error = parse_rows(&file_with(column, text), "r/runs.csv").expect_err(column);
        assert_eq!(
            error.to_string(),
            format!("r/runs.csv, line 3: {message}{REMEDY}")
        );
    }
}

#[test]
fn a_line_with_fields_missing_is_an_error() {
    let mut bytes = file_of(&Row::header(&RULES), &[]);
    bytes.extend_from_slice(b"00ff,name\n");
    let columns = Row::header(&RULES).len();
    let error = parse_rows(&bytes, "runs.csv").expect_err("two fields are too few");
    assert_eq!(
        error.to_string(),
        format!(
            "runs.csv, line 2: number of fields: 2; expected {columns}, one for each column of the header{REMEDY}"
        )
    );
}

#[test]
fn a_line_cut_off_is_told_apart_from_a_wrong_one() {
    let bytes = file_of(&Row::header(&RULES), &[row().to_record(&RULES)]);
    let error = parse_rows(&bytes[..bytes.len() - 1], "runs.csv").expect_err("no line break");
    assert!(matches!(error, RowsError::Torn { line: 2, .. }), "{error}");
}

#[test]
fn headers_are_checked() {
    let mut names = Row::header(&RULES);
    let parse = |names: &[String]| Header::parse(names.iter().map(String::as_str)).map(|_| ());
    assert_eq!(parse(&names), Ok(()));
    names.push("level".to_owned());
    assert_eq!(parse(&names), Err(HeaderError::Twice("level".to_owned())));
    names.pop();
    names[4] = "level_titel".to_owned();
    let error = parse(&names).expect_err("misspelt");
    assert_eq!(
        error.to_string(),
        "unknown column \"level_titel\"; did you mean \"level_title\"?"
    );
    names.remove(4);
    assert_eq!(parse(&names), Err(HeaderError::Missing("level_title")));
}

#[test]
fn columns_of_measured_values_may_be_missing_or_elsewhere() {
    let header = Row::header(&RULES);
    let record = row().to_record(&RULES);
    let keep = |texts: &[String]| -> Vec<String> {
        let kept = texts.iter().zip(&header).rev();
        kept.filter(|(_, name)| !["cost", "pruned_edge", "time_limit_s"].contains(&name.as_str()))
            .map(|(text, _)| text.clone())
            .collect()
    };
    let rows = parse_rows(&file_of(&keep(&header), &[keep(&record)]), "runs.csv");
    let expected = Row {
        cost: None,
        time_limit_s: None,
        pruned_by_rule: vec![("corner".to_owned(), Some(5))],
        ..row()
    };
    assert_eq!(rows.expect("a good file"), [expected]);
}

prop_compose! {
    fn any_row()(
        texts in prop::collection::vec("[^\\pC]{0,12}", 14),
        numbers in prop::array::uniform5(any::<u64>()),
        counts in prop::collection::vec(any::<Option<u64>>(), 19),
        reals in prop::collection::vec(prop::option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO), 8),
    ) -> Row {
        let text = |index: usize| texts[index].clone();
        Row {
            run_id: text(0), experiment: text(1), level_file: text(2), level_title: text(3),
            space: text(4), strategy: text(5), heuristic: text(6), pruning: text(7),
            threading: text(8), table: text(9), goal: text(10), status: text(11),
            table_reason: Some(text(1)).filter(|reason| !reason.is_empty()),
            detail: text(12), revision: text(13), rss_method: text(0),
            cores: Some(text(2)).filter(|cores| !cores.is_empty()),
            host: Some(text(3)).filter(|host| !host.is_empty()),
            level: numbers[0], threads: numbers[1], repetition: numbers[2],
            sequence: numbers[3], seed: numbers[4],
            boxes: counts[0], floor: counts[1], cost: counts[2], moves: counts[3],
            pushes: counts[4], generated: counts[5], pruned: counts[6],
            pruned_by_rule: vec![
                ("corner".to_owned(), counts[7]),
                ("edge".to_owned(), counts[8]),
            ],
            duplicates: counts[9], reopened: counts[10], states_visited: counts[11],
            expanded: counts[12], frontier_peak: counts[13], peak_rss_bytes: counts[14],
            table_bytes: counts[15], frontier_bytes: counts[16], states_sent: counts[17],
            messages_sent: counts[18], involuntary_switches: counts[0],
            wall_s: reals[0], cpu_user_s: reals[1], cpu_sys_s: reals[2],
            load_balance: reals[3], idle_s: reals[4], cpu_pressure: reals[5],
            started_unix_s: reals[6], time_limit_s: reals[7],
        }
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(rows in prop::collection::vec(any_row(), 0..4)) {
        let records: Vec<_> = rows.iter().map(|row| row.to_record(&RULES)).collect();
        let bytes = file_of(&Row::header(&RULES), &records);
        prop_assert_eq!(parse_rows(&bytes, "runs.csv").expect("a good file"), rows);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_rows(&bytes, "runs.csv");
    }

    #[test]
    fn no_damage_to_a_good_file_makes_the_reader_panic(
        at in any::<prop::sample::Index>(), byte in any::<u8>()
    ) {
        let mut bytes = file_of(&Row::header(&RULES), &[row().to_record(&RULES)]);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = parse_rows(&bytes, "runs.csv");
    }
}
