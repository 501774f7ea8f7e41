//! Everyone measured, each in a process of its own, interleaved in rounds.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use serde::Serialize;

use crate::contender::{self, Contender};
use crate::level::{EMPTY, Level, MEDIUM, MILLION, THOUSAND};
use crate::sample::Sample;
use crate::statistics::median;

/// What to compare.
#[derive(Debug)]
pub struct Setting {
    /// The level that everyone is measured on.
    pub level: Level,
    /// How often.
    pub rounds: u32,
    /// Parts of names; everyone if there are none.
    pub only: Vec<String>,
    /// The folder with the compiled classes of the framework in Java.
    pub java: Option<PathBuf>,
    /// The CSV file.
    pub out: PathBuf,
}

/// One contender on one level, and what was measured in each round.
#[derive(Debug)]
pub struct Series {
    /// Who.
    pub contender: Contender,
    /// On what.
    pub level: Level,
    /// What a process of this contender takes when it has nothing to do.
    pub empty_bytes: u64,
    /// One entry a round; none where the contender failed.
    pub samples: Vec<Option<Sample>>,
}

impl Series {
    /// States a second in each round.
    pub fn rates(&self) -> Vec<Option<f64>> {
        let rate = |sample: Sample| sample.states as f64 / sample.seconds;
        self.samples.iter().map(|sample| sample.map(rate)).collect()
    }

    /// The median of seconds.
    pub fn seconds(&self) -> Option<f64> {
        median(self.samples.iter().flatten().map(|sample| sample.seconds))
    }

    /// The median of peak bytes, what an empty process takes deducted.
    pub fn bytes(&self) -> Option<f64> {
        let own = |sample: &Sample| sample.peak_bytes.saturating_sub(self.empty_bytes) as f64;
        median(self.samples.iter().flatten().map(own))
    }

    /// The median of bytes a state.
    pub fn bytes_per_state(&self) -> Option<f64> {
        let states = self.contender.space.states_of(&self.level);
        self.bytes().map(|bytes| bytes / states as f64)
    }
}

/// All measurements.
#[derive(Debug)]
pub struct Comparison {
    /// The level that everyone was measured on.
    pub level: Level,
    /// One for each contender, and for those that were measured on a second level too.
    pub series: Vec<Series>,
    /// What went wrong.
    pub faults: Vec<String>,
}

/// One line of the CSV file.
#[derive(Serialize)]
struct Line<'a> {
    round: u32,
    level: &'a str,
    space: &'a str,
    contender: &'a str,
    threads: usize,
    states: u64,
    seconds: f64,
    peak_bytes: u64,
    empty_bytes: u64,
}

impl Comparison {
    /// Measures. Each measurement is in the CSV file before the next one begins.
    ///
    /// # Errors
    /// If nobody is left to compare, or the file cannot be written. What goes wrong with a contender
    /// becomes one of the faults.
    pub fn run(setting: &Setting) -> Result<Self, String> {
        let mut runner = Runner::new(setting)?;
        let mut comparison = Self {
            level: setting.level,
            series: runner.prepare(setting),
            faults: Vec::new(),
        };
        if comparison.series.is_empty() {
            return Err("nobody takes part; see `list`".to_owned());
        }
        for round in 1..=setting.rounds {
            comparison.round(&mut runner, round)?;
        }
        Ok(comparison)
    }

    /// Everyone once. Each round begins with somebody else, so that nobody always runs after the same
    /// neighbour.
    fn round(&mut self, runner: &mut Runner, round: u32) -> Result<(), String> {
        let count = self.series.len();
        let first = round as usize * count / 3;
        for index in (0..count).map(|index| (first + index) % count) {
            let series = &mut self.series[index];
            let sample = runner.measure(&series.contender, &series.level);
            let sample = sample.and_then(|sample| checked(series, sample));
            match &sample {
                Ok(sample) => runner.write(round, series, sample)?,
                Err(fault) => self.faults.push(fault.clone()),
            }
            series.samples.push(sample.ok());
        }
        Ok(())
    }

