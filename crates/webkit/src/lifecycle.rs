//! How long a page and its documents live: whatever is asked of them ends with them.

use std::future::Future;

use cicerone_driver::{DriverError, FrameId, PageEvent, Result};
use cicerone_driver_kit::driver_error;
use cicerone_wire::{Command, Session, WireError};

use crate::page::{WebKitPage, lock};

impl WebKitPage {
    /// Its process ended. Reported once.
    pub(crate) fn report_crashed(&self) {
        let news = self.lifecycle.mark_crashed();
        self.lose_pending();
        if news {
            self.tell(PageEvent::Crashed);
        }
    }

    /// Whether it is new.
    pub(crate) fn mark_closed(&self) -> bool {
        let news = self.lifecycle.mark_closed();
        self.lose_pending();
        news
    }

    /// WebKit answers no command of a page that ended.
    fn lose_pending(&self) {
        self.session.connection().lose(self.id.as_str());
    }

    /// An answer, unless the document goes first: WebKit does not answer for documents that are no more.
    pub(crate) async fn while_there<T>(
        &self,
        frame: &FrameId,
        world: i64,
        answer: impl Future<Output = T>,
    ) -> Result<T> {
        let gone = self.lifecycle.until(|| (!lock(&self.frames).has_world(frame, world)).then_some(()));
        tokio::select! {
            biased;
            answer = answer => Ok(answer),
            gone = gone => Err(gone.err().unwrap_or(DriverError::Gone)),
        }
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.lifecycle.alive()?;
        self.session.send(command).await.map_err(|error| self.failed(error))
    }

    /// Translates a wire error.
    pub(crate) fn failed(&self, error: WireError) -> DriverError {
        match error {
            WireError::Lost { .. } => self.lifecycle.alive().err().unwrap_or(DriverError::Gone),
            other => failed(other),
        }
    }
}

/// Translates a wire error.
pub(crate) fn failed(error: WireError) -> DriverError {
    driver_error(error, |_| DriverError::Gone)
}

/// Sends a command to the host.
pub(crate) async fn ask<C: Command>(root: &Session, command: &C) -> Result<C::Reply> {
    root.send(command).await.map_err(failed)
}
