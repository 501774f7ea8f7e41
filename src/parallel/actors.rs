//! The `actors` model: every state belongs to one actor, which alone enters and expands it.
//!
//! Hash-distributed search (Kishimoto, Fukunaga and Botea, "Evaluation of a simple, scalable, parallel
//! best-first search strategy", Artificial Intelligence 195, 2013): the owner of a state is a function
//! of its hash, successors travel to their owners in batches. What is hashed is the group of the state
//! ([`Coding::group`]; for Sokoban the boxes), so that most successors need not travel at all. Nothing is shared but the messages and
//! what the crew agrees on, so the model carries over to several machines.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};

use super::crew::{Crew, Retirement, StopOnPanic, Verdict};
use super::finish::{Crewed, finish};
use super::outbox::{Context, Message, Outbox, batch_bytes, owner_of};
use super::shared::first_phase;
use super::tally::Holding;
use crate::puzzle::{Coding, Heuristic, Pruner, Puzzle};
use crate::search::discipline::Discipline;
use crate::search::engine::{CandidateOf, Gathered, TableOf, Worker};
use crate::search::frontier::Frontier;
use crate::search::gauge::Gauge;
use crate::search::table::{Lookup, OwnedTable};
use crate::search::{Counters, Goal, Limits, Outcome, Problem, WorkerReport};

/// States an actor expands, about, between two publications of what it holds, and between two looks at
/// whether a hungry actor waits for a batch that is not full yet; limits are checked then.
const PUBLISH_INTERVAL: usize = 256;

/// How far ahead of the state being entered the memory of a received state is fetched.
const PREFETCH_AHEAD: usize = 12;

/// One actor.
struct Actor<'a, P: Puzzle, H, R, K: Coding<P::State>, D: Discipline> {
    index: usize,
    worker: Worker<'a, P, H, R, K, D>,
    table: TableOf<P, K, D>,
    inbox: Receiver<Message<CandidateOf<P, K, D>>>,
    outbox: Outbox<'a, P, K, D>,
    context: &'a Context<'a, P, K, D>,
    epoch: u32,
    published: Holding,
    idle: Duration,
}

/// Searches with `threads` actors.
///
/// # Panics
/// If the puzzle, the heuristic or the pruner panics in an actor.
pub(super) fn search<P, H, R, K, D>(
    problem: &Problem<'_, P, H, R, K>,
    goal: Goal,
    limits: &Limits,
    threads: usize,
) -> Outcome<P::Action>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    let start = Instant::now();
    let initial = problem.puzzle.initial();
    let root_owner = owner_of(problem.coding.group(&initial), threads);
    let mut root_worker = Worker::<P, H, R, K, D>::new(problem, goal);
    let solved = root_worker.start();
    let (mailboxes, inboxes): (Vec<_>, Vec<_>) = (0..threads).map(|_| unbounded()).unzip();
    let context = Context::<P, K, D> {
        crew: Crew::new(threads, first_phase::<D, _>(&root_worker.queue.frontier)),
        mailboxes,
        coding: problem.coding,
        limits,
        start,
    };
    if let Some(state) = solved {
        context.crew.conclude(Verdict::Solved(state));
    }
    let mut root = Some(root_worker);
    let actors: Vec<_> = inboxes
        .into_iter()
        .enumerate()
        .map(|(index, inbox)| {
            let rooted = if index == root_owner {
                root.take()
            } else {
                None
            };
            let worker = rooted.unwrap_or_else(|| Worker::new(problem, goal));
            // Only its owner ever receives the initial state, so the others may know it as well.
            let table = OwnedTable::of(problem.coding, &initial);
            Actor::new(index, worker, table, inbox, &context)
        })
        .collect();
    let mut actors = super::run_all(actors, Actor::run);
    settle(&mut actors);
    let (tables, workers): (Vec<_>, Vec<_>) = actors.into_iter().map(Actor::into_results).unzip();
    let crewed = Crewed {
        crew: &context.crew,
        goal,
        start,
        table_bytes: tables.iter().map(OwnedTable::most_bytes).sum(),
        workers,
    };
    finish(problem, crewed, |key| {
        tables.iter().find_map(|table| table.record(key))
    })
}

