//! What a process uses, as the kernel counts it.
//!
//! Linux tells by `/proc`; where a figure is not told it is not measured, never guessed.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use rustix::process::Pid;

use super::order::Usage;

/// Microseconds of a second.
const MICROSECONDS: f64 = 1e6;

/// What this process has used so far, ended threads included.
///
/// Peak memory is the process's own `VmHWM`: `ru_maxrss` would start at the peak of the parent.
pub(super) fn own() -> Usage {
    let rusage = getrusage(UsageWho::RUSAGE_SELF).ok();
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / MICROSECONDS;
    Usage {
        peak_rss_bytes: own_memory("VmHWM"),
        cpu_user_s: rusage.map(|usage| seconds(usage.user_time())),
        cpu_sys_s: rusage.map(|usage| seconds(usage.system_time())),
        involuntary_switches: rusage
            .and_then(|usage| u64::try_from(usage.involuntary_context_switches()).ok()),
    }
}

/// A figure of `/proc/self/status` that is given in kB, in bytes.
pub(super) fn own_memory(key: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, key)
}

/// The kernel's "kB" are 1024 bytes (proc_pid_status(5)).
fn kilobytes(status: &str, key: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    number.checked_mul(1024)
}

/// Processor time of a process that may have died, in clock ticks of the kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CpuTime {
    pub(super) user_s: f64,
    pub(super) sys_s: f64,
}

/// User and system time of a process that has not been reaped yet, all its threads included. The
/// resolution is one tick, usually 10 ms.
pub(super) fn cpu_of(pid: Pid) -> Option<CpuTime> {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let (user, sys) = ticks(&fs::read_to_string(path).ok()?)?;
    let ticks_per_second = rustix::param::clock_ticks_per_second() as f64;
    Some(CpuTime {
        user_s: user as f64 / ticks_per_second,
        sys_s: sys as f64 / ticks_per_second,
    })
}

/// Fields 14 and 15 of `/proc/PID/stat` (proc_pid_stat(5)). Field 2 is the name in brackets, which may
/// itself hold blanks and brackets, so counting starts behind the last bracket.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user = fields.next()?.parse().ok()?;
    let sys = fields.next()?.parse().ok()?;
    Some((user, sys))
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
    fn ticks_are_found_behind_any_process_name() {
        let stat = "4711 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 250 17 0 0 20 0 1 0 99";
        assert_eq!(ticks(stat), Some((250, 17)));
        assert_eq!(ticks("4711 (short) R 1 2"), None);
        assert_eq!(ticks(""), None);
    }

    #[test]
    fn pressure_is_the_total_of_some() {
        let text =
            "some avg10=41.43 avg60=19.50 avg300=10.77 total=93690368\nfull avg10=0.00 total=5\n";
        assert_eq!(some_total(text), Some(Duration::from_micros(93_690_368)));
        assert_eq!(some_total("full total=5\n"), None);
    }

    #[test]
    fn own_use_grows_with_work_and_memory() {
        let before = own();
        let block = vec![1_u8; 32 << 20];
        let mut sum = 0_u64;
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(50) {
            sum += block.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        }
        assert!(sum > 0);
        let after = own();
        assert!(after.cpu_user_s > before.cpu_user_s);
        assert!(after.peak_rss_bytes >= Some(32 << 20), "{after:?}");
        let by_ticks = cpu_of(rustix::process::getpid()).unwrap();
        // Other tests run on other threads meanwhile, so only the order is certain.
        assert!(by_ticks.user_s + by_ticks.sys_s + 0.02 >= after.cpu_user_s.unwrap());
    }
}
