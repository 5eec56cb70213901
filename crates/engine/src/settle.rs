//! Waits for what an action caused, and no longer.
//!
//! Requests and navigations of an action start while its events are handled and the page renders: within one
//! animation frame, or two if the first one changed the page. Those are waited for, and so are requests that
//! follow in the frames after them. Without requests the wait is these frames; an action without visible
//! effect is watched a while longer (`effect.rs`).

use std::time::Duration;

use cicerone_driver::{FrameId, RequestId};
use serde::{Deserialize, Serialize};

use crate::{
    ActionSnapshot, Deadline, Error, NewsItem, Outcome, Page, Result,
    act::click::Hit,
    effect::{Expects, Watch},
    injected::{ElementSummary, InjectedError},
    loading::Load,
    outcome::{Place, Settled, View},
    page::{parts::Settling, shown_title},
    polling::{MethodAndUrl, RequestWaves},
    ready::Located,
    refs::Document,
    requests::Flight,
    snapshot::{Tree, tree::Key},
    state::{PageStatus, State},
};

/// How long a parsed document may take to load the rest.
pub(crate) const LOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How many waves of follow-up requests to wait for.
const MAX_WAVES: u32 = 8;

/// How long a page may take to close itself.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The state before an action.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// The event counter.
    pub(crate) at: u64,
    pub(crate) url: String,
    /// The main document.
    pub(crate) document: Document,
    /// The effect to wait for.
    pub(crate) expects: Expects,
    /// Whether a move of the focus to any element is the effect: of a key. A click focuses what it hits.
    pub(crate) moves_focus: bool,
    /// News items that can be an effect.
    pub(crate) news: usize,
    /// Whether the action has already waited for two frames.
    pub(crate) rendered: bool,
    /// A select that the page may show something else for.
    pub(crate) choice: Option<Located>,
    /// Requests in flight.
    pub(crate) under_way: Vec<(RequestId, MethodAndUrl)>,
}

impl Mark {
    /// For an action whose effect is complete: no further watching.
    pub(crate) fn with_effect(self) -> Self {
        Self { expects: Expects::Nothing, ..self }
    }

    /// For typing: effects are expected outside these fields, if any.
    pub(crate) fn typed(self, fields: Vec<Key>) -> Self {
        let expects = if fields.is_empty() { Expects::Nothing } else { Expects::BesideFields(fields) };
        Self { expects, ..self }
    }
}

#[derive(Serialize)]
struct FramesArgs {
    count: u32,
    /// Whether the guard stays, for the rest of the gesture.
    keep: bool,
}

/// What two animation frames showed.
#[derive(Deserialize, Default)]
pub(crate) struct AfterFrames {
    /// What the click hit.
    pub(crate) hit: Hit,
    /// The element hit instead.
    pub(crate) by: Option<ElementSummary>,
    /// Whether the page is closing itself.
    #[serde(default)]
    closing: bool,
}

