//! Listing, opening, selecting and closing tabs and windows.

use std::fmt::Write;

use cicerone_engine::{
    Address, Context, ContextOptions, Going, Opening, Page, Pattern, Session, Size, TabId, TabInfo, Until,
    Whither, WindowChoice, WindowId,
    snapshot::{plain, quoted},
};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, OneOrMore, Side, choices},
    dialect::{AGENT, BROWSER},
    face::must,
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Tabs {
    action: Action,
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
enum Action {
    List,
    New,
    Close,
    Select,
}

/// A tab, in one of the ways to name it.
enum Which {
    Index(i64),
    Id(TabId),
    At(Pattern),
}

choices! {
    Action {
        "list" => Action::List,
        "new" => Action::New,
        "close" => Action::Close,
        "select" => Action::Select,
    }
}

/// What was done, and the tabs after it.
pub(super) struct Done {
    action: Action,
    index: Option<usize>,
    /// The tab that was opened or selected.
    tab: Option<TabInfo>,
    closed: Vec<TabId>,
    tabs: Vec<Listed>,
    /// Whether the list is told only to those who asked for it.
    terse: bool,
}

/// A tab of a list.
struct Listed {
    tab: TabInfo,
    /// Whether it is in a context of its own.
    incognito: bool,
}

impl Tabs {
    fn new(action: Action, everywhere: bool) -> Self {
        let (which, opening) = (Vec::new(), Opening::default());
        Self { action, which, url: None, opening, incognito: false, window: None, everywhere }
    }

    async fn open(&self, session: &Session) -> Result<Page, Failure> {
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
        let page = context.open(Opening { window, ..self.opening }).await?;
        if !self.opening.background {
            session.activate_context(&context);
        }
        if let Some(address) = address {
            let _turn = page.turn().await;
            let to = Whither::Url(address.as_str().to_owned());
            page.go(&Going { to, until: Until::Loaded, headers: Vec::new() }).await?;
        }
        Ok(page)
    }

    /// The tabs that are meant; the active one where none is named.
    fn meant(&self, session: &Session) -> Result<Vec<(Context, Page)>, Failure> {
        let here = session.context();
        if self.which.is_empty() {
            let page = match here.active() {
                Some(page) => page,
                None => here.tab_at(0)?,
            };
            return Ok(vec![(here, page)]);
        }
        let mut meant: Vec<(Context, Page)> = Vec::new();
        for which in &self.which {
            match which {
                Which::Index(index) => meant.push(self.at(session, *index)?),
                Which::Id(id) => meant.push(session.tab(*id)?),
                Which::At(pattern) => {
                    let mut found = everything(session);
                    found.retain(|(_, page)| pattern.matches(&page.url()));
                    meant.append(&mut found);
                }
            }
        }
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
            None => Err(cicerone_engine::Error::NoTab { index, count }.into()),
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
    type Output = Done;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Done, Failure> {
        let session = &on.call.session;
        let (mut tab, mut closed) = (None, Vec::new());
        match self.action {
            Action::List => {}
            Action::New => tab = Some(self.open(session).await?.id()),
            Action::Select => {
                for (_, page) in self.meant(session)? {
                    tab = Some(session.focus(page.id()).await?.id());
                }
            }
            Action::Close => {
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
            (Action::Select | Action::Close, Some(Which::Index(index))) => usize::try_from(*index).ok(),
            _ => None,
        };
        let tabs = self.listed(session).await;
        let tab = tab.and_then(|id| {
            tabs.iter().find(|listed| listed.tab.tab_id == id).map(|listed| listed.tab.clone())
        });
        Ok(Done { action: self.action, index, tab, closed, tabs, terse: self.everywhere })
    }
}

impl Output for Done {
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
            // What was opened or selected is told as a tab of the list is.
            facts.extend(json!(tab).as_object().cloned().unwrap_or_default());
        }
        if !self.closed.is_empty() {
            facts.insert("closed".into(), json!(self.closed));
        }
        facts.insert("count".into(), self.tabs.len().into());
        if self.action == Action::List || !self.terse {
            facts.insert("tabs".into(), self.tabs.iter().map(listed).collect());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        use crate::output::{facts, of};
        facts! {
            "tabs" => of("array"), "count" => of("integer"), "closed" => of("array"), "tabId" => of("integer"),
            "windowId" => of("integer"), "index" => of("integer"), "url" => of("string"), "title" => of("string"),
            "active" => of("boolean"), "crashed" => of("boolean"),
        }
    }
}

fn told(done: &Done) -> String {
    let mut text = match (done.action, done.index) {
        (Action::List, _) => String::new(),
        (Action::New, _) => "Opened a tab.\n".into(),
        (Action::Select, Some(index)) => format!("Tab {index} is active.\n"),
        (Action::Close, Some(index)) => format!("Closed tab {index}.\n"),
        (Action::Select | Action::Close, None) => String::new(),
    };
    if done.tabs.is_empty() {
        text.push_str("No tabs are open");
    }
    for Listed { tab, .. } in &done.tabs {
        let _ = writeln!(text, "- {}:{}", tab.index, line(tab));
    }
    text.truncate(text.trim_end().len());
    text
}

fn line(tab: &TabInfo) -> String {
    let active = if tab.active { " (active)" } else { "" };
    let crashed = if tab.crashed { " (crashed)" } else { "" };
    format!("{active}{crashed} {} {}", quoted(&tab.title, 100), plain(&tab.url, 300))
}

/// By their ids, for those who name tabs so.
fn told_by_id(done: &Done) -> String {
    let tabs = |tabs: &[TabId]| tabs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (done.action, &done.tab) {
        (Action::New, Some(tab)) => format!("Opened tab {}:{}", tab.tab_id, line(tab)),
        (Action::Select, Some(tab)) => format!("Tab {}:{}", tab.tab_id, line(tab)),
        (Action::Close, _) if done.closed.is_empty() => "No tab matches; none was closed".into(),
        (Action::Close, _) => format!("Closed {}; {} left", tabs(&done.closed), done.tabs.len()),
        _ if done.tabs.is_empty() => "No tabs are open".into(),
        _ => {
            let listed = |Listed { tab, incognito }: &Listed| {
                let incognito = if *incognito { " (incognito)" } else { "" };
                format!("- tab {} in window {}:{incognito}{}", tab.tab_id, tab.window_id.0, line(tab))
            };
            done.tabs.iter().map(listed).collect::<Vec<_>>().join("\n")
        }
    }
}

/// What is told of a tab that was opened or selected.
const TOLD: &[&str] = &["tabId", "windowId", "index", "url", "title", "active", "count"];

pub(super) fn faces() -> [Face<Tabs>; 6] {
    [
        BROWSER
            .tool("browser_tabs", "List, open, close or select tabs")
            .takes(must("action", ""), |action| Tabs::new(action, false))
            .example(r#"{"action": "list"}"#)
            .opt("index", "For close and select", |tabs, index| tabs.which = vec![Which::Index(index)])
            .quietly("url", |tabs, url| tabs.url = Some(url))
            .provided(|tabs| match tabs {
                Tabs { action: Action::Select, which, .. } if which.is_empty() => {
                    Err(BadArguments::Missing("index"))
                }
                _ => Ok(()),
            })
            .says(told),
        AGENT
            .tool("tab_new", "Open a tab")
            .takes((), |()| Tabs::new(Action::New, true))
            .example(r#"{"url": "https://example.com/"}"#)
            .opt("url", "", |tabs, url| tabs.url = Some(url))
            .opt("active", "", |tabs, active: bool| tabs.opening.background = !active)
            .default(true)
            .opt("windowId", "", |tabs, window| tabs.opening.window = WindowChoice::Known(window))
            .tells(TOLD)
            .says(told_by_id),
        AGENT
            .tool("tab_list", "List all open tabs")
            .takes((), |()| Tabs::new(Action::List, true))
            .example("{}")
            .opt("windowId", "", |tabs, window| tabs.window = Some(window))
            .tells(&["tabs", "count"])
            .says(told_by_id),
        AGENT
            .tool("tab_switch", "Switch to a tab")
            .takes((), |()| Tabs::new(Action::Select, true))
            .example(r#"{"tabId": 1}"#)
            .opt("tabId", "", |tabs, id| tabs.which.push(Which::Id(id)))
            .opt("index", "0-based", |tabs, index| tabs.which.push(Which::Index(index)))
            .provided(|tabs| match tabs.which.len() {
                1 => Ok(()),
                0 => Err(BadArguments::Together("Missing required argument: one of tabId, index")),
                _ => Err(BadArguments::Together("tabId and index name a tab each; give one of them")),
            })
            .tells(TOLD)
            .says(told_by_id),
        AGENT
            .tool("tab_close", "Close tabs, else the active one")
            .takes((), |()| Tabs::new(Action::Close, true))
            .example(r#"{"tabId": [2]}"#)
            .opt("tabId", "", |tabs, OneOrMore(ids)| tabs.which.extend(ids.into_iter().map(Which::Id)))
            .opt("url", "Glob or /regex/", |tabs, pattern| tabs.which.push(Which::At(pattern)))
            .tells(&["closed", "count"])
            .says(told_by_id),
        AGENT
            .tool("window_new", "Open a window; incognito has its own cookies and storage")
            .takes((), |()| {
                let window = WindowChoice::New;
                Tabs { opening: Opening { window, ..Opening::default() }, ..Tabs::new(Action::New, true) }
            })
            .example(r#"{"url": "https://example.com/", "width": 800, "height": 600, "incognito": true}"#)
            .opt("url", "", |tabs, url| tabs.url = Some(url))
            .opt("width", "", |tabs, Side(width)| sized(tabs, |size| size.width = width))
            .default(1280)
            .opt("height", "", |tabs, Side(height)| sized(tabs, |size| size.height = height))
            .default(720)
            .opt("incognito", "", |tabs, incognito| tabs.incognito = incognito)
            .default(false)
            .tells(TOLD)
            .says(told_by_id),
    ]
}

fn sized(tabs: &mut Tabs, change: impl FnOnce(&mut Size)) {
    change(tabs.opening.size.get_or_insert(Size { width: 1280, height: 720 }));
}
