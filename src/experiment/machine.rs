//! Where and by what runs were measured: program, compiler, machine.

use std::fs;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::usage::kilobytes;

/// Revision of the program, `-dirty` if it was built from uncommitted changes, `unknown` if it was built
/// outside of its repository.
pub const REVISION: &str = env!("SOKOLAB_REVISION");

/// The compiler that built the program.
pub const COMPILER: &str = env!("SOKOLAB_COMPILER");

/// `release` or `debug`. Times of a debug build say nothing.
pub const PROFILE: &str = env!("SOKOLAB_PROFILE");

/// What the compiler was told that decides speed.
pub const FLAGS: &str = env!("SOKOLAB_FLAGS");

/// The exact versions of everything the program is built from.
const LOCK: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"));

/// SHA-256 of the lock file that the program was built from, in hexadecimal.
#[must_use]
pub fn lock_digest() -> String {
    hex(&Sha256::digest(LOCK))
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}

/// What is known of a machine; what it does not tell is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the machine.
    pub host: Option<String>,
    /// Model of the first processor.
    pub cpu: Option<String>,
    /// Hardware threads that this process may use.
    pub hardware_threads: Option<u64>,
    /// Memory of the machine in bytes.
    pub memory_bytes: Option<u64>,
    /// Operating system and its release.
    pub kernel: Option<String>,
    /// How the frequency of the first processor is governed: `performance`, `powersave` and others.
    pub governor: Option<String>,
}

impl Machine {
    /// The machine that this process runs on.
    #[must_use]
    pub fn this() -> Self {
        let uname = rustix::system::uname();
        let text = |text: &std::ffi::CStr| text.to_string_lossy().into_owned();
        Self {
            host: Some(text(uname.nodename())),
            cpu: read("/proc/cpuinfo").and_then(|info| cpu_model(&info)),
            hardware_threads: std::thread::available_parallelism()
                .ok()
                .map(|threads| threads.get() as u64),
            memory_bytes: memory_bytes(),
            kernel: Some(format!(
                "{} {} {}",
                text(uname.sysname()),
                text(uname.release()),
                text(uname.machine())
            )),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
                .map(|governor| governor.trim().to_owned()),
        }
    }
}

/// Tasks that ran or waited for a processor on average over the last minute.
pub(super) fn load() -> Option<f64> {
    read("/proc/loadavg")?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

/// Name of this machine.
pub(super) fn host() -> String {
    let uname = rustix::system::uname();
    uname.nodename().to_string_lossy().into_owned()
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn cpu_model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Memory of the machine in bytes; `None` where the kernel does not tell.
pub(super) fn memory_bytes() -> Option<u64> {
    read("/proc/meminfo").and_then(|info| kilobytes(&info, "MemTotal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_what_the_kernel_prints() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nprocessor\t: 1\n";
        assert_eq!(cpu_model(cpuinfo).as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(cpu_model("processor : 0\n"), None);
        assert_eq!(
            kilobytes("MemTotal:        8000 kB\n", "MemTotal"),
            Some(8000 * 1024)
        );
        assert_eq!(kilobytes("MemFree: 1 kB\n", "MemTotal"), None);
    }

    #[test]
    fn this_machine_has_a_kernel_and_the_program_a_compiler() {
        assert!(Machine::this().kernel.is_some());
        assert!(COMPILER.starts_with("rustc "), "{COMPILER}");
        assert!(FLAGS.starts_with("target="), "{FLAGS}");
        // The digest of nothing is another one.
        assert_eq!(lock_digest().len(), 64);
        assert!(!lock_digest().starts_with("e3b0c442"));
    }
}
