//! The cores that this process may use, and how they share the machine's physical ones.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::thread::available_parallelism;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Where the kernel describes the processors.
const CPUS: &str = "/sys/devices/system/cpu";

/// Numbers of the cores that this process may use, as the kernel counts them, no more than its share of processor time
/// allows. Those of different physical cores come first, then their hardware threads, so that few runs at a time do not
/// share what could be apart.
///
/// # Errors
/// If the kernel does not tell.
pub fn usable() -> io::Result<Vec<usize>> {
    let allowed = sched_getaffinity(None)?;
    let allowed = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core));
    let mut cores = physical_first(allowed, |core| {
        let siblings = Path::new(CPUS).join(format!("cpu{core}/topology/thread_siblings_list"));
        fs::read_to_string(siblings).ok()
    });
    cores.truncate(available_parallelism()?.get());
    Ok(cores)
}

/// Orders cores: the first of each group of siblings, then the second of each, and so on. Where the kernel does not tell
/// siblings, a core has none.
fn physical_first(
    cores: impl Iterator<Item = usize>,
    siblings: impl Fn(usize) -> Option<String>,
) -> Vec<usize> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = cores
        .map(|core| {
            let group = siblings(core).unwrap_or_else(|| core.to_string());
            let rank = seen.entry(group.trim().to_owned()).or_default();
            *rank += 1;
            (*rank, core)
        })
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, core)| core).collect()
}

/// Keeps the calling thread, and what it starts from now on, on these cores.
///
/// # Errors
/// If the kernel refuses: a core does not exist, or may not be used.
pub(super) fn pin(cores: &[usize]) -> io::Result<()> {
    let mut set = CpuSet::new();
    for &core in cores {
        if core >= CpuSet::MAX_CPU {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        set.set(core);
    }
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn physical_cores_come_first() {
        let lists = ["0,2\n", "1,3\n", "0,2\n", "1,3\n"];
        let siblings = |core: usize| lists.get(core).map(|&list| list.to_owned());
        assert_eq!(physical_first(0..4, siblings), [0, 1, 2, 3]);
        let neighbours = ["0-1\n", "0-1\n", "2-3\n", "2-3\n"];
        let siblings = |core: usize| neighbours.get(core).map(|&list| list.to_owned());
        assert_eq!(physical_first(0..4, siblings), [0, 2, 1, 3]);
        assert_eq!(physical_first([5, 7].into_iter(), |_| None), [5, 7]);
    }

    #[test]
    fn a_thread_stays_where_it_is_pinned() {
        let core = usable().unwrap()[0];
        let pinned = std::thread::spawn(move || {
            pin(&[core]).unwrap();
            usable().unwrap()
        });
        assert_eq!(pinned.join().unwrap(), [core]);
        assert!(pin(&[usize::MAX]).is_err());
    }
}
