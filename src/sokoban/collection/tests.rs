use super::*;
use proptest::prelude::*;

fn read_text(text: &str) -> Collection {
    parse(text.as_bytes(), "test")
}

fn titles(text: &str) -> Vec<Option<String>> {
    let levels = read_text(text).levels;
    levels.into_iter().map(|level| level.title).collect()
}

fn some(titles: &[&str]) -> Vec<Option<String>> {
    titles
        .iter()
        .map(|title| Some((*title).to_owned()))
        .collect()
}

/// (line, column, problem) of everything wrong with the text.
fn problems(text: &str) -> Vec<(usize, usize, Problem)> {
    read_text(text)
        .problems
        .into_iter()
        .map(|finding| (finding.place.line, finding.place.column, finding.problem))
        .collect()
}

const BOARD: &str = "#####\n#@$.#\n#####\n";

mod boards {
    use super::*;

    #[test]
    fn blank_lines_part_levels_and_lines_are_counted() {
        let collection = read_text(&format!("{BOARD}\n\n{BOARD}"));
        let places: Vec<(usize, usize)> = collection
            .levels
            .iter()
            .map(|level| (level.number, level.line))
            .collect();
        assert_eq!(places, [(1, 1), (2, 6)]);
        assert_eq!(collection.problems, []);
        assert_eq!(collection.levels[1].to_xsb(), BOARD);
    }

    #[test]
    fn carriage_returns_and_a_byte_order_mark_are_no_squares() {
        let text = format!("\u{feff}{BOARD}").replace('\n', "\r\n");
        let collection = read_text(&text);
        assert_eq!(collection.levels[0].to_xsb(), BOARD);
        assert_eq!(collection.problems, []);
    }

    #[test]
    fn run_length_boards_take_one_line_or_several() {
        for text in [
            "5#|#@$.#|5#",
            "5#|\n#@$.#|\n5#",
            "5#\n#@$.#\n5#",
            "5#|#@b.#|5#|",
        ] {
            let collection = read_text(text);
            assert_eq!(collection.levels[0].to_xsb(), BOARD, "{text}");
            assert_eq!((collection.levels.len(), collection.problems.len()), (1, 0));
        }
    }

    #[test]
    fn run_length_boards_on_consecutive_lines_are_levels_each() {
        let collection = read_text("5#|#@$.#|5#\n4#|#@*#|4#\n");
        assert_eq!(collection.levels.len(), 2);
        assert_eq!(collection.levels[1].to_xsb(), "####\n#@*#\n####\n");
    }

    #[test]
    fn rulers_and_headings_are_no_boards() {
        let text =
            format!("##########\n# 1 of 2 #\n##########\n\n{BOARD}\n# 2\n\n#1\n{BOARD}-----\n");
        let collection = read_text(&text);
        assert_eq!(collection.levels.len(), 2, "{:?}", collection.levels);
        assert_eq!(collection.problems, []);
        assert_eq!(collection.levels[1].to_xsb(), BOARD);
    }

    #[test]
    fn a_stray_character_neither_splits_nor_hides_a_board() {
        let board = "#####\n#@x$.#\n# %%  #\n$ . x\n######\n";
        let text = format!("{board}\n{BOARD}");
        assert_eq!(
            problems(&text),
            [
                (2, 3, Problem::IllegalCharacter('x')),
                (3, 3, Problem::IllegalCharacter('%')),
                (3, 4, Problem::IllegalCharacter('%')),
                (4, 5, Problem::IllegalCharacter('x')),
            ]
        );
        let collection = read_text(&text);
        assert_eq!(collection.levels.len(), 2);
        assert_eq!(collection.levels[0].height(), 5);
        assert!(matches!(
            collection.level(1),
            Err(LevelError::Broken { finding, .. }) if finding.place.line == 2
        ));
        assert_eq!(collection.level(2).unwrap().to_xsb(), BOARD);
    }

    #[test]
    fn a_stray_character_in_the_first_row_is_reported() {
        assert_eq!(
            problems("##!##\n#@$.#\n#####\n"),
            [(1, 3, Problem::IllegalCharacter('!'))]
        );
    }

