//! A mutex that reports a second lock by the same thread instead of hanging.

use std::{
    ops::{Deref, DerefMut},
    panic::Location,
    sync::{Mutex, MutexGuard},
    thread::{self, ThreadId},
};

use cicerone_driver::lock;

/// Guards the state of a page, its refs or the tabs of a context. The server has one thread
/// (`docs/decisions/0004-one-thread.md`): two uses in one
/// statement would deadlock it for all clients. Here the second use panics and names both, which costs one call an
/// error.
#[derive(Default)]
pub(crate) struct StateLock<T> {
    data: Mutex<T>,
    holder: Mutex<Option<Holder>>,
}

#[derive(Clone, Copy)]
struct Holder {
    thread: ThreadId,
    at: &'static Location<'static>,
}

impl<T> StateLock<T> {
    pub(crate) fn new(data: T) -> Self {
        Self { data: Mutex::new(data), holder: Mutex::new(None) }
    }

    /// Locks it. Panics if this thread holds it already.
    #[track_caller]
    pub(crate) fn lock(&self) -> StateGuard<'_, T> {
        let holder = Holder { thread: thread::current().id(), at: Location::caller() };
        let held = *lock(&self.holder);
        if let Some(held) = held.filter(|held| held.thread == holder.thread) {
            panic!("{} locks state that {} still holds", holder.at, held.at);
        }
        let data = lock(&self.data);
        *lock(&self.holder) = Some(holder);
        StateGuard { data, holder: &self.holder }
    }
}

/// Access to what a [`StateLock`] guards.
pub(crate) struct StateGuard<'a, T> {
    data: MutexGuard<'a, T>,
    holder: &'a Mutex<Option<Holder>>,
}

impl<T> Deref for StateGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.data
    }
}

impl<T> DerefMut for StateGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.data
    }
}

impl<T> Drop for StateGuard<'_, T> {
    fn drop(&mut self) {
        // Before the data is unlocked, so that it cannot clear the next holder.
        *lock(self.holder) = None;
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::{AssertUnwindSafe, catch_unwind},
        sync::Arc,
    };

    use super::*;

    #[test]
    fn a_second_lock_in_one_statement_panics_and_names_both_places() {
        let state = StateLock::new(vec![1]);
        let twice = catch_unwind(AssertUnwindSafe(|| state.lock().push(state.lock().len())));
        let message = *twice.unwrap_err().downcast::<String>().unwrap();
        assert_eq!(message.matches("state_lock.rs:").count(), 2, "{message}");
        // The guard of the first use is gone with the panic.
        assert_eq!(*state.lock(), [1]);
    }

    #[test]
    fn another_thread_waits() {
        let state = Arc::new(StateLock::new(0));
        let mut held = state.lock();
        let other = thread::spawn({
            let state = Arc::clone(&state);
            move || *state.lock() += 1
        });
        *held += 1;
        drop(held);
        other.join().unwrap();
        assert_eq!(*state.lock(), 2);
    }
}
