//! How a session gets its browser, leaves it, and loses it.

use std::{sync::atomic::Ordering, time::Instant};

use cicerone_driver::Launch;

use super::{Inner, Session, lock};
use crate::{BrowserHost, Context, Error, News, NewsItem, Result, Sharing, contexts::Contexts};

impl Session {
    /// Begins afresh in a browser with these options; how that browser is. A session that has its browser for itself gets
    /// another one in its place. One that shares its browser stays there where the options allow it, else it gets a
    /// browser of its own.
    pub async fn relaunch(&self, change: impl FnOnce(&mut Launch)) -> Result<Launch> {
        let home = &self.inner.home;
        let mut wanted = home.launch().clone();
        change(&mut wanted);
        // The one that runs is better than none.
        home.launcher().check(&wanted).map_err(Error::Launch)?;
        let before = (self.host(), self.launch().clone());
        self.quit().await;
        self.move_to(home.fitting(&wanted), wanted.clone());
        if let Err(error) = self.browser().await {
            // The next call starts what is known to work.
            self.move_to(before.0, before.1);
            return Err(error);
        }
        Ok(wanted)
    }

    /// Ends its part of the browser, forgets its contexts and how its browser was started; whether anything ran. A browser
    /// that it has for itself ends.
    pub async fn quit(&self) -> bool {
        let answered: News =
            self.own_contexts().iter().flat_map(|context| context.answered_by_closing(None)).collect();
        let ran = self.end().await;
        let home = self.inner.home.clone();
        let launch = home.launch().clone();
        self.move_to(home, launch);
        answered.into_iter().for_each(|item| self.add_news(item));
        ran
    }

    /// Begins afresh on this host.
    fn move_to(&self, host: BrowserHost, launch: Launch) {
        self.host().dismiss(&self.downgrade());
        host.admit(self.downgrade());
        let first = Context::first(self.inner.first.clone(), self.downgrade(), host.sharing());
        *lock(&self.inner.host) = host;
        *self.launch() = launch;
        *self.contexts() = Contexts { open: vec![first.clone()], active: first };
    }

    /// Ends its browser, or in a shared browser closes its contexts; whether there was anything to end.
    pub async fn end(&self) -> bool {
        let host = self.host();
        match host.sharing() {
            // What the client asked for is not news.
            Sharing::Exclusive => host.end().await,
            Sharing::Shared => self.leave(None).await,
        }
    }

    /// Closes its contexts in a shared browser; whether there were any. They are made again when they are needed.
    async fn leave(&self, news: Option<&NewsItem>) -> bool {
        let own = self.own_contexts();
        let made = futures::future::join_all(own.iter().map(Context::unmake)).await;
        self.end_captures();
        own.iter().for_each(|context| context.lose(news));
        let closing = made.into_iter().flatten().map(|driver| async move {
            self.host().disown_context(&driver.id());
            let closed = self.first_context().answered(driver.close()).await;
            closed
                .inspect_err(|error| tracing::debug!(%error, "a context was gone before it was closed"))
                .is_ok()
        });
        let closed = futures::future::join_all(closing).await;
        self.end_was_reported();
        !closed.is_empty()
    }

    /// Closes what nobody used since then, in a browser that others still use.
    pub(crate) async fn expire(&self, then: Instant) {
        let (unused, all) = self.unused_since(then);
        for context in unused {
            let name = context.name().to_owned();
            if self.close_context(&name).await.is_ok() {
                self.add_news(NewsItem::ContextClosed(name));
            }
        }
        if all && self.host().sharing() == Sharing::Shared {
            self.leave(Some(&NewsItem::Rested)).await;
        }
    }

    /// The browser ended without being asked to.
    pub(crate) fn browser_ended(&self) {
        let _logged_for = self.inner.span.enter();
        // Who never used a shared browser has lost nothing.
        if self.host().sharing() == Sharing::Exclusive || self.own_contexts().iter().any(Context::is_made) {
            self.inner.unreported_end.store(true, Ordering::Relaxed);
            self.lose_pages(Some(&NewsItem::Restarted));
        }
    }

    pub(crate) fn lose_pages(&self, news: Option<&NewsItem>) {
        self.end_captures();
        self.own_contexts().iter().for_each(|context| context.lose(news));
    }

    /// Its contexts, without those that it shares by name with others.
    pub(super) fn own_contexts(&self) -> Vec<Context> {
        let mut open = self.all_contexts();
        open.retain(|context| context.is_of(&self.downgrade()));
        open
    }
}

impl Drop for Inner {
    /// A session that was not ended leaves nothing in a shared browser either.
    fn drop(&mut self) {
        let host = lock(&self.host).clone();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if host.sharing() == Sharing::Exclusive {
            return;
        }
        // Those of others are kept by others.
        let open = std::mem::take(&mut lock(&self.contexts).open);
        let unowned = open.iter().filter(|context| context.session().is_err());
        for driver in unowned.filter_map(Context::try_unmake) {
            host.disown_context(&driver.id());
            runtime.spawn(async move {
                if let Err(error) = driver.close().await {
                    tracing::debug!(%error, "a context was gone before its session");
                }
            });
        }
    }
}