    #[test]
    fn digits_in_a_plain_board_are_stray() {
        assert_eq!(
            problems("######\n#@2$.#\n######\n"),
            [(2, 3, Problem::IllegalCharacter('2'))]
        );
    }

    #[test]
    fn a_text_without_boards_is_reported() {
        assert_eq!(problems("hello\n"), [(1, 1, Problem::NoLevels)]);
        assert_eq!(problems(""), [(1, 1, Problem::NoLevels)]);
    }
}

mod names {
    use super::*;

    #[test]
    fn titles_before_boards() {
        let text = format!("My levels\nauthor: A. Person\n\n; 1\n{BOARD}\n; 2 'Duh!'\n{BOARD}");
        assert_eq!(titles(&text), some(&["1", "2 'Duh!'"]));
        let authors: Vec<Option<String>> = read_text(&text)
            .levels
            .into_iter()
            .map(|level| level.author)
            .collect();
        assert_eq!(authors, some(&["A. Person", "A. Person"]));
    }

    #[test]
    fn titles_before_boards_with_a_blank_line_between() {
        let text = format!(";  1\n\n{BOARD}\n;  2\n\n{BOARD}\n;  3\n\n{BOARD}");
        assert_eq!(titles(&text), some(&["1", "2", "3"]));
    }

    #[test]
    fn a_title_of_two_marked_lines_leaves_the_second_as_a_comment() {
        let text = format!(";  41\n'MS46 v2'\n\n{BOARD}");
        assert_eq!(titles(&text), some(&["41"]));
        let level = &read_text(&text).levels[0];
        assert_eq!(level.comment.as_deref(), Some("'MS46 v2'"));
    }

    #[test]
    fn prose_between_boards_is_no_title() {
        let text = format!("; 1\n{BOARD}\nThese levels\nare mine.\n\n{BOARD}");
        assert_eq!(titles(&text), [Some("1".into()), None]);
    }

    #[test]
    fn titles_after_boards() {
        let text = format!("{BOARD}; one\n\n{BOARD}; two\n");
        assert_eq!(titles(&text), some(&["one", "two"]));
        let text = format!("{BOARD}\none\n\n{BOARD}\ntwo\n");
        assert_eq!(titles(&text), some(&["one", "two"]));
        let text = format!("Two levels, by me\n\n{BOARD}one\n\n{BOARD}two\n");
        assert_eq!(titles(&text)[1], Some("two".into()));
    }

    #[test]
    fn key_lines_after_boards_prevail_over_notes_before() {
        let text = format!(
            ";file1.xsb\n{BOARD}Author: A\nTitle : Heart\nComment:\ncolor aqua\n\nDate: 1999\nComment-End:\n\n\
             ;file2.xsb\n{BOARD}Author: B\nTitle: F5\nComment: short\n"
        );
        let levels = read_text(&text).levels;
        assert_eq!(titles(&text), some(&["Heart", "F5"]));
        assert_eq!(levels[0].author.as_deref(), Some("A"));
        assert_eq!(levels[1].author.as_deref(), Some("B"));
        assert_eq!(
            levels[0].comment.as_deref(),
            Some("color aqua\n\nDate: 1999\nfile1.xsb")
        );
        assert_eq!(levels[1].comment.as_deref(), Some("short\nfile2.xsb"));
    }

    #[test]
    fn key_lines_before_boards_belong_to_them() {
        let text = format!("Title: A\nAuthor: X\n\n{BOARD}\nTitle: B\nAuthor: Y\n\n{BOARD}");
        assert_eq!(titles(&text), some(&["A", "B"]));
        assert_eq!(read_text(&text).levels[1].author.as_deref(), Some("Y"));
    }

    #[test]
    fn headings_between_sections_are_no_titles() {
        let text = format!(
            "; ====\n; ONE\n; ====\n// 2004 //\n\n{BOARD}\n; ====\n; TWO\n; ====\n\n{BOARD}"
        );
        assert_eq!(titles(&text), [None, None]);
    }

    #[test]
    fn latin1_names_are_read() {
        let mut bytes = BOARD.as_bytes().to_vec();
        bytes.extend(b"Author: Fran\xE7ois\n");
        let collection = parse(&bytes, "test");
        assert_eq!(collection.levels[0].author.as_deref(), Some("François"));
    }

