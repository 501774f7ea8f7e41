//! One measurement: what a process prints of itself.

use std::time::Instant;

use crate::contender::Contender;
use crate::level::Level;

/// What one census has counted and what it took.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// States counted.
    pub states: u64,
    /// Monotonic wall time of the census, the release of its memory included.
    pub seconds: f64,
    /// Most resident memory of the process.
    pub peak_bytes: u64,
}

impl Sample {
    /// Takes a census in this process.
    ///
    /// # Errors
    /// If the contender refuses the level, or the system does not tell the memory.
    pub fn take(contender: &Contender, level: &Level) -> Result<Self, String> {
        let start = Instant::now();
        let states = contender.count(level)?;
        let seconds = start.elapsed().as_secs_f64();
        let peak_bytes = peak_bytes()?;
        Ok(Self {
            states,
            seconds,
            peak_bytes,
        })
    }

    /// Prints `who,threads,states,seconds,peak_bytes`. The program in Java prints the same.
    pub fn print(&self, contender: &Contender) {
        let Self {
            states,
            seconds,
            peak_bytes,
        } = self;
        let (who, threads) = (&contender.name, contender.threads);
        println!("{who},{threads},{states},{seconds},{peak_bytes}");
    }

    /// Reads such a line.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.trim().split(',').collect();
        let sample = match fields[..] {
            [_, _, states, seconds, peak_bytes] => (|| {
                Some(Self {
                    states: states.parse().ok()?,
                    seconds: seconds.parse().ok()?,
                    peak_bytes: peak_bytes.parse().ok()?,
                })
            })(),
            _ => None,
        };
        sample.ok_or_else(|| format!("{line:?}; expected who,threads,states,seconds,peak_bytes"))
    }
}

/// The peak resident memory of this process. `VmHWM`, because what `getrusage` tells begins at the peak
/// of the process that started this one.
fn peak_bytes() -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kib.map(|kib| kib * 1024)
        .ok_or_else(|| "no VmHWM in /proc/self/status".to_owned())
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn a_line_is_read_and_a_broken_one_is_told() {
        let sample = Sample::parse("java-puzzle,2,3,0.25,4096\n").unwrap();
        assert_eq!((sample.states, sample.peak_bytes), (3, 4096));
        assert!((sample.seconds - 0.25).abs() < 1e-12);
        assert!(Sample::parse("java-puzzle,2,3,0.25").is_err());
        assert!(Sample::parse("java-puzzle,2,three,0.25,4096").is_err());
    }
}
