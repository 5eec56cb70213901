//! Navigation: to a URL, through the history, reload.

use std::time::{Duration, Instant};

use cicerone_driver::{DriverError, Navigation};

use crate::{
    Acted, Deadline, Error, HistoryDirection, NavigationError, NewsItem, Outcome, Place, Result, TabId,
    WindowId,
    cancel_guard::OnCancel,
    loading::Load,
    local_files::local_path,
    news,
    page::parts::Navigator,
    settle::Mark,
    state::{PageStatus, State},
};

/// When a navigation counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WaitUntil {
    /// The `DOMContentLoaded` event.
    DomContentLoaded,
    /// The `load` event.
    #[default]
    Load,
    /// The `load` event, then no request for 500 ms.
    NetworkIdle,
}

/// A navigation.
#[derive(Debug, Clone)]
pub struct NavigateRequest {
    /// The destination.
    pub to: Destination,
    /// When it counts as done.
    pub until: WaitUntil,
    /// Extra request headers.
    pub headers: Vec<(String, String)>,
}

/// The destination of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    Url(String),
    /// Steps through the history.
    Steps(i32),
    /// Reload.
    Again,
}

/// The result of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigated {
    /// The requested URL.
    pub url: String,
    /// The final URL and title.
    pub place: Place,
    pub tab: TabId,
    pub window: WindowId,
    /// The HTTP status and its text, if any.
    pub status: Option<(u16, String)>,
    /// Whether it started a download.
    pub download: bool,
}