    #[test]
    fn solutions_take_one_line_or_several() {
        let text = format!(
            "{BOARD}Title: A\nSolution: r\n\n{BOARD}Title: B\nSolution:\n2(lr)\nrR\nAuthor: X\n"
        );
        let levels = read_text(&text).levels;
        assert_eq!(levels[0].solution.as_deref(), Some("r"));
        assert_eq!(levels[1].solution.as_deref(), Some("2(lr)rR"));
        assert_eq!(levels[1].author.as_deref(), Some("X"));
    }

    #[test]
    fn an_unended_comment_hides_no_level() {
        let text = format!("{BOARD}Comment:\nlost\n\n{BOARD}Comment: x\nComment-End:\n");
        let collection = read_text(&text);
        assert_eq!(collection.levels.len(), 2);
        assert_eq!(problems(&text), [(4, 1, Problem::CommentOpen)]);
    }

    #[test]
    fn a_board_in_a_comment_is_pointed_out() {
        let text = format!("{BOARD}Comment:\nas in\n{BOARD}Comment-End:\n");
        assert_eq!(read_text(&text).levels.len(), 1);
        assert_eq!(
            problems(&text),
            [(6, 1, Problem::BoardInComment { opened: 4 })]
        );
    }
}

mod documents {
    use super::*;

    const HEAD: &str =
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<SokobanLevels>\n<Title>T</Title>\n";

    #[test]
    fn levels_with_ids_and_authors() {
        let text = format!(
            "{HEAD}<LevelCollection Copyright=\"A &amp; B\" MaxWidth=\"5\">\n\
             <Level Id=\"first\" Width=\"5\" Height=\"3\">\n<L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>\n</Level>\n\
             <Level Id=\"second\" Width=\"5\" Height=\"3\"><L>  ###</L><L>#@*#</L><L>####</L></Level>\n\
             </LevelCollection></SokobanLevels>"
        );
        let collection = read_text(&text);
        assert_eq!(collection.problems, []);
        assert_eq!(titles(&text), some(&["first", "second"]));
        assert_eq!(collection.levels[0].author.as_deref(), Some("A & B"));
        assert_eq!(collection.levels[0].to_xsb(), BOARD);
        assert_eq!(collection.levels[0].line, 6);
        assert_eq!(collection.levels[1].to_xsb(), "  ###\n#@*#\n####\n");
        let places = collection.places(1).unwrap();
        assert_eq!(places.at(2, 1), Place { line: 7, column: 6 });
    }

    #[test]
    fn latin1_documents_are_read() {
        let mut bytes = HEAD.as_bytes().to_vec();
        bytes.extend(b"<Level Id=\"caf\xE9\"><L>#@$.#</L></Level></SokobanLevels>");
        let collection = parse(&bytes, "test");
        assert_eq!(collection.levels[0].title.as_deref(), Some("café"));
        assert_eq!(collection.problems, []);
    }

    #[test]
    fn references_stand_for_their_characters() {
        let text =
            format!("{HEAD}<Level><L>&#35;@$.&#x23;</L><L>#&quot;#</L></Level></SokobanLevels>");
        let collection = read_text(&text);
        assert_eq!(collection.levels[0].to_xsb(), "#@$.#\n# #\n");
        assert_eq!(problems(&text), [(4, 33, Problem::IllegalCharacter('"'))]);
    }

    #[test]
    fn wrong_end_tags_hide_no_level() {
        let level = "<Level><L>#@$.#</L></Level>";
        let text = format!("{HEAD}<Level><L>#@$.#</X>\n{level}</Y>\n{level}<L");
        let collection = read_text(&text);
        assert_eq!(collection.levels.len(), 3);
        assert!(
            collection
                .problems
                .iter()
                .any(|finding| matches!(finding.problem, Problem::Xml(_)))
        );
    }

    #[test]
    fn a_wrong_stated_size_is_pointed_out() {
        let text =
            format!("{HEAD}<Level Width=\"5\" Height=\"x\"><L>#@$.#</L></Level></SokobanLevels>");
        let stated = |attribute, stated: &str, counted| Problem::StatedSize {
            attribute,
            stated: stated.to_owned(),
            counted,
        };
        assert_eq!(problems(&text), [(4, 1, stated("Height", "x", 1))]);
        let text = text
            .replace("Width=\"5\"", "Width=\"6\"")
            .replace("Height=\"x\"", "Height=\"1\"");
        assert_eq!(problems(&text), [(4, 1, stated("Width", "6", 5))]);
    }
}

