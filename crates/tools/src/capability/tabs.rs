//! Listing, opening, selecting and closing tabs and windows.

mod words;

use std::collections::BTreeSet;

use cicerone_engine::{
    Acted, Address, Context, ContextOptions, Destination, NavigateRequest, Navigated, NewsItem, Opening,
    Page, Pattern, Session, Size, TabId, TabInfo, WaitUntil, WindowChoice, WindowId, snapshot::plain,
};
use serde_json::{Map, Value, json};

use self::words::{sentence, told_by_id};
use super::navigate::refused;
use crate::{
    BadArguments, Call, Capability, Effect, Face, Output,
    argument::{Argument, OneOrMore, Side, choices},
    dialect::{AGENT, BROWSER},
    face::must,
    reply::Failure,
    scope::{OnSession, ToNavigate},
};

pub(super) struct Tabs {
    action: TabsAction,
    /// Which tabs are meant, where some are.
    which: Vec<Which>,
    url: Option<String>,
    opening: Opening,
    /// In a context of its own.
    incognito: bool,
    /// Only tabs of this window.
    window: Option<WindowId>,
    /// Of all contexts, not only of the active one.
    everywhere: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TabsAction {
    List,
    New,
    Close,
    Select,
}

/// A tab, in one of the ways to name it.
enum Which {
    Index(i64),
    Ids(Vec<TabId>),
    At(Pattern),
}

choices! {
    TabsAction {
        "list" => TabsAction::List,
        "new" => TabsAction::New,
        "close" => TabsAction::Close,
        "select" => TabsAction::Select,
    }
}

/// What was done, and the tabs after it.
pub(super) struct TabsResult {
    action: TabsAction,
    index: Option<usize>,
    /// The tab that was opened or selected.
    tab: Option<TabInfo>,
    /// What came of loading its URL.
    came: Option<Acted<Navigated>>,
    closed: Vec<TabId>,
    tabs: Vec<Listed>,
    /// Whether only `list` returns the list.
    terse: bool,
}

/// A tab of a list.
struct Listed {
    tab: TabInfo,
    /// Whether it is in a context of its own.
    incognito: bool,
}

impl Tabs {
    fn new(action: TabsAction, everywhere: bool) -> Self {
        let (which, opening) = (Vec::new(), Opening::default());
        Self { action, which, url: None, opening, incognito: false, window: None, everywhere }
    }

    async fn open(&self, call: &Call) -> Result<(TabId, Option<Acted<Navigated>>), Failure> {
        let session = &call.session;
        let before = session.context();
        let address = self.url.as_deref().map(|url| Address::read(url, session.files())).transpose()?;
        let context = match self.opening.window {
            _ if self.incognito => incognito(session).await?,
            WindowChoice::Known(window) => session.context_of(window)?,
            // A plain window, whichever context is active.
            WindowChoice::New if self.everywhere => session.first_context(),
            WindowChoice::Usual | WindowChoice::New => session.context(),
        };
        // A context of its own has a window of its own already.
        let window = if self.incognito { WindowChoice::Usual } else { self.opening.window };
        let on =
            ToNavigate::opened(call.clone(), before, &context, Opening { window, ..self.opening }).await?;
        let tab = on.tab();
        let Some(address) = address else { return Ok((tab, None)) };
        let to = Destination::Url(address.as_str().to_owned());
        let request = NavigateRequest { to, until: WaitUntil::Load, headers: Vec::new() };
        match on.go(&request).await {
            Ok(came) => Ok((tab, Some(came))),
            Err(failure) => {
                if self.incognito {
                    leave_behind(session, std::iter::once(context)).await?;
                }
                Err(failure)
            }
        }
    }

    /// The tabs that are meant, each once; the active one where none is named.
    fn meant(&self, session: &Session) -> Result<Vec<(Context, Page)>, Failure> {
        let here = session.context();
        if self.which.is_empty() {
            let page = here.active().map_or_else(|| here.tab_at(0), Ok)?;
            return Ok(vec![(here, page)]);
        }
        let mut meant: Vec<(Context, Page)> = Vec::new();
        for which in &self.which {
            match which {
                Which::Index(index) => meant.push(self.at(session, *index)?),
                Which::Ids(ids) => {
                    meant.extend(ids.iter().map(|id| session.tab(*id)).collect::<Result<Vec<_>, _>>()?);
                }
                Which::At(pattern) => meant
                    .extend(everything(session).into_iter().filter(|(_, page)| pattern.matches(&page.url()))),
            }
        }
        let mut seen = BTreeSet::new();
        meant.retain(|(_, page)| seen.insert(page.id()));
        Ok(meant)
    }

