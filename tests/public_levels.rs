//! The readers against public collections. Levels are not part of the repository: a test whose
//! files are absent says SKIPPED on standard error and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sokolab::sokoban::collection::{self, Collection};
use sokolab::sokoban::finding::Severity;
use sokolab::sokoban::{Board, check, lurd};

/// Levels of the Debian package `cavepacker-data`.
const CAVEPACKER: &str = "/usr/share/games/cavepacker/maps";

/// A shared file beside the repository or where `SOKOLAB_SHARED` says.
fn shared(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SOKOLAB_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    existing(root.join("levels").join(file))
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} does not exist", path.display());
    None
}

fn errors(collection: &Collection) -> Vec<String> {
    check::collection(collection)
        .iter()
        .filter(|finding| finding.severity() == Severity::Error)
        .map(|finding| finding.render(&collection.name))
        .collect()
}

/// Reads a shared file, which must hold so many good levels.
fn expect_levels(file: &str, count: usize) -> Option<Collection> {
    let collection = collection::read(shared(file)?).unwrap();
    assert_eq!(collection.levels.len(), count, "{file}");
    assert_eq!(errors(&collection), Vec::<String>::new());
    for level in &collection.levels {
        Board::new(level).unwrap();
    }
    Some(collection)
}

#[test]
fn xsokoban_has_90_good_levels() {
    if let Some(collection) = expect_levels("xsokoban_90.xsb", 90) {
        let title = |number: usize| collection.level(number).unwrap().title.clone();
        assert_eq!(title(1).as_deref(), Some("screen.01"));
        assert_eq!(title(90).as_deref(), Some("screen.90"));
    }
}

#[test]
fn microban_has_155_good_levels() {
    if let Some(collection) = expect_levels("microban_1_155.txt", 155) {
        let level = collection.level(44).unwrap();
        assert_eq!(level.title.as_deref(), Some("44 'Duh!'"));
        assert_eq!(level.author.as_deref(), Some("David W. Skinner"));
        assert_eq!(level.line, 413);
    }
}

#[test]
fn the_collections_of_aymeric_du_peloux_have_282_good_levels() {
    if let Some(collection) = expect_levels("aymeric_du_peloux_282.xsb", 282) {
        let named = |wanted: &str| {
            let levels = collection.levels.iter();
            levels
                .filter(|level| level.title.as_deref() == Some(wanted))
                .count()
        };
        assert_eq!(named("Ossicles"), 1);
        assert_eq!(named("Bonzaï"), 1);
        assert_eq!(named("NABOKOSMOS 18 var."), 1);
    }
}

#[test]
fn boxoban_has_1000_good_levels() {
    expect_levels("boxoban_medium_valid_000.txt", 1000);
}

/// Files of the package with an extension, sorted.
fn cavepacker(extension: &str) -> Vec<PathBuf> {
    let Some(root) = existing(PathBuf::from(CAVEPACKER)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// Reads the one level of each map and names the errors that are found.
fn errors_of_maps(files: &[PathBuf]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let collection = collection::read(file).unwrap();
        assert_eq!(collection.levels.len(), 1, "{}", file.display());
        found.extend(errors(&collection));
    }
    found
}

/// Two maps are none for one player and a search state: one is for two players, and one has more
/// floor than is supported.
#[test]
fn every_other_map_of_cavepacker_is_one_good_level() {
    let maps = cavepacker("sok");
    let found = errors_of_maps(&maps);
    if !maps.is_empty() {
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("multiplayer0001.sok:9:7: error: level 1: another player"));
        assert!(found[1].contains("sasquatch08_0049.sok:3:1: error: level 1: 1161 floor cells"));
    }
}

#[test]
fn all_1011_solutions_of_cavepacker_are_lurd() {
    let files = cavepacker("sol");
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let steps =
            lurd::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(!steps.is_empty(), "{}", file.display());
    }
    assert!(files.is_empty() || files.len() == 1011, "{}", files.len());
}

/// Runs `scripts/fetch-levels`, which writes to `out`.
fn fetch_levels(source: &str, out: &Path) -> Output {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/fetch-levels"))
        .arg(source)
        .env("LEVELS_OUT", out)
        .output()
        .unwrap()
}

#[test]
fn fetched_collections_have_1011_levels_with_solutions() {
    if existing(PathBuf::from(CAVEPACKER)).is_none() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let output = fetch_levels(CAVEPACKER, out.path());
    assert!(output.status.success(), "{output:?}");
    let mut levels = 0;
    for entry in fs::read_dir(out.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "xsb") {
            continue;
        }
        let collection = collection::read(&path).unwrap();
        assert_eq!(collection.problems, [], "{}", path.display());
        levels += collection.levels.len();
        for level in &collection.levels {
            assert!(level.title.is_some(), "{} {}", path.display(), level.number);
            let solution = level.solution.as_deref().unwrap();
            assert!(!lurd::parse(solution).unwrap().is_empty());
        }
    }
    assert_eq!(levels, 1011);
}

#[test]
fn fetching_from_nowhere_fails_and_says_what_to_do() {
    let out = tempfile::tempdir().unwrap();
    for source in ["no/such/file.deb", env!("CARGO_MANIFEST_DIR")] {
        let output = fetch_levels(source, out.path());
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(message.contains("expected"), "{message}");
    }
}
