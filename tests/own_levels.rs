//! The project's own levels: sound, described, and with figures that the oracle proves again.

use std::path::{Path, PathBuf};

use sokolab::sokoban::collection::{self, Collection};
use sokolab::sokoban::finding::Severity;
use sokolab::sokoban::{Board, Level, check, lurd};
use sokolab::validate::{CostSpace, Optimum, census, optimum, replay};

const FILES: [&str; 3] = ["quickstart.xsb", "ladder.xsb", "deadlocks.xsb"];

/// Levels with at most so many positions in the space of moves are proved again.
const PROVED_AGAIN: u64 = 360_000;

const PLENTY: u64 = 1 << 20;

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("levels")
        .join(file)
}

fn levels(file: &str) -> Collection {
    collection::read(path(file)).unwrap()
}

/// A row of `optima.csv`. `None` stands for an empty field.
#[derive(Debug, PartialEq, serde::Deserialize)]
struct Row {
    file: String,
    number: usize,
    title: String,
    boxes: usize,
    floor: usize,
    push_states: Option<u64>,
    move_states: Option<u64>,
    push_optimal: Option<u64>,
    move_optimal: Option<u64>,
    solvable: Option<bool>,
}

fn rows() -> Vec<Row> {
    let mut table = csv::Reader::from_path(path("optima.csv")).unwrap();
    table.deserialize().map(Result::unwrap).collect()
}

#[test]
fn every_level_is_sound_and_says_who_made_it() {
    for file in FILES {
        let collection = levels(file);
        let errors: Vec<String> = check::collection(&collection)
            .iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(|finding| finding.render(file))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        for level in &collection.levels {
            assert!(level.title.is_some(), "{file}, level {}", level.number);
            assert_eq!(level.author.as_deref(), Some("The sokolab developers"));
        }
    }
}

#[test]
fn there_are_enough_levels_and_no_two_are_the_same() {
    let counts = FILES.map(|file| levels(file).levels.len());
    assert_eq!(counts[0], 6);
    assert!(counts[1] >= 30 && counts[2] >= 10, "{counts:?}");
    assert!(counts.iter().sum::<usize>() >= 44, "{counts:?}");
    let mut boards: Vec<String> = Vec::new();
    let mut titles: Vec<Option<String>> = Vec::new();
    for level in FILES.iter().flat_map(|file| levels(file).levels) {
        assert!(!boards.contains(&level.to_xsb()), "{:?}", level.title);
        assert!(!titles.contains(&level.title), "{:?}", level.title);
        boards.push(level.to_xsb());
        titles.push(level.title);
    }
}

#[test]
fn the_table_describes_every_level() {
    let mut rows = rows().into_iter();
    for file in FILES {
        for level in levels(file).levels {
            let row = rows.next().expect("a row for each level");
            let board = Board::new(&level).unwrap();
            assert_eq!((row.file.as_str(), row.number), (file, level.number));
            assert_eq!(Some(row.title), level.title);
            assert_eq!(row.boxes, board.initial_boxes().len());
            assert_eq!(row.floor, board.floor());
        }
    }
    assert_eq!(rows.next(), None, "a row without a level");
}

#[test]
fn the_ladder_climbs_from_trivial_to_over_a_million_positions() {
    let mut states: Vec<u64> = Vec::new();
    for row in rows().iter().filter(|row| row.file != "deadlocks.xsb") {
        assert_eq!(row.solvable, Some(true), "{}", row.title);
        if row.file == "ladder.xsb" {
            states.push(row.push_states.unwrap());
        }
    }
    assert!(states.is_sorted(), "{states:?}");
    assert!(states[0] < 10 && *states.last().unwrap() > 1_000_000);
}

#[test]
fn the_quickstart_levels_are_of_the_promised_size() {
    for row in rows().iter().filter(|row| row.file == "quickstart.xsb") {
        let states = row.push_states.unwrap();
        assert!((1_000..=200_000).contains(&states), "{}", row.title);
    }
}

/// Every figure of a row is proved afresh and compared with the table.
fn prove(row: &Row, level: &Level) {
    let cost = |space| match optimum(level, space, PLENTY).unwrap() {
        Optimum::Solved(cost) => Some(cost),
        Optimum::Unsolvable => None,
        Optimum::TooLarge => panic!("{}: too large", row.title),
    };
    let counted = |space| census(level, space, PLENTY).unwrap();
    let (pushes, moves) = (counted(CostSpace::Pushes), counted(CostSpace::Moves));
    assert_eq!(row.push_states, Some(pushes.states), "{}", row.title);
    assert_eq!(row.move_states, Some(moves.states), "{}", row.title);
    assert_eq!(row.push_optimal, cost(CostSpace::Pushes), "{}", row.title);
    assert_eq!(row.move_optimal, cost(CostSpace::Moves), "{}", row.title);
    assert_eq!(row.solvable, Some(pushes.solvable), "{}", row.title);
    assert_eq!(row.solvable, Some(moves.solvable), "{}", row.title);
}

#[test]
fn the_smaller_levels_are_proved_again() {
    let collections = FILES.map(levels);
    let mut proved = 0;
    for row in rows() {
        if row.move_states.is_some_and(|states| states <= PROVED_AGAIN) {
            let file = FILES.iter().position(|file| *file == row.file).unwrap();
            prove(&row, collections[file].level(row.number).unwrap());
            proved += 1;
        }
    }
    assert!(proved >= 40, "only {proved} levels were proved again");
}

/// Whether a solution is left after the steps have been carried out on a level of `deadlocks.xsb`.
fn solvable_after(title: &str, steps: &str) -> bool {
    let collection = levels("deadlocks.xsb");
    let mut levels = collection.levels.iter();
    let level = levels.find(|level| level.title.as_deref() == Some(title));
    let steps = lurd::parse(steps).unwrap();
    let end = replay(level.expect("a level of this title"), &steps)
        .unwrap()
        .end;
    optimum(&end, CostSpace::Pushes, PLENTY).unwrap() != Optimum::Unsolvable
}

/// Each solvable level has its deadlock one push away from a position that can still be solved.
#[test]
fn the_comments_tell_which_push_is_the_mistake() {
    let mistakes = [
        ("Corner", "rrruLL"),
        ("Static Edge", "dlU"),
        ("Dynamic Edge", "lUdrrU"),
        ("Frozen Pair", "ulDurrrDrdLL"),
        ("Two by Two", "LL"),
        ("Pillar Block", "L"),
        ("Freeze Chain", "ulllddrUluRRlddrUddrU"),
        ("Corral", "rRldR"),
        ("Two Boxes, One Goal", "luRRRllldddrUUluR"),
    ];
    for (title, steps) in mistakes {
        assert!(!solvable_after(title, steps), "{title}: no deadlock");
        let before = &steps[..steps.len() - 1];
        assert!(solvable_after(title, before), "{title}: lost before");
    }
}

#[test]
fn a_pair_frozen_on_its_goals_is_no_deadlock() {
    assert!(solvable_after("Frozen on Goals", "ullllddrUdrU"));
}

#[test]
fn some_levels_have_no_solution() {
    let rows = rows();
    let unsolvable: Vec<&str> = rows
        .iter()
        .filter(|row| row.solvable == Some(false))
        .map(|row| row.title.as_str())
        .collect();
    let expected = [
        "Cornered",
        "Closed Diagonal",
        "Sealed Doorway",
        "Tunnel",
        "Bend",
    ];
    assert_eq!(unsolvable, expected);
}
