//! The table of a comparison.

use crate::comparison::{Comparison, Series};
use crate::contender::{HASH_SET, PUSH_REFERENCE, STATERIGHT, Space};
use crate::statistics::{median, ratio};

/// Prints the series on the main level, one table for each space, the fastest last.
pub fn print(comparison: &Comparison) {
    for space in [Space::Moves, Space::Pushes] {
        let level = comparison.level;
        let mut series: Vec<&Series> = on_main_level(comparison, space).collect();
        series.sort_by(|one, other| rate(one).total_cmp(&rate(other)));
        if series.is_empty() {
            continue;
        }
        let states = space.states_of(&level);
        println!("\n{} of {}: {states} states", space.name(), level.name);
        let bases = bases(comparison, space);
        print_head(&bases);
        for series in series {
            print_line(series, &bases);
        }
    }
}

/// What ratios are taken to: a title, and rates round by round.
type Bases = Vec<(&'static str, Vec<Option<f64>>)>;

fn bases(comparison: &Comparison, space: Space) -> Bases {
    let of = |name| {
        comparison
            .find(comparison.level.name, name, 1)
            .map(Series::rates)
    };
    let bases = match space {
        Space::Moves => vec![
            ("x stateright", of(STATERIGHT)),
            (
                "x best HashSet",
                best_hash_set(comparison).map(Series::rates),
            ),
        ],
        Space::Pushes => vec![("x reference", of(PUSH_REFERENCE))],
    };
    let known = bases.into_iter();
    known
        .filter_map(|(title, rates)| Some((title, rates?)))
        .collect()
}

/// The fastest of the hand-written loops over a set of the standard library.
pub fn best_hash_set(comparison: &Comparison) -> Option<&Series> {
    let loops = on_main_level(comparison, Space::Moves)
        .filter(|series| series.contender.name.starts_with(HASH_SET));
    loops.max_by(|one, other| rate(one).total_cmp(&rate(other)))
}

fn on_main_level(comparison: &Comparison, space: Space) -> impl Iterator<Item = &Series> {
    let name = comparison.level.name;
    let series = comparison.series.iter();
    series.filter(move |series| series.level.name == name && series.contender.space == space)
}

/// The median rate; 0 if there is none.
fn rate(series: &Series) -> f64 {
    median(series.rates().into_iter().flatten()).unwrap_or(0.0)
}

fn print_head(bases: &Bases) {
    let titles: String = bases
        .iter()
        .map(|(title, _)| format!(" {title:>15}"))
        .collect();
    let (who, threads, rate, spread) = ("who", "threads", "M states/s", "least..most");
    println!(
        "{who:<42} {threads:>7} {rate:>10} {spread:>16} {:>11}{titles}",
        "bytes/state"
    );
}

fn print_line(series: &Series, bases: &Bases) {
    let rates = series.rates();
    let known = || rates.iter().flatten().map(|rate| rate / 1e6);
    let least = known().fold(f64::INFINITY, f64::min);
    let most = known().fold(0.0, f64::max);
    let spread = format!("{least:.2}..{most:.2}");
    let ratios: String = bases
        .iter()
        .map(|(_, base)| format!(" {:>15}", figure(ratio(&rates, base))))
        .collect();
    println!(
        "{:<42} {:>7} {:>10} {spread:>16} {:>11}{ratios}",
        series.contender.name,
        series.contender.threads,
        figure(median(known())),
        figure(series.bytes_per_state()),
    );
}

/// Two decimals, or a dash.
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}
