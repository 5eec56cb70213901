//! Effects that come late: an action that has shown nothing yet is watched until its first effect has come to rest, or
//! the time for that is over. What the page does by itself all the time is no effect.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use cicerone_driver::FrameId;
use futures::{StreamExt, future::join_all, stream::FuturesUnordered};
use serde::Deserialize;
use serde_json::json;

use crate::{
    ActionSnapshot, Deadline, Error, NewsItem, Page, Result, news,
    outcome::Settled,
    settle::Mark,
    snapshot::{
        Tree,
        tree::{Key, same_main_document},
    },
    state::{Fate, State},
};

/// How long a frame may take to say what changed since the last reply.
const BEGIN_PATIENCE: Duration = Duration::from_secs(1);

/// How much longer a busy page may take before its scripts are interrupted.
const SLOW_PAGE: Duration = Duration::from_secs(10);

/// How long after the deadline an effect that has just begun may take to come to rest.
const LAST_REST: Duration = Duration::from_millis(200);

/// How many frames are watched.
const MOST_FRAMES: usize = 16;

/// How often the page is looked at while it is watched.
const MOST_LOOKS: u32 = 12;

/// How long a place that changed by itself is expected to go on.
const RESTLESS: Duration = Duration::from_secs(5);

/// How long one look at the page may take after an action.
const LOOK_PATIENCE: Duration = Duration::from_secs(5);

/// What an action is to bring about.
#[derive(Debug, Clone, Default)]
pub(crate) enum Expects {
    /// Nothing that is waited for.
    #[default]
    Nothing,
    /// Any change.
    Anything,
    /// A change beside these fields, or a request.
    BesideFields(Vec<Key>),
}

/// Places of a page that changed though nobody acted, and when last.
pub(crate) type Restless = HashMap<Option<Key>, Instant>;

/// A text of a live region that came and went.
#[derive(Deserialize)]
pub(crate) struct Announced {
    role: String,
    text: String,
}

/// What a frame says before an action.
#[derive(Deserialize)]
struct Before {
    changed: bool,
    restless: bool,
    announced: Vec<Announced>,
}

/// What a frame says after it was watched.
#[derive(Deserialize, Default)]
struct Watched {
    changed: bool,
    /// Whether the page shows that more is to come.
    more: bool,
}

/// What an action came to.
pub(crate) struct Watch {
    pub(crate) settled: Settled,
    /// The last look at the page.
    pub(crate) tree: Option<Tree>,
    /// How long the page was watched without a change.
    pub(crate) unchanged_for: Option<Duration>,
}

/// How far an effect is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// There is none.
    Nothing,
    /// More is to come.
    Begun,
    /// It is there.
    Shown,
}

impl Page {
    /// Tells the frames that an action begins; whether anything changed since the last reply, and whether anything
    /// changes all the time.
    pub(crate) async fn begin_acting(&self) -> (bool, bool) {
        let (patience, deadline) = (Deadline::after(BEGIN_PATIENCE), Deadline::after(SLOW_PAGE));
        let (frames, args) = (self.watched_frames(), json!({}));
        let asked = frames.iter().map(|frame| self.ask::<Before>(frame, "begin", &args, deadline));
        let (mut changed, mut restless) = (false, false);
        // A page that is busy is not interrupted for this.
        let asked = asked.map(|asked| patience.bound(asked));
        for before in join_all(asked).await.into_iter().flatten().flatten() {
            changed |= before.changed;
            restless |= before.restless;
            self.note_announced(before.announced);
        }
        (changed, restless)
    }

    /// Keeps what live regions said for the next reply.
    pub(crate) fn note_announced(&self, announced: Vec<Announced>) {
        let mut state = self.state();
        for Announced { role, text } in announced {
            news::add(&mut state.news, NewsItem::Announced(role, text));
        }
    }

    /// What changed between two looks with no action in between may go on changing.
    pub(crate) fn remember_restless(&self, old: &Tree, new: &Tree) {
        let now = Instant::now();
        let mut restless = self.restless();
        restless.retain(|_, last| now.duration_since(*last) < RESTLESS);
        restless.extend(changed_places(old, new).into_iter().map(|place| (place, now)));
    }

    /// Waits for the first effect of an action that has shown none.
    pub(crate) async fn effect(&self, mark: &Mark, settled: Settled, deadline: Deadline) -> Result<Watch> {
        let (began, settle) = (Instant::now(), self.options().settle);
        let (mut settled, mut limit) = (settled, settle);
        let mut expects = mark.expects.clone();
        if settle.is_zero() {
            expects = Expects::Nothing;
        }
        let mut looks = 0;
        loop {
            let at = self.state().now;
            let tree = self.tree_after(settled).await?;
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
            let until = Deadline::since(began, limit).min(deadline);
            let (watched, happened) = self.watch_until(at, until).await;
            if happened {
                let mark = Mark { at, ..mark.clone() };
                settled = match self.come_to_rest(&mark, deadline).await? {
                    Settled::Settled if settled == Settled::Navigated => Settled::Navigated,
                    other => other,
                };
            } else if !watched.changed && watched.more {
                limit = settle * 2;
            }
        }
    }

    /// A look, where the reply is to show what changed and the page can be looked at.
    async fn tree_after(&self, settled: Settled) -> Result<Option<Tree>> {
        let shows = self.shows() != ActionSnapshot::None;
        if !shows || settled == Settled::Held || self.fate() != Fate::Alive {
            return Ok(None);
        }
        match self.look(Deadline::after(LOOK_PATIENCE)).await {
            Ok(tree) => Ok(Some(tree)),
            Err(error @ (Error::BrowserEnded | Error::Crashed { .. })) => Err(error),
            // What was done is done, even if the page is too busy to be looked at, or asks something just now.
            Err(error) => {
                tracing::debug!(%error, "the page could not be looked at");
                Ok(None)
            }
        }
    }

