//! Waits for a condition; a timeout reports the state found instead.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::LoadStage;
use serde_json::json;

use super::wait::WaitScope;
use crate::{
    Deadline, Element, ElementError, Error, EvaluateError, Finish, FoundElement, NewsItem, Pattern, Result,
    Script, ScriptState, Target, Unmet, WaitError, WaitUntil, Wording,
    downloads::Download,
    injected::{InjectedError, NotReady, Refusal, ShownState},
    page::parts::Waits,
    state::{PageStatus, State},
};

/// Time limit for two animation frames.
const FRAMES_TIMEOUT: Duration = Duration::from_millis(200);

#[derive(Debug, Clone)]
pub enum Condition {
    /// An element in a state.
    Element(Target, ElementState),
    /// A text that is visible (`true`) or not.
    Text(Wording, bool),
    Url(Pattern),
    /// A load state.
    Load(WaitUntil),
    /// A script that returns a truthy value, with its polling interval.
    Script(String, Duration),
    /// A duration.
    Time(Duration),
    /// A finished download.
    Download,
}

/// The state of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// In the document.
    Attached,
    /// Not in the document.
    Detached,
    Visible,
    /// Hidden or detached.
    Hidden,
}

/// The result of a wait.
#[derive(Debug, Clone)]
pub struct Awaited {
    /// The matching element.
    pub element: Option<Element>,
    /// The download's name and path.
    pub download: Option<(String, PathBuf)>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

impl Waits<'_> {
    /// Waits for a condition. One that already holds costs at most one round trip.
    pub async fn wait_until(self, condition: &Condition) -> Result<Awaited> {
        let timeout = self.page.settings().wait_timeout();
        let deadline = Deadline::after(timeout);
        let (mut element, mut download) = (None, None);
        let met = match condition {
            Condition::Element(target, state) => {
                self.until_element(target, *state, deadline).await.map(|found| element = found)
            }
            Condition::Text(wording, shown) => self.until_text_matches(wording, *shown, deadline).await,
            Condition::Url(pattern) => self.until_url(pattern, deadline).await,
            Condition::Load(until) => self.until_loaded(*until, deadline).await,
            Condition::Script(source, polling) => {
                self.until_truthy(source, *polling, deadline, timeout).await
            }
            Condition::Time(time) => self.until_time(*time).await.map_err(WaitFailure::from),
            Condition::Download => self.until_downloaded(deadline).await.map(|kept| download = Some(kept)),
        };
        match met {
            Ok(()) => Ok(Awaited { element, download, news: self.page.take_news().await }),
            Err(WaitFailure::TimedOut(unmet)) => {
                Err(WaitError::Timeout { unmet: Box::new(unmet), after: timeout }.into())
            }
            Err(WaitFailure::Failed(error)) => Err(error),
        }
    }

    async fn until_element(
        self,
        target: &Target,
        state: ElementState,
        deadline: Deadline,
    ) -> std::result::Result<Option<Element>, WaitFailure> {
        let (word, absent) = match state {
            ElementState::Attached => ("attached", false),
            ElementState::Detached => ("detached", true),
            ElementState::Visible => ("visible", false),
            ElementState::Hidden => ("hidden", true),
        };
        let place = match target {
            Target::Query(query) => WaitScope::Pages(json!({ "target": query, "state": word })),
            Target::Ref(name) => WaitScope::Ref(*name, json!({ "state": word })),
        };
        match self.wait_in_frames(&place, absent, deadline).await {
            Ok(Some((place, summary))) => {
                self.page.locator().note_followed(target, false);
                Ok(Some(self.page.locator().element(place.number, place.document, summary)))
            }
            Ok(None) => Ok(None),
            Err(InjectedError::Refused(Refusal::Timeout(not_ready))) => {
                Err(WaitFailure::TimedOut(Unmet::Element {
                    target: target.clone(),
                    state,
                    found: found_element(*not_ready),
                }))
            }
            Err(InjectedError::Refused(Refusal::Stale))
            | Err(InjectedError::Failed(Error::Element(ElementError::Stale { .. })))
                if absent =>
            {
                Ok(None)
            }
            Err(failure) => Err(WaitFailure::Failed(self.target_error(target, failure))),
        }
    }

    /// The error for a target that the injected script refused.
    fn target_error(self, target: &Target, failure: InjectedError) -> Error {
        match (failure, target) {
            (InjectedError::Refused(Refusal::Invalid { message }), _) => {
                Error::Element(ElementError::BadTarget { target: target.clone(), reason: message })
            }
            (InjectedError::Refused(Refusal::Stale | Refusal::Unknown), Target::Ref(reference)) => {
                Error::Element(ElementError::Stale { reference: *reference, replaced: false })
            }
            (failure, _) => failure.into_error(),
        }
    }

    async fn until_text_matches(
        self,
        wording: &Wording,
        shown: bool,
        deadline: Deadline,
    ) -> std::result::Result<(), WaitFailure> {
        let args = if shown { json!({ "text": wording }) } else { json!({ "gone": wording }) };
        match self.wait_in_frames(&WaitScope::Pages(args), !shown, deadline).await {
            Ok(_) => Ok(()),
            Err(InjectedError::Refused(Refusal::Timeout(not_ready))) => {
                let instead = Some(not_ready.text.unwrap_or_default());
                Err(WaitFailure::TimedOut(Unmet::Text { text: wording.clone(), shown, instead }))
            }
            Err(InjectedError::Refused(Refusal::Invalid { message })) => Err(WaitFailure::Failed(
                WaitError::BadPattern { pattern: wording.clone(), reason: message }.into(),
            )),
            Err(failure) => Err(WaitFailure::Failed(failure.into_error())),
        }
    }

