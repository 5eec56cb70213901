use std::{
    future::Future,
    sync::atomic::{AtomicBool, Ordering},
};

use cicerone_driver::{DriverError, Result};
use cicerone_wire::Connection;
use tokio::sync::Notify;

/// Whether a page is alive. Waits for anything of the page end with it.
pub struct Lifecycle {
    connection: Connection,
    crashed: AtomicBool,
    closed: AtomicBool,
    changed: Notify,
}

impl Lifecycle {
    /// A page that is alive for as long as the connection, or until it is marked.
    pub fn new(connection: &Connection) -> Self {
        Self {
            connection: connection.clone(),
            crashed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            changed: Notify::new(),
        }
    }

    /// Marks the page as crashed; whether it is new.
    pub fn mark_crashed(&self) -> bool {
        let news = !self.crashed.swap(true, Ordering::Relaxed);
        self.notify();
        news
    }

    /// Marks the page as closed; whether it is new: after a crash it is not.
    pub fn mark_closed(&self) -> bool {
        let news = !self.closed.swap(true, Ordering::Relaxed) && !self.crashed.load(Ordering::Relaxed);
        self.notify();
        news
    }

    /// An error if the page crashed, was closed, or its browser ended.
    pub fn alive(&self) -> Result<()> {
        if self.crashed.load(Ordering::Relaxed) {
            Err(DriverError::Crashed)
        } else if self.closed.load(Ordering::Relaxed) {
            Err(DriverError::Closed)
        } else if self.connection.is_closed() {
            Err(DriverError::Disconnected)
        } else {
            Ok(())
        }
    }

    /// Wakes every [`until`](Self::until).
    pub fn notify(&self) {
        self.changed.notify_waiters();
    }

    /// Waits until `look` finds something. It is called again after every [`notify`](Self::notify).
    pub async fn until<T>(&self, mut look: impl FnMut() -> Option<T>) -> Result<T> {
        loop {
            let changed = self.changed.notified();
            self.alive()?;
            if let Some(found) = look() {
                return Ok(found);
            }
            tokio::select! {
                () = changed => {}
                () = self.connection.closed() => {}
            }
        }
    }

    /// Resolves with the reason when the page is no longer alive.
    pub async fn ended(&self) -> DriverError {
        match self.until(|| None::<std::convert::Infallible>).await {
            Err(ended) => ended,
            Ok(never) => match never {},
        }
    }

    /// Awaits an answer, unless the page ends first: browsers do not always answer for closed pages.
    pub async fn unless_ended<T>(&self, answer: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            answer = answer => Ok(answer),
            error = self.ended() => Err(error),
        }
    }
}
