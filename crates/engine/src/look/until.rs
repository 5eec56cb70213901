//! Waiting until something holds, and saying what was there instead when it does not.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::LoadStage;
use serde_json::json;

use super::wait::Where;
use crate::{
    Deadline, Element, Error, Finish, NewsItem, Page, Pattern, Result, Script, Target, Until, Wording,
    agent::{Failure, Refusal, Stuck},
    downloads::Download,
    snapshot::{plain, quoted},
    state::{Fate, State},
};

/// How long two frames may take.
const FRAMES: Duration = Duration::from_millis(200);

/// What is waited for.
#[derive(Debug, Clone)]
pub enum Condition {
    /// An element in a state.
    Element(Target, ElementState),
    /// A text that can be seen, or that cannot.
    Text(Wording, bool),
    /// A URL.
    Url(Pattern),
    /// How far the page has loaded.
    Load(Until),
    /// A script that returns something truthy, asked so often.
    Script(String, Duration),
    /// So much time.
    Time(Duration),
    /// A download that has ended, or will.
    Download,
}

/// A state that an element may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// In the document.
    Attached,
    /// Not in it.
    Detached,
    /// To be seen.
    Visible,
    /// Not to be seen.
    Hidden,
}

/// What came of waiting.
#[derive(Debug, Clone)]
pub struct Awaited {
    /// The element that was waited for.
    pub element: Option<Element>,
    /// The download that was: its name, and where it is kept.
    pub download: Option<(String, PathBuf)>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

impl Page {
    /// Waits until something holds. What holds already costs one question, or none.
    pub async fn wait_until(&self, condition: &Condition) -> Result<Awaited> {
        let patience = self.wait_timeout();
        let deadline = Deadline::after(patience);
        let (mut element, mut download) = (None, None);
        let met = match condition {
            Condition::Element(target, state) => {
                self.until_element(target, *state, deadline).await.map(|found| element = found)
            }
            Condition::Text(wording, shown) => self.until_worded(wording, *shown, deadline).await,
            Condition::Url(pattern) => self.until_url(pattern, deadline).await,
            Condition::Load(until) => self.until_loaded(*until, deadline).await,
            Condition::Script(source, polling) => {
                self.until_truthy(source, *polling, deadline, patience).await
            }
            Condition::Time(time) => self.until_time(*time).await.map_err(Unmet::from),
            Condition::Download => self.until_downloaded(deadline).await.map(|kept| download = Some(kept)),
        };
        match met {
            Ok(()) => Ok(Awaited { element, download, news: self.take_news().await }),
            Err(Unmet::Late { what, instead }) => Err(Error::WaitTimeout { what, instead, after: patience }),
            Err(Unmet::Failed(error)) => Err(error),
        }
    }

    async fn until_element(
        &self,
        target: &Target,
        state: ElementState,
        deadline: Deadline,
    ) -> std::result::Result<Option<Element>, Unmet> {
        let (word, leaving) = match state {
            ElementState::Attached => ("attached", false),
            ElementState::Detached => ("detached", true),
            ElementState::Visible => ("visible", false),
            ElementState::Hidden => ("hidden", true),
        };
        let place = match target {
            Target::Query(query) => Where::Pages(json!({ "target": query, "state": word })),
            Target::Ref(name) => Where::Ref(*name, json!({ "state": word })),
        };
        match self.until_asked(&place, leaving, deadline).await {
            Ok(Some((place, sketch))) => Ok(Some(self.element(place.number, place.document, sketch))),
            Ok(None) => Ok(None),
            Err(Failure::Refused(Refusal::Timeout(stuck))) => {
                Err(Unmet::Late { what: format!("{target} did not become {word}"), instead: stood(&stuck) })
            }
            Err(Failure::Refused(Refusal::Stale)) | Err(Failure::Failed(Error::Stale { .. })) if leaving => {
                Ok(None)
            }
            Err(failure) => Err(Unmet::Failed(self.misread(target, failure))),
        }
    }

    /// What is wrong with a target that the agent refused.
    fn misread(&self, target: &Target, failure: Failure) -> Error {
        match (failure, target) {
            (Failure::Refused(Refusal::Invalid { message }), _) => {
                Error::BadTarget { target: target.clone(), reason: message }
            }
            (Failure::Refused(Refusal::Stale | Refusal::Unknown), Target::Ref(reference)) => {
                Error::Stale { reference: *reference, replaced: false }
            }
            (failure, _) => failure.into_error(),
        }
    }

    async fn until_worded(
        &self,
        wording: &Wording,
        shown: bool,
        deadline: Deadline,
    ) -> std::result::Result<(), Unmet> {
        let asked = if shown { json!({ "text": wording }) } else { json!({ "gone": wording }) };
        let told = match wording {
            Wording::Plain(text) => quoted(text, 200),
            Wording::Pattern { pattern, flags } => plain(&format!("/{pattern}/{flags}"), 200),
        };
        match self.until_asked(&Where::Pages(asked), !shown, deadline).await {
            Ok(_) => Ok(()),
            Err(Failure::Refused(Refusal::Timeout(stuck))) => {
                let there = stuck.instead.as_deref().unwrap_or_default();
                let there = if there.is_empty() { "nothing".into() } else { quoted(there, 300) };
                let what = if shown { "did not appear" } else { "did not go away" };
                Err(Unmet::Late {
                    what: format!("{told} {what}"),
                    instead: format!("the page shows {there}"),
                })
            }
            Err(Failure::Refused(Refusal::Invalid { message })) => {
                Err(Unmet::Failed(Error::BadPattern { pattern: told, reason: message }))
            }
            Err(failure) => Err(Unmet::Failed(failure.into_error())),
        }
    }

