//! What sokolab is to reach, and whether it does.

use crate::comparison::{Comparison, Series};
use crate::contender::{DASHSET, JAVA, PUSH_REFERENCE, SOKOLAB, STATERIGHT, Space};
use crate::level::{MILLION, THOUSAND};
use crate::report::{best_hash_set, figure};
use crate::statistics::ratio;

/// Spaces from this size up are meant by the targets of speed in the space of moves.
const LARGE_MOVES: u64 = 10_000_000;
/// Below this size a second thread gains nothing, whatever the program.
const WORTH_TWO_THREADS: u64 = 1_000_000;
/// The size of the target of scale.
const SCALE: u64 = 100_000_000;
/// Bytes within which it is to be kept.
const SCALE_BYTES: f64 = 2.5 * 1024.0 * 1024.0 * 1024.0;

/// What a figure is to be.
#[derive(Debug, Clone, Copy)]
enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

impl Bound {
    fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(least) => figure >= least,
            Self::AtMost(most) => figure <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(least) => format!("at least {least}"),
            Self::AtMost(most) => format!("at most {most}"),
        }
    }
}

/// One target: in words, what is asked, and what was measured.
struct Target {
    words: String,
    bound: Bound,
    figure: Option<f64>,
}

impl Target {
    fn new(words: impl Into<String>, bound: Bound, figure: Option<f64>) -> Self {
        let words = words.into();
        Self {
            words,
            bound,
            figure,
        }
    }

    fn print(&self) {
        let verdict = match self.figure {
            None => "not measured",
            Some(figure) if self.bound.holds(figure) => "reached",
            Some(_) => "NOT REACHED",
        };
        let (figure, bound) = (figure(self.figure), self.bound.text());
        println!("{verdict:<12} {figure:>9}  {bound:<13}  {}", self.words);
    }
}

/// Prints every target that the level is large enough for.
pub fn print(comparison: &Comparison) {
    println!("\nTargets, on {}", comparison.level.name);
    let view = View(comparison);
    let level = comparison.level;
    if level.move_states >= LARGE_MOVES {
        let targets = [
            view.speed(),
            view.two_threads(Space::Moves),
            view.off_the_shelf(),
            view.memory(),
        ];
        targets.iter().flatten().for_each(Target::print);
    } else {
        println!(
            "             too small for the targets of moves: they begin at {LARGE_MOVES} states"
        );
    }
    view.push_speed().print();
    if level.push_states >= WORTH_TWO_THREADS {
        view.two_threads(Space::Pushes)
            .iter()
            .for_each(Target::print);
    } else {
        println!(
            "             too small for two threads in pushes: {WORTH_TWO_THREADS} states are worth it"
        );
    }
    if level.move_states >= SCALE {
        view.scale().iter().for_each(Target::print);
    }
    view.early_stop().print();
}

/// A comparison, asked for what the targets speak of.
struct View<'a>(&'a Comparison);