    /// The series of a contender on a level.
    pub fn find(&self, level: &str, name: &str, threads: usize) -> Option<&Series> {
        self.series.iter().find(|series| {
            let contender = &series.contender;
            contender.name == name && contender.threads == threads && series.level.name == level
        })
    }

    /// Whether all went well.
    ///
    /// # Errors
    /// Everything that did not.
    pub fn verdict(&self) -> Result<(), String> {
        if self.faults.is_empty() {
            return Ok(());
        }
        Err(self.faults.join("\n  "))
    }
}

/// The sample, if it has counted right.
fn checked(series: &Series, sample: Sample) -> Result<Sample, String> {
    let expected = series.contender.space.states_of(&series.level);
    if sample.states == expected {
        return Ok(sample);
    }
    Err(format!(
        "{} on {}: {} states; everybody else counts {expected}",
        series.contender.name, series.level.name, sample.states
    ))
}

/// Starts processes and keeps the file.
struct Runner {
    own: PathBuf,
    java: Option<PathBuf>,
    file: csv::Writer<std::fs::File>,
}

impl Runner {
    fn new(setting: &Setting) -> Result<Self, String> {
        let told = |error: csv::Error| format!("{}: {error}", setting.out.display());
        Ok(Self {
            own: env::current_exe().map_err(|error| error.to_string())?,
            java: setting.java.clone(),
            file: csv::Writer::from_path(&setting.out).map_err(told)?,
        })
    }

    /// Who takes part on which level, each with what an empty process of it takes. Whoever refuses the
    /// level is named and left out.
    fn prepare(&self, setting: &Setting) -> Vec<Series> {
        let mut all = Vec::new();
        for contender in contender::all() {
            let is_wanted = |part: &String| contender.name.contains(part.as_str());
            if !setting.only.is_empty() && !setting.only.iter().any(is_wanted) {
                continue;
            }
            let empty = self.measure(&contender, &EMPTY);
            let Ok(empty) = empty.inspect_err(|reason| eprintln!("left out: {reason}")) else {
                continue;
            };
            all.extend(levels_for(&contender, &setting.level).map(|level| Series {
                contender: contender.clone(),
                level,
                empty_bytes: empty.peak_bytes,
                samples: Vec::new(),
            }));
        }
        all
    }

    /// One measurement in a process of its own.
    fn measure(&self, contender: &Contender, level: &Level) -> Result<Sample, String> {
        let who = format!("{} {} on {}", contender.name, contender.threads, level.name);
        let command = contender.command(level, &self.own, self.java.as_deref());
        let [program, arguments @ ..] =
            &command.ok_or(format!("{who}: needs a Java compiler"))?[..]
        else {
            return Err(format!("{who}: no command"));
        };
        let output = Command::new(program).args(arguments).output();
        let output = output.map_err(|error| format!("{who}: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{who}: {}; {}", output.status, said.trim()));
        }
        Sample::parse(&String::from_utf8_lossy(&output.stdout))
            .map_err(|error| format!("{who}: {error}"))
    }

    fn write(&mut self, round: u32, series: &Series, sample: &Sample) -> Result<(), String> {
        let line = Line {
            round,
            level: series.level.name,
            space: series.contender.space.name(),
            contender: &series.contender.name,
            threads: series.contender.threads,
            states: sample.states,
            seconds: sample.seconds,
            peak_bytes: sample.peak_bytes,
            empty_bytes: series.empty_bytes,
        };
        self.file
            .serialize(line)
            .map_err(|error| error.to_string())?;
        self.file.flush().map_err(|error| error.to_string())
    }
}

/// The level itself; for sokolab also a tiny one, and a smaller one to compare the largest with.
fn levels_for(contender: &Contender, level: &Level) -> impl Iterator<Item = Level> + use<> {
    let is_large = level.move_states > MEDIUM.move_states;
    let own = (!is_large || contender.scales()).then_some(*level);
    let tiny = contender.is_sokolab().then_some(THOUSAND);
    let smaller = (is_large && contender.is_sokolab() && own.is_some()).then_some(MILLION);
    [own, tiny, smaller].into_iter().flatten()
}
