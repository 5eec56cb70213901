//! How long a page lives, and what its documents do meanwhile: whatever is asked of it ends with it.

use std::{future::Future, sync::atomic::Ordering, time::Duration};

use cicerone_driver::{DriverError, FrameId, Result};
use cicerone_wire::{Command, WireError};

use crate::{
    page::{FirefoxPage, failed, lock},
    protocol::browsing_context::GetTree,
};

/// How long it may take until a page that was closed is gone.
const GONE: Duration = Duration::from_secs(2);

/// How long it may take until a document that answers is told to be there. The blank one of a new window never is.
const TOLD: Duration = Duration::from_millis(300);

impl FirefoxPage {
    pub(crate) fn mark_moving(&self) {
        self.movements.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn mark_arrived(&self, frame: &FrameId) {
        self.arrived.store(true, Ordering::Relaxed);
        lock(&self.realms).remove(frame);
        self.changed.notify_waiters();
    }

    /// Whether that is news.
    pub(crate) fn mark_crashed(&self) -> bool {
        let news = !self.crashed.swap(true, Ordering::Relaxed);
        lock(&self.turn).take();
        self.changed.notify_waiters();
        news
    }

    /// Whether that is news: a page that crashed is closed after it, and was told of.
    pub(crate) fn mark_closed(&self) -> bool {
        lock(&self.turn).take();
        let news = !self.closed.swap(true, Ordering::Relaxed) && !self.crashed.load(Ordering::Relaxed);
        self.changed.notify_waiters();
        news
    }

    /// Resolves when it was told to have got a document.
    pub(crate) async fn arrived(&self) -> Result<()> {
        loop {
            let changed = self.changed.notified();
            self.alive()?;
            if self.arrived.load(Ordering::Relaxed) {
                return Ok(());
            }
            changed.await;
        }
    }

    /// An answer came from this realm. When it is another one than before, its document is new; that is told within
    /// moments, and nobody should see the one before the other.
    pub(crate) async fn document_told(&self, frame: &FrameId, realm: &str) {
        let known = |page: &Self| {
            let mut realms = lock(&page.realms);
            realms.entry(frame.clone()).or_insert_with(|| realm.to_owned()) == realm
        };
        let told = async {
            loop {
                let changed = self.changed.notified();
                if known(self) || self.alive().is_err() {
                    return;
                }
                changed.await;
            }
        };
        if tokio::time::timeout(TOLD, told).await.is_err() {
            lock(&self.realms).insert(frame.clone(), realm.to_owned());
        }
    }

    pub(crate) fn alive(&self) -> Result<()> {
        if self.crashed.load(Ordering::Relaxed) {
            Err(DriverError::Crashed)
        } else if self.closed.load(Ordering::Relaxed) {
            Err(DriverError::Closed)
        } else if self.root.connection().is_closed() {
            Err(DriverError::Disconnected)
        } else {
            Ok(())
        }
    }

    /// An answer, unless the page goes first: the browser does not always answer for pages that are no more.
    pub(crate) async fn answer<T>(&self, answer: impl Future<Output = T>) -> Result<T> {
        tokio::select! {
            biased;
            answer = answer => Ok(answer),
            error = self.ended() => Err(error),
        }
    }

    async fn ended(&self) -> DriverError {
        loop {
            let changed = self.changed.notified();
            if let Err(error) = self.alive() {
                return error;
            }
            changed.await;
        }
    }

    /// Resolves when it is no more and that was told; soon, or not at all.
    pub(crate) async fn gone(&self) {
        if tokio::time::timeout(GONE, self.ended()).await.is_err() {
            tracing::debug!(page = %self.id, "a page that was closed is still there");
        }
    }

    /// Whether it is still there, where something was refused that may have ended with it: that is told after.
    pub(crate) async fn still_there(&self) -> Result<()> {
        match self.send(&GetTree { root: Some(self.context()) }).await {
            Ok(_) | Err(DriverError::Refused { .. }) => Ok(()),
            Err(DriverError::Gone) => {
                self.gone().await;
                Err(self.alive().err().unwrap_or(DriverError::Closed))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.alive()?;
        self.answer(self.root.send(command)).await?.map_err(|error| self.failed(error))
    }

    /// The same for what only a document can answer. When it goes meanwhile, the browser has no good words for it.
    pub(crate) async fn send_to_document<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let before = self.movements.load(Ordering::Relaxed);
        match self.send(command).await {
            Err(DriverError::Refused { .. }) if self.movements.load(Ordering::Relaxed) != before => {
                Err(DriverError::Gone)
            }
            Err(refused @ DriverError::Refused { .. }) => self.still_there().await.and(Err(refused)),
            done => done,
        }
    }

    /// The wire's errors in the driver's words.
    pub(crate) fn failed(&self, error: WireError) -> DriverError {
        match error {
            WireError::Refused { kind, .. } if kind == "no such frame" => {
                self.alive().err().unwrap_or(DriverError::Gone)
            }
            // The connection broke and was made again.
            WireError::Lost { .. } => DriverError::Gone,
            other => failed(other),
        }
    }
}
