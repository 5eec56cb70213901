//! Going somewhere: to a URL, through the history, or here anew.

use cicerone_engine::{
    Acted, Address, Error, Going, Navigated, Opening, Page, Size, Until, Whither, WindowChoice, WindowId,
};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Call, Capability, Effect, Face, Output, Scope,
    argument::{Argument, Headers, Side, choices, object},
    dialect::{AGENT, BROWSER, COMPANION, LAUNCH, VISION, companion::TAB, vision::SESSION},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::{OnSession, ToNavigate},
};

pub(super) struct Navigate {
    action: Action,
    url: Option<String>,
    until: Until,
    headers: Vec<(String, String)>,
    place: Place,
    size: Option<Size>,
    background: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Goto,
    Back,
    Forward,
    Reload,
}

/// Where it is to be shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the tab of the call.
    Here,
    /// In a tab of its own.
    Tab,
    /// In a window of its own.
    Window,
    /// In a new tab of this window.
    In(WindowId),
}

choices! {
    Until {
        "load" => Until::Loaded,
        "domcontentloaded" => Until::Parsed,
        "networkidle" => Until::Quiet,
    }
    Action {
        "goto" => Action::Goto,
        "back" => Action::Back,
        "forward" => Action::Forward,
        "reload" => Action::Reload,
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
    fn by(action: Action) -> Self {
        Self {
            action,
            url: None,
            until: Until::Loaded,
            headers: Vec::new(),
            place: Place::Here,
            size: None,
            background: false,
        }
    }

    fn to(url: String) -> Self {
        Self { url: Some(url), ..Self::by(Action::Goto) }
    }

    fn going(&self, call: &Call) -> Result<Going, Failure> {
        let to = match self.action {
            Action::Back => Whither::Steps(-1),
            Action::Forward => Whither::Steps(1),
            Action::Reload => Whither::Again,
            Action::Goto => {
                let address = Address::read(self.url.as_deref().unwrap_or_default(), call.session.files())?;
                Whither::Url(address.as_str().to_owned())
            }
        };
        Ok(Going { to, until: self.until, headers: self.headers.clone() })
    }

    async fn open(&self, call: &Call) -> Result<Page, Failure> {
        let context = match self.place {
            Place::In(window) => call.session.context_of(window)?,
            Place::Here | Place::Tab | Place::Window => call.context()?,
        };
        let window = match self.place {
            Place::Window => WindowChoice::New,
            Place::In(window) => WindowChoice::Known(window),
            Place::Here | Place::Tab => WindowChoice::Usual,
        };
        let opening = Opening { window, size: self.size, background: self.background };
        let page = context.open(opening).await?;
        if !self.background {
            call.session.activate_context(&context);
        }
        Ok(page.used(call.manner.clone()))
    }
}

impl Capability for Navigate {
    type On = OnSession;
    type Output = Acted<Navigated>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Acted<Navigated>, Failure> {
        let going = self.going(&on.call)?;
        let words = match &going.to {
            Whither::Url(url) => format!("loading {url}"),
            Whither::Steps(steps) if *steps < 0 => "going back".into(),
            Whither::Steps(_) => "going forward".into(),
            Whither::Again => "loading again".into(),
        };
        on.call.progress.tell(0.0, None, words);
        if self.place == Place::Here {
            let here = ToNavigate::enter(on.call.clone()).await?;
            let blank = here.page.is_blank();
            if let Some(size) = self.size {
                here.page.resized(size).await?;
            }
            return match here.page.go(&going).await {
                // It was just opened, in a process that was dying already: nothing is lost with it.
                Err(Error::Crashed { .. }) if blank => {
                    drop(here);
                    let here = ToNavigate::enter(on.call).await?;
                    Ok(here.page.go(&going).await?)
                }
                gone => Ok(gone?),
            };
        }
        let page = self.open(&on.call).await?;
        let _turn = page.turn().await;
        Ok(page.go(&going).await?)
    }
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
fn refused(status: &Option<(u16, String)>) -> String {
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
            .doing("navigating to URL")
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
            .tool("navigate", "Go to a URL, back or forward, or reload")
            .takes((), |()| Navigate::by(Action::Goto))
            .example(r#"{"url": "https://example.com/", "wait_until": "domcontentloaded"}"#)
            .opt("url", "", |go, url| go.url = Some(url))
            .opt("action", "", |go, action| go.action = action)
            .default("goto")
            .opt("wait_until", "", |go, until| go.until = until)
            .default("load")
            .within("timeout", "", 30_000)
            .opt("new_tab", "", |go, new: bool| {
                if new && go.place == Place::Here {
                    go.place = Place::Tab;
                }
            })
            .default(false)
            .opt("new_window", "", |go, new: bool| {
                if new {
                    go.place = Place::Window;
                }
            })
            .default(false)
            .opt("window_size", "", |go, size: WindowSize| go.size = Some(size.into()))
            .opt("background", "", |go, background| go.background = background)
            .default(false)
            .opt("headers", "", |go, Headers(headers)| go.headers = headers)
            .on_tab("tabId", "")
            .opt("windowId", "", |go, window: WindowId| {
                if go.place != Place::Window {
                    go.place = Place::In(window);
                }
            })
            .provided(|go| match go {
                Navigate { action: Action::Goto, url: None, .. } => Err(BadArguments::Missing("url")),
                Navigate { action: Action::Goto, .. } => Ok(()),
                Navigate { place: Place::Here, url: None, .. } => Ok(()),
                _ => Err(BadArguments::Together(
                    "back, forward and reload take no url and no other tab or window",
                )),
            })
            .says(|out| format!("Navigated to {}", at(&out.done))),
        by("back", "Go back", |()| Navigate::by(Action::Back))
            .says(|out| format!("Back at {}", at(&out.done))),
        by("forward", "Go forward", |()| Navigate::by(Action::Forward))
            .says(|out| format!("Forward to {}", at(&out.done))),
        by("reload", "Reload the page", |()| Navigate::by(Action::Reload))
            .says(|out| format!("Reloaded {}", at(&out.done))),
        BROWSER
            .tool("browser_navigate_back", "Go back to the previous page")
            .takes((), |()| Navigate::by(Action::Back))
            .example("{}")
            .says(|_| "Went back".into()),
        COMPANION
            .tool("browser_go_back", "Go back to the previous page")
            .takes((), |()| Navigate::by(Action::Back))
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated back".into()),
        COMPANION
            .tool("browser_go_forward", "Go forward to the next page")
            .takes((), |()| Navigate::by(Action::Forward))
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated forward".into()),
    ]
}
