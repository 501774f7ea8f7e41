//! The checks, one function each. To add one, add it to [`ALL`].

use std::collections::BTreeSet;
use std::path::Path;

use super::system::{Room, System};
use crate::experiment::machine::PROFILE;
use crate::experiment::pressure;
use crate::experiment::usage::kilobytes;
use crate::parallel::MAX_THREADS;

/// Something that spoils times, or loses runs, if it is not as it should be.
pub(super) struct Check {
    /// What is looked at.
    pub(super) subject: &'static str,
    /// What is there, and whether that is good; none if the machine does not tell.
    pub(super) look: fn(&System) -> Option<(String, bool)>,
    /// Why it matters and what to do.
    pub(super) advice: &'static str,
}

/// Every check: first what belongs to the program, then what changes from minute to minute, then the machine.
#[rustfmt::skip] // One check on three lines reads as the table that it is.
pub(super) const ALL: &[Check] = &[
    Check { subject: "build", look: build,
        advice: "a debug build is several times slower, and not evenly so; build with --release" },
    Check { subject: "address space", look: address_space,
        advice: "tables reserve more than they use and fail to grow before memory is full; lift the limit with `ulimit -v unlimited`" },
    Check { subject: "processes", look: processes,
        advice: "runs crash when they cannot start their threads, of which each counts for the user; raise the limit with `ulimit -u`" },
    Check { subject: "open files", look: open_files,
        advice: "runs cannot be started when the pipes to those at work use up the limit; raise it with `ulimit -n`" },
    Check { subject: "load", look: load,
        advice: "other work takes processor time from runs; end it, or wait" },
    Check { subject: "CPU pressure", look: cpu_pressure,
        advice: "tasks wait for a processor; end other work, or wait" },
    Check { subject: "steal", look: steal,
        advice: "the host takes processor time from this virtual machine; repeat runs and look at their spread, or use another machine" },
    Check { subject: "memory", look: memory,
        advice: "searches fill memory; end what uses it, or set memory_limit" },
    Check { subject: "room for results", look: room_for_results,
        advice: "a sweep ends at the first row that cannot be written, and files in memory are taken from searches and lost at a reboot; give --out a directory on a disk with room" },
    Check { subject: "swap", look: swap,
        advice: "memory on disk is a thousand times slower; end what uses memory, then `swapoff -a`" },
    Check { subject: "power", look: power,
        advice: "processors are slower on battery; plug the machine in" },
    Check { subject: "throttling", look: throttling,
        advice: "the processor has been too hot since the machine was started, and was slowed down; cool it, use fewer threads" },
    Check { subject: "clock governor", look: governor,
        advice: "the clock follows the load, so short runs are measured at another speed than long ones; `cpupower frequency-set -g performance`, and set warm_ups" },
    Check { subject: "turbo", look: turbo,
        advice: "the clock depends on how many cores are busy and how hot they are, which hides part of a speedup; write 1 to intel_pstate/no_turbo or 0 to cpufreq/boost" },
    Check { subject: "hardware threads", look: hardware_threads,
        advice: "two threads of one core are not two cores: efficiency falls when they share one; pin = true takes different cores first" },
    Check { subject: "processor quota", look: quota,
        advice: "the container is stopped when it has used up its share, in the middle of a run; lift the quota" },
    Check { subject: "virtual machine", look: virtual_machine,
        advice: "other guests share caches and memory bandwidth, which no counter shows; repeat runs and look at their spread" },
    Check { subject: "memory nodes", look: memory_nodes,
        advice: "memory of another node is slower; pin = true, or start sokolab with `numactl --cpunodebind=0 --membind=0`" },
    Check { subject: "NUMA balancing", look: numa_balancing,
        advice: "the kernel takes pages away and moves them during a run, which costs time at some runs and not at others; `sysctl kernel.numa_balancing=0`" },
    Check { subject: "overcommit", look: overcommit,
        advice: "what a table reserves counts as memory whether it is used or not, so large tables fail while memory is free; `sysctl vm.overcommit_memory=0`" },
    Check { subject: "huge pages", look: huge_pages,
        advice: "large tables run at half the speed on small pages; write madvise to /sys/kernel/mm/transparent_hugepage/enabled" },
    Check { subject: "clock source", look: clock_source,
        advice: "reading this clock is slow; boot with clocksource=tsc if the machine can" },
    Check { subject: "optional programs", look: optional_programs,
        advice: "some commands start other programs, which are looked for in PATH; set it" },
];

