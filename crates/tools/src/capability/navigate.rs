//! Opening a URL.

use cicerone_engine::{Acted, Address, Navigated, Until};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::{BROWSER, COMPANION, LAUNCH},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::ToNavigate,
};

pub(super) struct Navigate {
    url: String,
    until: Until,
}

impl Navigate {
    fn to(url: String) -> Self {
        Self { url, until: Until::Loaded }
    }
}

choices! {
    Until {
        "load" => Until::Loaded,
        "domcontentloaded" => Until::Parsed,
        "networkidle" => Until::Quiet,
    }
}

impl Capability for Navigate {
    type On = ToNavigate;
    type Output = Acted<Navigated>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: ToNavigate) -> Result<Acted<Navigated>, Failure> {
        let address = Address::read(&self.url, on.call.session.files())?;
        on.call.progress.tell(0.0, None, format!("loading {address}"));
        Ok(on.page.navigate_until(address.as_str(), self.until).await?)
    }
}

impl Output for Navigated {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! { "tabId" => self.tab.0 };
        if let Some((status, _)) = &self.status {
            facts.insert("status".into(), (*status).into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "status" => of("integer"), "tabId" => of("integer") }
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

pub(super) fn faces() -> [Face<Navigate>; 3] {
    [
        BROWSER
            .tool("browser_navigate", "Open a URL")
            .takes(must("url", ""), Navigate::to)
            .example(r#"{"url": "https://example.com/"}"#)
            .says(|out| opened(&out.done)),
        LAUNCH
            .tool("browser_navigate", "Navigate the active page to a URL")
            .takes(must("url", "URL to navigate to (must include protocol)"), Navigate::to)
            .example(r#"{"url": "https://example.com/", "waitUntil": "domcontentloaded"}"#)
            .opt("waitUntil", "When to consider navigation succeeded", |go, until| go.until = until)
            .default("load")
            .doing("navigating to URL")
            .says_of("url", |url, out| {
                let title = &out.done.title;
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
    ]
}
