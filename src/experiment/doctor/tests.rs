use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

use super::*;

/// A machine that tells these things.
fn machine(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn finding(files: &[(&str, &str)], subject: &str) -> (Verdict, String) {
    let root = machine(files);
    let findings = diagnose_at(root.path());
    let found = findings
        .into_iter()
        .find(|finding| finding.subject == subject);
    let found = found.expect("such a check");
    (found.verdict, found.found)
}

#[track_caller]
fn assert_found(files: &[(&str, &str)], subject: &str, verdict: Verdict, words: &str) {
    let (found, text) = finding(files, subject);
    assert_eq!(found, verdict, "{subject}: {text}");
    assert!(text.contains(words), "{subject}: {text}");
}

#[test]
fn what_a_machine_does_not_tell_is_unknown() {
    let root = machine(&[]);
    for finding in diagnose_at(root.path()) {
        let is_own = finding.subject == "build";
        assert_eq!(finding.verdict == Verdict::Unknown, !is_own, "{finding:?}");
    }
}

#[test]
fn every_doubt_has_its_advice_and_no_subject_stands_twice() {
    let mut subjects = std::collections::HashSet::new();
    for check in checks::ALL {
        assert!(check.advice.len() > 20, "{}", check.subject);
        assert!(subjects.insert(check.subject), "{}", check.subject);
    }
}

/// A line of `/proc/self/limits` as the kernel prints it.
fn limit(name: &str, soft: &str, hard: &str, unit: &str) -> String {
    format!("{name:<26}{soft:<21}{hard:<21}{unit:<10}\n")
}

#[test]
fn address_space_should_hold_what_memory_holds() {
    use Verdict::{Doubtful, Good, Unknown};
    const SUBJECT: &str = "address space";
    let limited = |soft, hard| limit("Max address space", soft, hard, "bytes");
    let free = limited("unlimited", "1048576");
    assert_found(&[("proc/self/limits", &free)], SUBJECT, Good, "unlimited");
    let memory = ("proc/meminfo", "MemTotal:        4096 kB\nMemFree: 1 kB\n");
    let below = limited("4194303", "unlimited");
    let below = ("proc/self/limits", &*below);
    assert_found(&[below, memory], SUBJECT, Doubtful, "with 4 MiB of memory");
    let same = limited("4194304", "4194304");
    let same = ("proc/self/limits", &*same);
    assert_found(&[same, memory], SUBJECT, Good, "limited to 4 MiB");
    // Whether a limit is a low one cannot be said without the memory.
    assert_found(&[same], SUBJECT, Unknown, "");
}

#[test]
fn limits_should_leave_room_for_threads_and_pipes() {
    use Verdict::{Doubtful, Good};
    let of = |processes, files| {
        let processes = limit("Max processes", processes, "unlimited", "processes");
        processes + &limit("Max open files", files, "524288", "files")
    };
    let few = of("2047", "1023");
    let few = [("proc/self/limits", &*few)];
    assert_found(&few, "processes", Doubtful, "at most 2047");
    assert_found(&few, "open files", Doubtful, "at most 1023");
    let enough = of("2048", "1024");
    let enough = [("proc/self/limits", &*enough)];
    assert_found(&enough, "processes", Good, "at most 2048");
    assert_found(&enough, "open files", Good, "at most 1024");
    let free = of("unlimited", "unlimited");
    let free = [("proc/self/limits", &*free)];
    assert_found(&free, "processes", Good, "unlimited");
    assert_found(&free, "open files", Good, "unlimited");
}

#[test]
fn what_changes_from_minute_to_minute() {
    use Verdict::{Doubtful, Good};
    let load = |text| [("proc/loadavg", text)];
    assert_found(&load("0.30 2.13 2.00 1/85 1\n"), "load", Good, "0.30 tasks");
    assert_found(
        &load("1.96 2.13 2.00 1/85 1\n"),
        "load",
        Doubtful,
        "1.96 tasks",
    );
    let pressure = |text| [("proc/pressure/cpu", text)];
    let calm = "some avg10=0.02 avg60=5.35 avg300=28.33 total=91\nfull avg10=0.00 total=0\n";
    assert_found(&pressure(calm), "CPU pressure", Good, "0.0 %");
    let busy = "some avg10=41.43 avg60=19.50 avg300=10.77 total=93\n";
    assert_found(&pressure(busy), "CPU pressure", Doubtful, "41.4 %");
    let stat = |text| [("proc/stat", text)];
    assert_found(
        &stat("cpu  500 0 100 9300 0 0 0 100 77 0\ncpu0 1 2\n"),
        "steal",
        Doubtful,
        "1.00 %",
    );
    assert_found(
        &stat("cpu  500 0 100 9400 0 0 0 1 77 0\n"),
        "steal",
        Good,
        "0.01 %",
    );
    let memory = |text| [("proc/meminfo", text)];
    let small =
        "MemTotal: 9 kB\nMemAvailable:   524288 kB\nSwapTotal: 2048 kB\nSwapFree: 1024 kB\n";
    assert_found(&memory(small), "memory", Doubtful, "512 MiB");
    assert_found(&memory(small), "swap", Doubtful, "1 MiB in use");
    let large = "MemAvailable:   8388608 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
    assert_found(&memory(large), "memory", Good, "8192 MiB");
    assert_found(&memory(large), "swap", Good, "none");
}

#[test]
fn results_want_room_on_a_disk() {
    let judge = |bytes, is_in_memory| {
        let room = system::Room {
            bytes,
            is_in_memory,
        };
        checks::judge_room("results", room)
    };
    let found = |text: &str, is_good| (text.to_owned(), is_good);
    assert_eq!(
        judge(1 << 30, false),
        found("1024 MiB left for results", true)
    );
    assert_eq!(
        judge((1 << 30) - (1 << 20), false),
        found("1023 MiB left for results", false)
    );
    assert_eq!(
        judge(1 << 40, true),
        found("1048576 MiB left in memory for results", false)
    );
}

#[test]
fn the_results_directory_is_looked_at_where_there_is_one() {
    const SUBJECT: &str = "room for results";
    let here = [("proc/self/cwd/experiment.toml", "")];
    let (verdict, text) = finding(&here, SUBJECT);
    assert_ne!(verdict, Verdict::Unknown);
    assert!(text.ends_with(" for the current directory"), "{text}");
    let there = [("proc/self/cwd/results/first/runs.csv", "")];
    let (verdict, text) = finding(&there, SUBJECT);
    assert_ne!(verdict, Verdict::Unknown);
    assert!(text.ends_with(" for results"), "{text}");
}

/// The file systems of the machine that tests run on, as its own table of mounts names them.
#[test]
fn a_tmpfs_is_told_from_a_disk() {
    let system = System::new(Path::new("/"));
    let Ok(mounts) = fs::read_to_string("/proc/self/mounts") else {
        return;
    };
    for mount in mounts.lines() {
        let fields: Vec<&str> = mount.split(' ').collect();
        let [_, place @ ("/dev/shm" | "/proc"), kind, ..] = fields[..] else {
            continue;
        };
        let Some(room) = system.room(&place[1..]) else {
            continue;
        };
        assert_eq!(room.is_in_memory, kind == "tmpfs", "{mount}");
    }
}

#[test]
fn how_the_clock_runs() {
    use Verdict::{Doubtful, Good};
    let governors = [
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "performance\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
            "powersave\n",
        ),
        ("sys/devices/system/cpu/cpuidle/current_driver", "none\n"),
    ];
    assert_found(
        &governors,
        "clock governor",
        Doubtful,
        "performance, powersave",
    );
    assert_found(&governors[..1], "clock governor", Good, "performance");
    let intel = |text| [("sys/devices/system/cpu/intel_pstate/no_turbo", text)];
    assert_found(&intel("0\n"), "turbo", Doubtful, "on");
    assert_found(&intel("1\n"), "turbo", Good, "off");
    let other = |text| [("sys/devices/system/cpu/cpufreq/boost", text)];
    assert_found(&other("1\n"), "turbo", Doubtful, "on");
    assert_found(&other("0\n"), "turbo", Good, "off");
    let throttled = [(
        "sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count",
        "7\n",
    )];
    assert_found(&throttled, "throttling", Doubtful, "7 times");
    let source = |text| {
        [(
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            text,
        )]
    };
    assert_found(&source("tsc\n"), "clock source", Good, "tsc");
    assert_found(&source("hpet\n"), "clock source", Doubtful, "hpet");
    let battery = [
        ("sys/class/power_supply/BAT0/type", "Battery\n"),
        ("sys/class/power_supply/AC/type", "Mains\n"),
        ("sys/class/power_supply/AC/online", "0\n"),
    ];
    assert_found(&battery, "power", Doubtful, "battery");
    let second = [
        ("sys/class/power_supply/AC/type", "Mains\n"),
        ("sys/class/power_supply/AC/online", "0\n"),
        ("sys/class/power_supply/USB/type", "Mains\n"),
        ("sys/class/power_supply/USB/online", "1\n"),
    ];
    assert_found(&second, "power", Good, "mains");
}

