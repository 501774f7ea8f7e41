//! Pages with good and bad markers.

use super::*;

/// Each part is its name in brackets; a part called `none` does not exist.
fn spliced(page: &str) -> Result<Option<String>, (usize, String)> {
    let content = |name: &str| match name {
        "none" => Err(unknown(name)),
        _ => Ok(format!("[{name}]\n")),
    };
    replaced(page, content).map_err(|(line, fault)| (line, fault.to_string()))
}

#[test]
fn what_stands_between_markers_is_replaced_and_nothing_else() {
    let page = "# Title\n\n  <!-- sokolab:begin a -->\nold\n\nold\n<!-- sokolab:end a -->\ntext\n\
                <!--  sokolab is good -->\n<!-- sokolab:begin b -->\n<!-- sokolab:end b -->";
    let expected = "# Title\n\n  <!-- sokolab:begin a -->\n\n[a]\n\n<!-- sokolab:end a -->\ntext\n\
                    <!--  sokolab is good -->\n<!-- sokolab:begin b -->\n\n[b]\n\n<!-- sokolab:end b -->";
    let once = spliced(page).unwrap().unwrap();
    assert_eq!(once, expected);
    assert_eq!(spliced(&once).unwrap().unwrap(), once);
}

#[test]
fn a_page_keeps_its_line_breaks() {
    let page = "a\r\n<!-- sokolab:begin a -->\r\n<!-- sokolab:end a -->\r\n";
    let expected = "a\r\n<!-- sokolab:begin a -->\r\n\r\n[a]\r\n\r\n<!-- sokolab:end a -->\r\n";
    assert_eq!(spliced(page).unwrap().unwrap(), expected);
}

#[test]
fn markers_in_code_are_text() {
    let page = "````md\n```\n<!-- sokolab:begin a -->\n````\n~~~\n<!-- sokolab:end a -->\n~~~\n";
    assert_eq!(spliced(page), Ok(None));
    let in_text = "```x``` y\n<!-- sokolab:begin a -->\n<!-- sokolab:end a -->\n";
    assert!(spliced(in_text).unwrap().is_some());
}

#[test]
fn markers_out_of_order_are_named_with_line_and_remedy() {
    let (begin, end) = ("<!-- sokolab:begin a -->\n", "<!-- sokolab:end a -->\n");
    let other = "<!-- sokolab:begin b -->\n";
    let cases = [
        (format!("x\n{begin}x\n"), 2, "put <!-- sokolab:end a -->"),
        (
            format!("{begin}x\n{other}{end}"),
            1,
            "put <!-- sokolab:end a -->",
        ),
        (
            format!("{begin}{end}{end}"),
            3,
            "put <!-- sokolab:begin a -->",
        ),
        (format!("{other}{end}"), 1, "put <!-- sokolab:end b -->"),
        (
            "\n\n<!-- sokolab:start a -->\n".to_owned(),
            3,
            "is no marker; expected",
        ),
        (
            "<!-- sokolab:begin a\n".to_owned(),
            1,
            "is no marker; expected",
        ),
        (
            "<!-- sokolab:begin none -->\n".to_owned(),
            1,
            "expected one of summary, comparison, chart:coverage,",
        ),
    ];
    for (page, line, words) in cases {
        let (found, fault) = spliced(&page).unwrap_err();
        assert_eq!(found, line, "{page:?}: {fault}");
        assert!(fault.contains(words), "{page:?}: {fault}");
    }
}

#[test]
fn a_way_between_directories_goes_up_and_down() {
    let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
    assert_eq!(way("/a/b", "/a/b/c/report"), "c/report");
    assert_eq!(way("/a/docs/x", "/a/results"), "../../results");
    assert_eq!(way("/a", "/a"), ".");
}

mod arbitrary {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn splicing_twice_is_splicing_once(
            lines in prop::collection::vec(
                prop::sample::select(vec![
                    "text", "```", "", "<!-- sokolab:begin a -->", "<!-- sokolab:end a -->", "<!-- sokolab:begin b -->",
                    "<!-- sokolab:end b -->",
                ]),
                0..12,
            )
        ) {
            if let Ok(Some(once)) = spliced(&lines.join("\n")) {
                prop_assert_eq!(spliced(&once), Ok(Some(once)));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "(<!-- sokolab:|begin|end| |-->|\n|`|~|.){0,40}") {
            let _ = spliced(&text);
        }
    }
}