    async fn until_url(self, pattern: &Pattern, deadline: Deadline) -> std::result::Result<(), WaitFailure> {
        let frame = self.page.locator().chosen_frame()?;
        let there = |state: &State| {
            let fits = state.frame(&frame).is_some_and(|frame| pattern.matches(&frame.url));
            (fits || state.status != PageStatus::Alive || state.frame(&frame).is_none()).then_some(fits)
        };
        match self.page.until(deadline, there).await {
            Some(true) => {
                // Wait until the new document can be used.
                self.page.loading().loaded(None, deadline).await;
                Ok(())
            }
            Some(false) if self.page.status() != PageStatus::Alive => {
                Err(self.page.injected().closed_error().into())
            }
            _ => {
                let url = self.page.state().frame(&frame).map(|frame| frame.url.clone()).unwrap_or_default();
                Err(WaitFailure::TimedOut(Unmet::Url { pattern: pattern.as_str().to_owned(), url }))
            }
        }
    }

    async fn until_loaded(
        self,
        until: WaitUntil,
        deadline: Deadline,
    ) -> std::result::Result<(), WaitFailure> {
        let stage =
            if until == WaitUntil::DomContentLoaded { LoadStage::Parsed } else { LoadStage::Complete };
        let mut there = self.page.loading().reached_stage(None, stage, deadline).await;
        self.page.dialogs().not_held()?;
        if self.page.status() != PageStatus::Alive {
            return Err(self.page.injected().closed_error().into());
        }
        if there && until == WaitUntil::NetworkIdle {
            // Requests started just before show within two frames; a page that renders none is idle as it
            // looks.
            let shown = self
                .page
                .settling()
                .after_frames(&self.page.main_frame(), deadline.or_after(FRAMES_TIMEOUT))
                .await;
            if let Err(error) = shown {
                tracing::debug!(%error, "a page that is to be quiet shows no frames");
            }
            there = self.page.loading().network_idle(deadline).await;
        }
        if there {
            return Ok(());
        }
        let state = self.page.state();
        let urls = state.awaited_urls().take(3).map(str::to_owned).collect();
        Err(WaitFailure::TimedOut(Unmet::Load { until, pending: state.under_way_since(0), urls }))
    }

    async fn until_truthy(
        self,
        source: &str,
        polling: Duration,
        deadline: Deadline,
        timeout: Duration,
    ) -> std::result::Result<(), WaitFailure> {
        let script =
            Script { source: source.to_owned(), args: Vec::new(), awaits: true, finish: Finish::Truth };
        let mut last = ScriptState::NoResult;
        loop {
            match self.page.scripts().eval_script(&script, deadline, timeout).await {
                Ok(Some(serde_json::Value::Bool(true))) => return Ok(()),
                Ok(_) => last = ScriptState::Falsy,
                Err(Error::Evaluate(EvaluateError::Thrown(error))) if error.syntax => {
                    return Err(Error::Evaluate(EvaluateError::Thrown(error)).into());
                }
                // Its dependencies may not be loaded yet.
                Err(Error::Evaluate(EvaluateError::Thrown(error))) => {
                    last = ScriptState::Threw(error.message)
                }
                // The document was unloaded; ask the next one.
                Err(Error::Driver(cicerone_driver::DriverError::Gone)) => {}
                Err(Error::Evaluate(EvaluateError::Timeout(_))) => {
                    let last = if last == ScriptState::NoResult { ScriptState::Endless } else { last };
                    return Err(WaitFailure::TimedOut(Unmet::Script(last)));
                }
                Err(error) => return Err(error.into()),
            }
            let dead = |state: &State| (state.status != PageStatus::Alive).then_some(());
            // The client chose the interval.
            if self.page.until(deadline.or_after(polling), dead).await.is_some() {
                return Err(self.page.injected().closed_error().into());
            }
            if deadline.passed() {
                return Err(WaitFailure::TimedOut(Unmet::Script(last)));
            }
        }
    }

    /// Waits for a duration; only the end of the page ends it early.
    pub(crate) async fn until_time(self, time: Duration) -> Result<()> {
        let dead = |state: &State| (state.status != PageStatus::Alive).then_some(());
        match self.page.until(Deadline::after(time), dead).await {
            Some(()) => Err(self.page.injected().closed_error()),
            None => Ok(()),
        }
    }

    async fn until_downloaded(
        self,
        deadline: Deadline,
    ) -> std::result::Result<(String, PathBuf), WaitFailure> {
        let context = self.page.context().ok_or(Error::TabClosed)?;
        match context.next_download(deadline).await {
            Some(Download { name, saved: Ok(path) }) => Ok((name, path)),
            Some(Download { name, saved: Err(failure) }) => {
                Err(Error::Wait(WaitError::DownloadFailed(name, failure)).into())
            }
            None => Err(WaitFailure::TimedOut(Unmet::Download { running: context.running_downloads() })),
        }
    }
}

/// Why a condition does not hold.
pub(crate) enum WaitFailure {
    TimedOut(Unmet),
    /// It could not be evaluated.
    Failed(Error),
}

impl From<Error> for WaitFailure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The element that matches, in another state.
fn found_element(not_ready: NotReady) -> Option<FoundElement> {
    let summary = not_ready.element?;
    let state = match not_ready.state? {
        ShownState::Visible => ElementState::Visible,
        ShownState::Hidden => ElementState::Hidden,
    };
    Some(FoundElement { role: summary.role, name: summary.name, state })
}