    async fn stage(&self, mark: &Mark, settled: Settled, tree: Option<&Tree>) -> Stage {
        let elsewhere = {
            let state = self.state();
            let over = state.dialog.is_some() || state.fate != Fate::Alive;
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
            Some(tree) if self.shows() == ActionSnapshot::Diff => {
                self.changed_by_action(mark, tree, elsewhere)
            }
            _ => self.watch_until(u64::MAX, Deadline::after(Duration::ZERO)).await.0.changed,
        };
        match changed {
            true if tree.is_some_and(|tree| tree.busy) => Stage::Begun,
            true => Stage::Shown,
            false if elsewhere => Stage::Begun,
            false => Stage::Nothing,
        }
    }

    /// Whether a look shows a change that the page did not make by itself.
    fn changed_by_action(&self, mark: &Mark, tree: &Tree, elsewhere: bool) -> bool {
        let seen = self.seen();
        let Some(seen) = seen.as_ref().filter(|seen| same_main_document(seen, tree)) else { return true };
        // A view that is still to be rendered may have its title already.
        if seen.title != tree.title && !elsewhere {
            return true;
        }
        let (now, restless) = (Instant::now(), self.restless());
        let by_itself = |place: &Option<Key>| {
            restless.get(place).is_some_and(|last| now.duration_since(*last) < RESTLESS)
        };
        let own: HashSet<Option<Key>> = match &mark.expects {
            Expects::BesideFields(fields) => fields.iter().flat_map(|field| inside(tree, *field)).collect(),
            _ => HashSet::new(),
        };
        changed_places(seen, tree).iter().any(|place| !own.contains(place) && !by_itself(place))
    }

    /// Waits for a change in any frame, or for something that the browser tells of; what the first frame says that
    /// has anything to say, and whether it was the browser.
    async fn watch_until(&self, at: u64, until: Deadline) -> (Watched, bool) {
        let timeout = u64::try_from(until.left().as_millis()).unwrap_or(u64::MAX);
        let (frames, args) = (self.watched_frames(), json!({ "timeout": timeout }));
        let in_pages = async {
            let mut asked: FuturesUnordered<_> = frames
                .iter()
                .map(|frame| self.ask::<Watched>(frame, "watch", &args, until.extended_by(SLOW_PAGE)))
                .collect();
            let mut told = Watched::default();
            while let Some(answer) = asked.next().await {
                let Ok(watched) = answer else { continue };
                told.more |= watched.more;
                if watched.changed {
                    return Watched { changed: true, ..told };
                }
            }
            told
        };
        let news = self.news_count();
        let happens = self.until(until.with_grace(), |state| {
            (state.happened_since(at) || self.news_count_in(state) > news).then_some(())
        });
        let watched = tokio::select! {
            biased;
            Some(()) = happens => return (Watched::default(), true),
            // The timers of a hidden tab are late, and a page may be busy.
            watched = until.extended_by(LAST_REST).bound(in_pages) => watched.unwrap_or_default(),
        };
        (watched, false)
    }

    fn watched_frames(&self) -> Vec<FrameId> {
        let state = self.state();
        state.frames.iter().take(MOST_FRAMES).map(|frame| frame.id.clone()).collect()
    }

    /// How many news there are that can be an action's effect.
    pub(crate) fn news_count(&self) -> usize {
        self.news_count_in(&self.state())
    }

    fn news_count_in(&self, state: &State) -> usize {
        let effects = |news: &news::News| news.iter().filter(|item| item.is_effect()).count();
        let in_context = self.context().map_or(0, |context| effects(&context.tabs().news));
        effects(&state.news) + in_context
    }
}

/// Whether two URLs differ in nothing but their fragments.
fn fragment_only(old: &str, new: &str) -> bool {
    let base = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    new.contains('#') && base(old) == base(new)
}

/// A node with all below it.
fn inside(tree: &Tree, key: Key) -> Vec<Option<Key>> {
    let Some(at) = tree.nodes.iter().position(|node| node.key == Some(key)) else { return Vec::new() };
    tree.nodes[at..tree.end_of(at)].iter().filter(|node| node.key.is_some()).map(|node| node.key).collect()
}

/// What a place holds: its own line, and what is directly below it.
type Held<'a> = (&'a str, &'a str, Vec<Part<'a>>);

/// A text, or an element by its key.
type Part<'a> = std::result::Result<Key, &'a str>;

/// The places of both looks that are not as they were; what came or went changed the place that it is in.
fn changed_places(old: &Tree, new: &Tree) -> HashSet<Option<Key>> {
    let (before, after) = (places(old), places(new));
    after
        .iter()
        .filter(|(key, held)| before.get(*key).is_some_and(|then| then != *held))
        .map(|(key, _)| *key)
        .collect()
}

fn places(tree: &Tree) -> HashMap<Option<Key>, Held<'_>> {
    let mut places: HashMap<Option<Key>, Held<'_>> = HashMap::with_capacity(tree.nodes.len());
    places.insert(None, ("", "", Vec::new()));
    let mut path: Vec<(u32, Key)> = Vec::new();
    for node in &tree.nodes {
        path.truncate(path.iter().position(|(depth, _)| *depth >= node.depth).unwrap_or(path.len()));
        let holder = path.last().map(|(_, key)| *key);
        let entry = node.key.ok_or(&*node.before);
        places.entry(holder).or_insert_with(|| ("", "", Vec::new())).2.push(entry);
        if let Some(key) = node.key {
            places.insert(Some(key), (&node.before, &node.after, Vec::new()));
            path.push((node.depth, key));
        }
    }
    places
}
