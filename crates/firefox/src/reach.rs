//! What is ours in a browser that we did not start: the driven contexts, and the cleanup when we detach.

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
    time::Duration,
};

use cicerone_driver::{Context, FrameId, PageId, lock};
use cicerone_driver_kit::{Downloads, FirstContext};
use cicerone_wire::{Session, WireError};
use futures::future::join_all;

use crate::{
    browser::{EVENTS, Shared},
    contexts::{DEFAULT, FirefoxContext},
    injected,
    page::FirefoxPage,
    protocol::{
        browsing_context::{GetTree, Info},
        network::{AddIntercept, RemoveIntercept},
        script::RemovePreloadScript,
        session::{Subscribe, Unsubscribe},
    },
};

/// Time limit for the cleanup.
const LEAVE: Duration = Duration::from_secs(8);

/// What is ours in a browser that we did not start. Other contexts are not touched.
pub(crate) struct Attached {
    pub(crate) first: FirstContext,
    pub(crate) downloads: Downloads,
    /// User contexts that we created.
    made: Mutex<HashSet<String>>,
    /// Pages of the default context that we opened, and their popups.
    opened_here: Mutex<HashSet<PageId>>,
    /// The person's browsing contexts, by id, that may not be tabs: Firefox keeps a preloaded one in no window, and does
    /// not report when it gets into one.
    perhaps_tabs: Mutex<HashMap<String, Info>>,
    settings: Mutex<Vec<Setting>>,
}

/// Settings of the session for a user context.
struct Setting {
    subscription: Option<String>,
    script: String,
}

impl Attached {
    pub(crate) fn new(first: FirstContext, downloads: Downloads) -> Self {
        Self {
            first,
            downloads,
            made: Mutex::default(),
            opened_here: Mutex::default(),
            perhaps_tabs: Mutex::default(),
            settings: Mutex::default(),
        }
    }

    /// Whether a user context belongs to a person, whose pages stay as they are.
    fn shares(&self, user_context: &str) -> bool {
        self.first == FirstContext::Default && user_context == DEFAULT
    }
}

impl Shared {
    /// Whether the pages of a user context are driven.
    pub(crate) fn drives(&self, user_context: &str) -> bool {
        self.attached.as_ref().is_none_or(|attached| {
            attached.shares(user_context) || lock(&attached.made).contains(user_context)
        })
    }

    /// Whether a user context belongs to a person.
    pub(crate) fn is_shared(&self, user_context: &str) -> bool {
        self.attached.as_ref().is_some_and(|attached| attached.shares(user_context))
    }

    /// Tells of a page that may be a tab. In a person's context that is not known of every one.
    pub(crate) fn announce_tab(&self, root: &Session, info: &Info) {
        match self.attached.as_ref().filter(|attached| attached.shares(&info.user_context)) {
            Some(attached) if info.original_opener.is_none() => {
                lock(&attached.perhaps_tabs).insert(info.context.clone(), info.clone());
            }
            _ => self.announce(root, info),
        }
    }

    /// A context is a tab: the browser lists it, it was opened here, or it goes somewhere.
    pub(crate) fn is_tab(&self, context: &str) {
        if let (Some(info), Some(connection)) = (self.forget_tab(context), self.connection.get()) {
            self.announce(&connection.root(), &info);
        }
    }

    /// Forgets a context that may be a tab; what it is.
    pub(crate) fn forget_tab(&self, context: &str) -> Option<Info> {
        lock(&self.attached.as_ref()?.perhaps_tabs).remove(context)
    }

    /// A user context was made here.
    pub(crate) fn context_made(&self, user_context: &str) {
        if let Some(attached) = &self.attached {
            lock(&attached.made).insert(user_context.to_owned());
        }
    }

    /// It is gone.
    pub(crate) fn context_gone(&self, user_context: &str) {
        if let Some(attached) = &self.attached {
            lock(&attached.made).remove(user_context);
        }
        self.forget_proxy(user_context);
        self.forget_partitions(user_context);
    }

