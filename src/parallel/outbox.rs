//! What actors send each other: batches of states, one outbox per actor.

use std::time::Instant;

use crossbeam_channel::Sender;

use super::crew::Crew;
use crate::puzzle::{Coding, Puzzle};
use crate::search::Limits;
use crate::search::discipline::Discipline;
use crate::search::engine::CandidateOf;

/// The owner of a group of states among `owners` actors.
///
/// The last bits are taken, because a table tells the states of one owner apart by the leading ones of their orders, and
/// a group may be an order.
#[inline]
pub(super) const fn owner_of(group: u64, owners: usize) -> usize {
    // Multiplies instead of dividing: 32 bits, scaled to the number of owners.
    (((group & 0xffff_ffff) * owners as u64) >> 32) as usize
}

/// Candidates in a full batch. Channels carry some tens of millions of items a second one by one
/// and ten times as many in batches of this size; larger batches only delay the receiver.
const BATCH: usize = 256;

/// What an actor finds in its mailbox.
pub(super) enum Message<C> {
    /// Successors that belong to it. Carries a token of outstanding work.
    States(Vec<C>),
    /// Look at the crew: a phase has begun or the search is decided.
    Wake,
}

/// Senders to all actors, and what they agree on.
pub(super) struct Context<'a, P: Puzzle, K: Coding<P::State>, D: Discipline> {
    pub(super) crew: Crew<P::State>,
    pub(super) mailboxes: Vec<Sender<Message<CandidateOf<P, K, D>>>>,
    pub(super) coding: &'a K,
    pub(super) limits: &'a Limits,
    pub(super) start: Instant,
}

impl<P: Puzzle, K: Coding<P::State>, D: Discipline> Context<'_, P, K, D> {
    /// Makes every actor look at the crew.
    pub(super) fn wake_all(&self) {
        for mailbox in &self.mailboxes {
            // An actor that has ended no longer needs to be woken.
            let _ = mailbox.send(Message::Wake);
        }
    }
}

/// Batches that are being filled, one per receiver.
pub(super) struct Outbox<'a, P: Puzzle, K: Coding<P::State>, D: Discipline> {
    pub(super) batches: Vec<Vec<CandidateOf<P, K, D>>>,
    pub(super) context: &'a Context<'a, P, K, D>,
    /// Emptied batches, to be filled again.
    spare: Vec<Vec<CandidateOf<P, K, D>>>,
    pub(super) states_sent: u64,
    pub(super) messages_sent: u64,
}

impl<'a, P: Puzzle, K: Coding<P::State>, D: Discipline> Outbox<'a, P, K, D> {
    /// Nothing to send yet.
    pub(super) fn new(context: &'a Context<'a, P, K, D>) -> Self {
        Self {
            batches: context.mailboxes.iter().map(|_| Vec::new()).collect(),
            context,
            spare: Vec::new(),
            states_sent: 0,
            messages_sent: 0,
        }
    }

    /// The actor to which a state belongs.
    #[inline]
    pub(super) fn owner_of(&self, state: &P::State) -> usize {
        owner_of(self.context.coding.group(state), self.batches.len())
    }

    /// Adds a candidate to the batch for its owner; a full batch is sent.
    pub(super) fn put(&mut self, owner: usize, candidate: &CandidateOf<P, K, D>) {
        let batch = &mut self.batches[owner];
        if batch.capacity() == 0
            && let Some(spare) = self.spare.pop()
        {
            *batch = spare;
        }
        batch.push(*candidate);
        if batch.len() >= BATCH {
            self.send(owner);
        }
    }

    /// Keeps the memory of a batch that has been received, for one that will be sent.
    pub(super) fn reuse(&mut self, mut batch: Vec<CandidateOf<P, K, D>>) {
        if self.spare.len() < self.batches.len() {
            batch.clear();
            self.spare.push(batch);
        }
    }

    fn send(&mut self, owner: usize) {
        let batch = std::mem::take(&mut self.batches[owner]);
        if batch.is_empty() {
            return;
        }
        self.states_sent += batch.len() as u64;
        self.messages_sent += 1;
        let crew = &self.context.crew;
        crew.tally.sent(batch.len(), batch_bytes(&batch));
        crew.add_token();
        // A mailbox is closed by an actor that panicked only, and then the search is stopped.
        let _stopped = self.context.mailboxes[owner].send(Message::States(batch));
    }

    /// Sends what there is, however little.
    pub(super) fn send_all(&mut self) {
        for owner in 0..self.batches.len() {
            self.send(owner);
        }
    }
}

pub(super) const fn batch_bytes<C>(batch: &Vec<C>) -> usize {
    batch.capacity() * size_of::<C>()
}
