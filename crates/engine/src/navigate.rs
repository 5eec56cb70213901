//! Going somewhere: a URL, or back through the history.

use std::time::{Duration, Instant};

use cicerone_driver::{DocumentId, DriverError, LoadStage, Navigation};

use crate::{
    Acted, Deadline, Error, NewsItem, Outcome, Page, Place, Result, TabId, WindowId,
    abandoned::IfAbandoned,
    news,
    settle::{LOAD_PATIENCE, Mark},
    state::{Fate, Frame, State},
};

/// How far a document has come in the time that it had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// All of it is there.
    Complete,
    /// It can be used, but some part of it does not come.
    Usable,
    /// Not even that.
    Late,
}

/// How far a page must have come for a navigation to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// Parsed, with its blocking scripts run.
    Parsed,
    /// With all that it asked for at first.
    #[default]
    Loaded,
    /// That, and no request under way for half a second.
    Quiet,
}

/// How long no request may be under way for a page to be quiet.
const QUIET: Duration = Duration::from_millis(500);

/// How long a browser may take to show that it cannot load a page.
const ERROR_PAGE: Duration = Duration::from_millis(500);

/// Where to go, and how far the page must have come then.
#[derive(Debug, Clone)]
pub struct Going {
    /// Where to.
    pub to: Whither,
    /// How far.
    pub until: Until,
    /// What is sent along with it.
    pub headers: Vec<(String, String)>,
}

/// Where to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whither {
    /// To a URL.
    Url(String),
    /// So many steps through the history.
    Steps(i32),
    /// Here, anew.
    Again,
}

/// A navigation that came to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigated {
    /// Where to, as asked for.
    pub url: String,
    /// Where it led.
    pub place: Place,
    /// The tab that it is in.
    pub tab: TabId,
    /// The window of that.
    pub window: WindowId,
    /// The answer's status and its words, where there was one.
    pub status: Option<(u16, String)>,
    /// Whether it became a download instead of a page.
    pub download: bool,
}

impl Page {
    /// Loads a URL, and waits until it is there.
    pub async fn navigate(&self, url: &str) -> Result<Acted<Navigated>> {
        self.navigate_until(url, Until::Loaded).await
    }

    /// Loads a URL, and waits until it has come that far.
    pub async fn navigate_until(&self, url: &str, until: Until) -> Result<Acted<Navigated>> {
        if let Some(context) = self.context() {
            context.check_navigation(url).await?;
        }
        let patience = self.navigation_timeout();
        let deadline = Deadline::after(patience);
        self.out_of_the_way().await?;
        let (mark, began) = (self.mark(), Instant::now());
        let late = || Error::NavigationTimeout { url: url.to_owned(), after: patience };
        let going = self.unless_dialog(self.driver().navigate(url));
        // A navigation that is given up must not hold the page.
        let stopping = IfAbandoned::new(self, |page| {
            page.state().leaving = false;
            Box::pin(async move {
                let _ = page.driver().stop().await;
            })
        });
        let gone = deadline.bound(going).await;
        stopping.done();
        let (document, download) = match gone {
            // A dialog while the page loads: it is there, and asks.
            Some(Err(_dialog)) => (None, false),
            Some(Ok(Ok(Navigation::Document(document)))) => (Some(document), false),
            Some(Ok(Ok(Navigation::SameDocument))) => {
                self.state().leaving = false;
                (None, false)
            }
            Some(Ok(Ok(Navigation::Download))) => (None, true),
            Some(Ok(Ok(Navigation::Failed(_)))) if std::mem::take(&mut self.state().stayed) => {
                return Err(Error::Stayed { url: url.to_owned() });
            }
            Some(Ok(Ok(Navigation::Failed(reason)))) => {
                self.failed_to_leave(deadline).await;
                let url = url.to_owned();
                return Err(match self.trouble(&url, began) {
                    Some(trouble) => Error::on_the_way(&url, trouble),
                    None => Error::Navigation { url, reason },
                });
            }
            Some(Ok(Err(error))) => return Err(self.explain(error)),
            None => {
                self.give_up_loading().await;
                return Err(match self.trouble(url, began) {
                    Some(trouble) => Error::on_the_way(url, trouble),
                    None => late(),
                });
            }
        };
        // From the new document on, dialogs are told of.
        let left = |state: &State| (!state.leaving || document.is_none() || state.is_over()).then_some(());
        let _left = self.until(deadline, left).await;
        let never_left = std::mem::take(&mut self.state().leaving);
        if never_left && self.state().is_over() {
            return Err(self.obituary());
        }
        let load = match until {
            Until::Parsed => self.parsed(document, deadline).await,
            Until::Loaded | Until::Quiet => self.loaded(document, deadline).await,
        };
        if load == Load::Late {
            // What came of it can be used, unless a script keeps it busy; that is ended here.
            self.answers().await;
            return Err(late());
        }
        if until == Until::Quiet && !self.quiet(deadline).await {
            return Err(late());
        }
        let status = self.document_status();
        // A relay that cannot get there answers in place of the host.
        if let Some((403 | 502..=504, _)) = status
            && let Some(trouble) = self.trouble(url, began)
        {
            return Err(Error::on_the_way(url, trouble));
        }
        // What is still loading by now has had its time.
        let rest = if load == Load::Complete { deadline } else { Deadline::after(Duration::ZERO) };
        let outcome = self.outcome(mark, rest).await?;
        Ok(self.navigated(url, status, download, outcome).await)
    }