    /// A page of a person's context was opened here, or by one that was, and goes when we leave.
    pub(crate) fn opened_here(&self, page: &str) {
        if let Some(attached) = &self.attached {
            lock(&attached.opened_here).insert(PageId::from(page));
        }
    }

    /// A reported page appeared, in a browser that we did not start.
    pub(crate) fn take_page(&self, root: &Session, page: &str, user_context: &str, opener: Option<&str>) {
        let Some(attached) = &self.attached else { return };
        if !attached.shares(user_context) {
            // The browser's own dialog for credentials would stay open.
            let contexts = Some(vec![page]);
            root.tell(&AddIntercept { phases: ["authRequired"], contexts, url_patterns: Vec::new() });
        } else if opener.is_some_and(|opener| lock(&attached.opened_here).contains(&PageId::from(opener))) {
            self.opened_here(page);
        }
    }

    /// Has the browser tell of a user context, with the injected script in its documents. In a browser of our own that holds for all.
    pub(crate) async fn take_context(&self, root: &Session, user_context: &str) -> Result<(), WireError> {
        let Some(attached) = &self.attached else { return Ok(()) };
        let subscribed = root.send(&Subscribe { events: EVENTS, user_contexts: Some([user_context]) });
        let settled_in = root.send(&injected::settle_in(Some(user_context)));
        let (subscription, script) = (subscribed.await?.subscription, settled_in.await?.script);
        lock(&attached.settings).push(Setting { subscription, script });
        Ok(())
    }

    /// Closes what was made here, by a deadline. The browser and everything else in it stay.
    pub(crate) async fn leave(&self, root: &Session) {
        if tokio::time::timeout(LEAVE, self.close_ours(root)).await.is_err() {
            tracing::warn!("the browser did not close our contexts within {LEAVE:?}");
        }
    }

    async fn close_ours(&self, root: &Session) {
        let Some(attached) = &self.attached else { return };
        let Some(shared) = self.me.upgrade() else { return };
        let ours = lock(&attached.opened_here).clone();
        let pages = self.frames().reported_pages();
        let pages = pages.iter().filter(|page| ours.contains(&page.id));
        let closed = join_all(pages.map(|page| cicerone_driver::PageDriver::close(&**page))).await;
        let made: Vec<_> = lock(&attached.made).iter().cloned().collect();
        let contexts: Vec<_> =
            made.into_iter().map(|id| FirefoxContext::named(&shared, root.clone(), id)).collect();
        let removed = join_all(contexts.iter().map(|context| context.close())).await;
        for error in closed.into_iter().chain(removed).filter_map(Result::err) {
            tracing::debug!(%error, "it was closed before");
        }
        self.take_back(root).await;
    }

    /// For a session that continues without us.
    async fn take_back(&self, root: &Session) {
        let settings = self.attached.as_ref().map(|attached| std::mem::take(&mut *lock(&attached.settings)));
        if let Some(intercept) = self.intercept.lock().await.take() {
            root.send(&RemoveIntercept { intercept: &intercept }).await.ok();
        }
        for Setting { subscription, script } in settings.unwrap_or_default() {
            root.send(&RemovePreloadScript { script: &script }).await.ok();
            if let Some(subscription) = subscription {
                root.send(&Unsubscribe { subscriptions: [&subscription] }).await.ok();
            }
        }
    }
}

impl FirefoxPage {
    /// After a step in the history: a document from the browser's cache comes back without a word. In a browser of our own that
    /// cache is off.
    pub(crate) async fn tell_restored(&self) {
        let shared = self.shared.upgrade().filter(|shared| shared.attached.is_some());
        let Some(shared) = shared else { return };
        if let Ok(tree) = self.send(&GetTree { root: Some(self.context()) }).await
            && let Some(shown) = tree.contexts.first()
        {
            shared.found_at(&FrameId::from(self.context()), &shown.url);
        }
    }
}
