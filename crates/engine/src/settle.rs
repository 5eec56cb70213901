//! Waiting for what an action caused, and for no longer.
//!
//! An action causes requests and navigations while its events are handled and the page renders, which two frames
//! of animation show. What began by then is waited for; what that leads to joins in, when it begins within two
//! frames after. With nothing under way the wait is those two frames; an action that has shown nothing by then is
//! watched a while longer (`effect.rs`).

use std::time::Duration;

use cicerone_driver::{FrameId, RequestId};
use serde::{Deserialize, Serialize};

use crate::{
    ActionSnapshot, Deadline, Error, Outcome, Page, Result,
    act::click::Hit,
    agent::{Failure, Sketch},
    effect::{Expects, Watch},
    navigate::Load,
    outcome::{Place, Settled, View},
    refs::Document,
    rounds::{Asked, Waves},
    snapshot::{Tree, tree::Key},
    state::{Fate, State},
};

/// How long a document that can be used already may take to load the rest.
pub(crate) const LOAD_PATIENCE: Duration = Duration::from_secs(5);

/// How often what was waited for may lead to something more that is waited for.
const WAVES: u32 = 8;

/// How long a page that closes itself may take for that.
const CLOSING: Duration = Duration::from_secs(2);

/// A moment before an action.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// The count of happenings then.
    pub(crate) at: u64,
    /// Where the page was.
    pub(crate) url: String,
    /// The main document then.
    pub(crate) document: Document,
    /// What the action is to bring about.
    pub(crate) expects: Expects,
    /// What changed between the last reply and then.
    pub(crate) since: Option<View>,
    /// How many news there were that can be an effect.
    pub(crate) news: usize,
    /// Whether the action has waited for the two frames after it already.
    pub(crate) rendered: bool,
    /// What was asked for and had not come then.
    pub(crate) under_way: Vec<(RequestId, Asked)>,
}

impl Mark {
    /// For an action that has its effect when it is done: nothing more is watched for.
    pub(crate) fn with_effect(self) -> Self {
        Self { expects: Expects::Nothing, ..self }
    }

    /// For what was typed into fields: where they promise more, it is beside them.
    pub(crate) fn typed(self, fields: Vec<Key>) -> Self {
        let expects = if fields.is_empty() { Expects::Nothing } else { Expects::BesideFields(fields) };
        Self { expects, ..self }
    }
}

#[derive(Serialize)]
struct Frames {
    count: u32,
}

/// What two frames showed.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Aftermath {
    /// What the armed click hit.
    pub(crate) hit: Hit,
    /// What it hit instead.
    pub(crate) by: Option<Sketch>,
    /// Whether the page closes itself.
    closing: bool,
}

impl Page {
    /// A moment, to tell what came after it.
    pub(crate) fn mark(&self) -> Mark {
        let (url, news) = (self.url(), self.news_count());
        let state = self.state();
        let document = state.main().map_or(Document(0), |main| main.document);
        Mark {
            at: state.now,
            url,
            document,
            expects: Expects::Nothing,
            since: None,
            news,
            rendered: false,
            under_way: state.under_way(),
        }
    }

    /// Two frames of animation in a frame of the page; nothing when its document went away meanwhile.
    pub(crate) async fn aftermath(&self, frame: &FrameId, deadline: Deadline) -> Result<Option<Aftermath>> {
        match self.ask::<Aftermath>(frame, "frames", &Frames { count: 2 }, deadline).await {
            Ok(aftermath) => {
                if aftermath.closing {
                    let closed =
                        |state: &State| (state.fate != Fate::Alive || state.dialog.is_some()).then_some(());
                    self.until(deadline.or_after(CLOSING), closed).await;
                }
                Ok(Some(aftermath))
            }
            Err(Failure::Gone) => Ok(None),
            // The page is held: whatever was to happen will when the dialog is answered. Or what was done closed it.
            Err(Failure::Failed(Error::DialogOpen(_) | Error::TabClosed)) => Ok(None),
            Err(failure) => Err(failure.into_error()),
        }
    }

    /// Waits until what began since the mark is over: what is under way now, then what that led to, and so on for a
    /// few waves. What the page asks for in rounds of its own is not waited for: one that polls is at rest when the
    /// action's own requests are over.
    async fn settle(&self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        let main = self.main_frame();
        let mut waves = Waves::after(mark.at, mark.under_way.clone());
        let mut wave = waves.next(&self.state());
        for _ in 0..WAVES {
            let rest = |state: &State| {
                let over = state.dialog.is_some() || state.fate != Fate::Alive;
                let under_way =
                    || wave.iter().any(|id| state.in_flight.get(id).is_some_and(|flight| !flight.endless));
                (over || (!state.loads_since(mark.at) && !under_way())).then_some(())
            };
            if self.until(deadline, rest).await.is_none() {
                let under_way = self.state().under_way_since(mark.at + 1);
                return Ok(Settled::Busy(under_way.max(1)));
            }
            let held = self.state().dialog.is_some();
            match self.fate() {
                Fate::Alive => {}
                Fate::Closed => return Ok(Settled::Settled),
                Fate::Crashed | Fate::Lost => return Err(self.obituary()),
            }
            if held {
                return Ok(Settled::Held);
            }
            // The render after it, and whether that began something more.
            self.aftermath(&main, deadline.with_grace()).await?;
            let state = self.state();
            let loading = waves.loading(&state);
            wave = waves.next(&state);
            if !loading && wave.is_empty() {
                break;
            }
        }
        let navigated = self.state().frame(&main).is_some_and(|frame| frame.navigated > mark.at);
        Ok(if navigated { Settled::Navigated } else { Settled::Settled })
    }

