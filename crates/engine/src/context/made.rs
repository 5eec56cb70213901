//! A context in the running browser: created, recreated, closed.

use std::sync::{Arc, Weak, atomic::Ordering};

use cicerone_driver::{Browser, Context as Driver, PageEvent};

use super::Context;
use crate::{Error, NewsItem, Result, session::lock};

/// A context in a browser.
pub(super) struct Made {
    by: Weak<dyn Browser>,
    driver: Arc<dyn Driver>,
    /// Whether its initial state was restored.
    restored: bool,
}

impl Made {
    fn is_in(&self, browser: &Arc<dyn Browser>) -> bool {
        self.by.upgrade().is_some_and(|by| Arc::ptr_eq(&by, browser))
    }
}

impl Context {
    /// Creates it in the browser, if that was not done yet.
    pub(crate) async fn make(&self) -> Result<Arc<dyn Driver>> {
        let mut made = self.inner.made.lock().await;
        if self.inner.ended.load(Ordering::Relaxed) {
            return Err(Error::TabClosed);
        }
        let session = self.session()?;
        let browser = session.browser().await?;
        let driver = match &*made {
            Some(made) if made.is_in(&browser) && made.restored => return Ok(Arc::clone(&made.driver)),
            Some(made) if made.is_in(&browser) => Arc::clone(&made.driver),
            _ if self.inner.default => browser.default_context(),
            _ => self.answered(browser.new_context(self.proxy()?.as_ref())).await?,
        };
        *lock(&self.inner.id) = Some(driver.id());
        session.host().own_context(driver.id(), &session);
        // If this is cancelled while restoring, the next caller restores it, or it is closed.
        let by = Arc::downgrade(&browser);
        let made = made.insert(Made { by, driver: Arc::clone(&driver), restored: false });
        let restored = lock(&self.inner.restored_storage).clone();
        if let Some(storage) = restored.as_ref().or(self.inner.options.storage.as_ref()) {
            self.restore(driver.as_ref(), storage).await.inspect_err(|error| {
                // What the browser refuses once it refuses every time.
                if !matches!(error, Error::BrowserEnded | Error::Interrupted | Error::TabClosed) {
                    *lock(&self.inner.restored_storage) = None;
                }
            })?;
        }
        self.restore_permissions(driver.as_ref()).await?;
        made.restored = true;
        *lock(&self.inner.restored_storage) = None;
        Ok(driver)
    }

    /// Closes it and its pages. Running calls get the error that their tab is closed.
    pub(crate) async fn end(&self) {
        let made = self.inner.made.lock().await.take();
        self.inner.ended.store(true, Ordering::Relaxed);
        let pages = std::mem::take(&mut self.tabs().open);
        // Before the browser ends their processes, which would look like a crash.
        for page in &pages {
            page.observe(PageEvent::Closed);
            page.forget_refs();
        }
        if let Some(Made { driver, .. }) = made {
            let closed = match self.inner.default {
                // The default context cannot be closed; its pages can.
                true => {
                    let closing = futures::future::join_all(pages.iter().map(|page| page.driver().close()));
                    self.answered(async { closing.await.into_iter().collect::<std::result::Result<(), _>>() })
                        .await
                }
                false => self.answered(driver.close()).await,
            };
            if let Ok(session) = self.session() {
                session.host().disown_context(&driver.id());
            }
            if let Err(error) = closed {
                tracing::debug!(%error, "a context was gone before it was closed");
            }
        }
    }

    /// Makes its relay known to the browser again, which forgets the credentials when its network process dies; whether it had.
    /// Where it forgot the relay itself, the context is closed, and created again when needed.
    pub(crate) async fn renew_proxy(&self) -> Result<bool> {
        if !self.has_relay() {
            return Ok(false);
        }
        let driver = self.make().await?;
        let lost = match self.answered(driver.renew_proxy()).await {
            Err(Error::Driver(lost)) => lost,
            renewed => return renewed,
        };
        tracing::warn!(error = %lost, context = self.name(), "a context lost its proxy");
        if self.is_default() {
            return Err(lost.into());
        }
        self.unmake().await;
        self.lose(Some(&NewsItem::NetworkLost));
        if let Ok(session) = self.session() {
            session.host().disown_context(&driver.id());
        }
        self.answered(driver.close()).await?;
        Ok(false)
    }

    /// Detaches it from the browser, to be closed. It is created again when needed.
    pub(crate) async fn unmake(&self) -> Option<Arc<dyn Driver>> {
        Some(self.inner.made.lock().await.take()?.driver)
    }

    /// The same without waiting, unless it is being created.
    pub(crate) fn try_unmake(&self) -> Option<Arc<dyn Driver>> {
        Some(self.inner.made.try_lock().ok()?.take()?.driver)
    }

    /// Whether it exists in the running browser.
    pub(crate) fn is_made(&self) -> bool {
        lock(&self.inner.id).is_some()
    }
}