    async fn navigated(
        &self,
        url: &str,
        status: Option<(u16, String)>,
        download: bool,
        outcome: Outcome,
    ) -> Acted<Navigated> {
        let place = match &outcome.moved {
            Some(place) => place.clone(),
            None => Place { url: self.shown_url(), title: self.title().await },
        };
        let (tab, window) = (self.id(), self.window());
        Acted { done: Navigated { url: url.to_owned(), place, tab, window, status, download }, outcome }
    }

    /// Goes there.
    pub async fn go(&self, going: &Going) -> Result<Acted<Navigated>> {
        let Going { to, until, headers } = going;
        if !headers.is_empty() {
            self.promptly(self.driver().extra_headers(headers)).await?;
        }
        // They are for this one only, however it ends: what is given up must not leave a client's headers behind.
        let clearing = (!headers.is_empty()).then(|| {
            IfAbandoned::new(self, |page| {
                Box::pin(async move {
                    if let Err(error) = page.promptly(page.driver().extra_headers(&[])).await {
                        tracing::debug!(%error, "extra headers could not be cleared");
                    }
                })
            })
        });
        let gone = match to {
            Whither::Url(url) => self.navigate_until(url, *until).await,
            Whither::Steps(steps) => self.traverse(*steps, *until).await,
            Whither::Again => self.reload(*until).await,
        };
        let Some(clearing) = clearing else { return gone };
        let cleared = self.promptly(self.driver().extra_headers(&[])).await;
        clearing.done();
        // What went wrong first is what is told.
        let gone = gone?;
        cleared.map(|()| gone)
    }

    /// Loads the document again.
    async fn reload(&self, until: Until) -> Result<Acted<Navigated>> {
        self.out_of_the_way().await?;
        let mark = self.mark();
        let url = self.url();
        match self.promptly(self.driver().reload()).await {
            // Some say at once that it cannot be loaded.
            Err(Error::Driver(DriverError::Refused { message: reason, .. })) => {
                self.state().leaving = false;
                return Err(Error::Navigation { url, reason });
            }
            begun => begun?,
        }
        let there = self.arrive(&url, mark, until).await?;
        match self.document_failure() {
            Some(reason) => Err(Error::Navigation { url, reason }),
            None => Ok(there),
        }
    }

    /// Waits for the page that a browser shows in place of one that it cannot load, where it shows any: whoever comes
    /// next is to find it there, not on its way.
    async fn failed_to_leave(&self, deadline: Deadline) {
        let shown = |state: &State| (!state.leaving || state.is_over()).then_some(());
        if self.until(deadline.or_after(ERROR_PAGE), shown).await.is_none() {
            // A frame that still loads will show something.
            let loads = |state: &State| state.main().is_some_and(|main| main.loading.is_some());
            let shown = |state: &State| shown(state).or_else(|| (!loads(state)).then_some(()));
            self.until(deadline.or_after(LOAD_PATIENCE), shown).await;
        }
        self.state().leaving = false;
    }

    /// Waits for a document that the main frame was told to show.
    async fn arrive(&self, url: &str, mark: Mark, until: Until) -> Result<Acted<Navigated>> {
        let patience = self.navigation_timeout();
        let deadline = Deadline::after(patience);
        let main = self.main_frame();
        let there = |state: &State| {
            let moved = state.frame(&main).is_some_and(|frame| frame.navigated > mark.at);
            (moved || state.dialog.is_some() || state.fate != Fate::Alive).then_some(())
        };
        let late = || Error::NavigationTimeout { url: url.to_owned(), after: patience };
        self.until(deadline, there).await.ok_or_else(late)?;
        self.state().leaving = false;
        if until == Until::Quiet && !self.quiet(deadline).await {
            return Err(late());
        }
        let rest = match until {
            Until::Parsed if self.parsed(None, deadline).await == Load::Late => return Err(late()),
            Until::Parsed => Deadline::after(Duration::ZERO),
            Until::Loaded | Until::Quiet => deadline,
        };
        let outcome = self.outcome(mark, rest).await?;
        Ok(self.navigated(url, self.document_status(), false, outcome).await)
    }

