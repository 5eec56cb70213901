//! A page's status: pending commands end when the page closes.

use std::{sync::atomic::Ordering, time::Duration};

use cicerone_driver::{DriverError, FrameId, Result, lock};
use cicerone_wire::{Command, WireError};

use crate::{
    page::{FirefoxPage, failed},
    protocol::browsing_context::GetTree,
};

/// Time limit for a closed page to be gone.
const GONE: Duration = Duration::from_secs(2);

/// Time limit for a document that answers to be reported. The initial blank one never is.
const TOLD: Duration = Duration::from_millis(300);

impl FirefoxPage {
    pub(crate) fn mark_moving(&self) {
        self.navigations.movements.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn mark_arrived(&self, frame: &FrameId) {
        self.navigations.arrived.store(true, Ordering::Relaxed);
        lock(&self.navigations.realms).remove(frame);
        self.lifecycle.notify();
    }

    /// Whether it is new.
    pub(crate) fn mark_crashed(&self) -> bool {
        lock(&self.pointer.turn).take();
        self.lifecycle.mark_crashed()
    }

    /// Whether it is new: a crashed page closes afterwards, and was reported as crashed.
    pub(crate) fn mark_closed(&self) -> bool {
        lock(&self.pointer.turn).take();
        self.lifecycle.mark_closed()
    }

    /// Resolves when a document was reported.
    pub(crate) async fn arrived(&self) -> Result<()> {
        self.lifecycle.until(|| self.navigations.arrived.load(Ordering::Relaxed).then_some(())).await
    }

    /// An answer came from this realm. A different one than before means a new document, which is
    /// reported within moments; this waits for it, so that events come in order.
    pub(crate) async fn document_told(&self, frame: &FrameId, realm: &str) {
        let known = |page: &Self| {
            let mut realms = lock(&page.navigations.realms);
            realms.entry(frame.clone()).or_insert_with(|| realm.to_owned()) == realm
        };
        let told = self.lifecycle.until(|| known(self).then_some(()));
        if tokio::time::timeout(TOLD, told).await.is_err() {
            lock(&self.navigations.realms).insert(frame.clone(), realm.to_owned());
        }
    }

    /// Resolves when it was reported closed, within a time limit.
    pub(crate) async fn gone(&self) {
        if tokio::time::timeout(GONE, self.lifecycle.ended()).await.is_err() {
            tracing::debug!(page = %self.id, "a page that was closed is still there");
        }
    }

    /// Whether it still exists, after a refusal that may mean that it closed, which is reported later.
    pub(crate) async fn still_there(&self) -> Result<()> {
        match self.send(&GetTree { root: Some(self.context()) }).await {
            Ok(_) | Err(DriverError::Refused { .. }) => Ok(()),
            Err(DriverError::Gone) => {
                self.gone().await;
                Err(self.lifecycle.alive().err().unwrap_or(DriverError::Closed))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.lifecycle.alive()?;
        self.lifecycle.unless_ended(self.root.send(command)).await?.map_err(|error| self.failed(error))
    }

    /// The same for commands that only a document can answer. If it goes away, the browser's error is
    /// unspecific.
    pub(crate) async fn send_to_document<C: Command>(&self, command: &C) -> Result<C::Reply> {
        let before = self.navigations.movements.load(Ordering::Relaxed);
        match self.send(command).await {
            Err(DriverError::Refused { .. })
                if self.navigations.movements.load(Ordering::Relaxed) != before =>
            {
                Err(DriverError::Gone)
            }
            Err(refused @ DriverError::Refused { .. }) => self.still_there().await.and(Err(refused)),
            done => done,
        }
    }

    /// Maps wire errors to driver errors.
    pub(crate) fn failed(&self, error: WireError) -> DriverError {
        match error {
            WireError::Refused { kind, .. } if kind == "no such frame" => {
                self.lifecycle.alive().err().unwrap_or(DriverError::Gone)
            }
            // The connection broke and was restored.
            WireError::Lost { .. } | WireError::Interrupted { .. } => DriverError::Gone,
            other => failed(other),
        }
    }
}
