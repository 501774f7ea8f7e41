//! Something that many read all the time and that changes now and then, while nobody reads it.

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{PoisonError, RwLock, RwLockReadGuard};

/// A value behind a lock that readers hold for long, and give up when somebody wants to change the value.
///
/// Readers look at [`Gate::is_change_wanted`] now and then and step out and in again; so whoever
/// wants a change gets in after at most one step of each reader. `PROTOCOL.md` says why nobody waits for ever.
#[derive(Debug)]
pub(super) struct Gate<T> {
    inside: RwLock<T>,
    /// Who waits to change the value. A count, because a mark taken away by one would be missed by another.
    wishes: AtomicUsize,
}

impl<T> Gate<T> {
    pub(super) fn new(value: T) -> Self {
        Self {
            inside: RwLock::new(value),
            wishes: AtomicUsize::new(0),
        }
    }

    /// Steps in. The lock is poisoned only by a panic during a change, and that panic ends the search anyway.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, T> {
        self.inside.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a reader should step out and in again.
    #[inline]
    pub(super) fn is_change_wanted(&self) -> bool {
        self.wishes.load(Ordering::Relaxed) > 0
    }

    /// Changes the value when all readers have stepped out. The caller is not inside.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        self.wishes.fetch_add(1, Ordering::Relaxed);
        let mut value = self.inside.write().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut value);
        self.wishes.fetch_sub(1, Ordering::Relaxed);
        result
    }
}
