//! Navigation: to a URL, through the history, or a reload.

use cicerone_engine::{
    Acted, Address, Destination, Files, NavigateRequest, Navigated, Page, Session, Size, TabId, WaitUntil,
    WindowChoice, WindowId,
};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Call, Capability, Effect, Face, Output,
    argument::{Argument, Headers, Side, choices, object},
    call::NavigatedPage,
    dialect::{AGENT, BROWSER, COMPANION, LAUNCH, VISION, companion::TAB, vision::SESSION},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::ToNavigate,
};

pub(super) struct Navigate {
    action: NavigateAction,
    url: Option<String>,
    until: WaitUntil,
    headers: Vec<(String, String)>,
    new_tab: Option<bool>,
    new_window: bool,
    window: Option<WindowId>,
    /// Whether the tab is named.
    has_tab: bool,
    size: Option<Size>,
    background: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NavigateAction {
    Goto,
    Back,
    Forward,
    Reload,
}

choices! {
    WaitUntil {
        "load" => WaitUntil::Load,
        "domcontentloaded" => WaitUntil::DomContentLoaded,
        "networkidle" => WaitUntil::NetworkIdle,
    }
    NavigateAction {
        "goto" => NavigateAction::Goto,
        "back" => NavigateAction::Back,
        "forward" => NavigateAction::Forward,
        "reload" => NavigateAction::Reload,
    }
}

/// A size whose sides may be left out.
#[derive(Default)]
pub(super) struct WindowSize {
    width: Option<Side>,
    height: Option<Side>,
}

object! {
    WindowSize {
        "width" => width: Side = 1280,
        "height" => height: Side = 720,
    }
}

impl From<WindowSize> for Size {
    fn from(WindowSize { width, height }: WindowSize) -> Self {
        let or = |side: Option<Side>, usual| side.map_or(usual, |Side(side)| side);
        Self { width: or(width, 1280), height: or(height, 720) }
    }
}

impl Navigate {
    fn by(action: NavigateAction) -> Self {
        Self {
            action,
            url: None,
            until: WaitUntil::Load,
            headers: Vec::new(),
            new_tab: None,
            new_window: false,
            window: None,
            has_tab: false,
            size: None,
            background: false,
        }
    }

    fn to(url: String) -> Self {
        Self { url: Some(url), ..Self::by(NavigateAction::Goto) }
    }

    /// The window of a new tab; `None` for a tab that is open. A window alone asks for a new tab.
    fn new_in(&self) -> Option<WindowChoice> {
        let new = self.new_tab.unwrap_or(self.window.is_some() && !self.has_tab);
        match self.window {
            _ if self.new_window => Some(WindowChoice::New),
            _ if !new => None,
            Some(window) => Some(WindowChoice::Known(window)),
            None => Some(WindowChoice::Usual),
        }
    }

    /// The validated request.
    fn request(&self, files: &Files) -> Result<NavigateRequest, Failure> {
        let to = match self.action {
            NavigateAction::Back => Destination::Steps(-1),
            NavigateAction::Forward => Destination::Steps(1),
            NavigateAction::Reload => Destination::Again,
            NavigateAction::Goto => {
                let address = Address::read(self.url.as_deref().unwrap_or_default(), files)?;
                Destination::Url(address.as_str().to_owned())
            }
        };
        Ok(NavigateRequest { to, until: self.until, headers: self.headers.clone() })
    }
}

impl Capability for Navigate {
    type On = ToNavigate;
    type Output = Acted<Navigated>;
    const EFFECT: Effect = Effect::Acts;

    fn begin(&self, call: &mut Call) -> Result<(), Failure> {
        let words = match self.request(call.session.files())?.to {
            Destination::Url(url) => format!("loading {url}"),
            Destination::Steps(steps) if steps < 0 => "going back".into(),
            Destination::Steps(_) => "going forward".into(),
            Destination::Again => "reloading".into(),
        };
        call.progress.tell(0.0, None, words);
        let mut new_in = self.new_in();
        if let (None, None, Some(window)) = (new_in, call.tab, self.window) {
            call.tab = tab_in(&call.session, window)?;
            new_in = call.tab.is_none().then_some(WindowChoice::Known(window));
        }
        call.navigates = NavigatedPage { new_in, size: self.size, background: self.background };
        Ok(())
    }

