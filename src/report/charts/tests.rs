use std::collections::BTreeSet;

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;

use super::*;
use crate::experiment::Row;
use crate::report::canvas;
use crate::report::scene::{Area, Item};
use crate::report::synthetic::{self, SCALING, Sweep, USUAL};

/// Many strategies, all pruning levels, many threads: the most crowded report.
const CROWDED: Sweep<'static> = Sweep {
    strategies: &["astar", "bfs", "dfs", "greedy"],
    ladder: 4,
    threading: &[
        ("sequential", 1),
        ("shared", 2),
        ("shared", 64),
        ("layered", 8),
        ("actors", 16),
    ],
    // The highest levels run over the limit, so that counts stand upward on bars.
    levels: 9,
    repetitions: 2,
};

/// Datasets that between them draw every chart, with usual, crowded and long-winded labels.
fn datasets() -> Vec<Dataset> {
    let mut wordy = synthetic::rows(&USUAL);
    for row in &mut wordy {
        row.strategy = format!("{}-with-a-rather-long-name", row.strategy);
        "minimum-matching-with-linear-conflicts".clone_into(&mut row.heuristic);
        row.pruning = format!("{}-and-everything-before-it", row.pruning);
    }
    let mut sweeps: Vec<Dataset> = [&USUAL, &SCALING, &CROWDED]
        .map(|sweep| Dataset::new(synthetic::rows(sweep)))
        .into();
    sweeps.push(Dataset::new(wordy));
    sweeps
}

fn drawings() -> Vec<(&'static str, Drawing)> {
    let draw = |data: &Dataset| -> Vec<(&'static str, Drawing)> {
        let drawn = CHARTS.iter().filter_map(|chart| {
            let drawing = (chart.draw)(data, chart.question).ok()?;
            Some((chart.name, drawing))
        });
        drawn.collect()
    };
    datasets().iter().flat_map(draw).collect()
}

#[test]
fn every_chart_is_drawn_by_some_dataset() {
    let drawn: BTreeSet<&str> = drawings().iter().map(|(name, _)| *name).collect();
    let all: BTreeSet<&str> = CHARTS.iter().map(|chart| chart.name).collect();
    assert_eq!(drawn, all);
    assert_eq!(all.len(), CHARTS.len(), "two charts have one name");
}

#[test]
fn text_is_large_enough_inside_the_picture_and_never_over_other_text() {
    for (name, drawing) in drawings() {
        let scene = &drawing.scene;
        let picture = Area {
            left: 0.0,
            top: 0.0,
            right: scene.width,
            bottom: scene.height,
        };
        let texts: Vec<_> = scene.texts().collect();
        for (index, text) in texts.iter().enumerate() {
            let bounds = text.bounds();
            assert!(text.size >= 12.0, "{name}: {text:?}");
            assert!(picture.contains(&bounds), "{name}: {text:?} at {bounds:?}");
            for other in &texts[..index] {
                assert!(
                    !bounds.overlaps(&other.bounds()),
                    "{name}: {:?} over {:?}",
                    text.content,
                    other.content
                );
            }
        }
    }
}

#[test]
fn everything_else_is_inside_the_picture_too() {
    for (name, drawing) in drawings() {
        let scene = &drawing.scene;
        let inside = |&(x, y): &(f64, f64)| {
            (0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y)
        };
        for item in &scene.items {
            let fits = match item {
                Item::Line { points, .. } | Item::Polygon { points, .. } => {
                    points.iter().all(inside)
                }
                Item::Disc { center, .. } => inside(center),
                Item::Text(_) => true,
            };
            assert!(fits, "{name}: {item:?}");
        }
    }
}

/// A text of an SVG: its place and its content.
type SvgText = ((f64, f64), String);

