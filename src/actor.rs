//! Typed mailboxes and supervised threads.
//!
//! An actor is a thread that owns its state and handles the messages of one mailbox. Its life is plain:
//!
//! * [`spawn`] starts it and returns its [`Address`] and its [`Supervised`] thread.
//! * Its inbox ends when the last address is dropped; the actor then returns its result. So shutting
//!   down is dropping addresses, and no message that was sent before is lost.
//! * A panic ends the actor. Senders are told by [`Gone`], the owner by [`Supervised::join`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use thiserror::Error;

/// Where to send messages to an actor. Cheap to clone; while one exists, the inbox stays open.
#[derive(Debug)]
pub struct Address<M>(Sender<M>);

impl<M> Clone for Address<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<M> Address<M> {
    /// Puts a message into the mailbox. Waits while a bounded mailbox is full.
    ///
    /// # Errors
    /// [`Gone`] with the message, if the actor has ended.
    pub fn send(&self, message: M) -> Result<(), Gone<M>> {
        self.0.send(message).map_err(|error| Gone(error.0))
    }
}

/// The actor has ended and takes no more messages; here is the one that was not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the actor has ended")]
pub struct Gone<M>(pub M);

/// The receiving end of a mailbox: an iterator over messages that ends with the last address.
///
/// A clone shares the mailbox: each message goes to one of the clones.
#[derive(Debug)]
pub struct Inbox<M>(Receiver<M>);

impl<M> Clone for Inbox<M> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<M> Iterator for Inbox<M> {
    type Item = M;

    /// Waits for the next message; `None` once no address is left and all messages are handled.
    fn next(&mut self) -> Option<M> {
        self.0.recv().ok()
    }
}

/// An actor ended by a panic.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("actor {actor} panicked: {message}")]
pub struct Panicked {
    /// Name of the actor.
    pub actor: String,
    /// What the panic said.
    pub message: String,
}

/// The thread of an actor, for its owner.
#[derive(Debug)]
#[must_use = "an actor that nobody joins can fail unseen"]
pub struct Supervised<T> {
    name: String,
    thread: JoinHandle<Result<T, Panicked>>,
}

impl<T> Supervised<T> {
    /// Waits for the end of the actor. Drop its addresses first, or it waits for ever.
    ///
    /// # Errors
    /// [`Panicked`] with the message of the panic that ended it.
    pub fn join(self) -> Result<T, Panicked> {
        self.thread
            .join()
            .unwrap_or_else(|payload| Err(panicked(&self.name, payload.as_ref())))
    }
}

/// A mailbox without an actor, for an owner that handles messages itself.
#[must_use]
pub fn mailbox<M>() -> (Address<M>, Inbox<M>) {
    let (sender, receiver) = unbounded();
    (Address(sender), Inbox(receiver))
}

/// A mailbox that holds at most `capacity` messages; senders wait while it is full.
#[must_use]
pub fn bounded_mailbox<M>(capacity: usize) -> (Address<M>, Inbox<M>) {
    let (sender, receiver) = bounded(capacity);
    (Address(sender), Inbox(receiver))
}

/// Starts an actor with a mailbox of its own. `body` handles the messages of the inbox and returns
/// when it ends.
///
/// # Errors
/// If the system cannot start a thread.
pub fn spawn<M, T>(
    name: &str,
    body: impl FnOnce(Inbox<M>) -> T + Send + 'static,
) -> std::io::Result<(Address<M>, Supervised<T>)>
where
    M: Send + 'static,
    T: Send + 'static,
{
    let (address, inbox) = mailbox();
    let supervised = spawn_with(name, inbox, body)?;
    Ok((address, supervised))
}

/// Starts an actor on an inbox that exists already, perhaps shared with others.
///
/// # Errors
/// If the system cannot start a thread.
pub fn spawn_with<M, T>(
    name: &str,
    inbox: Inbox<M>,
    body: impl FnOnce(Inbox<M>) -> T + Send + 'static,
) -> std::io::Result<Supervised<T>>
where
    M: Send + 'static,
    T: Send + 'static,
{
    let actor = name.to_owned();
    let thread = thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            // The body is moved in and never touched again, so no broken state can be seen.
            catch_unwind(AssertUnwindSafe(|| body(inbox)))
                .map_err(|payload| panicked(&actor, payload.as_ref()))
        })?;
    Ok(Supervised {
        name: name.to_owned(),
        thread,
    })
}

fn panicked(actor: &str, payload: &(dyn Any + Send)) -> Panicked {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    Panicked {
        actor: actor.to_owned(),
        message: text.unwrap_or_else(|| "a value that is no text".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_sent_before_the_shutdown_are_all_handled_in_order() {
        let (address, actor) = spawn("sum", |inbox: Inbox<u32>| inbox.collect::<Vec<_>>()).unwrap();
        for number in 0..1000 {
            address.send(number).unwrap();
        }
        drop(address);
        assert_eq!(actor.join(), Ok((0..1000).collect()));
    }

    #[test]
    fn a_panic_reaches_the_owner_and_the_senders() {
        let (address, actor) = spawn("fragile", |mut inbox: Inbox<u32>| {
            let number = inbox.next().unwrap_or(0);
            assert!(number > 10, "{number} is too small");
        })
        .unwrap();
        address.send(3).unwrap();
        let error = actor.join().unwrap_err();
        assert_eq!(error.actor, "fragile");
        assert_eq!(error.message, "3 is too small");
        assert_eq!(address.send(4), Err(Gone(4)));
    }

    #[test]
    fn an_actor_that_ends_by_itself_refuses_further_messages() {
        let (address, actor) = spawn("first", |mut inbox: Inbox<&str>| inbox.next()).unwrap();
        address.send("a").unwrap();
        assert_eq!(actor.join(), Ok(Some("a")));
        assert_eq!(address.send("b"), Err(Gone("b")));
    }

    #[test]
    fn a_shared_inbox_gives_each_message_to_one_actor() {
        let (address, inbox) = mailbox();
        let actors: Vec<_> = ["one", "two", "three"]
            .iter()
            .map(|name| spawn_with(name, inbox.clone(), Iterator::collect::<Vec<u32>>).unwrap())
            .collect();
        drop(inbox);
        (0..100).for_each(|number| address.send(number).unwrap());
        drop(address);
        let mut all: Vec<u32> = actors
            .into_iter()
            .flat_map(|actor| actor.join().unwrap())
            .collect();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_full_mailbox_makes_the_sender_wait() {
        let (address, inbox) = bounded_mailbox(1);
        address.send(1).unwrap();
        let actor = spawn_with("slow", inbox, Iterator::sum::<u32>).unwrap();
        address.send(2).unwrap();
        address.send(3).unwrap();
        drop(address);
        assert_eq!(actor.join(), Ok(6));
    }
}