    /// Waits until no request was under way for a while.
    pub(crate) async fn quiet(&self, deadline: Deadline) -> bool {
        let under_way = |state: &State| state.under_way_since(0) > 0;
        loop {
            if self.until(deadline, |state| (!under_way(state)).then_some(())).await.is_none() {
                return false;
            }
            let still = self.state().stirred.elapsed();
            let rest = deadline.or_after(QUIET.saturating_sub(still));
            let stirred = self.until(rest, |state| under_way(state).then_some(())).await;
            if stirred.is_none() {
                return !deadline.passed();
            }
        }
    }

    /// Goes back (or forward) in the history.
    async fn traverse(&self, steps: i32, until: Until) -> Result<Acted<Navigated>> {
        self.out_of_the_way().await?;
        let mark = self.mark();
        if !self.promptly(self.driver().traverse(steps)).await? {
            self.state().leaving = false;
            return Err(Error::NoHistory(if steps < 0 { "back" } else { "forward" }));
        }
        self.arrive("the page in the history", mark, until).await
    }

    /// The status of the answer that the document came with.
    fn document_status(&self) -> Option<(u16, String)> {
        let state = self.state();
        state.network.iter().find(|entry| entry.kind == "document").and_then(|entry| entry.status.clone())
    }

    /// Why the document is not there: what is shown is the browser's own page about that.
    fn document_failure(&self) -> Option<String> {
        let state = self.state();
        let entry = state.network.iter().find(|entry| entry.kind == "document")?;
        entry.failure.clone().filter(|_| entry.status.is_none())
    }

    /// Waits until a document (whichever is there, unless told) has loaded, or has been parsed and takes too long for
    /// the rest.
    pub(crate) async fn loaded(&self, document: Option<DocumentId>, deadline: Deadline) -> Load {
        if self.parsed(document.clone(), deadline).await == Load::Late {
            return Load::Late;
        }
        let complete = self.staged(document, LoadStage::Complete, deadline.or_after(LOAD_PATIENCE)).await;
        if complete { Load::Complete } else { Load::Usable }
    }

    /// Waits until a document has been parsed.
    async fn parsed(&self, document: Option<DocumentId>, deadline: Deadline) -> Load {
        if self.staged(document, LoadStage::Parsed, deadline).await { Load::Usable } else { Load::Late }
    }

    pub(crate) async fn staged(
        &self,
        document: Option<DocumentId>,
        wanted: LoadStage,
        deadline: Deadline,
    ) -> bool {
        let main = self.main_frame();
        let there = |state: &State| {
            let shown = |frame: &Frame| frame.has_got(document.as_ref()) && frame.stage >= wanted;
            let there = state.frame(&main).is_none_or(shown);
            (there || state.dialog.is_some() || state.fate != Fate::Alive).then_some(())
        };
        self.until(deadline, there).await.is_some()
    }

    /// Whether the page can be used although it has not loaded. One that a script keeps busy is freed from it.
    async fn answers(&self) -> bool {
        let patience = Deadline::after(Duration::from_secs(1));
        self.aftermath(&self.main_frame(), patience).await.is_ok()
    }

    /// After a navigation that took too long: the page must be usable by the next call.
    async fn give_up_loading(&self) {
        self.state().leaving = false;
        let stopping = self.driver().stop();
        if Deadline::after(Duration::from_secs(1)).bound(stopping).await.is_none() || !self.answers().await {
            self.unstick(self.navigation_timeout()).await;
        }
    }

    /// Whether the page can be used. One that did not answer before and still does not is ended, to be opened anew.
    /// Only for the one whose turn it is: whatever runs in the page is interrupted.
    pub async fn usable(&self) -> bool {
        if !self.state().doubtful {
            return true;
        }
        if self.answers().await || self.answers().await {
            self.state().doubtful = false;
            return true;
        }
        if self.driver().crash().await.is_ok() {
            let dead = |state: &State| (state.fate != Fate::Alive).then_some(());
            self.until(Deadline::after(Duration::from_secs(2)), dead).await;
        }
        false
    }

    /// Closes a dialog that would hold up a navigation, and those that come after it in the document that is left.
    async fn out_of_the_way(&self) -> Result<()> {
        let open = {
            let mut state = self.state();
            state.leaving = true;
            state.stayed = false;
            state.dialog.take()
        };
        self.forget_downloads();
        if let Some(dialog) = open {
            self.promptly(self.driver().answer_dialog(false, None)).await?;
            news::add(&mut self.state().news, NewsItem::DialogAnswered(dialog, false));
        }
        Ok(())
    }
}