/// The view box and the texts of an SVG. Fails the test if the document is not well-formed.
fn svg_texts(svg: &str) -> (String, Vec<SvgText>) {
    let mut reader = Reader::from_str(svg);
    let mut view_box = String::new();
    let mut texts: Vec<SvgText> = Vec::new();
    let mut inside_text = false;
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(tag) => {
                let attribute = |name: &str| -> Option<String> {
                    let found = tag
                        .try_get_attribute(name)
                        .expect("well-formed attribute")?;
                    Some(found.value.to_string())
                };
                let number = |name: &str| attribute(name).and_then(|v| v.parse().ok());
                inside_text = tag.name().as_ref() == "text";
                if inside_text {
                    let at = (number("x").expect("x"), number("y").expect("y"));
                    texts.push((at, String::new()));
                } else if let Some(found) = attribute("viewBox") {
                    view_box = found;
                }
            }
            Event::Text(text) if inside_text => {
                texts
                    .last_mut()
                    .expect("an open text")
                    .1
                    .push_str(text.trim());
            }
            Event::End(_) => inside_text = false,
            Event::Eof => return (view_box, texts),
            _ => {}
        }
    }
}

#[test]
fn svg_is_well_formed_and_carries_its_labels_in_its_viewport() {
    for (name, drawing) in drawings() {
        let svg = canvas::svg(&drawing.scene).unwrap();
        let (view_box, texts) = svg_texts(&svg);
        let sides: Vec<f64> = view_box
            .split(' ')
            .map(|side| side.parse().unwrap())
            .collect();
        let written: BTreeSet<&str> = texts.iter().map(|(_, content)| content.as_str()).collect();
        for text in drawing.scene.texts() {
            // Quotes come back as entities, which split a text; those are looked at elsewhere.
            if !text.content.contains(['"', '\'', '&', '<', '>']) {
                assert!(written.contains(text.content.as_str()), "{name}: {text:?}");
            }
        }
        for ((x, y), content) in &texts {
            let inside = (0.0..=sides[2]).contains(x) && (0.0..=sides[3]).contains(y);
            assert!(inside, "{name}: {content:?} at {x}, {y}");
        }
        assert!(svg.starts_with("<svg width=\"960\" "), "{name}");
    }
}

#[test]
fn axes_name_levels_strategies_and_units() {
    let data = Dataset::new(synthetic::rows(&USUAL));
    let drawing = effort::time(&data, "How long?").unwrap();
    let texts: Vec<&str> = drawing.scene.texts().map(|t| t.content.as_str()).collect();
    for label in [
        "How long?",
        "none",
        "corner",
        "edge",
        "frozen",
        "bfs",
        "dfs",
        "greedy",
        "wall time (log scale)",
        "pruning level",
        "10 ms",
        "1 s",
    ] {
        assert!(texts.contains(&label), "{label} is not in {texts:?}");
    }
}

/// Width and height from the header of a PNG (PNG specification, 11.2.1): big-endian at bytes 16 and 20.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn png_has_twice_the_size_of_the_scene_and_is_not_blank() {
    let directory = tempfile::tempdir().unwrap();
    let data = Dataset::new(synthetic::rows(&USUAL));
    let scene = effort::states(&data, "How many?").unwrap().scene;
    let path = directory.path().join("chart.png");
    canvas::write_png(&scene, &path).unwrap();
    let drawn = std::fs::read(&path).unwrap();
    canvas::write_png(&Scene::new(scene.width, scene.height), &path).unwrap();
    let blank = std::fs::read(&path).unwrap();
    let size = (
        scene.width.ceil() as u32 * 2,
        scene.height.ceil() as u32 * 2,
    );
    assert_eq!((png_size(&drawn), png_size(&blank)), (size, size));
    assert!(
        drawn.len() > 2 * blank.len(),
        "{} and {}",
        drawn.len(),
        blank.len()
    );
}

#[test]
fn a_png_that_cannot_be_written_is_an_error() {
    let nowhere = std::path::Path::new("/nonexistent/directory/chart.png");
    let error = canvas::write_png(&Scene::new(10.0, 10.0), nowhere).unwrap_err();
    assert!(error.to_string().contains("PNG"), "{error}");
}

