//! The pages of a context: found, opened, and reopened after a crash.

use std::sync::Arc;

use super::Context;
use crate::{Error, NewsItem, Opening, Page, Result, WindowChoice, news, state::PageStatus, tabs::TabId};

/// How many processes without a page a browser has at most.
const STORED_PROCESSES: usize = 3;

impl Context {
    /// The active page as it is. An unreported crash of the page or browser is an error; the next call
    /// finds it reopened.
    pub async fn page(&self) -> Result<Page> {
        self.session()?.alive()?;
        match self.active() {
            Some(page) => self.awake(page).await,
            None => self.page_to_navigate().await,
        }
    }

    /// The same for a given page.
    pub async fn awake(&self, page: Page) -> Result<Page> {
        self.touch();
        match page.status() {
            PageStatus::Crashed if !page.state().crash_told => Err(Error::Crashed { url: page.url() }),
            PageStatus::Crashed => {
                let (url, page) = (page.url(), self.reopen(&page).await?);
                // Restores its URL as far as possible; the call sees the result.
                if let Err(error) = page.navigation().navigate(&url).await {
                    tracing::debug!(%error, "a crashed page could not be loaded again");
                }
                // Only now: loading it would have taken the news.
                news::add(&mut self.tabs().news, NewsItem::Reopened(url));
                Ok(page)
            }
            _ => Ok(page),
        }
    }

    /// The active page, or a new one if it does not work.
    pub async fn page_to_navigate(&self) -> Result<Page> {
        if let Some(page) = self.active() {
            return self.fresh(page).await;
        }
        // Concurrent calls share the page that the first of them opens.
        let _opening = self.inner.opening.lock().await;
        match self.active() {
            Some(page) => Ok(page),
            None => self.open_page().await,
        }
    }

    /// Waits until no call opens the first page. That call has the page's turn by then.
    pub(crate) async fn first_page_opened(&self) {
        drop(self.inner.opening.lock().await);
    }

    /// A given page, or a new one in its place if it crashed.
    pub async fn fresh(&self, page: Page) -> Result<Page> {
        self.touch();
        if page.status() != PageStatus::Crashed {
            return Ok(page);
        }
        let reopened = self.reopen(&page).await?;
        // A blank page has nothing to lose.
        if !page.is_blank() {
            news::add(&mut self.tabs().news, NewsItem::Reopened(page.shown_url()));
        }
        Ok(reopened)
    }

    /// Opens a tab, which becomes active.
    pub async fn open_page(&self) -> Result<Page> {
        self.open(Opening::default()).await
    }

    /// Opens a tab with these options.
    pub async fn open(&self, wanted: Opening) -> Result<Page> {
        let mut crashes = 0;
        let page = loop {
            match self.try_open(wanted).await {
                // Its process was already dying. The browser keeps spare processes, and the
                // same cause may have ended all of them; after that they are new.
                Err(Error::Crashed { .. }) if crashes < STORED_PROCESSES => crashes += 1,
                opened => break opened?,
            }
        };
        self.session()?.end_was_reported();
        let lost = self.tabs().lost_emulation.take();
        if let Some((emulation, size)) = lost {
            page.emulator().restore_emulation(emulation, wanted.size.unwrap_or(size)).await;
        }
        let mut tabs = self.tabs();
        if let Some(loss) = tabs.loss.take() {
            news::add(&mut tabs.news, loss);
        }
        drop(tabs);
        Ok(page)
    }

    async fn try_open(&self, wanted: Opening) -> Result<Page> {
        let _in_use = self.opening();
        let session = self.session()?;
        let host = session.host();
        let _turn = host.opening_turn().await;
        let driver = self.make().await?;
        let viewport = wanted.size.unwrap_or(session.viewport());
        let expected = Expected::by(self);
        let driver = match wanted.window {
            WindowChoice::New => self.answered(driver.open_window(viewport)).await?,
            WindowChoice::Usual | WindowChoice::Known(_) => self.answered(driver.open(viewport)).await?,
        };
        drop(expected);
        let page = self.find(&driver.id()).ok_or(Error::TabClosed)?;
        page.state().viewport = viewport;
        match wanted.window {
            WindowChoice::New => page.put_into(session.next_window()),
            WindowChoice::Known(window) => page.put_into(window),
            WindowChoice::Usual => {}
        }
        let active = self.active().filter(|active| wanted.background && active.id() != page.id());
        match active {
            // In the background it would not be painted.
            Some(active) => active.injected().with_action_timeout(active.driver().activate()).await?,
            None => self.tabs().activate(page.id()),
        }
        self.touch();
        Ok(page)
    }

    /// Gives a crashed tab a new page, with the same index and number.
    async fn reopen(&self, crashed: &Page) -> Result<Page> {
        let _opening = self.inner.opening.lock().await;
        if let Some(page) = self.tab(crashed.id()).filter(|page| page.status() == PageStatus::Alive) {
            return Ok(page);
        }
        let active = self.tabs().active;
        let page = self.put_back(crashed, active).await?;
        let old = Arc::clone(crashed.driver());
        tokio::spawn(async move { old.close().await });
        Ok(page)
    }

    /// Opens a tab with the number, overrides and routes of one that is gone; `active` is the active tab afterwards.
    pub(crate) async fn put_back(&self, lost: &Page, active: Option<TabId>) -> Result<Page> {
        let fresh = self.open_page().await?;
        let page = fresh.renamed(lost.id());
        let (emulation, size) = (lost.emulator().emulation(), lost.geometry().viewport());
        page.emulator().restore_emulation(emulation, size).await;
        self.tabs().replace(lost.id(), &fresh, page.clone(), active);
        page.routing().restore(lost.routing()).await?;
        Ok(page)
    }
}

/// While this lives, new pages are those that the client opens.
struct Expected<'a>(&'a Context);

impl<'a> Expected<'a> {
    fn by(context: &'a Context) -> Self {
        context.tabs().opening += 1;
        Self(context)
    }
}

impl Drop for Expected<'_> {
    fn drop(&mut self) {
        self.0.tabs().opening -= 1;
    }
}