impl Navigator<'_> {
    /// Loads a URL and waits for the `load` event.
    pub async fn navigate(self, url: &str) -> Result<Acted<Navigated>> {
        self.navigate_until(url, WaitUntil::Load).await
    }

    /// Loads a URL and waits for a load state.
    pub async fn navigate_until(self, url: &str, until: WaitUntil) -> Result<Acted<Navigated>> {
        if let Some(context) = self.page.context() {
            context.check_navigation(url).await?;
        }
        if local_path(url).is_some() {
            self.page.routing().check_local_files().await?;
        }
        let timeout = self.page.settings().navigation_timeout();
        let deadline = Deadline::after(timeout);
        self.dismiss_blocking_dialog().await?;
        let (mark, began) = (self.page.settling().mark(), Instant::now());
        let late = || Error::Navigation(NavigationError::Timeout { url: url.to_owned(), after: timeout });
        let navigation = self.page.dialogs().unless_dialog(self.page.driver().navigate(url));
        // A cancelled navigation must not block the page.
        let guard = OnCancel::new(self.page, |page| {
            page.state().leaving = false;
            Box::pin(async move {
                let _ = page.driver().stop().await;
            })
        });
        let result = deadline.bound(navigation).await;
        guard.done();
        let (document, download) = match result {
            // A dialog opened while the page loads: the page exists.
            Some(Err(_dialog)) => (None, false),
            Some(Ok(Ok(Navigation::Document(document)))) => (Some(document), false),
            Some(Ok(Ok(Navigation::SameDocument))) => {
                self.page.state().leaving = false;
                (None, false)
            }
            Some(Ok(Ok(Navigation::Download))) => (None, true),
            Some(Ok(Ok(Navigation::Failed(_)))) if std::mem::take(&mut self.page.state().stayed) => {
                return Err(Error::Navigation(NavigationError::Stayed { url: url.to_owned() }));
            }
            Some(Ok(Ok(Navigation::Failed(reason)))) => {
                self.page.loading().await_error_page(deadline).await;
                if let Some(trouble) = self.trouble(url, began) {
                    return Err(NavigationError::from_trouble(url, trouble).into());
                }
                // The relay always says why it fails. Without a word the request did not get that far.
                let renewed = match self.page.context() {
                    Some(context) => context.renew_proxy().await?,
                    None => false,
                };
                if self.page.state().is_over() {
                    return Err(self.page.injected().closed_error());
                }
                if renewed {
                    return Box::pin(self.navigate_until(url, until)).await;
                }
                return Err(NavigationError::Failed { url: url.to_owned(), reason }.into());
            }
            Some(Ok(Err(error))) => return Err(self.page.injected().explain(error)),
            None => {
                self.page.loading().abort_loading().await;
                return Err(match self.trouble(url, began) {
                    Some(trouble) => NavigationError::from_trouble(url, trouble).into(),
                    None => late(),
                });
            }
        };
        // Dialogs of the new document are reported again.
        let committed =
            |state: &State| (!state.leaving || document.is_none() || state.is_over()).then_some(());
        let _committed = self.page.until(deadline, committed).await;
        let never_committed = std::mem::take(&mut self.page.state().leaving);
        if never_committed && self.page.state().is_over() {
            return Err(self.page.injected().closed_error());
        }
        let load = match until {
            WaitUntil::DomContentLoaded => self.page.loading().parsed(document, deadline).await,
            WaitUntil::Load | WaitUntil::NetworkIdle => self.page.loading().loaded(document, deadline).await,
        };
        if load == Load::Late {
            // The page can be used unless a script blocks it; interrupt that here.
            self.page.loading().responds().await;
            return Err(late());
        }
        if until == WaitUntil::NetworkIdle && !self.page.loading().network_idle(deadline).await {
            return Err(late());
        }
        let status = self.document_status();
        // A relay that cannot connect answers in place of the host.
        if let Some((403 | 502..=504, _)) = status
            && let Some(trouble) = self.trouble(url, began)
        {
            return Err(NavigationError::from_trouble(url, trouble).into());
        }
        // Do not wait any longer for what is still loading.
        let rest = if load == Load::Complete { deadline } else { Deadline::after(Duration::ZERO) };
        let outcome = self.page.settling().outcome(mark, rest).await?;
        self.navigated(url, status, download, outcome).await
    }

    async fn navigated(
        self,
        url: &str,
        status: Option<(u16, String)>,
        download: bool,
        outcome: Outcome,
    ) -> Result<Acted<Navigated>> {
        self.page.file_access().frame_may_be_shown(&self.page.main_frame()).await?;
        let place = match &outcome.moved {
            Some(place) => place.clone(),
            None => Place { url: self.page.shown_url(), title: self.page.title().await },
        };
        let (tab, window) = (self.page.id(), self.page.window());
        Ok(Acted { done: Navigated { url: url.to_owned(), place, tab, window, status, download }, outcome })
    }

    /// Navigates.
    pub async fn go(self, navigation: &NavigateRequest) -> Result<Acted<Navigated>> {
        let NavigateRequest { to, until, headers } = navigation;
        if !headers.is_empty() {
            self.page.emulator().set_extra_headers(headers).await?;
        }
        // For this navigation only: a cancelled one must not leave the client's headers behind.
        let clear_guard = (!headers.is_empty()).then(|| {
            OnCancel::new(self.page, |page| {
                Box::pin(async move {
                    if let Err(error) = page.emulator().set_extra_headers(&[]).await {
                        tracing::debug!(%error, "extra headers could not be cleared");
                    }
                })
            })
        });
        let result = match to {
            Destination::Url(url) => self.navigate_until(url, *until).await,
            Destination::Steps(steps) => self.traverse(*steps, *until).await,
            Destination::Again => self.reload(*until).await,
        };
        let Some(clear_guard) = clear_guard else { return result };
        let cleared = self.page.emulator().set_extra_headers(&[]).await;
        clear_guard.done();
        // The first error is the one to report.
        let result = result?;
        cleared.map(|()| result)
    }

    /// Reloads the document.
    async fn reload(self, until: WaitUntil) -> Result<Acted<Navigated>> {
        self.dismiss_blocking_dialog().await?;
        let (mark, url) = (self.page.settling().mark(), self.page.url());
        match self.page.injected().with_action_timeout(self.page.driver().reload()).await {
            // Some browsers report a failure at once.
            Err(Error::Driver(DriverError::Refused { message: reason, .. })) => {
                self.page.state().leaving = false;
                return Err(Error::Navigation(NavigationError::Failed { url, reason }));
            }
            started => started?,
        }
        let arrived = self.await_navigation(&url, mark, until).await?;
        match self.document_failure() {
            Some(reason) => Err(Error::Navigation(NavigationError::Failed { url, reason })),
            None => Ok(arrived),
        }
    }

    /// Waits until the main frame has navigated.
    async fn await_navigation(self, url: &str, mark: Mark, until: WaitUntil) -> Result<Acted<Navigated>> {
        let timeout = self.page.settings().navigation_timeout();
        let deadline = Deadline::after(timeout);
        let main = self.page.main_frame();
        let arrived = |state: &State| {
            let moved = state.frame(&main).is_some_and(|frame| frame.navigated > mark.at);
            (moved || state.dialog.is_some() || state.status != PageStatus::Alive).then_some(())
        };
        let late = || Error::Navigation(NavigationError::Timeout { url: url.to_owned(), after: timeout });
        self.page.until(deadline, arrived).await.ok_or_else(late)?;
        self.page.state().leaving = false;
        if until == WaitUntil::NetworkIdle && !self.page.loading().network_idle(deadline).await {
            return Err(late());
        }
        let rest = match until {
            WaitUntil::DomContentLoaded if self.page.loading().parsed(None, deadline).await == Load::Late => {
                return Err(late());
            }
            WaitUntil::DomContentLoaded => Deadline::after(Duration::ZERO),
            WaitUntil::Load | WaitUntil::NetworkIdle => deadline,
        };
        let outcome = self.page.settling().outcome(mark, rest).await?;
        self.navigated(url, self.document_status(), false, outcome).await
    }

    /// Moves through the history.
    async fn traverse(self, steps: i32, until: WaitUntil) -> Result<Acted<Navigated>> {
        self.dismiss_blocking_dialog().await?;
        let mark = self.page.settling().mark();
        if !self.page.injected().with_action_timeout(self.page.driver().traverse(steps)).await? {
            self.page.state().leaving = false;
            let direction = if steps < 0 { HistoryDirection::Back } else { HistoryDirection::Forward };
            return Err(NavigationError::NoHistory(direction).into());
        }
        self.await_navigation("the page in the history", mark, until).await
    }

    /// The HTTP status of the document.
    fn document_status(self) -> Option<(u16, String)> {
        let state = self.page.state();
        state.network.document().and_then(|entry| entry.status.clone())
    }

    /// The network error that made the browser show its error page.
    fn document_failure(self) -> Option<String> {
        let state = self.page.state();
        let entry = state.network.document()?;
        entry.failure.clone().filter(|_| entry.status.is_none())
    }

    /// Dismisses a dialog that would block a navigation, and those that the old document opens afterwards.
    async fn dismiss_blocking_dialog(self) -> Result<()> {
        let open = {
            let mut state = self.page.state();
            state.leaving = true;
            state.stayed = false;
            state.dialog.take()
        };
        self.page.actions().forget_downloads();
        if let Some(dialog) = open {
            self.page.injected().with_action_timeout(self.page.driver().answer_dialog(false, None)).await?;
            news::add(&mut self.page.state().news, NewsItem::DialogAnswered(dialog, false));
        }
        Ok(())
    }
}