impl Settling<'_> {
    /// Waits for downloads, as long as that is worth it: one that was asked for, and those that run.
    pub(crate) async fn downloads_end(self, asked: bool, deadline: Deadline) {
        if let Some(context) = self.page.context() {
            context.downloads_end(asked, deadline).await;
        }
    }

    /// The current state, to compare with later.
    pub(crate) fn mark(self) -> Mark {
        let (url, news) = (self.page.url(), self.page.effects().news_count());
        let state = self.page.state();
        let document = state.main().map_or(Document(0), |main| main.document);
        Mark {
            at: state.now,
            url,
            document,
            expects: Expects::Nothing,
            moves_focus: false,
            news,
            choice: None,
            rendered: false,
            under_way: state.under_way(),
        }
    }

    /// Waits until the page is rendered, at most two animation frames; `None` if the document was unloaded.
    pub(crate) async fn after_frames(
        self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Option<AfterFrames>> {
        self.frames(frame, false, deadline).await
    }

    /// The same in the middle of a gesture, which the guard goes on to watch.
    pub(crate) async fn within_gesture(
        self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Option<AfterFrames>> {
        self.frames(frame, true, deadline).await
    }

    async fn frames(self, frame: &FrameId, keep: bool, deadline: Deadline) -> Result<Option<AfterFrames>> {
        let args = FramesArgs { count: 2, keep };
        match self.page.injected().ask::<AfterFrames>(frame, "frames", &args, deadline).await {
            Ok(after_frames) => {
                if after_frames.closing {
                    let closed = |state: &State| {
                        (state.status != PageStatus::Alive || state.dialog.is_some()).then_some(())
                    };
                    self.page.until(deadline.or_after(CLOSE_TIMEOUT), closed).await;
                }
                Ok(Some(after_frames))
            }
            Err(InjectedError::Gone) => Ok(None),
            // A dialog blocks the page, or the action closed it.
            Err(InjectedError::Failed(Error::DialogOpen(_) | Error::TabClosed)) => Ok(None),
            Err(failure) => Err(failure.into_error()),
        }
    }

    /// Waits for the requests since the mark, then for those they led to, for a few waves. Polling by the
    /// page does not count.
    async fn settle(self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        let main = self.page.main_frame();
        let mut waves = RequestWaves::after(mark.at, mark.under_way.clone());
        let mut wave = waves.next(&self.page.state());
        for _ in 0..MAX_WAVES {
            let wave_done = |state: &State| {
                let over = state.dialog.is_some() || state.status != PageStatus::Alive;
                let under_way =
                    || wave.iter().any(|id| state.in_flight.get(id).is_some_and(Flight::is_awaited));
                (over || (!state.loads_since(mark.at) && !under_way())).then_some(())
            };
            if self.until_requests(deadline, wave_done).await.is_none() {
                let under_way = self.page.state().under_way_since(mark.at + 1);
                return Ok(Settled::Busy(under_way.max(1)));
            }
            let held = self.page.state().dialog.is_some();
            match self.page.status() {
                PageStatus::Alive => {}
                PageStatus::Closed => return Ok(Settled::Settled),
                PageStatus::Crashed | PageStatus::Lost => return Err(self.page.injected().closed_error()),
            }
            if held {
                return Ok(Settled::Held);
            }
            // Render, and see whether that started more requests.
            self.after_frames(&main, deadline.with_grace()).await?;
            let state = self.page.state();
            let loading = waves.loading(&state);
            wave = waves.next(&state);
            if !loading && wave.is_empty() {
                break;
            }
        }
        let navigated = self.page.state().frame(&main).is_some_and(|frame| frame.navigated > mark.at);
        Ok(if navigated { Settled::Navigated } else { Settled::Settled })
    }

    /// Waits for a condition of requests. One that the page does not read to its end is over without an event.
    pub(crate) async fn until_requests<T>(
        self,
        deadline: Deadline,
        look: impl Fn(&State) -> Option<T>,
    ) -> Option<T> {
        loop {
            let unread = self.page.state().next_unread();
            let until = unread.map_or(deadline, |at| deadline.min(Deadline::since(at, Duration::ZERO)));
            let found = self.page.until(until, &look).await;
            if found.is_some() || until == deadline {
                return found;
            }
        }
    }

    /// Waits until an action has settled, and collects its outcome.
    pub(crate) async fn outcome(self, mark: Mark, deadline: Deadline) -> Result<Outcome> {
        let settled = self.wait_until_settled(&mark, deadline).await?;
        let Watch { settled, tree, unchanged_for } =
            self.page.effects().effect(&mark, settled, deadline).await?;
        self.page.state().acting = false;
        let mut outcome = Outcome { settled, unchanged_for, ..Outcome::default() };
        if settled != Settled::Held && self.page.status() == PageStatus::Alive {
            outcome.view = self.view(&mut outcome, &mark, tree).await;
        }
        if let Some(choice) = mark.choice.as_ref().filter(|_| settled != Settled::Held) {
            self.page.forms().note_unseen_choice(choice, deadline).await;
        }
        let download_expected = self.page.state().download_asked > mark.at;
        self.downloads_end(download_expected, deadline).await;
        outcome.news = self.page.take_news().await;
        // No `await` from here on: a cancelled call would lose what it took.
        if self.page.settings().shows() != ActionSnapshot::None {
            outcome.since = self.page.state().since.take();
        }
        // A dialog may have opened after the page had settled.
        if outcome.news.iter().any(|item| matches!(item, NewsItem::DialogOpen(_))) {
            outcome.settled = Settled::Held;
        }
        Ok(outcome)
    }

    pub(crate) async fn wait_until_settled(self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        let quick = deadline.or_after(self.page.options().settle_timeout);
        let under_way = self.page.state().under_way_since(mark.at + 1) > 0 || self.main_loads_since(mark.at);
        let settled = if under_way { Settled::Busy(1) } else { self.settle_quick(mark, quick).await? };
        if !matches!(settled, Settled::Busy(_)) {
            return Ok(settled);
        }
        // A navigation has its own time limit; what has not loaded by then is not waited for.
        let settle_deadline =
            if self.main_loads_since(mark.at) && !self.navigation_loaded(mark, deadline).await {
                Deadline::after(Duration::ZERO)
            } else {
                deadline.or_after(self.page.options().settle_timeout)
            };
        self.settle(mark, settle_deadline).await
    }

    /// Whether the main frame is loading a document since `moment`.
    pub(crate) fn main_loads_since(self, moment: u64) -> bool {
        self.page.state().main().is_some_and(|main| main.loading.is_some_and(|at| at > moment))
    }

    /// Waits for the main frame's navigation; whether it loaded completely.
    async fn navigation_loaded(self, mark: &Mark, deadline: Deadline) -> bool {
        let navigated_or_ended = |state: &State| {
            let over = state.dialog.is_some() || state.status != PageStatus::Alive;
            let navigated =
                state.main().is_none_or(|main| main.loading.is_none() || main.navigated > mark.at);
            (over || navigated).then_some(())
        };
        self.page.until(deadline, navigated_or_ended).await.is_some()
            && self.page.loading().loaded(None, deadline).await == Load::Complete
    }

    /// The usual case without requests: the next frames show whether anything started.
    async fn settle_quick(self, mark: &Mark, deadline: Deadline) -> Result<Settled> {
        if !mark.rendered && self.page.status() == PageStatus::Alive && self.page.state().dialog.is_none() {
            self.after_frames(&self.page.main_frame(), deadline.with_grace()).await?;
        }
        let (busy, navigated) = {
            let state = self.page.state();
            let loading = state.loads_since(mark.at);
            let over = state.dialog.is_some() || state.status != PageStatus::Alive;
            let navigated = state.main().is_some_and(|main| main.navigated > mark.at);
            (loading || over || state.under_way_since(mark.at + 1) > 0, navigated)
        };
        match busy {
            true => Ok(Settled::Busy(1)),
            false if navigated => Ok(Settled::Navigated),
            false => Ok(Settled::Settled),
        }
    }

    /// The view in the reply. Notes the new URL and title if they changed, and where the focus moved.
    async fn view(self, outcome: &mut Outcome, mark: &Mark, tree: Option<Tree>) -> Option<View> {
        let url = self.page.url();
        let told = self.page.state().reported_url.replace(url.clone());
        let url_changed = url != mark.url || told.is_some_and(|told| told != url);
        if self.page.settings().shows() == ActionSnapshot::None {
            if url_changed {
                outcome.moved = Some(Place { url: self.page.shown_url(), title: self.page.title().await });
            }
            return None;
        }
        let tree = tree?;
        if url_changed || self.page.baseline().as_ref().is_none_or(|baseline| baseline.title != tree.title) {
            outcome.moved = Some(Place { url: self.page.shown_url(), title: tree.title.clone() });
        }
        let view = match self.page.settings().shows() {
            ActionSnapshot::None => None,
            ActionSnapshot::Full => {
                self.page.writer().keep_refs(&tree);
                Some(View::Page(self.page.writer().shown(&tree, self.page.options().snapshot_limit)))
            }
            ActionSnapshot::Diff => Some(self.page.writer().changes_to(&tree)),
        };
        outcome.focus = self.page.writer().moved_focus(&tree);
        self.page.writer().remember(tree);
        view
    }
}

impl Page {
    /// Its title for replies, truncated; empty if the page does not answer.
    pub async fn title(&self) -> String {
        let title = Deadline::after(Duration::from_secs(1)).bound(self.driver().title()).await;
        let shown = self.file_access().frame_may_be_shown(&self.main_frame()).await.is_ok();
        title
            .and_then(std::result::Result::ok)
            .filter(|_| shown)
            .map(|title| shown_title(&title))
            .unwrap_or_default()
    }
}