    async fn until_url(&self, pattern: &Pattern, deadline: Deadline) -> std::result::Result<(), Unmet> {
        let frame = self.chosen_frame()?;
        let there = |state: &State| {
            let fits = state.frame(&frame).is_some_and(|frame| pattern.matches(&frame.url));
            (fits || state.fate != Fate::Alive || state.frame(&frame).is_none()).then_some(fits)
        };
        match self.until(deadline, there).await {
            Some(true) => {
                // The document that is there now is the one to go on with, as soon as it can be used.
                self.loaded(None, deadline).await;
                Ok(())
            }
            Some(false) if self.fate() != Fate::Alive => Err(self.obituary().into()),
            _ => {
                let url = self.state().frame(&frame).map(|frame| frame.url.clone()).unwrap_or_default();
                let what = format!("the URL did not become {}", plain(pattern.as_str(), 200));
                Err(Unmet::Late { what, instead: format!("it is {}", plain(&url, 500)) })
            }
        }
    }

    async fn until_loaded(&self, until: Until, deadline: Deadline) -> std::result::Result<(), Unmet> {
        let stage = if until == Until::Parsed { LoadStage::Parsed } else { LoadStage::Complete };
        let mut there = self.staged(None, stage, deadline).await;
        self.not_held()?;
        if self.fate() != Fate::Alive {
            return Err(self.obituary().into());
        }
        if there && until == Until::Quiet {
            // What was begun just before this shows within two frames; a page that draws none is as quiet as it looks.
            let shown = self.aftermath(&self.main_frame(), deadline.or_after(FRAMES)).await;
            if let Err(error) = shown {
                tracing::debug!(%error, "a page that is to be quiet shows no frames");
            }
            there = self.quiet(deadline).await;
        }
        if there {
            return Ok(());
        }
        let what = match until {
            Until::Parsed => "the page was not parsed",
            Until::Loaded => "the page did not load",
            Until::Quiet => "the network did not become idle",
        };
        let state = self.state();
        let urls: Vec<String> = state.awaited_urls().take(3).map(|url| plain(url, 200)).collect();
        let instead = match state.under_way_since(0) {
            0 => String::new(),
            1 => format!("1 request is under way: {}", urls.join(", ")),
            count => format!("{count} requests are under way: {}", urls.join(", ")),
        };
        Err(Unmet::Late { what: what.into(), instead })
    }

    async fn until_truthy(
        &self,
        source: &str,
        polling: Duration,
        deadline: Deadline,
        patience: Duration,
    ) -> std::result::Result<(), Unmet> {
        let script =
            Script { source: source.to_owned(), args: Vec::new(), awaits: true, finish: Finish::Truth };
        let mut instead = String::new();
        loop {
            match self.scripted(&script, deadline, patience).await {
                Ok(Some(serde_json::Value::Bool(true))) => return Ok(()),
                Ok(_) => instead = "it returns something falsy".into(),
                Err(Error::Script(error)) if error.syntax => return Err(Error::Script(error).into()),
                // What it needs may not be there yet.
                Err(Error::Script(error)) => instead = format!("it throws {}", quoted(&error.message, 300)),
                // Its document went away under it; the next one is asked.
                Err(Error::Driver(cicerone_driver::DriverError::Gone)) => {}
                Err(Error::ScriptTimeout(_)) => {
                    let ended = "it did not end, and was stopped";
                    let instead = if instead.is_empty() { ended.into() } else { instead };
                    return Err(Unmet::Late { what: TRUTHY.into(), instead });
                }
                Err(error) => return Err(error.into()),
            }
            let dead = |state: &State| (state.fate != Fate::Alive).then_some(());
            // How often it is asked is for the client to say.
            if self.until(deadline.or_after(polling), dead).await.is_some() {
                return Err(self.obituary().into());
            }
            if deadline.passed() {
                return Err(Unmet::Late { what: TRUTHY.into(), instead });
            }
        }
    }

    /// For time alone, because that was asked for; only the page's end ends it early.
    pub(crate) async fn until_time(&self, time: Duration) -> Result<()> {
        let dead = |state: &State| (state.fate != Fate::Alive).then_some(());
        match self.until(Deadline::after(time), dead).await {
            Some(()) => Err(self.obituary()),
            None => Ok(()),
        }
    }

    async fn until_downloaded(&self, deadline: Deadline) -> std::result::Result<(String, PathBuf), Unmet> {
        let context = self.context().ok_or(Error::TabClosed)?;
        match context.next_download(deadline).await {
            Some(Download { name, path: Some(path) }) => Ok((name, path)),
            Some(Download { name, path: None }) => Err(Error::DownloadFailed(name).into()),
            None => {
                let running = context.running_downloads();
                let what = if running.is_empty() { "no download began" } else { "no download ended" };
                let names: Vec<String> = running.iter().map(|name| quoted(name, 100)).collect();
                let instead =
                    if names.is_empty() { String::new() } else { format!("running: {}", names.join(", ")) };
                Err(Unmet::Late { what: what.into(), instead })
            }
        }
    }
}

const TRUTHY: &str = "the function did not return anything truthy";

/// Why a condition does not hold.
pub(crate) enum Unmet {
    /// It did not come to hold; what there was instead.
    Late { what: String, instead: String },
    /// It cannot be said.
    Failed(Error),
}

impl From<Error> for Unmet {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// How an element stood at the end.
fn stood(stuck: &Stuck) -> String {
    match (&stuck.element, stuck.instead.as_deref()) {
        (Some(sketch), Some(how)) => {
            let name =
                if sketch.name.is_empty() { String::new() } else { format!(" {}", quoted(&sketch.name, 80)) };
            format!(
                "there is a {how} {}{name}",
                if sketch.role.is_empty() { "element" } else { &sketch.role }
            )
        }
        _ => "nothing matches it".into(),
    }
}
