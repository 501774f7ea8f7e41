//! Typed mailboxes and supervised threads.
