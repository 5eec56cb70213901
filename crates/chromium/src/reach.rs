//! Which targets of a browser we drive, and what is closed when we detach.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
    time::Duration,
};

use cicerone_driver::{ContextId, PageId, lock};
use cicerone_wire::{Session, WireError};
use futures::future::join_all;

use crate::{
    contexts::{ContextHandle, default_id},
    page::ChromiumPage,
    protocol::target::{CloseTarget, DisposeBrowserContext, GetBrowserContexts, TargetInfo},
    targets::Shared,
};

/// Time limit for closing our contexts.
const LEAVE: Duration = Duration::from_secs(5);

/// Which targets are driven. All others are ignored.
pub(crate) enum Reach {
    /// All: we launched the browser.
    All,
    /// Those in contexts that were created here.
    Made,
    /// Those, and the default context's.
    Default(OnceLock<OtherContexts>),
}

impl Reach {
    /// Whether a context that was not created here is driven.
    pub(crate) fn includes(&self, context: &str) -> bool {
        match self {
            Self::All => true,
            Self::Made => false,
            Self::Default(others) => others.get().is_none_or(|others| !others.include(context)),
        }
    }

    /// Whether pages of the default context belong to a person and stay as they are.
    pub(crate) fn is_shared(&self, context: &ContextId) -> bool {
        matches!(self, Self::Default(_)) && *context == default_id()
    }
}

/// Contexts that somebody else created.
pub(crate) struct OtherContexts {
    /// The default context's id, if the browser reports it. Then every other context is foreign.
    default: Option<String>,
    known: Vec<String>,
}

impl OtherContexts {
    pub(crate) async fn of(root: &Session) -> Result<Self, WireError> {
        match root.send(&GetBrowserContexts {}).await {
            Ok(there) => {
                Ok(Self { default: there.default_browser_context_id, known: there.browser_context_ids })
            }
            // It has no contexts.
            Err(WireError::Refused { .. }) => Ok(Self { default: None, known: Vec::new() }),
            Err(error) => Err(error),
        }
    }

    fn include(&self, context: &str) -> bool {
        match &self.default {
            Some(default) => context != default,
            None => self.known.iter().any(|known| known == context),
        }
    }
}

impl ContextHandle {
    /// Closes what was created here. The browser and everything else in it stay.
    pub(crate) async fn leave(&self) {
        let closing = self.shared.close_ours(&self.root);
        if tokio::time::timeout(LEAVE, closing).await.is_err() {
            tracing::warn!("the browser did not close our contexts within {LEAVE:?}");
        }
    }
}

impl Shared {
    /// Whether we drive a target.
    pub(crate) fn drives(&self, info: &TargetInfo) -> bool {
        let made = lock(&self.made).contains(&ContextId::from(info.browser_context_id.as_str()));
        let inner = matches!(self.reach, Reach::Default(_)) && is_of_the_browser_itself(&info.url);
        made || self.reach.includes(&info.browser_context_id) && !inner
    }

    /// Registers a page that was opened here in a shared context, to be closed when we detach.
    pub(crate) fn opened_here(&self, page: &PageId) {
        if matches!(self.reach, Reach::Default(_)) {
            lock(&self.opened_here).insert(page.clone());
        }
    }

    /// Closes the contexts that were created here, and pages that were opened here in others, with their
    /// popups.
    async fn close_ours(&self, root: &Session) {
        let contexts: Vec<ContextId> = lock(&self.made).iter().cloned().collect();
        let pages = self.pages_of_ours();
        let closing = pages.iter().map(|page| root.send(&CloseTarget { target_id: page.id.as_str() }));
        let disposing =
            contexts.iter().map(|id| root.send(&DisposeBrowserContext { browser_context_id: id.as_str() }));
        let closing = closing.chain(disposing).collect::<Vec<_>>();
        for error in join_all(closing).await.into_iter().filter_map(std::result::Result::err) {
            tracing::debug!(%error, "it was closed before");
        }
        // The page closes some time after the answer.
        join_all(pages.iter().map(|page| page.lifecycle.ended())).await;
    }

    fn pages_of_ours(&self) -> Vec<Arc<ChromiumPage>> {
        let pages: Vec<_> = lock(&self.by_id).values().cloned().collect();
        let mut ours = lock(&self.opened_here).clone();
        let is_next = |ours: &HashSet<PageId>, page: &ChromiumPage| {
            !ours.contains(&page.id) && page.opener.as_ref().is_some_and(|opener| ours.contains(opener))
        };
        while let Some(page) = pages.iter().find(|page| is_next(&ours, page)) {
            ours.insert(page.id.clone());
        }
        pages.into_iter().filter(|page| ours.contains(&page.id)).collect()
    }
}

/// Whether a URL is the browser's own UI (settings, DevTools, extensions). A new tab page counts as a web
/// page.
fn is_of_the_browser_itself(url: &str) -> bool {
    const INNER: [&str; 6] =
        ["chrome:", "chrome-extension:", "chrome-untrusted:", "devtools:", "edge:", "view-source:"];
    const FRESH: [&str; 3] = ["chrome://newtab", "chrome://new-tab-page", "edge://newtab"];
    INNER.iter().any(|scheme| url.starts_with(scheme)) && !FRESH.iter().any(|tab| url.starts_with(tab))
}