/// Load over the last minute from which on other work disturbs.
const MOST_LOAD: f64 = 0.5;
/// Share of stolen time, in percent.
const MOST_STEAL: f64 = 0.5;
/// Memory that a search should find, in bytes.
const LEAST_MEMORY: f64 = (1_u64 << 30) as f64;
/// Room that results should find, in bytes. A run takes a row of less than a thousand, and a block for its solution; so this
/// is enough for a hundred thousand runs and their charts.
const LEAST_ROOM: u64 = 1 << 30;
/// Processes that the user should be able to have: threads count, and other programs need some beside the largest run.
const LEAST_PROCESSES: f64 = 2.0 * MAX_THREADS as f64;
/// Files that a process should be able to open: the usual limit. A sweep has less than ten open for each run at work.
const LEAST_FILES: f64 = 1024.0;

fn build(_: &System) -> Option<(String, bool)> {
    Some((PROFILE.to_owned(), PROFILE != "debug"))
}

/// A limit above the memory of the machine stops only what would not fit anyway; one below it ends searches that would.
fn address_space(system: &System) -> Option<(String, bool)> {
    let limit = system.limit("Max address space")?;
    if limit.is_infinite() {
        return Some(("unlimited".to_owned(), true));
    }
    let memory = kilobytes(&system.text("proc/meminfo")?, "MemTotal")? as f64;
    let (space, all) = (mebibytes(limit), mebibytes(memory));
    let found = format!("limited to {space}, with {all} of memory");
    Some((found, limit >= memory))
}

/// The kernel counts all threads of the user here, and refuses a thread of a run when there are too many.
fn processes(system: &System) -> Option<(String, bool)> {
    at_least(system.limit("Max processes")?, LEAST_PROCESSES)
}

/// The sweep holds pipes to each run at work; where it cannot open them the run is not started.
fn open_files(system: &System) -> Option<(String, bool)> {
    at_least(system.limit("Max open files")?, LEAST_FILES)
}

fn at_least(limit: f64, least: f64) -> Option<(String, bool)> {
    let found = if limit.is_infinite() {
        "unlimited".to_owned()
    } else {
        format!("at most {limit:.0}")
    };
    Some((found, limit >= least))
}

fn load(system: &System) -> Option<(String, bool)> {
    let load = system.number("proc/loadavg")?;
    let found = format!("{load:.2} tasks on average over the last minute");
    Some((found, load <= MOST_LOAD))
}

fn cpu_pressure(system: &System) -> Option<(String, bool)> {
    let percent = system.field("proc/pressure/cpu", "some avg10=")?;
    let found = format!("some task waited {percent:.1} % of the last ten seconds");
    Some((found, percent <= pressure::MOST_PERCENT))
}

/// The eighth number of the line `cpu` (proc_stat(5)), since the machine was started.
fn steal(system: &System) -> Option<(String, bool)> {
    let text = system.text("proc/stat")?;
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<f64> = line
        .split_whitespace()
        .filter_map(|ticks| ticks.parse().ok())
        .collect();
    // Time of guests is part of the first two figures already.
    let all: f64 = ticks.iter().take(8).sum();
    let percent = 100.0 * ticks.get(7)? / all.max(1.0);
    let found = format!("{percent:.2} % of the time since the start of the machine");
    Some((found, percent <= MOST_STEAL))
}

fn memory(system: &System) -> Option<(String, bool)> {
    let bytes = kilobytes(&system.text("proc/meminfo")?, "MemAvailable")? as f64;
    Some((
        format!("{} available", mebibytes(bytes)),
        bytes >= LEAST_MEMORY,
    ))
}

/// Results go below `results` unless told otherwise. Each row is synced when its run has ended, so that a full disk ends a
/// sweep in its middle, and on a tmpfs syncing saves nothing.
fn room_for_results(system: &System) -> Option<(String, bool)> {
    const HERE: &str = "proc/self/cwd";
    if let Some(room) = system.room(&format!("{HERE}/results")) {
        return Some(judge_room("results", room));
    }
    Some(judge_room("the current directory", system.room(HERE)?))
}

