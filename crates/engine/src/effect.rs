//! Late effects: after an action without visible effect, watches the page until its first effect has settled
//! or the time is over. Changes that the page makes constantly do not count.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use cicerone_driver::FrameId;
use futures::{StreamExt, future::join_all, stream::FuturesUnordered};
use serde::Deserialize;
use serde_json::json;

use crate::{
    ActionSnapshot, Deadline, Error, NewsItem, Result, news,
    outcome::Settled,
    page::parts::Effects,
    refs::Document,
    settle::Mark,
    snapshot::{
        Node, Tree,
        changed::{ancestors, changed_nodes, only_renamed, subtree},
        passing::passed_regions,
        tree::{Key, focus_since, same_main_document},
    },
    state::PageStatus,
};

/// Time limit for a frame to report changes since the last reply.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(1);

/// How long the frames have to say what live regions announced. A reply does not wait longer for a busy page.
const HEAR_TIMEOUT: Duration = Duration::from_millis(300);

/// A page that was asked is not asked again so soon.
const HEARD_FOR: Duration = Duration::from_millis(200);

/// Extra time for a busy page before its scripts are interrupted.
const SLOW_PAGE: Duration = Duration::from_secs(10);

/// Extra time after the deadline for an effect that has just begun.
const LATE_SETTLE: Duration = Duration::from_millis(200);

/// Frames watched.
const MOST_FRAMES: usize = 16;

/// Snapshots taken while watching.
const MOST_LOOKS: u32 = 12;

/// Snapshots taken again because the page left its document meanwhile.
const MOST_DOCUMENTS: u32 = 3;

/// How long a spontaneously changing element is expected to go on changing.
const RESTLESS_FOR: Duration = Duration::from_secs(5);

/// Time limit for a snapshot after an action.
const LOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// The effect to wait for.
#[derive(Debug, Clone, Default)]
pub(crate) enum Expects {
    #[default]
    Nothing,
    /// Any change.
    Anything,
    /// A change outside these fields, or a request.
    BesideFields(Vec<Key>),
}

/// Elements that changed without an action, with the time of the last change.
pub(crate) type Restless = HashMap<Option<Key>, Instant>;

/// A transient text of a live region.
#[derive(Deserialize)]
pub(crate) struct Announced {
    role: String,
    text: String,
}

/// A frame's report before an action.
#[derive(Deserialize)]
struct BeforeReport {
    changed: bool,
    restless: bool,
    announced: Vec<Announced>,
}

/// A frame's report after watching.
#[derive(Deserialize, Default)]
struct WatchReport {
    changed: bool,
    /// Whether the page indicates that more is coming.
    more: bool,
}

/// The result of watching after an action.
pub(crate) struct Watch {
    pub(crate) settled: Settled,
    pub(crate) tree: Option<Tree>,
    /// How long the page was watched without a change.
    pub(crate) unchanged_for: Option<Duration>,
}

/// The stage of an effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// None so far.
    Nothing,
    /// Begun; more is coming.
    Begun,
    /// Complete.
    Shown,
}