/// After an early stop: enters what was still under way, without expanding it, so that every
/// generated successor is accounted for.
fn settle<P, H, R, K, D>(actors: &mut [Actor<'_, P, H, R, K, D>])
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    for sender in 0..actors.len() {
        let unsent = std::mem::take(&mut actors[sender].outbox.batches);
        for (owner, batch) in unsent.iter().enumerate() {
            actors[owner].enter_all(batch);
        }
    }
    for actor in actors {
        while let Ok(message) = actor.inbox.try_recv() {
            if let Message::States(batch) = message {
                actor.enter_all(&batch);
            }
        }
    }
}

impl<'a, P, H, R, K, D> Actor<'a, P, H, R, K, D>
where
    P: Puzzle,
    H: Heuristic<P>,
    R: Pruner<P>,
    K: Coding<P::State>,
    D: Discipline,
{
    fn new(
        index: usize,
        worker: Worker<'a, P, H, R, K, D>,
        table: TableOf<P, K, D>,
        inbox: Receiver<Message<CandidateOf<P, K, D>>>,
        context: &'a Context<'a, P, K, D>,
    ) -> Self {
        Self {
            index,
            worker,
            table,
            inbox,
            outbox: Outbox::new(context),
            context,
            epoch: 0,
            published: Holding::default(),
            idle: Duration::ZERO,
        }
    }

    /// Works until the search is decided.
    fn run(mut self) -> Self {
        let context = self.context;
        let guard = StopOnPanic {
            crew: &context.crew,
            wake: || context.wake_all(),
        };
        while self.work() {
            self.outbox.send_all();
            if !self.inbox.is_empty() {
                continue;
            }
            self.publish();
            let next = self.worker.queue.frontier.next_phase();
            match context.crew.retire(self.index, next) {
                Retirement::Finished => break,
                Retirement::NextPhase => {
                    self.epoch = context.crew.epoch();
                    context.wake_all();
                }
                Retirement::Wait => {
                    if !self.wait_for_work() {
                        break;
                    }
                }
            }
        }
        self.publish();
        context.wake_all();
        drop(guard);
        self
    }

    /// Receives and expands what the phase allows; false once the search is decided.
    fn work(&mut self) -> bool {
        let context = self.context;
        let phase = context.crew.phase();
        let gauge = Gauge::new(context.limits, context.start);
        let mut until_publication = 0;
        while !context.crew.is_stopped() {
            if until_publication == 0 {
                until_publication = PUBLISH_INTERVAL;
                self.publish();
                let usage = context.crew.tally.usage();
                self.table
                    .allow(gauge.bytes_left(usage) / context.mailboxes.len());
                if let Some(status) = gauge.check_all(usage) {
                    context.crew.conclude(Verdict::Stopped(status));
                    return false;
                }
                if context.crew.someone_is_hungry() {
                    self.outbox.send_all();
                }
            }
            until_publication -= 1;
            if !self.inbox.is_empty() && !self.receive() {
                return false;
            }
            let is_own = |state: &P::State| self.outbox.owner_of(state) == self.index;
            let found = match self.worker.gather(phase, &self.table, is_own) {
                Gathered::Nothing => return true,
                Gathered::Goal(state) => Some(state),
                Gathered::Successors => self.deliver(),
            };
            if let Some(state) = found {
                context.crew.conclude(Verdict::Solved(state));
                return false;
            }
        }
        false
    }

    /// Enters the successors that belong to this actor and sends away the others.
    fn deliver(&mut self) -> Option<P::State> {
        let (index, table, outbox) = (self.index, &mut self.table, &mut self.outbox);
        self.worker.deliver(|queue, candidate| {
            let owner = outbox.owner_of(&candidate.state);
            if owner == index {
                return queue.admit(table, candidate);
            }
            outbox.put(owner, candidate);
            false
        })
    }

    /// Takes in what waits in the mailbox, while holding a token; false if that solved the puzzle.
    fn receive(&mut self) -> bool {
        while let Ok(message) = self.inbox.try_recv() {
            if let Message::States(batch) = message {
                self.context.crew.merge_token();
                if !self.absorb(batch) {
                    return false;
                }
            }
        }
        true
    }

    fn absorb(&mut self, batch: Vec<CandidateOf<P, K, D>>) -> bool {
        let crew = &self.context.crew;
        crew.tally.received(batch.len(), batch_bytes(&batch));
        let goal = self.enter_all(&batch);
        self.outbox.reuse(batch);
        if let Some(state) = goal {
            crew.conclude(Verdict::Solved(state));
        }
        goal.is_none()
    }

    fn enter_all(&mut self, batch: &[CandidateOf<P, K, D>]) -> Option<P::State> {
        let mut found = None;
        for (index, candidate) in batch.iter().enumerate() {
            if let Some(later) = batch.get(index + PREFETCH_AHEAD) {
                self.table.prefetch(later.key);
            }
            if self.worker.queue.admit(&mut self.table, candidate) {
                found = found.or(Some(candidate.state));
            }
        }
        self.worker.queue.frontier.end_expansion();
        found
    }

    /// Waits, without a token, for states, a new phase or the end; false at the end.
    fn wait_for_work(&mut self) -> bool {
        let began = Instant::now();
        let context = self.context;
        // The `Wake` of a verdict may have been taken in while still working; then no other one comes.
        while !context.crew.is_stopped() {
            let message = context.crew.while_hungry(|| self.inbox.recv());
            let has_batch = matches!(message, Ok(Message::States(_)));
            let new_phase = context.crew.notice_epoch(&mut self.epoch, has_batch);
            match message {
                Ok(Message::States(batch)) => {
                    self.idle += began.elapsed();
                    return self.absorb(batch) && !context.crew.is_stopped();
                }
                Ok(Message::Wake) if context.crew.is_stopped() => break,
                Ok(Message::Wake) if new_phase => {
                    self.idle += began.elapsed();
                    return true;
                }
                Ok(Message::Wake) => {}
                Err(_) => break,
            }
        }
        self.idle += began.elapsed();
        false
    }

    fn publish(&mut self) {
        let holding = Holding::of(&self.worker, self.table.bytes());
        self.context
            .crew
            .tally
            .publish(&mut self.published, holding);
    }

    fn into_results(self) -> (TableOf<P, K, D>, (Counters, WorkerReport)) {
        let report = WorkerReport {
            expanded: self.worker.queue.counters.expanded,
            idle: self.idle,
            states_sent: self.outbox.states_sent,
            messages_sent: self.outbox.messages_sent,
        };
        (self.table, (self.worker.queue.counters, report))
    }
}