    /// What came of an action that began at the mark: waits until it has settled, and looks.
    pub(crate) async fn outcome(&self, mark: Mark, deadline: Deadline) -> Result<Outcome> {
        let settled = self.come_to_rest(&mark, deadline).await?;
        let Watch { settled, tree, unchanged_for } = self.effect(&mark, settled, deadline).await?;
        self.state().acting = false;
        let mut outcome = Outcome { settled, unchanged_for, since: mark.since.clone(), ..Outcome::default() };
        if settled != Settled::Held && self.fate() == Fate::Alive {
            outcome.view = self.view(&mut outcome.moved, &mark, tree).await;
        }
        let asked = self.state().download_asked > mark.at;
        self.downloads_end(asked, deadline).await;
        outcome.news = self.take_news().await;
        Ok(outcome)
    }

    pub(crate) async fn come_to_rest(&self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        let quickly = deadline.or_after(self.options().settle_timeout);
        let under_way = self.state().under_way_since(mark.at + 1) > 0 || self.main_loads_since(mark);
        let settled = if under_way { Settled::Busy(1) } else { self.settle_quick(mark, quickly).await? };
        if !matches!(settled, Settled::Busy(_)) {
            return Ok(settled);
        }
        // A navigation has its own time, to come and to load; what it does not load by then is not waited for.
        let rest = if self.main_loads_since(mark) && !self.arrived(mark, deadline).await {
            Deadline::after(Duration::ZERO)
        } else {
            deadline.or_after(self.options().settle_timeout)
        };
        self.settle(mark, rest).await
    }

    fn main_loads_since(&self, mark: &Mark) -> bool {
        self.state().main().is_some_and(|main| main.loading.is_some_and(|at| at > mark.at))
    }

    /// Waits for the document that the main frame loads; whether it came with all of it.
    async fn arrived(&self, mark: &Mark, deadline: Deadline) -> bool {
        let there = |state: &State| {
            let over = state.dialog.is_some() || state.fate != Fate::Alive;
            let came = state.main().is_none_or(|main| main.loading.is_none() || main.navigated > mark.at);
            (over || came).then_some(())
        };
        self.until(deadline, there).await.is_some() && self.loaded(None, deadline).await == Load::Complete
    }

    /// The usual case, nothing under way: the two frames, which show whether anything is.
    async fn settle_quick(&self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        if !mark.rendered && self.fate() == Fate::Alive && self.state().dialog.is_none() {
            self.aftermath(&self.main_frame(), deadline.with_grace()).await?;
        }
        let (busy, navigated) = {
            let state = self.state();
            let loading = state.loads_since(mark.at);
            let over = state.dialog.is_some() || state.fate != Fate::Alive;
            let navigated = state.main().is_some_and(|main| main.navigated > mark.at);
            (loading || over || state.under_way_since(mark.at + 1) > 0, navigated)
        };
        match busy {
            true => Ok(Settled::Busy(1)),
            false if navigated => Ok(Settled::Navigated),
            false => Ok(Settled::Settled),
        }
    }

    /// Its title, as the browser shows it; nothing of a page that does not say.
    pub async fn title(&self) -> String {
        let title = Deadline::after(Duration::from_secs(1)).bound(self.driver().title()).await;
        let shown = self.frame_may_be_shown(&self.main_frame()).is_ok();
        title.and_then(std::result::Result::ok).filter(|_| shown).unwrap_or_default()
    }

    /// What the reply shows of the page, and where it is if it moved.
    async fn view(&self, moved: &mut Option<Place>, mark: &Mark, tree: Option<Tree>) -> Option<View> {
        let elsewhere = self.url() != mark.url;
        if self.shows() == ActionSnapshot::None {
            if elsewhere {
                *moved = Some(Place { url: self.shown_url(), title: self.title().await });
            }
            return None;
        }
        let tree = tree?;
        if elsewhere || self.seen().as_ref().is_none_or(|seen| seen.title != tree.title) {
            *moved = Some(Place { url: self.shown_url(), title: tree.title.clone() });
        }
        let view = match self.shows() {
            ActionSnapshot::None => None,
            ActionSnapshot::Full => {
                self.keep_refs(&tree);
                Some(View::Page(self.shown(&tree, self.options().snapshot_limit)))
            }
            ActionSnapshot::Diff => Some(self.changes_to(&tree)),
        };
        *self.seen() = Some(tree);
        view
    }
}