pub(super) fn judge_room(directory: &str, room: Room) -> (String, bool) {
    let left = mebibytes(room.bytes as f64);
    let place = if room.is_in_memory { " in memory" } else { "" };
    let found = format!("{left} left{place} for {directory}");
    (found, room.bytes >= LEAST_ROOM && !room.is_in_memory)
}

fn swap(system: &System) -> Option<(String, bool)> {
    let info = system.text("proc/meminfo")?;
    let total = kilobytes(&info, "SwapTotal")?;
    let used = total.saturating_sub(kilobytes(&info, "SwapFree")?) as f64;
    if total == 0 {
        return Some(("none".to_owned(), true));
    }
    Some((format!("{} in use", mebibytes(used)), used == 0.0))
}

fn power(system: &System) -> Option<(String, bool)> {
    const SUPPLIES: &str = "sys/class/power_supply";
    let supplies = system.names(SUPPLIES)?;
    let online: Vec<f64> = supplies
        .iter()
        .filter(|name| system.text(&format!("{SUPPLIES}/{name}/type")).as_deref() == Some("Mains"))
        .filter_map(|name| system.number(&format!("{SUPPLIES}/{name}/online")))
        .collect();
    if online.is_empty() {
        return None;
    }
    let is_online = online.contains(&1.0);
    let found = if is_online { "mains" } else { "battery" };
    Some((found.to_owned(), is_online))
}

fn throttling(system: &System) -> Option<(String, bool)> {
    let counts = of_cpus(system, "thermal_throttle/core_throttle_count")?;
    let most = counts
        .iter()
        .filter_map(|count| count.parse::<u64>().ok())
        .max()?;
    Some((format!("{most} times"), most == 0))
}

fn governor(system: &System) -> Option<(String, bool)> {
    let governors: BTreeSet<String> = of_cpus(system, "cpufreq/scaling_governor")?
        .into_iter()
        .collect();
    let names: Vec<&str> = governors.iter().map(String::as_str).collect();
    Some((names.join(", "), names == ["performance"]))
}

fn turbo(system: &System) -> Option<(String, bool)> {
    let intel = system.number("sys/devices/system/cpu/intel_pstate/no_turbo");
    let other = system.number("sys/devices/system/cpu/cpufreq/boost");
    let is_on = intel.map(|off| off == 0.0).or(other.map(|on| on == 1.0))?;
    Some((if is_on { "on" } else { "off" }.to_owned(), !is_on))
}

fn hardware_threads(system: &System) -> Option<(String, bool)> {
    let siblings = of_cpus(system, "topology/thread_siblings_list")?;
    let threads = siblings.len();
    let cores: BTreeSet<String> = siblings.into_iter().collect();
    let found = format!("{threads} on {} cores", cores.len());
    Some((found, threads == cores.len()))
}

/// What a file says of a control group and of each that it is in.
fn quotas(system: &System, root: &str, group: &str, file: &str) -> Vec<String> {
    let groups = Path::new(group).ancestors();
    let files = groups.map(|group| format!("{root}{}/{file}", group.display()));
    files.filter_map(|file| system.text(&file)).collect()
}

/// Of the control group of this process and those that it is in, in either version of the file system.
fn quota(system: &System) -> Option<(String, bool)> {
    let groups = system.text("proc/self/cgroup")?;
    let path_of = |controller: &str| {
        let mut lines = groups.lines().map(|line| line.splitn(3, ':').skip(1));
        lines.find_map(|mut fields| {
            let controllers = fields.next()?;
            let is_it = controllers.split(',').any(|name| name == controller);
            is_it.then(|| fields.next()).flatten()
        })
    };
    let unified = path_of("").map(|path| quotas(system, "sys/fs/cgroup", path, "cpu.max"));
    let divided =
        path_of("cpu").map(|path| quotas(system, "sys/fs/cgroup/cpu", path, "cpu.cfs_quota_us"));
    let quotas = [unified, divided].into_iter().flatten().flatten();
    let quotas: Vec<String> = quotas.collect();
    let is_free = |quota: &&String| ["max", "-1"].iter().any(|free| quota.starts_with(free));
    match quotas.iter().find(|quota| !is_free(quota)) {
        Some(quota) => Some((quota.clone(), false)),
        None if quotas.is_empty() => None,
        None => Some(("none".to_owned(), true)),
    }
}