    /// A tab by its place in the list that the dialect shows.
    fn at(&self, session: &Session, index: i64) -> Result<(Context, Page), Failure> {
        if !self.everywhere {
            let here = session.context();
            let page = here.tab_at(index)?;
            return Ok((here, page));
        }
        let mut all = everything(session);
        let count = all.len();
        match usize::try_from(index).ok().filter(|index| *index < count) {
            Some(index) => Ok(all.swap_remove(index)),
            None => {
                Err(cicerone_engine::Error::Tab(cicerone_engine::TabError::NoTab { index, count }).into())
            }
        }
    }

    async fn listed(&self, session: &Session) -> Vec<Listed> {
        let active = session.context();
        let contexts = if self.everywhere { session.all_contexts() } else { vec![active.clone()] };
        let mut listed = Vec::new();
        for context in contexts {
            let here = context == active;
            for mut tab in context.list().await {
                tab.index = listed.len();
                tab.active &= here;
                listed.push(Listed { tab, incognito: !context.is_first() });
            }
        }
        listed.retain(|listed| self.window.is_none_or(|window| listed.tab.window_id == window));
        listed
    }
}

/// What the contexts of incognito windows are called.
const INCOGNITO: &str = "incognito-";

/// A context of its own, under a name that is free.
async fn incognito(session: &Session) -> Result<Context, Failure> {
    let taken: Vec<String> = session.list_contexts().into_iter().map(|context| context.name).collect();
    let mut nth = 1;
    while taken.contains(&format!("{INCOGNITO}{nth}")) {
        nth += 1;
    }
    Ok(session.create_context(&format!("{INCOGNITO}{nth}"), ContextOptions::default()).await?)
}

/// After tabs of these contexts were closed: an incognito window goes with its last tab, and all that it kept with it;
/// calls go to a tab that is still open, where there is one.
async fn leave_behind(session: &Session, contexts: impl Iterator<Item = Context>) -> Result<(), Failure> {
    for context in contexts {
        let emptied = context.name().starts_with(INCOGNITO) && context.pages().is_empty();
        if emptied && session.all_contexts().contains(&context) {
            session.close_context(context.name()).await?;
        }
    }
    if session.context().pages().is_empty()
        && let Some((_, page)) = everything(session).pop()
    {
        session.focus(page.id()).await?;
    }
    Ok(())
}

fn everything(session: &Session) -> Vec<(Context, Page)> {
    let of = |context: &Context| {
        context.pages().into_iter().map(|page| (context.clone(), page)).collect::<Vec<_>>()
    };
    session.all_contexts().iter().flat_map(of).collect()
}

impl Capability for Tabs {
    type On = OnSession;
    type Output = TabsResult;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<TabsResult, Failure> {
        let session = &on.call.session;
        session.attach().await?;
        let (mut tab, mut came, mut closed) = (None, None, Vec::new());
        match self.action {
            TabsAction::List => {}
            TabsAction::New => {
                let (opened, navigated) = self.open(&on.call).await?;
                (tab, came) = (Some(opened), navigated);
            }
            TabsAction::Select => {
                for (_, page) in self.meant(session)? {
                    tab = Some(session.focus(page.id()).await?.id());
                }
            }
            TabsAction::Close => {
                let meant = self.meant(session)?;
                for (context, page) in &meant {
                    context.close(page).await?;
                    closed.push(page.id());
                }
                if self.everywhere {
                    leave_behind(session, meant.into_iter().map(|(context, _)| context)).await?;
                }
            }
        }
        let index = match (self.action, self.which.first()) {
            (TabsAction::Select | TabsAction::Close, Some(Which::Index(index))) => {
                usize::try_from(*index).ok()
            }
            _ => None,
        };
        let tabs = self.listed(session).await;
        let tab = tab.and_then(|id| {
            tabs.iter().find(|listed| listed.tab.tab_id == id).map(|listed| listed.tab.clone())
        });
        Ok(TabsResult { action: self.action, index, tab, came, closed, tabs, terse: self.everywhere })
    }
}

impl Output for TabsResult {
    fn facts(&self) -> Map<String, Value> {
        let listed = |Listed { tab, incognito }: &Listed| {
            let mut tab = json!(tab);
            if *incognito {
                tab["incognito"] = true.into();
            }
            tab
        };
        let mut facts = Map::new();
        if let Some(tab) = &self.tab {
            // An opened or selected tab has the same facts as one in the list.
            facts.extend(json!(tab).as_object().cloned().unwrap_or_default());
        }
        if let Some((status, _)) = self.came.as_ref().and_then(|came| came.done.status.as_ref()) {
            facts.insert("status".into(), (*status).into());
        }
        if !self.closed.is_empty() {
            facts.insert("closed".into(), json!(self.closed));
        }
        facts.insert("count".into(), self.tabs.len().into());
        if self.action == TabsAction::List || !self.terse {
            facts.insert("tabs".into(), self.tabs.iter().map(listed).collect());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        use crate::output::{facts, of};
        facts! {
            "tabs" => of("array"), "count" => of("integer"), "closed" => of("array"), "tabId" => of("integer"),
            "windowId" => of("integer"), "index" => of("integer"), "url" => of("string"), "title" => of("string"),
            "active" => of("boolean"), "crashed" => of("boolean"), "status" => of("integer"),
        }
    }

    fn news(&self) -> &[NewsItem] {
        self.came.as_ref().map_or(&[], |came| &came.outcome.news)
    }
}

impl TabsResult {
    /// What its URL turned out to be, where it is not simply there.
    fn came_as(&self) -> String {
        match self.came.as_ref().map(|came| &came.done) {
            Some(Navigated { url, download: true, .. }) => format!("; {} is a download", plain(url, 300)),
            Some(Navigated { status, .. }) => refused(status),
            None => String::new(),
        }
    }
}

/// The facts of a selected tab.
const TOLD: &[&str] = &["tabId", "windowId", "index", "url", "title", "active", "count"];

/// The facts of an opened tab.
const OPENED: &[&str] = &["tabId", "windowId", "index", "url", "title", "active", "count", "status"];

pub(super) fn faces() -> [Face<Tabs>; 6] {
    [
        BROWSER
            .tool("browser_tabs", "List, open, close or select tabs")
            .takes(must("action", ""), |action| Tabs::new(action, false))
            .example(r#"{"action": "list"}"#)
            .opt("index", "For close and select", |tabs, index| tabs.which = vec![Which::Index(index)])
            .unlisted("url", |tabs, url| tabs.url = Some(url))
            .validate(|tabs| match tabs {
                Tabs { action: TabsAction::Select, which, .. } if which.is_empty() => {
                    Err(BadArguments::Missing("index"))
                }
                _ => Ok(()),
            })
            .says(sentence),
        AGENT
            .tool("tab_new", "Open a tab")
            .takes((), |()| Tabs::new(TabsAction::New, true))
            .example(r#"{"url": "https://example.com/"}"#)
            .opt("url", "", |tabs, url| tabs.url = Some(url))
            .opt("active", "", |tabs, active: bool| tabs.opening.background = !active)
            .default(true)
            .opt("windowId", "", |tabs, window| tabs.opening.window = WindowChoice::Known(window))
            .only_facts(OPENED)
            .says(told_by_id),
        AGENT
            .tool("tab_list", "List tabs")
            .takes((), |()| Tabs::new(TabsAction::List, true))
            .example("{}")
            .opt("windowId", "", |tabs, window| tabs.window = Some(window))
            .only_facts(&["tabs", "count"])
            .says(told_by_id),
        AGENT
            .tool("tab_switch", "Switch to a tab")
            .takes((), |()| Tabs::new(TabsAction::Select, true))
            .example(r#"{"tabId": 1}"#)
            .opt("tabId", "", |tabs, id| tabs.which.push(Which::Ids(vec![id])))
            .opt("index", "", |tabs, index| tabs.which.push(Which::Index(index)))
            .validate(|tabs| match tabs.which.len() {
                1 => Ok(()),
                0 => Err(BadArguments::Together("Missing required argument: one of tabId, index")),
                _ => Err(BadArguments::Together("tabId and index name a tab each; give one of them")),
            })
            .only_facts(TOLD)
            .says(told_by_id),
        AGENT
            .tool("tab_close", "Close tabs, else the active one")
            .takes((), |()| Tabs::new(TabsAction::Close, true))
            .example(r#"{"tabId": [2]}"#)
            .opt("tabId", "", |tabs, OneOrMore(ids)| tabs.which.push(Which::Ids(ids)))
            .opt("url", "", |tabs, pattern| tabs.which.push(Which::At(pattern)))
            .only_facts(&["closed", "count"])
            .says(told_by_id),
        AGENT
            .tool("window_new", "Open a window; incognito: own cookies, storage")
            .takes((), |()| {
                let window = WindowChoice::New;
                Tabs { opening: Opening { window, ..Opening::default() }, ..Tabs::new(TabsAction::New, true) }
            })
            .example(r#"{"url": "https://example.com/", "width": 800, "height": 600, "incognito": true}"#)
            .opt("url", "", |tabs, url| tabs.url = Some(url))
            .opt("width", "", |tabs, Side(width)| sized(tabs, |size| size.width = width))
            .default(1280)
            .opt("height", "", |tabs, Side(height)| sized(tabs, |size| size.height = height))
            .default(720)
            .opt("incognito", "", |tabs, incognito| tabs.incognito = incognito)
            .default(false)
            .only_facts(OPENED)
            .says(told_by_id),
    ]
}

fn sized(tabs: &mut Tabs, change: impl FnOnce(&mut Size)) {
    change(tabs.opening.size.get_or_insert(Size { width: 1280, height: 720 }));
}