#[test]
fn a_hostile_collection_is_cut_and_says_so() {
    // 65 rows of 1000 squares from 400 characters.
    let board = format!("1000#|#@$.#|{}1000#\n", "1000#|".repeat(62));
    let room = MAX_TOTAL_SQUARES / 65_000;
    let collection = read_text(&board.repeat(room + 2));
    assert_eq!(collection.levels.len(), room);
    let problem = Problem::CollectionTooLarge {
        max_squares: MAX_TOTAL_SQUARES,
    };
    let refused: Vec<&Finding> = collection
        .problems
        .iter()
        .filter(|finding| finding.problem == problem)
        .collect();
    assert_eq!(refused.len(), 1);
}

#[test]
fn a_level_that_does_not_exist_names_the_range() {
    let error = read_text(BOARD).level(2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "test: there is no level 2; expected 1 to 1"
    );
    assert!(read_text(BOARD).level(0).is_err());
}

#[test]
fn a_missing_file_says_how_to_get_levels() {
    let message = read("no/such.xsb").unwrap_err().to_string();
    assert!(
        message.starts_with("no/such.xsb: no such file"),
        "{message}"
    );
    assert!(message.contains("scripts/fetch-levels"), "{message}");
    assert!(matches!(read("."), Err(CollectionError::Directory { .. })));
}

/// Valid texts to be mutated.
const VALID: [&str; 3] = [
    "; 1\n#####\n#@$.#\n#####\nTitle: A\nAuthor: B\nComment:\nc\nComment-End:\nSolution: 2(lr)r\n\n; 2\n####\n#+$#\n####\n",
    "5#|#@$.#|5#\n5#\n#@$.#\n5#\n",
    "<?xml version=\"1.0\"?><SokobanLevels><LevelCollection Copyright=\"x\"><Level Id=\"1\" Width=\"5\"><L>#@$.#</L><L>&#35;</L></Level></LevelCollection></SokobanLevels>",
];

/// What every collection keeps, however broken its text.
fn holds_together(collection: &Collection) -> Result<(), TestCaseError> {
    for (index, level) in collection.levels.iter().enumerate() {
        prop_assert_eq!(level.number, index + 1);
        prop_assert!(level.rows.iter().all(|row| row.len() == level.width));
        prop_assert!(collection.places(level.number).is_some());
    }
    prop_assert!(!collection.levels.is_empty() || !collection.problems.is_empty());
    let _ = crate::sokoban::check::collection(collection);
    Ok(())
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        holds_together(&parse(&bytes, "test"))?;
    }

    #[test]
    fn no_board_like_text_makes_the_reader_panic(text in "[#@$.*+ob|()0-9;:A-C \\t\\n-]{0,200}") {
        holds_together(&parse(text.as_bytes(), "test"))?;
    }

    #[test]
    fn no_mutation_of_a_valid_text_makes_the_reader_panic(
        base in 0..VALID.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 0..12),
    ) {
        let mut bytes = VALID[base].as_bytes().to_vec();
        for (at, byte, kind) in edits {
            let at = at.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match kind {
                0 if !bytes.is_empty() => { bytes.remove(at); }
                1 if !bytes.is_empty() => bytes[at] = byte,
                _ => bytes.insert(at.min(bytes.len()), byte),
            }
        }
        holds_together(&parse(&bytes, "test"))?;
    }

    /// Whatever a level is, writing it and reading it gives it back.
    #[test]
    fn a_written_board_is_read_back(rows in prop::collection::vec("#[ .$*@+]{0,5}#", 2..6)) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let level = Level::from_rows(&rows);
        prop_assume!(level.to_xsb().lines().any(|row| row.chars().any(|symbol| symbol != '#' && symbol != ' ')));
        let collection = parse(level.to_xsb().as_bytes(), "test");
        prop_assert_eq!(&collection.levels[..], &[level][..]);
        prop_assert_eq!(&collection.problems[..], &[][..]);
    }
}