    async fn run(self, on: ToNavigate) -> Result<Acted<Navigated>, Failure> {
        let request = self.request(on.files())?;
        on.go(&request).await
    }
}

/// The tab of a window that is navigated: the active one, else the newest.
fn tab_in(session: &Session, window: WindowId) -> Result<Option<TabId>, Failure> {
    let context = session.context_of(window)?;
    let is_there = |page: &Page| page.window() == window;
    let newest = || context.pages().into_iter().rfind(is_there);
    Ok(context.active().filter(is_there).or_else(newest).map(|page| page.id()))
}

impl Output for Navigated {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! {
            "url" => self.place.url.clone(), "title" => self.place.title.clone(), "tabId" => self.tab.0,
            "windowId" => self.window.0,
        };
        if let Some((status, _)) = &self.status {
            facts.insert("status".into(), (*status).into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "url" => of("string"), "title" => of("string"), "tabId" => of("integer"), "windowId" => of("integer"),
            "status" => of("integer"),
        }
    }
}

fn opened(Navigated { url, status, download, .. }: &Navigated) -> String {
    if *download { format!("{url} is a download") } else { format!("Opened {url}{}", refused(status)) }
}

/// The same, on a line of its own.
fn status(status: &Option<(u16, String)>) -> String {
    match status {
        Some((status, words)) if *status >= 400 => format!("\nStatus: {status} {words}"),
        _ => String::new(),
    }
}

/// A status that says that what was asked for is not there.
pub(super) fn refused(status: &Option<(u16, String)>) -> String {
    match status {
        Some((status, words)) if *status >= 400 => format!(" ({status} {words})"),
        _ => String::new(),
    }
}

/// Where it led, for dialects that say it in a line.
fn at(Navigated { place, status, download, url, .. }: &Navigated) -> String {
    if *download {
        return format!("{url} is a download");
    }
    format!("{} ({}){}", place.title, place.url, refused(status))
}

/// ` (200 OK)`; a server may leave the reason out.
fn answered(status: &Option<(u16, String)>) -> String {
    match status {
        Some((status, words)) => {
            let known = http::StatusCode::from_u16(*status).ok().and_then(|status| status.canonical_reason());
            let words = if words.is_empty() { known.unwrap_or_default() } else { words };
            format!(" ({})", format!("{status} {words}").trim_end())
        }
        None => String::new(),
    }
}

pub(super) fn faces() -> [Face<Navigate>; 11] {
    let by = |name, about, back: fn(()) -> Navigate| {
        AGENT.tool(name, about).takes((), back).example("{}").on_tab("tabId", "")
    };
    [
        BROWSER
            .tool("browser_navigate", "Open a URL")
            .takes(must("url", ""), Navigate::to)
            .example(r#"{"url": "https://example.com/"}"#)
            .says(|out| opened(&out.done)),
        VISION
            .tool("browser.navigate", "Navigate to a URL")
            .takes(must("url", "URL to navigate to"), Navigate::to)
            .example(r#"{"url": "https://example.com/", "waitUntil": "networkidle", "timeout": 30000}"#)
            .opt("waitUntil", "When navigation completes", |go, until| go.until = until)
            .default("load")
            .within("timeout", "Navigation timeout in milliseconds", 30_000)
            .in_context("sessionId", SESSION)
            .says_of("url", |url, out| match out.done.download {
                true => format!("{url} is a download"),
                false => format!("Successfully navigated to {url}{}", answered(&out.done.status)),
            }),
        LAUNCH
            .tool("browser_navigate", "Navigate the active page to a URL")
            .takes(must("url", "URL to navigate to (must include protocol)"), Navigate::to)
            .example(r#"{"url": "https://example.com/", "waitUntil": "domcontentloaded"}"#)
            .opt("waitUntil", "When to consider navigation succeeded", |go, until| go.until = until)
            .default("load")
            .error_context("navigating to URL")
            .says_of("url", |url, out| {
                let title = &out.done.place.title;
                format!("Successfully navigated to {url}\nTitle: {title}{}", status(&out.done.status))
            }),
        COMPANION
            .tool("browser_navigate", "Navigate to a URL in a new or existing tab")
            .takes(must("url", "The URL to navigate to"), Navigate::to)
            .example(r#"{"url": "https://example.com/"}"#)
            .on_tab("tabId", "Existing tab ID (optional)")
            .says_of("url", |url, out| {
                let tab = out.done.tab;
                format!("Successfully navigated to {url} in tab {tab}{}", status(&out.done.status))
            }),
        AGENT
            .tool("navigate", "Go to a URL, back, forward, or reload")
            .takes((), |()| Navigate::by(NavigateAction::Goto))
            .example(r#"{"url": "https://example.com/", "wait_until": "domcontentloaded"}"#)
            .opt("url", "", |go, url| go.url = Some(url))
            .opt("action", "", |go, action| go.action = action)
            .default("goto")
            .opt("wait_until", "", |go, until| go.until = until)
            .default("load")
            .within("timeout", "", 30_000)
            .opt("new_tab", "", |go, new| go.new_tab = Some(new))
            .default(false)
            .opt("new_window", "", |go, new| go.new_window = new)
            .default(false)
            .opt("window_size", "", |go, size: WindowSize| go.size = Some(size.into()))
            .opt("background", "", |go, background| go.background = background)
            .default(false)
            .opt("headers", "", |go, Headers(headers)| go.headers = headers)
            .on_tab("tabId", "")
            .unlisted("tabId", |go, _: TabId| go.has_tab = true)
            .opt("windowId", "", |go, window| go.window = Some(window))
            .validate(|go| match go {
                Navigate { action: NavigateAction::Goto, url: None, .. } => Err(BadArguments::Missing("url")),
                Navigate { action: NavigateAction::Goto, .. } => Ok(()),
                Navigate { url: None, .. } if go.new_in().is_none() => Ok(()),
                _ => Err(BadArguments::Together(
                    "back, forward and reload take no url and no other tab or window",
                )),
            })
            .says(|out| format!("Navigated to {}", at(&out.done))),
        by("back", "Go back", |()| Navigate::by(NavigateAction::Back))
            .says(|out| format!("Back at {}", at(&out.done))),
        by("forward", "Go forward", |()| Navigate::by(NavigateAction::Forward))
            .says(|out| format!("Forward to {}", at(&out.done))),
        by("reload", "Reload the page", |()| Navigate::by(NavigateAction::Reload))
            .says(|out| format!("Reloaded {}", at(&out.done))),
        BROWSER
            .tool("browser_navigate_back", "Go back to the previous page")
            .takes((), |()| Navigate::by(NavigateAction::Back))
            .example("{}")
            .says(|_| "Went back".into()),
        COMPANION
            .tool("browser_go_back", "Go back to the previous page")
            .takes((), |()| Navigate::by(NavigateAction::Back))
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated back".into()),
        COMPANION
            .tool("browser_go_forward", "Go forward to the next page")
            .takes((), |()| Navigate::by(NavigateAction::Forward))
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated forward".into()),
    ]
}