fn virtual_machine(system: &System) -> Option<(String, bool)> {
    let info = system.text("proc/cpuinfo")?;
    let mut flags = info.lines().filter(|line| line.starts_with("flags"));
    let is_guest = flags
        .next()?
        .split_whitespace()
        .any(|flag| flag == "hypervisor");
    let found = if is_guest { "yes" } else { "no" };
    Some((found.to_owned(), !is_guest))
}

fn memory_nodes(system: &System) -> Option<(String, bool)> {
    let nodes = nodes(system)?;
    Some((nodes.to_string(), nodes <= 1))
}

fn nodes(system: &System) -> Option<usize> {
    let names = system.names("sys/devices/system/node")?;
    let is_node = |name: &&String| number_after("node", name).is_some();
    Some(names.iter().filter(is_node).count())
}

/// To learn which node uses a page the kernel makes accesses to it fail, and then moves it; with one node there is nowhere
/// to move it to. 0 is off, other values are ways to do it (kernel documentation, admin-guide/sysctl/kernel).
fn numa_balancing(system: &System) -> Option<(String, bool)> {
    if system.number("proc/sys/kernel/numa_balancing")? == 0.0 {
        return Some(("off".to_owned(), true));
    }
    Some(match nodes(system)? {
        0 | 1 => ("on, without effect on one node".to_owned(), true),
        nodes => (format!("on, between {nodes} nodes"), false),
    })
}

/// Tables grow into address space that they do not fill; the strict way counts all of it against memory.
fn overcommit(system: &System) -> Option<(String, bool)> {
    let choice = system.text("proc/sys/vm/overcommit_memory")?;
    // proc_sys_vm(5).
    let meaning = match &*choice {
        "0" => "by estimate",
        "1" => "always granted",
        "2" => "strictly counted",
        _ => return None,
    };
    Some((format!("{choice}, {meaning}"), choice != "2"))
}

/// The choice in use stands in brackets.
fn huge_pages(system: &System) -> Option<(String, bool)> {
    let text = system.text("sys/kernel/mm/transparent_hugepage/enabled")?;
    let choice = text.split_once('[')?.1.split_once(']')?.0.to_owned();
    let is_good = choice != "never";
    Some((choice, is_good))
}

fn clock_source(system: &System) -> Option<(String, bool)> {
    let path = "sys/devices/system/clocksource/clocksource0/current_clocksource";
    let source = system.text(path)?;
    let is_slow = ["hpet", "acpi_pm", "jiffies"].contains(&&*source);
    Some((source, !is_slow))
}

/// What can be done only with programs that are not part of sokolab.
const OPTIONAL: [(&str, &[&str]); 2] = [
    ("--executor slurm", &["sbatch", "squeue", "scontrol"]),
    ("parts by hand", &["parallel"]),
];

/// It is better to know before a plan is made that a command cannot be used here; nothing else suffers, so it is always good.
fn optional_programs(system: &System) -> Option<(String, bool)> {
    let path = system.variable("PATH")?;
    // As execvp(3) does, from where the process is unless the place is absolute.
    let folders: Vec<String> = path
        .split(':')
        .map(|folder| match folder.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None => format!("proc/self/cwd/{folder}"),
        })
        .collect();
    let is_there = |program: &str| {
        let mut places = folders.iter().map(|folder| format!("{folder}/{program}"));
        // An absolute path would lead out of the folder that stands for the root.
        places.any(|place| system.is_program(place.trim_start_matches('/')))
    };
    let uses = OPTIONAL.map(|(purpose, programs)| {
        let missing = programs.iter().copied().filter(|it| !is_there(it));
        match missing.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => format!("{purpose}: ready"),
            names => format!("{purpose}: no {names}"),
        }
    });
    Some((uses.join("; "), true))
}

/// A file of each processor that has it; none if none has.
fn of_cpus(system: &System, file: &str) -> Option<Vec<String>> {
    const CPUS: &str = "sys/devices/system/cpu";
    let names = system.names(CPUS)?;
    let cpus = names
        .iter()
        .filter(|name| number_after("cpu", name).is_some());
    let texts = cpus.filter_map(|name| system.text(&format!("{CPUS}/{name}/{file}")));
    Some(texts.collect::<Vec<_>>()).filter(|texts| !texts.is_empty())
}

fn number_after(prefix: &str, name: &str) -> Option<u32> {
    name.strip_prefix(prefix)?.parse().ok()
}

fn mebibytes(bytes: f64) -> String {
    format!("{:.0} MiB", bytes / f64::from(1 << 20))
}
