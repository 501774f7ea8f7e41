//! Models of the agreement of the workers and of the gate.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::sync::mpsc::{Receiver, channel};
use loom::thread;

use super::crew::{Crew, Retirement, Verdict};
use super::gate::Gate;
use crate::search::Status;

/// Two workers conclude at once: one verdict stands, and both see that there is one.
pub fn first_verdict() {
    let crew = Arc::new(Crew::new(2, 0));
    let other = Arc::clone(&crew);
    let worker = thread::spawn(move || {
        other.conclude(Verdict::Solved(1));
        assert!(other.is_stopped());
        other.verdict()
    });
    crew.conclude(Verdict::Stopped(Status::TimeLimit));
    let seen = crew.verdict();
    let seen_by_other = worker.join().expect("the worker ends");
    assert!(seen.is_some());
    assert_eq!(seen, seen_by_other);
    assert_eq!(crew.verdict(), seen);
}

/// What an actor finds in its mailbox.
enum Message {
    Batch,
    Wake,
}

/// A worker sends a batch to another one, which may have retired already, and retires: the batch is expanded before
/// anybody finds that nothing is left, and one of them does.
pub fn termination_with_a_batch_under_way() {
    let crew = Arc::new(Crew::<()>::new(2, 0));
    let expanded = Arc::new(AtomicUsize::new(0));
    let (mailbox, inbox) = channel();
    let receiver = {
        let (crew, expanded) = (Arc::clone(&crew), Arc::clone(&expanded));
        thread::spawn(move || receive(&crew, &inbox, &expanded))
    };
    crew.add_token();
    mailbox.send(Message::Batch).expect("the mailbox is open");
    let finished = crew.retire(0, None) == Retirement::Finished;
    if finished {
        mailbox.send(Message::Wake).expect("the mailbox is open");
    }
    let finished_by_receiver = receiver.join().expect("the receiver ends");
    assert_eq!(usize::from(finished) + finished_by_receiver, 1);
    assert_eq!(expanded.load(Ordering::SeqCst), 1, "the batch is lost");
    assert_eq!(crew.verdict(), Some(Verdict::Exhausted));
}

/// Takes in one batch, as an actor does, before or after it retires; returns how often it found that nothing is left.
fn receive(crew: &Crew<()>, inbox: &Receiver<Message>, expanded: &AtomicUsize) -> usize {
    if let Ok(Message::Batch) = inbox.try_recv() {
        crew.merge_token();
        expanded.fetch_add(1, Ordering::SeqCst);
    }
    while crew.retire(1, None) == Retirement::Wait {
        match inbox.recv().expect("the sender waits") {
            // The token of the batch becomes that of the worker.
            Message::Batch => expanded.fetch_add(1, Ordering::SeqCst),
            Message::Wake => return 0,
        };
    }
    1
}

/// Two workers run dry with a phase waiting at one of them: one begins it, both get a token, and the search ends once.
pub fn a_phase_is_begun_once() {
    let crew = Arc::new(Crew::<()>::new(2, 1));
    let other = Arc::clone(&crew);
    let worker = thread::spawn(move || run_dry(&other, 1, None));
    let ended = run_dry(&crew, 0, Some(4));
    let ended_by_other = worker.join().expect("the worker ends");
    assert_eq!(ended + ended_by_other, 1);
    assert_eq!((crew.phase(), crew.epoch()), (4, 1));
    assert_eq!(crew.verdict(), Some(Verdict::Exhausted));
}

/// Retires with a phase waiting, takes part in the next phase, and retires for good; returns how often it found that
/// nothing is left.
fn run_dry(crew: &Crew<()>, index: usize, waiting: Option<u32>) -> usize {
    let mut epoch = 0;
    if crew.retire(index, waiting) == Retirement::Wait {
        while !crew.notice_epoch(&mut epoch, false) {
            thread::yield_now();
        }
    }
    usize::from(crew.retire(index, None) == Retirement::Finished)
}

/// Two workers want a change at once, and one of them goes on reading until the other has ended: both changes are made,
/// and nobody waits for ever.
pub fn changes_while_others_read() {
    let gate = Arc::new(Gate::new(0));
    let has_ended = Arc::new(AtomicBool::new(false));
    let worker = {
        let (gate, has_ended) = (Arc::clone(&gate), Arc::clone(&has_ended));
        thread::spawn(move || {
            gate.change(|value| *value += 1);
            has_ended.store(true, Ordering::SeqCst);
        })
    };
    gate.change(|value| *value += 1);
    let mut inside = gate.read();
    while !has_ended.load(Ordering::SeqCst) {
        if gate.is_change_wanted() {
            drop(inside);
            thread::yield_now();
            inside = gate.read();
        }
        thread::yield_now();
    }
    assert_eq!(*inside, 2);
    drop(inside);
    worker.join().expect("the worker ends");
}
