//! A restart of the browser with access to its own process, for what it has only there.

use std::sync::Arc;

use super::Session;
use crate::{Context, NewsItem, Page, Result, Sharing, StorageState, TabId};

/// What a context had before the restart.
struct Before {
    context: Context,
    storage: Option<StorageState>,
    pages: Vec<Page>,
    active: Option<TabId>,
}

impl Session {
    /// Gives the browser access to its own process, where it has none and may have it: a browser of this session alone, with
    /// a temporary profile. It is restarted with the same profile, and its tabs are opened again; `announce` is called before
    /// that. What was lost by it, if it was restarted.
    pub async fn gain_system_access(&self, announce: impl FnOnce()) -> Result<Option<NewsItem>> {
        self.alive()?;
        let host = self.host();
        if host.sharing() != Sharing::Exclusive {
            return Ok(None);
        }
        host.want_system_access();
        if host.running().is_none_or(|browser| browser.restart().is_none()) {
            return Ok(None);
        }
        announce();
        let mut all = Vec::new();
        for context in self.own_contexts().into_iter().filter(Context::is_made) {
            all.push(Before::of(context).await);
        }
        // Before the end: if this is cancelled, or the start fails, the next browser has it.
        for Before { context, storage, .. } in &mut all {
            context.begin_with(storage.take().map(Arc::new));
        }
        host.end_to_restart().await;
        self.browser().await?;
        let mut reopened = 0;
        for before in &all {
            reopened += before.restore().await;
        }
        Ok(Some(NewsItem::RestartedForAccess { reopened }))
    }
}

impl Before {
    async fn of(context: Context) -> Self {
        let storage = match context.storage().await {
            Ok((mut storage, _)) => {
                // What the profile keeps by itself.
                if context.is_default() {
                    storage.origins.clear();
                }
                Some(storage)
            }
            Err(error) => {
                tracing::warn!(%error, context = context.name(), "its storage is lost with the browser");
                None
            }
        };
        let (pages, active) = {
            let tabs = context.tabs();
            (tabs.open.clone(), tabs.active)
        };
        Self { context, storage, pages, active }
    }

    /// Opens its tabs again; how many.
    async fn restore(&self) -> usize {
        let mut reopened = 0;
        for lost in &self.pages {
            let url = lost.url();
            let page = match self.context.put_back(lost, self.active).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::warn!(%error, url, "a tab could not be opened again");
                    continue;
                }
            };
            reopened += 1;
            if !lost.is_blank()
                && let Err(error) = page.navigation().navigate(&url).await
            {
                tracing::debug!(%error, url, "a page could not be loaded again");
            }
        }
        reopened
    }
}