#[test]
fn time_of_censored_runs_is_not_drawn() {
    // Every answered run takes 1 s, every censored one 1000 s: the axis must not reach the latter.
    let row = |level: u64, status: &str, wall_s: f64| Row {
        level,
        status: status.to_owned(),
        wall_s: Some(wall_s),
        ..Row::default()
    };
    let data = Dataset::new(vec![
        row(1, "solved", 1.0),
        row(1, "solved", 1.0),
        row(1, "time_limit", 1000.0),
        row(2, "memory_limit", 1000.0),
    ]);
    for draw in [effort::time, survival::draw] {
        let scene = draw(&data, "t").unwrap().scene;
        assert!(scene.texts().all(|text| !text.content.starts_with("1000")));
        assert!(scene.texts().any(|text| text.content.starts_with("1 s")));
    }
}

#[test]
fn savings_are_geometric_means_of_paired_ratios() {
    // Level 1 falls to a quarter, level 2 to one hundredth: together to a twentieth. Level 3 has no
    // partner.
    let row = |level: u64, pruning: &str, states: u64| Row {
        level,
        pruning: pruning.to_owned(),
        status: "solved".to_owned(),
        states_visited: Some(states),
        pruned_by_rule: vec![("corner".to_owned(), (pruning == "corner").then_some(1))],
        ..Row::default()
    };
    let data = Dataset::new(vec![
        row(1, "none", 400),
        row(1, "corner", 100),
        row(2, "none", 10_000),
        row(2, "corner", 100),
        row(3, "corner", 5),
    ]);
    let reading = savings::states(&data, "t").unwrap().reading;
    assert!(reading.contains("5 % of \"none\""), "{reading}");
    assert!(reading.contains("(n = 2)"), "{reading}");
}

fn any_count() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![
        Just(None),
        Just(Some(0)),
        Just(Some(u64::MAX)),
        (0..5000_u64).prop_map(Some)
    ]
}

fn any_measurement() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        Just(None),
        Just(Some(0.0)),
        Just(Some(f64::NAN)),
        Just(Some(f64::INFINITY)),
        Just(Some(f64::MAX)),
        Just(Some(f64::MIN_POSITIVE)),
        Just(Some(-1.0)),
        (1e-6..1e4_f64).prop_map(Some),
    ]
}

prop_compose! {
    fn any_row()(
        level in 0..4_u64,
        names in prop::array::uniform4(0..3_usize),
        threads in prop_oneof![Just(0_u64), Just(1), Just(2), Just(u64::MAX)],
        status in prop::sample::select(vec!["solved", "complete", "time_limit", "crashed", ""]),
        counts in prop::array::uniform4(any_count()),
        wall_s in any_measurement(),
        rules in prop::collection::vec(("[a-c]?", any_count()), 0..3),
    ) -> Row {
        let name = |index: usize| ["", "sequential", "a·<b>&\"c\""][names[index]].to_owned();
        Row {
            level,
            strategy: name(0),
            pruning: name(1),
            threading: name(2),
            table: name(3),
            threads,
            status: status.to_owned(),
            generated: counts[0],
            states_visited: counts[1],
            expanded: counts[2],
            peak_rss_bytes: counts[3],
            wall_s,
            pruned_by_rule: rules,
            ..Row::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_rows_never_panic(rows in prop::collection::vec(any_row(), 0..24)) {
        let data = Dataset::new(rows);
        for chart in &CHARTS {
            if let Ok(drawing) = (chart.draw)(&data, chart.question) {
                let finite = drawing.scene.items.iter().all(|item| match item {
                    Item::Line { points, .. } | Item::Polygon { points, .. } => {
                        points.iter().all(|(x, y)| x.is_finite() && y.is_finite())
                    }
                    Item::Disc { center, .. } => center.0.is_finite() && center.1.is_finite(),
                    Item::Text(text) => text.at.0.is_finite() && text.at.1.is_finite(),
                });
                prop_assert!(finite, "{}", chart.name);
                prop_assert!(drawing.scene.height < 10_000.0);
            }
        }
    }
}