#[test]
fn how_the_machine_is_built() {
    use Verdict::{Doubtful, Good};
    let siblings = [
        (
            "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
            "0-1\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/topology/thread_siblings_list",
            "0-1\n",
        ),
    ];
    assert_found(&siblings, "hardware threads", Doubtful, "2 on 1 cores");
    assert_found(&siblings[..1], "hardware threads", Good, "1 on 1 cores");
    let flags = |text| [("proc/cpuinfo", text)];
    assert_found(
        &flags("flags\t\t: fpu hypervisor sse\n"),
        "virtual machine",
        Doubtful,
        "yes",
    );
    assert_found(
        &flags("flags\t\t: fpu sse\n"),
        "virtual machine",
        Good,
        "no",
    );
    let pages = |text| [("sys/kernel/mm/transparent_hugepage/enabled", text)];
    assert_found(
        &pages("always [madvise] never\n"),
        "huge pages",
        Good,
        "madvise",
    );
    assert_found(
        &pages("always madvise [never]\n"),
        "huge pages",
        Doubtful,
        "never",
    );
    let nodes = [
        ("sys/devices/system/node/node0/cpulist", "0\n"),
        ("sys/devices/system/node/node1/cpulist", "1\n"),
        ("sys/devices/system/node/online", "0-1\n"),
    ];
    assert_found(&nodes, "memory nodes", Doubtful, "2");
}

