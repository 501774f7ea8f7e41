//! What a process uses, as the kernel counts it.
//!
//! Linux tells by `/proc`; where a figure is not told it is not measured, never guessed.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};

/// Microseconds of a second.
const MICROSECONDS: f64 = 1e6;

/// What processes have used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Usage {
    /// Peak of the largest of them.
    pub(super) peak_rss_bytes: u64,
    pub(super) cpu_user_s: f64,
    pub(super) cpu_sys_s: f64,
    pub(super) involuntary_switches: u64,
}

/// What the children of this process have used that have ended and been waited for, with what they have waited for. Their
/// peak memory is at least that of this process when it started them.
pub(super) fn of_children() -> Option<Usage> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / MICROSECONDS;
    Some(Usage {
        // In units of 1024 bytes (getrusage(2)).
        peak_rss_bytes: u64::try_from(usage.max_rss()).ok()?.checked_mul(1024)?,
        cpu_user_s: seconds(usage.user_time()),
        cpu_sys_s: seconds(usage.system_time()),
        involuntary_switches: u64::try_from(usage.involuntary_context_switches()).ok()?,
    })
}

/// A figure of `/proc/self/status` that is given in kB, in bytes.
pub(super) fn own_memory(key: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, key)
}

/// The figure behind a key of a text of the kernel, in bytes. The kernel's "kB" are 1024 bytes (proc_pid_status(5)).
pub(super) fn kilobytes(status: &str, key: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    number.checked_mul(1024)
}

/// Watches how long some task of the machine waits for a processor.
#[derive(Debug)]
pub(super) struct PressureGauge {
    since: Instant,
    total: Option<Duration>,
}

impl PressureGauge {
    /// Starts watching.
    pub(super) fn start() -> Self {
        Self {
            since: Instant::now(),
            total: waited(),
        }
    }

    /// Share of the time since the start during which some task waited, in percent; none where the
    /// kernel does not tell.
    pub(super) fn percent(&self) -> Option<f64> {
        let waited = waited()?.checked_sub(self.total?)?;
        let elapsed = self.since.elapsed().as_secs_f64();
        // The two clocks are read at slightly different times, hence the upper bound.
        (elapsed > 0.0).then(|| (100.0 * waited.as_secs_f64() / elapsed).min(100.0))
    }
}

fn waited() -> Option<Duration> {
    some_total(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

/// `total=` of the line `some`, in microseconds (kernel documentation, accounting/psi).
fn some_total(pressure: &str) -> Option<Duration> {
    let some = pressure
        .lines()
        .find_map(|line| line.strip_prefix("some "))?;
    let total = some
        .split_ascii_whitespace()
        .find_map(|field| field.strip_prefix("total="))?;
    Some(Duration::from_micros(total.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_bytes() {
        let status = "Name:\tsokolab\nVmPeak:\t  999 kB\nVmHWM:\t    3184 kB\nVmRSS:\t 12 kB\n";
        assert_eq!(kilobytes(status, "VmHWM"), Some(3184 * 1024));
        assert_eq!(kilobytes(status, "VmH"), None);
        assert_eq!(kilobytes("VmHWM:\t many kB\n", "VmHWM"), None);
    }

    #[test]
    fn pressure_is_the_total_of_some() {
        let text =
            "some avg10=41.43 avg60=19.50 avg300=10.77 total=93690368\nfull avg10=0.00 total=5\n";
        assert_eq!(some_total(text), Some(Duration::from_micros(93_690_368)));
        assert_eq!(some_total("full total=5\n"), None);
    }

    #[test]
    fn the_peak_of_this_process_grows_with_its_memory() {
        let block = vec![1_u8; 32 << 20];
        assert_eq!(
            block.iter().map(|&byte| u64::from(byte)).sum::<u64>(),
            32 << 20
        );
        assert!(own_memory("VmHWM") >= Some(32 << 20));
    }
}
