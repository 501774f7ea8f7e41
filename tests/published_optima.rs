//! The oracle against optima that others found for Microban I. The levels and tables are not part of
//! the repository: where they are absent, a test says SKIPPED on standard error and passes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sokolab::sokoban::Level;
use sokolab::sokoban::collection::{self, Collection};
use sokolab::validate::{CostSpace, Optimum, optimum};

/// How many of the smallest levels are solved.
const LEVELS: usize = 90;

/// A shared file beside the repository or where `SOKOLAB_SHARED` says.
fn shared(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SOKOLAB_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let path = root.join(file);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} does not exist", path.display());
    None
}

/// Rows of a table, each by column name.
fn table(file: &str) -> Option<Vec<BTreeMap<String, String>>> {
    let mut reader = csv::Reader::from_path(shared(file)?).unwrap();
    Some(reader.deserialize().map(Result::unwrap).collect())
}

/// Number of the level that a table calls `M7`; other collections give none.
fn microban_number(name: &str) -> Option<usize> {
    name.strip_prefix('M')?.parse().ok()
}

/// The smallest levels of Microban I by number, with the pushes that the project's reference count found
/// without pruning; smallest by the positions that it stored.
fn smallest() -> Option<BTreeMap<usize, u64>> {
    let rows = table("tables/reference_bfs_microban1.csv")?;
    let mut levels: Vec<(u64, usize, u64)> = rows
        .iter()
        .filter(|row| row["prune"] == "0" && row["solved"] == "1")
        .map(|row| {
            let number = microban_number(&row["level"]).unwrap();
            (
                row["stored"].parse().unwrap(),
                number,
                row["pushes"].parse().unwrap(),
            )
        })
        .collect();
    levels.sort_unstable();
    levels.truncate(LEVELS);
    assert_eq!(levels.len(), LEVELS);
    Some(
        levels
            .into_iter()
            .map(|(_, number, pushes)| (number, pushes))
            .collect(),
    )
}

fn microban() -> Option<Collection> {
    Some(collection::read(shared("levels/microban_1_155.txt")?).unwrap())
}

fn pushes(level: &Level) -> u64 {
    match optimum(level, CostSpace::Pushes, 1 << 20).unwrap() {
        Optimum::Solved(cost) => cost,
        other => panic!("level {}: {other:?}", level.number),
    }
}

#[test]
fn the_oracle_agrees_with_the_reference_count() {
    let (Some(microban), Some(smallest)) = (microban(), smallest()) else {
        return;
    };
    for (number, expected) in smallest {
        assert_eq!(
            pushes(microban.level(number).unwrap()),
            expected,
            "level {number}"
        );
    }
}

/// T. Virkkala, Solving Sokoban, MSc thesis, Helsinki 2011: breadth-first search over pushes.
#[test]
fn the_oracle_agrees_with_virkkala() {
    let (Some(microban), Some(smallest)) = (microban(), smallest()) else {
        return;
    };
    let Some(rows) = table("tables/virkkala2011_exp1.csv") else {
        return;
    };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row["BFS_optimal"] == "1") {
        let Some(number) = microban_number(&row["level"]) else {
            continue;
        };
        if smallest.contains_key(&number) {
            let expected: u64 = row["BFS_pushes"].parse().unwrap();
            assert_eq!(
                pushes(microban.level(number).unwrap()),
                expected,
                "level {number}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 80, "only {compared} levels were compared");
}