#[test]
fn pages_should_stay_where_they_are() {
    use Verdict::{Doubtful, Good, Unknown};
    const SUBJECT: &str = "NUMA balancing";
    let balancing = |text| ("proc/sys/kernel/numa_balancing", text);
    let first = ("sys/devices/system/node/node0/cpulist", "0\n");
    let second = ("sys/devices/system/node/node1/cpulist", "1\n");
    let two = |text| [balancing(text), first, second];
    assert_found(&two("1\n"), SUBJECT, Doubtful, "between 2 nodes");
    assert_found(&two("2\n"), SUBJECT, Doubtful, "between 2 nodes");
    assert_found(&two("0\n"), SUBJECT, Good, "off");
    assert_found(&[balancing("1\n"), first], SUBJECT, Good, "one node");
    // Off is good on any number of nodes, on is not.
    assert_found(&[balancing("0\n")], SUBJECT, Good, "off");
    assert_found(&[balancing("1\n")], SUBJECT, Unknown, "");
}

#[test]
fn address_space_should_not_count_as_memory() {
    use Verdict::{Doubtful, Good, Unknown};
    let of = |text| [("proc/sys/vm/overcommit_memory", text)];
    assert_found(&of("0\n"), "overcommit", Good, "0, by estimate");
    assert_found(&of("1\n"), "overcommit", Good, "1, always");
    assert_found(&of("2\n"), "overcommit", Doubtful, "2, strictly");
    assert_found(&of("3\n"), "overcommit", Unknown, "");
}

#[test]
fn a_quota_is_found_in_both_versions_of_control_groups() {
    use Verdict::{Doubtful, Good};
    let unified = |quota| {
        [
            ("proc/self/cgroup", "0::/user/job\n"),
            ("sys/fs/cgroup/user/job/cpu.max", quota),
        ]
    };
    assert_found(&unified("max 100000\n"), "processor quota", Good, "none");
    assert_found(
        &unified("50000 100000\n"),
        "processor quota",
        Doubtful,
        "50000 100000",
    );
    let above = [
        ("proc/self/cgroup", "0::/job/step\n"),
        ("sys/fs/cgroup/job/cpu.max", "50000 100000\n"),
        ("sys/fs/cgroup/job/step/cpu.max", "max 100000\n"),
    ];
    assert_found(&above, "processor quota", Doubtful, "50000");
    let divided = |quota| {
        [
            ("proc/self/cgroup", "9:name=systemd:/\n2:cpu,cpuacct:/job\n"),
            ("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", quota),
        ]
    };
    assert_found(&divided("-1\n"), "processor quota", Good, "none");
    assert_found(&divided("20000\n"), "processor quota", Doubtful, "20000");
}

#[test]
fn optional_programs_are_looked_for_in_path_and_missing_ones_are_no_fault() {
    const SUBJECT: &str = "optional programs";
    let programs = [
        (
            "proc/self/environ",
            "PATHS=/no\0PATH=/opt/bin:/bin:own\0LAST=1\0",
        ),
        ("bin/sbatch", ""),
        ("bin/scontrol", ""),
        ("opt/bin/parallel", ""),
        ("no/squeue", ""),
    ];
    let root = machine(&programs);
    let found = || {
        let findings = diagnose_at(root.path()).into_iter();
        let mut found = findings.filter(|finding| finding.subject == SUBJECT);
        let found = found.next().expect("such a check");
        assert_eq!(found.verdict, Verdict::Good);
        found.found
    };
    let permit = |path: &str| {
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(root.path().join(path), all).unwrap();
    };
    // A file that nobody may execute is no program.
    assert_eq!(
        found(),
        "--executor slurm: no sbatch, squeue, scontrol; parts by hand: no parallel"
    );
    for (path, _) in &programs[1..] {
        permit(path);
    }
    assert_eq!(found(), "--executor slurm: no squeue; parts by hand: ready");
    let own = root.path().join("proc/self/cwd/own");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("squeue"), "").unwrap();
    permit("proc/self/cwd/own/squeue");
    assert_eq!(found(), "--executor slurm: ready; parts by hand: ready");
}

#[test]
fn a_variable_that_is_no_text_hides_no_other() {
    let root = machine(&[]);
    fs::create_dir_all(root.path().join("proc/self")).unwrap();
    let environ = root.path().join("proc/self/environ");
    fs::write(environ, b"NOISE=\xff\xfe\0PATH=/bin\0").unwrap();
    let system = System::new(root.path());
    assert_eq!(system.variable("PATH").as_deref(), Some("/bin"));
    assert_eq!(system.variable("PAT"), None);
}
