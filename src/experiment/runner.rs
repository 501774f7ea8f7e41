//! Does the runs of a sweep: runner actors measure, one recorder actor writes, the owner watches.
//!
//! ```text
//! left runs --> schedule --> runners: measure --> recorder --> runs.csv
//!                                        ^           |
//!                                        '-- written-'--> events to the owner
//! ```
//!
//! A runner takes its next run when its last row is on disk, so with one job nothing else happens while
//! a run is measured.

use std::sync::Arc;

use thiserror::Error;

use super::Row;
use super::manifest::ManifestError;
use super::measure::measure;
use super::plan::RunSpec;
use super::process::StopFlag;
use super::recorder::{FinishedRun, RecordError, Recorder};
use super::schedule::Schedule;
use super::spec::Spec;
use super::sweep::{Sweep, Work};
use crate::actor::{self, Address, Inbox, Panicked, Supervised};

/// What happens during a sweep.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A run begins.
    Started(Box<RunSpec>),
    /// A run that warmed the machine up is done; it has no row.
    WarmedUp(Box<RunSpec>),
    /// A run is done and its row is on disk.
    Recorded(Box<Row>),
    /// A run was ended before it was done; it has no row.
    Abandoned(Box<RunSpec>),
}

/// How a sweep has ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SweepEnd {
    /// Rows of all planned runs that are done, also of those done earlier.
    pub rows: Vec<Row>,
    /// Planned runs without a row.
    pub left: usize,
    /// Whether it was asked to stop.
    pub stopped: bool,
}

/// A sweep that had to end early. Rows recorded so far are kept.
#[derive(Debug, Error)]
pub enum RunnerError {
    /// A row cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The manifest cannot be written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A process cannot be started, or a thread.
    #[error("a run cannot be started: {0}")]
    Start(#[from] std::io::Error),
    /// A fault of sokolab.
    #[error("{0}; this is a fault of sokolab, please report it")]
    Panicked(#[from] Panicked),
}

/// A row on its way to the recorder, and whom to tell when it is written.
struct Delivery {
    run: FinishedRun,
    written: Address<()>,
}

/// Does all runs that are left; `observe` hears what happens, on the calling thread.
///
/// Returns when all are done or `stop` is raised; then running processes are killed and rows so far are
/// kept.
///
/// # Errors
/// [`RunnerError`] if rows cannot be written or runs cannot be started.
pub fn run(
    sweep: Sweep,
    stop: &StopFlag,
    mut observe: impl FnMut(&Event),
) -> Result<SweepEnd, RunnerError> {
    let planned = sweep.planned();
    let mut rows = sweep.kept().to_vec();
    let (work, closing) = sweep.into_parts();
    let (events, inbox) = actor::mailbox();
    let crew = Crew::start(work, stop, &events)?;
    drop(events);
    for event in inbox {
        observe(&event);
        if let Event::Recorded(row) = event {
            rows.push(*row);
        }
    }
    let result = crew.join();
    closing.close()?;
    result?;
    Ok(SweepEnd {
        left: planned.saturating_sub(rows.len()),
        rows,
        stopped: stop.is_stopped(),
    })
}

/// The actors of a sweep.
struct Crew {
    recorder: Supervised<Result<(), RecordError>>,
    runners: Vec<Supervised<std::io::Result<()>>>,
}

impl Crew {
    fn start(work: Work, stop: &StopFlag, events: &Address<Event>) -> std::io::Result<Self> {
        let (recorder, supervised) = {
            let (recorder, stop, events) = (work.recorder, stop.clone(), events.clone());
            actor::spawn("recorder", move |inbox| {
                record(recorder, inbox, &stop, &events)
            })?
        };
        let jobs = work.overlap.jobs.min(work.left.len());
        let warm_ups = usize::try_from(work.spec.header.warm_ups).unwrap_or(usize::MAX);
        let (left, overlap, pin) = (work.left, work.overlap, work.spec.header.pin);
        let schedule = Schedule::new(left, warm_ups, overlap, pin, work.cores);
        let schedule = Arc::new(schedule);
        let spec = Arc::new(work.spec);
        let mut runners = Vec::new();
        for number in 1..=jobs {
            let runner = Runner {
                spec: Arc::clone(&spec),
                schedule: Arc::clone(&schedule),
                stop: stop.clone(),
                recorder: recorder.clone(),
                events: events.clone(),
            };
            let name = format!("runner {number}");
            // A runner gets no messages: it asks the schedule.
            let (_, supervised) = actor::spawn(&name, |_: Inbox<()>| runner.work())?;
            runners.push(supervised);
        }
        Ok(Self {
            recorder: supervised,
            runners,
        })
    }

    /// The first thing that went wrong; the recorder's word comes first, because runners end with it.
    fn join(self) -> Result<(), RunnerError> {
        let runners: Vec<_> = self.runners.into_iter().map(Supervised::join).collect();
        self.recorder.join()??;
        runners.into_iter().try_for_each(|runner| Ok(runner??))
    }
}

/// The recorder actor: writes rows until no runner is left, or a row cannot be written.
fn record(
    mut recorder: Recorder,
    inbox: Inbox<Delivery>,
    stop: &StopFlag,
    events: &Address<Event>,
) -> Result<(), RecordError> {
    for delivery in inbox {
        if let Err(error) = recorder.record(&delivery.run) {
            // What cannot be written need not be measured.
            stop.stop();
            return Err(error);
        }
        // Whoever has gone does not wait for the word.
        let _gone = events.send(Event::Recorded(Box::new(delivery.run.row)));
        let _gone = delivery.written.send(());
    }
    Ok(())
}

/// A runner actor.
struct Runner {
    spec: Arc<Spec>,
    schedule: Arc<Schedule>,
    stop: StopFlag,
    recorder: Address<Delivery>,
    events: Address<Event>,
}

impl Runner {
    /// Takes runs until none is left, everything is asked to stop, or the recorder has gone.
    fn work(self) -> std::io::Result<()> {
        while let Some(ticket) = self.schedule.next(&self.stop) {
            let run = &ticket.due.run;
            self.tell(Event::Started(Box::new(run.clone())));
            let measured = measure(&self.spec, run, ticket.cores.as_deref(), &self.stop);
            let finished = measured.inspect_err(|_| self.stop.stop())?;
            let Some(finished) = finished else {
                self.tell(Event::Abandoned(Box::new(run.clone())));
                continue;
            };
            if ticket.due.is_warm_up {
                self.tell(Event::WarmedUp(Box::new(run.clone())));
                continue;
            }
            // A mailbox for this row alone: it closes when the recorder ends without writing it.
            let (written, mut confirmation) = actor::mailbox();
            let delivery = Delivery {
                run: finished,
                written,
            };
            if self.recorder.send(delivery).is_err() || confirmation.next().is_none() {
                break;
            }
        }
        Ok(())
    }

    /// An owner that has gone does not wait for the word.
    fn tell(&self, event: Event) {
        let _gone = self.events.send(event);
    }
}
