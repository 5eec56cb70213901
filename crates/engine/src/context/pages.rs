//! The pages of a context: found, opened, and opened anew when they crashed.

use std::sync::Arc;

use super::Context;
use crate::{Error, NewsItem, Opening, Page, Result, WindowChoice, news, state::Fate};

/// How many processes without a page a browser has at most.
const STORED_PROCESSES: usize = 3;

impl Context {
    /// The page that calls go to, as it is. A page or browser that died without anybody being told is an error that
    /// says so; the call after it finds it opened anew.
    pub async fn page(&self) -> Result<Page> {
        self.session()?.alive()?;
        match self.active() {
            Some(page) => self.awake(page).await,
            None => self.page_to_navigate().await,
        }
    }

    /// The same for a certain page.
    pub async fn awake(&self, page: Page) -> Result<Page> {
        self.touch();
        match page.fate() {
            Fate::Crashed if !page.state().crash_told => Err(Error::Crashed { url: page.url() }),
            Fate::Crashed => {
                let (url, page) = (page.url(), self.reopen(&page).await?);
                // It is where it was before, as far as that is possible; how far, the call sees.
                if let Err(error) = page.navigate(&url).await {
                    tracing::debug!(%error, "a crashed page could not be loaded again");
                }
                // Only now: loading it would have taken the news.
                news::add(&mut self.tabs().news, NewsItem::Reopened(url));
                Ok(page)
            }
            _ => Ok(page),
        }
    }

    /// The page that calls go to, or a fresh one where there is none that works.
    pub async fn page_to_navigate(&self) -> Result<Page> {
        if let Some(page) = self.active() {
            return self.fresh(page).await;
        }
        // Calls that come at the same time share the page that the first of them opens.
        let _opening = self.inner.opening.lock().await;
        match self.active() {
            Some(page) => Ok(page),
            None => self.open_page().await,
        }
    }

    /// A certain page, or a fresh one in its place where it crashed.
    pub async fn fresh(&self, page: Page) -> Result<Page> {
        self.touch();
        if page.fate() != Fate::Crashed {
            return Ok(page);
        }
        let reopened = self.reopen(&page).await?;
        // With one that had been nowhere, nothing is lost that anybody would ask about.
        if !page.is_blank() {
            news::add(&mut self.tabs().news, NewsItem::Reopened(page.shown_url()));
        }
        Ok(reopened)
    }

    /// Opens a tab, which becomes active.
    pub async fn open_page(&self) -> Result<Page> {
        self.open(Opening::default()).await
    }

    /// Opens a tab where and how it is told.
    pub async fn open(&self, wanted: Opening) -> Result<Page> {
        let mut crashes = 0;
        let page = loop {
            match self.try_open(wanted).await {
                // A process that was already dying when it got the page. The browser keeps some in store, and whatever
                // ended one may have ended all; then they are fresh.
                Err(Error::Crashed { .. }) if crashes < STORED_PROCESSES => crashes += 1,
                opened => break opened?,
            }
        };
        self.session()?.end_is_told();
        let lost = self.tabs().lost_emulation.take();
        if let Some((emulation, size)) = lost {
            page.restore_emulation(emulation, wanted.size.unwrap_or(size)).await;
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
        let driver = self.make().await?;
        let session = self.session()?;
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
            // Behind another it would not be drawn.
            Some(active) => active.promptly(active.driver().activate()).await?,
            None => self.tabs().activate(page.id()),
        }
        self.touch();
        Ok(page)
    }

    /// Gives a crashed tab another page, in the same place of the list and under the same number.
    async fn reopen(&self, crashed: &Page) -> Result<Page> {
        let _opening = self.inner.opening.lock().await;
        if let Some(page) = self.tab(crashed.id()).filter(|page| page.fate() == Fate::Alive) {
            return Ok(page);
        }
        let active = self.tabs().active;
        let fresh = self.open_page().await?;
        let page = fresh.renamed(crashed.id());
        let (emulation, size) = (crashed.emulation(), crashed.viewport());
        page.restore_emulation(emulation, size).await;
        self.tabs().replace(crashed.id(), &fresh, page.clone(), active);
        let old = Arc::clone(crashed.driver());
        tokio::spawn(async move { old.close().await });
        page.restore_routes(crashed.route_list()).await?;
        Ok(page)
    }
}

/// As long as this lives, a page that appears is one that the client asked for.
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