impl Effects<'_> {
    /// Announces an action to the frames. Returns whether anything changed since the last reply, and whether
    /// anything changes constantly.
    pub(crate) async fn begin_acting(self) -> (bool, bool) {
        let (timeout, deadline) = (Deadline::after(BEGIN_TIMEOUT), Deadline::after(SLOW_PAGE));
        let (frames, args) = (self.watched_frames(), json!({}));
        let pending = frames
            .iter()
            .map(|frame| self.page.injected().ask::<BeforeReport>(frame, "begin", &args, deadline));
        let (mut changed, mut restless) = (false, false);
        // Do not interrupt a busy page for this.
        let pending = pending.map(|pending| timeout.bound(pending));
        for before in join_all(pending).await.into_iter().flatten().flatten() {
            changed |= before.changed;
            restless |= before.restless;
            self.note_announced(before.announced);
        }
        (changed, restless)
    }

    /// Asks for live-region texts that came and went, unless the page was asked a moment ago, as by every action.
    pub(crate) async fn hear(self) {
        let asked = self.page.state().heard.elapsed();
        if asked < HEARD_FOR || self.page.state().dialog.is_some() {
            return;
        }
        let (timeout, deadline) = (Deadline::after(HEAR_TIMEOUT), Deadline::after(SLOW_PAGE));
        let (frames, args) = (self.watched_frames(), json!({}));
        let pending = frames.iter().map(|frame| {
            let ask = self.page.injected().ask::<Vec<Announced>>(frame, "announced", &args, deadline);
            timeout.bound(ask)
        });
        join_all(pending).await.into_iter().flatten().flatten().for_each(|all| self.note_announced(all));
    }

    /// Adds the live regions that only a snapshot before the last one has: it is not told.
    fn note_passed(self, before: &Tree, tree: &Tree) {
        let passed = passed_regions(before, tree, self.page.baseline().as_ref());
        let mut state = self.page.state();
        passed
            .into_iter()
            .for_each(|(role, text)| news::add(&mut state.news, NewsItem::Announced(role, text)));
    }

    /// Adds live-region texts to the next reply.
    pub(crate) fn note_announced(self, announced: Vec<Announced>) {
        let mut state = self.page.state();
        state.heard = Instant::now();
        for Announced { role, text } in announced {
            news::add(&mut state.news, NewsItem::Announced(role, text));
        }
    }

    /// Elements that changed without an action may go on changing.
    pub(crate) fn remember_restless(self, old: &Tree, new: &Tree) {
        let now = Instant::now();
        let mut restless = self.page.restless();
        restless.retain(|_, last| now.duration_since(*last) < RESTLESS_FOR);
        restless.extend(changed_nodes(&old.without_behind(new), new).into_iter().map(|place| (place, now)));
    }

    /// Waits for the first effect of an action.
    pub(crate) async fn effect(self, mark: &Mark, settled: Settled, deadline: Deadline) -> Result<Watch> {
        let (began, settle) = (Instant::now(), self.page.options().settle);
        let (mut settled, mut limit) = (settled, settle);
        let mut expects = mark.expects.clone();
        if settle.is_zero() {
            expects = Expects::Nothing;
        }
        let (mut looks, mut documents) = (0, 0);
        let mut superseded: Option<Tree> = None;
        loop {
            // Two statements: the lock of the state is not reentrant.
            let document = self.main_document();
            let at = self.page.state().now;
            let tree = self.tree_after(settled).await?;
            if let (Some(before), Some(tree)) = (&superseded, &tree) {
                self.note_passed(before, tree);
            }
            // A page that goes on to another by itself: the snapshot would be of the one that it left.
            let left = self.main_document() != document || self.page.settling().main_loads_since(at);
            if left && documents < MOST_DOCUMENTS && !matches!(settled, Settled::Busy(_)) {
                documents += 1;
                superseded = tree.or(superseded);
                settled = self.settled_again(mark, at, settled, deadline).await?;
                continue;
            }
            let stage = match expects {
                Expects::Nothing => Stage::Shown,
                _ => self.stage(mark, settled, tree.as_ref()).await,
            };
            if stage == Stage::Shown {
                return Ok(Watch { settled, tree, unchanged_for: None });
            }
            if stage == Stage::Begun {
                limit = settle * 2;
            }
            looks += 1;
            let over = began.elapsed() >= limit || looks == MOST_LOOKS || deadline.passed();
            if over {
                let unchanged_for = (stage == Stage::Nothing || tree.is_none())
                    .then(|| if began.elapsed() < limit * 2 { limit } else { began.elapsed() });
                return Ok(Watch { settled, tree, unchanged_for });
            }
            superseded = tree.or(superseded);
            let until = Deadline::since(began, limit).min(deadline);
            let (watched, happened) = self.watch_until(at, until).await;
            if happened {
                settled = self.settled_again(mark, at, settled, deadline).await?;
            } else if !watched.changed && watched.more {
                limit = settle * 2;
            }
        }
    }

    /// Waits until what began after `at` has settled too.
    async fn settled_again(
        self,
        mark: &Mark,
        at: u64,
        settled: Settled,
        deadline: Deadline,
    ) -> Result<Settled> {
        let mark = Mark { at, ..mark.clone() };
        Ok(match self.page.settling().wait_until_settled(&mark, deadline).await? {
            Settled::Settled if settled == Settled::Navigated => Settled::Navigated,
            other => other,
        })
    }

    fn main_document(self) -> Option<Document> {
        self.page.state().main().map(|main| main.document)
    }

    /// A snapshot, if the reply shows changes and the page can be read.
    async fn tree_after(self, settled: Settled) -> Result<Option<Tree>> {
        let shows = self.page.settings().shows() != ActionSnapshot::None;
        if !shows || settled == Settled::Held || self.page.status() != PageStatus::Alive {
            return Ok(None);
        }
        match self.page.snapshots().look(Deadline::after(LOOK_TIMEOUT)).await {
            Ok(tree) => Ok(Some(tree)),
            Err(error @ (Error::BrowserEnded | Error::Crashed { .. })) => Err(error),
            // The action is done, even if the page is too busy for a snapshot or has just opened a dialog.
            Err(error) => {
                tracing::debug!(%error, "the page could not be looked at");
                Ok(None)
            }
        }
    }

    async fn stage(self, mark: &Mark, settled: Settled, tree: Option<&Tree>) -> Stage {
        let url_changed = {
            let state = self.page.state();
            let over = state.dialog.is_some() || state.status != PageStatus::Alive;
            let replaced = state.main().is_none_or(|main| main.document != mark.document);
            if over || replaced || state.download_asked > mark.at || matches!(settled, Settled::Busy(_)) {
                return Stage::Shown;
            }
            if matches!(mark.expects, Expects::BesideFields(_)) && state.last_request > mark.at {
                return Stage::Shown;
            }
            state.main().is_some_and(|main| main.navigated > mark.at && !fragment_only(&mark.url, &main.url))
        };
        if self.news_count() > mark.news {
            return Stage::Shown;
        }
        let changed = match tree {
            Some(tree) if self.page.settings().shows() == ActionSnapshot::Diff => {
                self.changed_by_action(mark, tree, url_changed)
            }
            _ => self.watch_until(u64::MAX, Deadline::after(Duration::ZERO)).await.0.changed,
        };
        match changed {
            true if tree.is_some_and(|tree| tree.busy) => Stage::Begun,
            true => Stage::Shown,
            false if url_changed => Stage::Begun,
            false if tree.is_some_and(|tree| self.focus_is_effect(mark, tree)) => Stage::Shown,
            false => Stage::Nothing,
        }
    }

    /// Whether the focus moved, and that is all that was to be expected.
    fn focus_is_effect(self, mark: &Mark, tree: &Tree) -> bool {
        let baseline = self.page.baseline();
        let moved = baseline.as_ref().and_then(|baseline| focus_since(baseline, tree));
        let meant = |node: &Node| mark.moves_focus || matches!(node.role(), "textbox" | "spinbutton");
        matches!(mark.expects, Expects::Anything) && !tree.promises && moved.is_some_and(meant)
    }

    /// Whether the snapshot has a change that the page does not make constantly.
    fn changed_by_action(self, mark: &Mark, tree: &Tree, url_changed: bool) -> bool {
        let baseline = self.page.baseline();
        let Some(baseline) = baseline.as_ref().filter(|baseline| same_main_document(baseline, tree)) else {
            return true;
        };
        // The title may change before the new view renders.
        if baseline.title != tree.title && !url_changed {
            return true;
        }
        let (now, restless) = (Instant::now(), self.page.restless());
        let is_restless = |place: &Option<Key>| {
            let ticks = place.is_some_and(|key| tree.restless.contains(&key));
            ticks || restless.get(place).is_some_and(|last| now.duration_since(*last) < RESTLESS_FOR)
        };
        let own_fields: HashSet<Option<Key>> = match &mark.expects {
            Expects::BesideFields(fields) => fields.iter().flat_map(|field| subtree(tree, *field)).collect(),
            _ => HashSet::new(),
        };
        let base = baseline.without_behind(tree);
        let around: HashSet<Option<Key>> = match &mark.expects {
            Expects::BesideFields(fields) => {
                fields.iter().flat_map(|field| ancestors(tree, *field)).collect()
            }
            _ => HashSet::new(),
        };
        let is_own = |place: &Option<Key>| {
            own_fields.contains(place) || (around.contains(place) && only_renamed(&base, tree, *place))
        };
        changed_nodes(&base, tree).iter().any(|place| !is_own(place) && !is_restless(place))
    }

    /// Waits for a change in any frame, or for a browser event. Returns the frames' report, and whether it
    /// was a browser event.
    async fn watch_until(self, at: u64, until: Deadline) -> (WatchReport, bool) {
        let timeout = u64::try_from(until.left().as_millis()).unwrap_or(u64::MAX);
        let (frames, args) = (self.watched_frames(), json!({ "timeout": timeout }));
        let in_frames = async {
            let mut pending: FuturesUnordered<_> = frames
                .iter()
                .map(|frame| {
                    self.page.injected().ask::<WatchReport>(
                        frame,
                        "watch",
                        &args,
                        until.extended_by(SLOW_PAGE),
                    )
                })
                .collect();
            let mut report = WatchReport::default();
            while let Some(answer) = pending.next().await {
                let Ok(watched) = answer else { continue };
                report.more |= watched.more;
                if watched.changed {
                    return WatchReport { changed: true, ..report };
                }
            }
            report
        };
        let news = self.news_count();
        let happened = || {
            let in_page = self.page.state().happened_since(at);
            (in_page || self.news_count() > news).then_some(())
        };
        let browser_event = until.with_grace().bound(self.page.on_change(happened));
        let watched = tokio::select! {
            biased;
            Some(Some(())) = browser_event => return (WatchReport::default(), true),
            // Timers of hidden tabs run late, and the page may be busy.
            watched = until.extended_by(LATE_SETTLE).bound(in_frames) => watched.unwrap_or_default(),
        };
        (watched, false)
    }

    pub(crate) fn watched_frames(self) -> Vec<FrameId> {
        let state = self.page.state();
        state.frames.iter().take(MOST_FRAMES).map(|frame| frame.id.clone()).collect()
    }

    /// The number of news items that can be the effect of an action.
    pub(crate) fn news_count(self) -> usize {
        let effects = |news: &news::News| news.iter().filter(|item| item.is_effect()).count();
        // One lock after the other: other code takes the page's state while it holds the tabs.
        let in_page = effects(&self.page.state().news);
        let in_context = self.page.context().map_or(0, |context| effects(&context.tabs().news));
        in_page + in_context
    }
}

/// Whether two URLs differ only in the fragment.
fn fragment_only(old: &str, new: &str) -> bool {
    let base = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    new.contains('#') && base(old) == base(new)
}
