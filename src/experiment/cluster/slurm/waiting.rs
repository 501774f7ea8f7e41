//! Waiting for a job: until everything is published, or nobody is left who could publish.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::commands::{Queue, SlurmError, queue};
use crate::experiment::StopFlag;
use crate::experiment::cluster::publication::PublicationError;
use crate::experiment::cluster::survey;

/// Time between two looks: each of them is a request to the one controller of the cluster.
const INTERVAL: Duration = Duration::from_secs(5);

/// How often the flag is looked at in between.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// Looks in a row at which the queue must be empty. The files of a task that has just ended may not be seen yet from here, on
/// a network file system.
const EMPTY_LOOKS: u32 = 2;

/// What one look shows.
#[derive(Debug)]
pub struct Glance {
    /// Rows that were published since the job was handed in.
    pub rows: usize,
    /// The tasks; an error says nothing of them.
    pub queue: Result<Queue, SlurmError>,
}

/// Why waiting has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All rows that were left are published.
    Published,
    /// No task waits or runs any more.
    QueueEmpty,
    /// Somebody asked to stop.
    Stopped,
}

/// Waits for `left` rows beyond the `before` that were published when the job was handed in; `observe` hears what each
/// look shows.
///
/// # Errors
/// [`PublicationError`] if publications cannot be read.
pub fn wait(
    out: &Path,
    job: u64,
    (before, left): (usize, usize),
    stop: &StopFlag,
    mut observe: impl FnMut(&Glance),
) -> Result<End, PublicationError> {
    let mut empty_looks = 0;
    loop {
        if pause(stop) {
            return Ok(End::Stopped);
        }
        let glance = Glance {
            rows: survey(out)?.published_rows().saturating_sub(before),
            queue: queue(job),
        };
        observe(&glance);
        empty_looks = match glance.queue {
            Ok(Queue::Empty) => empty_looks + 1,
            Ok(Queue::Tasks(_)) | Err(_) => 0,
        };
        if glance.rows >= left {
            return Ok(End::Published);
        }
        if empty_looks >= EMPTY_LOOKS {
            return Ok(End::QueueEmpty);
        }
    }
}

/// Waits for the next look; says whether somebody asked to stop.
fn pause(stop: &StopFlag) -> bool {
    let start = Instant::now();
    while start.elapsed() < INTERVAL && !stop.is_stopped() {
        thread::sleep(STOP_INTERVAL);
    }
    stop.is_stopped()
}
