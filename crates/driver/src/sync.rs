use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not: for data that no code leaves half changed when it panics.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
