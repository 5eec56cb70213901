//! Subscriptions to resources: a *watcher* per URI sends an update when the page changed, at most once a second.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use cicerone_engine::{Deadline, Page, Session, TabId};
use cicerone_tools::resource::{ResourceUri, page_of};
use tokio::{sync::Notify, task::AbortHandle, time::Instant};

use crate::sync::lock;

/// The shortest time between two updates of one resource.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long one wait for a change may take before the current page is looked up again.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The most subscriptions of one client.
pub(crate) const MOST_SUBSCRIPTIONS: usize = 100;

/// A client's subscriptions.
#[derive(Default)]
pub(crate) struct Subscriptions {
    watchers: Mutex<HashMap<String, AbortHandle>>,
    /// Notified after each call, which may have opened, closed or selected a tab.
    called: Arc<Notify>,
}

/// Too many subscriptions.
#[derive(Debug, thiserror::Error)]
#[error("too many subscriptions: at most {MOST_SUBSCRIPTIONS}")]
pub(crate) struct TooMany;

impl Subscriptions {
    /// A tool was called.
    pub(crate) fn called(&self) {
        self.called.notify_waiters();
    }

    /// Calls `update` after each change of a resource until it is unsubscribed or `update` returns false.
    pub(crate) fn add<F>(
        &self,
        session: &Session,
        uri: String,
        update: impl Fn(String) -> F + Send + 'static,
    ) -> Result<(), TooMany>
    where
        F: Future<Output = bool> + Send,
    {
        let mut watchers = self.watchers();
        watchers.retain(|_, watcher| !watcher.is_finished());
        if watchers.len() >= MOST_SUBSCRIPTIONS && !watchers.contains_key(&uri) {
            return Err(TooMany);
        }
        let (session, called, watched) = (session.clone(), Arc::clone(&self.called), uri.clone());
        let watcher = tokio::spawn(async move { watch(&session, &called, watched, update).await });
        if let Some(before) = watchers.insert(uri, watcher.abort_handle()) {
            before.abort();
        }
        Ok(())
    }

    /// The same for a stream that ends with its own request.
    pub(crate) async fn watch<F: Future<Output = bool>>(
        &self,
        session: &Session,
        uri: String,
        update: impl Fn(String) -> F,
    ) {
        watch(session, &self.called, uri, update).await;
    }

    /// Ends a subscription, if there is one.
    pub(crate) fn remove(&self, uri: &str) {
        if let Some(watcher) = self.watchers().remove(uri) {
            watcher.abort();
        }
    }

    fn watchers(&self) -> MutexGuard<'_, HashMap<String, AbortHandle>> {
        lock(&self.watchers)
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        self.watchers().values().for_each(AbortHandle::abort);
    }
}

/// Watches one resource until `update` returns false.
async fn watch<F: Future<Output = bool>>(
    session: &Session,
    called: &Notify,
    uri: String,
    update: impl Fn(String) -> F,
) {
    let mut last: Option<Instant> = None;
    let mut next = changed(session, called, &uri).await;
    while next {
        if let Some(last) = last {
            tokio::time::sleep_until(last + INTERVAL).await;
        }
        last = Some(Instant::now());
        // The client may read as soon as it gets the update, so later changes count from before it is sent.
        let change = async { Ok(changed(session, called, &uri).await) };
        let update = update(uri.clone());
        let sent = async { update.await.then_some(()).ok_or(()) };
        next = matches!(futures::future::try_join(change, sent).await, Ok((true, ())));
    }
}

/// Waits until a resource changed; false when it never can.
async fn changed(session: &Session, called: &Notify, uri: &str) -> bool {
    let tab = match ResourceUri::parse(uri) {
        Some(ResourceUri::Page { tab, .. }) => tab,
        // Tabs and files change with calls only.
        Some(ResourceUri::Tabs(_) | ResourceUri::File(_)) => {
            called.notified().await;
            return true;
        }
        _ => return false,
    };
    let current = || page_of(session, tab).ok();
    let mut before: Option<Option<TabId>> = None;
    loop {
        let page = current();
        let now = page.as_ref().map(Page::id);
        if before.is_some_and(|before| before != now) {
            return true;
        }
        before = Some(now);
        let Some(page) = page else {
            called.notified().await;
            continue;
        };
        let change = page.waits().next_change(Deadline::after(LONGEST_WAIT));
        // A call ends the wait only if it changed which page this is: the change may be what the call did.
        let other_page = async {
            loop {
                called.notified().await;
                if current().as_ref().map(Page::id) != now {
                    return;
                }
            }
        };
        tokio::select! {
            changed = change => if changed { return true },
            () = other_page => return true,
        }
    }
}
