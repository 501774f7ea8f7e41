//! A sweep that is killed again and again, and one whose disk is full: nothing is lost, nothing is there twice.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use sokolab::experiment::read_rows;
use sokolab::experiment::split_mix::SplitMix64;

use crate::lab::{Lab, TINY, deterministic_rows};

/// Moments at which a sweep is killed.
const KILLS: usize = 200;

/// Runs of about 4 milliseconds, so many that the kills do not outlast them: sequential, so that every count repeats.
fn lab() -> Lab {
    let matrix = "strategy = [\"dfs\", \"bfs\"]\npruning = [\"none\", \"corner\"]";
    Lab::new(TINY, "repetitions = 300\ntime_limit = \"60s\"", matrix)
}

#[test]
fn two_hundred_kills_lose_nothing_and_repeat_nothing() {
    let lab = lab();
    let mut random = SplitMix64::new(7);
    let mut killed = 0;
    for _ in 0..KILLS {
        let sweep = lab.start_sweep();
        // From before anything is read to some runs after.
        thread::sleep(Duration::from_micros(random.below(40_000)));
        // One that has ended by itself is a zombie, which takes a signal, too.
        sweep.signal(Signal::KILL);
        killed += usize::from(sweep.wait().code.is_none());
    }
    let done = lab.rows_so_far();
    assert!(killed > KILLS / 2, "{killed} sweeps were killed");
    assert!(done > 0, "none was killed in the middle of its runs");
    let resumed = lab.sweep(&[]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    lab.assert_complete();
    assert_eq!(lab.run(&["verify", "out"]).code, Some(0));

    assert_eq!(lab.sweep_into("undisturbed").code, Some(0));
    let undisturbed = read_rows(lab.path("undisturbed/runs.csv")).expect("good rows");
    let (rows, expected) = (
        deterministic_rows(lab.rows()),
        deterministic_rows(undisturbed),
    );
    assert_eq!(rows, expected);
}

/// A small file system that is unmounted at the end.
struct SmallDisk<'a>(&'a str);

impl<'a> SmallDisk<'a> {
    /// None where this process may not mount one.
    fn mount(path: &'a str, kibibytes: usize) -> Option<Self> {
        let size = format!("size={kibibytes}k");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs", path])
            .output();
        mount
            .is_ok_and(|mount| mount.status.success())
            .then_some(Self(path))
    }

    fn enlarge(&self) {
        let options = ["-o", "remount,size=64m", self.0];
        let enlarged = Command::new("mount").args(options).status();
        assert!(enlarged.is_ok_and(|status| status.success()));
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        // A directory that stays mounted is left to whoever cleans up.
        let _left = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_keeps_every_row_and_the_sweep_goes_on_when_there_is_room() {
    let lab = lab();
    let out = lab.out();
    fs::create_dir(&out).expect("a writable directory");
    let path = out.display().to_string();
    let Some(disk) = SmallDisk::mount(&path, 256) else {
        eprintln!("skipped: a small tmpfs can be mounted by root only");
        return;
    };
    let ended = lab.sweep(&[]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended.stderr.contains("No space left on device"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("sokolab resume out"),
        "{}",
        ended.stderr
    );
    let before = lab.rows();
    assert!((1..1200).contains(&before.len()), "{} rows", before.len());

    disk.enlarge();
    let resumed = lab.run(&["resume", "out"]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    lab.assert_complete();
    assert_eq!(lab.rows()[..before.len()], before[..]);
}
