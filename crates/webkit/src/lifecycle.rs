//! How long a page and its documents live: whatever is asked of them ends with them.

use std::{future::Future, sync::atomic::Ordering};

use cicerone_driver::{DriverError, FrameId, PageEvent, Result};
use cicerone_wire::{Command, Session, WireError};

use crate::page::{WebKitPage, lock};

impl WebKitPage {
    /// Its process ended. Reported once.
    pub(crate) fn report_crashed(&self) {
        if self.end(&self.crashed) {
            self.tell(PageEvent::Crashed);
        }
    }

    /// Whether that is news.
    pub(crate) fn mark_closed(&self) -> bool {
        let crashed = self.crashed.load(Ordering::Relaxed);
        self.end(&self.closed) && !crashed
    }

    fn end(&self, flag: &std::sync::atomic::AtomicBool) -> bool {
        let news = !flag.swap(true, Ordering::Relaxed);
        self.session.connection().lose(self.id.as_str());
        self.changed.notify_waiters();
        news
    }

    pub(crate) fn alive(&self) -> Result<()> {
        if self.crashed.load(Ordering::Relaxed) {
            Err(DriverError::Crashed)
        } else if self.closed.load(Ordering::Relaxed) {
            Err(DriverError::Closed)
        } else if self.session.connection().is_closed() {
            Err(DriverError::Disconnected)
        } else {
            Ok(())
        }
    }

    /// Resolves when what this looks for is there.
    pub(crate) async fn until<T>(&self, found: impl Fn() -> Option<T>) -> Result<T> {
        loop {
            let changed = self.changed.notified();
            if let Some(found) = found() {
                return Ok(found);
            }
            self.alive()?;
            changed.await;
        }
    }

    /// An answer, unless the document goes first: WebKit does not answer for documents that are no more.
    pub(crate) async fn while_there<T>(
        &self,
        frame: &FrameId,
        world: i64,
        answer: impl Future<Output = T>,
    ) -> Result<T> {
        let gone = self.until(|| (!lock(&self.frames).has_world(frame, world)).then_some(()));
        tokio::select! {
            biased;
            answer = answer => Ok(answer),
            gone = gone => Err(gone.err().unwrap_or(DriverError::Gone)),
        }
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.alive()?;
        self.session.send(command).await.map_err(|error| self.failed(error))
    }

    /// The wire's errors in the driver's words.
    pub(crate) fn failed(&self, error: WireError) -> DriverError {
        match error {
            WireError::Lost { .. } => self.alive().err().unwrap_or(DriverError::Gone),
            other => failed(other),
        }
    }
}

/// The wire's errors in the driver's words.
pub(crate) fn failed(error: WireError) -> DriverError {
    match error {
        WireError::Refused { method, message, .. } => DriverError::Refused { command: method, message },
        WireError::Malformed { source, .. } => DriverError::Garbled(source),
        WireError::Lost { .. } => DriverError::Gone,
        _ => DriverError::Disconnected,
    }
}

/// Sends a command of the host's own.
pub(crate) async fn ask<C: Command>(root: &Session, command: &C) -> Result<C::Reply> {
    root.send(command).await.map_err(failed)
}