impl<'a> View<'a> {
    /// Series of sokolab on a level whose names contain all the parts, on a number of threads.
    fn own(
        &self,
        level: &'a str,
        parts: &'a [&'a str],
        threads: usize,
    ) -> impl Iterator<Item = &'a Series> {
        self.0.series.iter().filter(move |series| {
            let contender = &series.contender;
            series.level.name == level
                && contender.name.starts_with(SOKOLAB)
                && contender.threads == threads
                && parts.iter().all(|part| contender.name.contains(part))
        })
    }

    fn main(&self, parts: &'a [&'a str], threads: usize) -> impl Iterator<Item = &'a Series> {
        self.own(self.0.level.name, parts, threads)
    }

    /// The best ratio of rates of sokolab to somebody else.
    fn best(&self, parts: &'a [&'a str], threads: usize, base: Option<&Series>) -> Option<f64> {
        let base = base?.rates();
        let ratios = self
            .main(parts, threads)
            .filter_map(|own| ratio(&own.rates(), &base));
        ratios.max_by(f64::total_cmp)
    }

    fn peer(&self, name: &str, threads: usize) -> Option<&'a Series> {
        self.0.find(self.0.level.name, name, threads)
    }

    fn speed(&self) -> Vec<Target> {
        let (hash, auto) = (&["-moves-", "-hash"], &["-moves-", "-auto"]);
        let (checker, set) = (self.peer(STATERIGHT, 1), best_hash_set(self.0));
        let mut targets = Vec::new();
        for (table, parts, checker_factor, set_factor) in
            [("hash", hash, 15.0, 3.5), ("auto", auto, 50.0, 10.0)]
        {
            let to = |base| self.best(parts, 1, base);
            let words = |base: &str| format!("{table}, moves, 1 thread: times {base}");
            targets.push(Target::new(
                words("stateright bfs"),
                Bound::AtLeast(checker_factor),
                to(checker),
            ));
            targets.push(Target::new(
                words("the best HashSet loop"),
                Bound::AtLeast(set_factor),
                to(set),
            ));
        }
        targets
    }

    /// Each model on two threads against the sequential one, strategy by strategy, table by table.
    fn two_threads(&self, space: Space) -> Vec<Target> {
        let models = [("shared", 1.7), ("layered", 1.7), ("actors", 1.5)];
        let mut targets = Vec::new();
        for (model, factor) in models {
            let space_part = format!("-{}-", space.name());
            for series in self.main(&[], 2) {
                let name = &series.contender.name;
                // What `auto` takes differs from model to model.
                let is_choice = name.ends_with("-auto");
                if is_choice || !name.contains(&space_part) || !name.contains(model) {
                    continue;
                }
                let sequential = self.peer(&name.replace(model, "sequential"), 1);
                let gain = sequential.and_then(|one| ratio(&series.rates(), &one.rates()));
                let words = format!("{name}: 2 threads, times sequential");
                targets.push(Target::new(words, Bound::AtLeast(factor), gain));
            }
        }
        targets
    }

    fn off_the_shelf(&self) -> Vec<Target> {
        let explorers = [STATERIGHT, JAVA, DASHSET];
        let target = |name| {
            let words = format!("hash, moves, 2 threads: times {name} on 2");
            let gain = self.best(&["-moves-", "-hash"], 2, self.peer(name, 2));
            Target::new(words, Bound::AtLeast(5.0), gain)
        };
        explorers.map(target).into()
    }

    fn push_speed(&self) -> Target {
        let gain = self.best(&["-pushes-"], 1, self.peer(PUSH_REFERENCE, 1));
        let words = "pushes, 1 thread: times the flood fill of this package";
        Target::new(words, Bound::AtLeast(2.0), gain)
    }

    /// The worst of all models with a table, as it is a promise of the table.
    fn memory(&self) -> Vec<Target> {
        let most = |parts| {
            let series = [1, 2]
                .into_iter()
                .flat_map(|threads| self.main(parts, threads));
            series
                .filter_map(Series::bytes_per_state)
                .max_by(f64::total_cmp)
        };
        let bitmap = &["-moves-", "-bitmap"];
        let best_hash = self.main(&["-moves-", "-hash"], 1).max_by(|one, other| {
            let seconds = |series: &Series| series.seconds().unwrap_or(f64::INFINITY);
            seconds(other).total_cmp(&seconds(one))
        });
        vec![
            Target::new(
                "hash, moves: bytes a state",
                Bound::AtMost(14.0),
                most(&["-moves-", "-hash"]),
            ),
            Target::new(
                "compact, moves: bytes a state",
                Bound::AtMost(7.0),
                most(&["-moves-", "-compact"]),
            ),
            Target::new(
                "bitmap, moves: bytes a state",
                Bound::AtMost(2.0),
                most(bitmap),
            ),
            Target::new(
                "bitmap, moves, 1 thread: times hash",
                Bound::AtLeast(3.0),
                self.best(bitmap, 1, best_hash),
            ),
        ]
    }

    fn scale(&self) -> Vec<Target> {
        let name = "sokolab-moves-bfs-sequential-hash";
        let (large, million) = (self.peer(name, 1), self.0.find(MILLION.name, name, 1));
        let slower = large
            .zip(million)
            .and_then(|(large, million)| ratio(&million.rates(), &large.rates()));
        let gib = large.and_then(Series::bytes);
        vec![
            Target::new("hash, moves: bytes in all", Bound::AtMost(SCALE_BYTES), gib),
            Target::new(
                "hash, moves: time a state, times that at a million",
                Bound::AtMost(1.5),
                slower,
            ),
        ]
    }

    fn early_stop(&self) -> Target {
        let own = [1, 2].map(|threads| self.own(THOUSAND.name, &[], threads));
        let seconds = own
            .into_iter()
            .flatten()
            .filter_map(|series| Some((series.seconds()?, &series.contender)));
        let slowest = seconds.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let who = slowest.map_or_else(String::new, |(_, contender)| {
            format!(", {} on {}", contender.name, contender.threads)
        });
        let words = format!("{}: milliseconds of the slowest{who}", THOUSAND.name);
        let milliseconds = slowest.map(|(seconds, _)| seconds * 1e3);
        Target::new(words, Bound::AtMost(1.0), milliseconds)
    }
}
