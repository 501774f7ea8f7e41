//! The primitives that the concurrent protocols are built of. The models in `tests/loom` build the same protocols of
//! those of a model checker, which runs every interleaving.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic;
pub(crate) use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
pub(crate) use std::thread::yield_now;
