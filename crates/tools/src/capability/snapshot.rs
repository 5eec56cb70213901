//! Looking at the page.

use cicerone_engine::{
    Error, NewsItem, Outline, Part, Parts, Size, Snapshot,
    snapshot::{plain, quoted},
};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::{AGENT, BROWSER, COMPANION, VISION, bounded, companion::TAB, vision::SESSION},
    message::blocked_by,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

#[derive(Default)]
pub(super) struct TakeSnapshot {
    part: Part,
    /// As HTML instead.
    html: bool,
    /// As this outline instead.
    outline: Option<Outline>,
}

impl TakeSnapshot {
    /// Changes what the outline shows.
    fn shows(&mut self, change: impl FnOnce(&mut Outline)) {
        change(self.outline.get_or_insert_default());
    }
}

choices! {
    Parts {
        "full" => Parts::All,
        "interactive" => Parts::Operable,
        "focused" => Parts::Focused,
    }
}

/// A snapshot, and what keeps it from being fresh.
pub(super) struct Taken {
    snapshot: Snapshot,
    viewport: Size,
    held: Option<String>,
    news: Vec<NewsItem>,
}

impl Capability for TakeSnapshot {
    /// In its turn; a page with an open dialog is still reported.
    type On = BesidePage;
    type Output = Taken;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<Taken, Failure> {
        let page = &on.page;
        let fresh = async {
            let _turn = on.in_turn().await?;
            match &self.outline {
                Some(outline) => page.snapshots().outline(outline).await,
                None if self.html => page.snapshots().html_snapshot(&self.part).await,
                None => page.snapshots().snapshot(&self.part).await,
            }
        };
        let viewport = page.geometry().viewport();
        match (fresh.await, page.snapshots().last_snapshot()) {
            (Ok(snapshot), _) => Ok(Taken { snapshot, viewport, held: None, news: page.take_news().await }),
            (Err(Error::DialogOpen(dialog)), Some(last)) => {
                let held = Some(blocked_by(&dialog));
                let mut news = page.take_news().await;
                // `held` says it.
                news.retain(|item| *item != NewsItem::DialogOpen(dialog.clone()));
                Ok(Taken { snapshot: last, viewport, held, news })
            }
            (Err(error), _) => Err(error.into()),
        }
    }
}

impl Output for Taken {
    fn facts(&self) -> Map<String, Value> {
        facts! { "url" => self.snapshot.url.clone(), "title" => self.snapshot.title.clone() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "url" => of("string"), "title" => of("string") }
    }

    fn news(&self) -> &[NewsItem] {
        &self.news
    }
}

/// What keeps it from being fresh.
fn held(taken: &Taken) -> String {
    match &taken.held {
        Some(held) => format!("\nNote: {held}. This is the page as it was last seen."),
        None => String::new(),
    }
}

/// `[Snapshot of example.com]`, and the listing.
pub(super) fn listed(snapshot: &Snapshot) -> String {
    let host = url::Url::parse(&snapshot.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    format!("[Snapshot of {}]\n{}", host.as_deref().unwrap_or(&plain(&snapshot.url, 200)), snapshot.text)
}

pub(super) fn faces() -> [Face<TakeSnapshot>; 4] {
    [
        BROWSER
            .tool("browser_snapshot", "What the page shows, as a tree with element refs")
            .takes((), |()| TakeSnapshot::default()).example("{}")
            .opt("ref", "Only this subtree", |look, of| look.part.of = Some(of))
            .opt("depth", "Only so many levels", |look, depth| look.part.depth = Some(depth))
            .opt("after", "Only what follows this ref", |look, after| look.part.after = Some(after))
            .opt("find", "Only lines with this text or role", |look, find| look.part.find = Some(find))
            .alias("target", "ref")
            .unlisted("element", |_, _: String| {})
            .unlisted("allRefs", |_, _: bool| {})
            .says(|out| {
                let Snapshot { url, title, text } = &out.snapshot;
                format!("Page: {url} {}{}\n{}", quoted(title, 200), held(out), bounded(text))
            }),
        VISION
            .tool("browser.snapshot", "Get accessibility tree with element references")
            .takes((), |()| {
                let outline = Outline { listing: true, compact: true, ..Outline::default() };
                TakeSnapshot { outline: Some(outline), ..TakeSnapshot::default() }
            })
            .example(r#"{"interactiveOnly": true}"#)
            .opt("selector", "Scope to specific element", |look, within| {
                look.shows(|outline| outline.within = Some(within));
            })
            .opt("interactiveOnly", "Only show interactive elements", |look, only: bool| {
                look.shows(|outline| outline.parts = if only { Parts::Operable } else { Parts::All });
            })
            .default(false)
            .opt("compact", "Remove empty structural elements", |look, compact| {
                look.shows(|outline| outline.compact = compact);
            })
            .default(true)
            .unlisted("after", |look, after| look.shows(|outline| outline.after = Some(after)))
            .in_context("sessionId", SESSION)
            .says(|out| match &out.held {
                Some(_) => format!("{}{}", listed(&out.snapshot), held(out)),
                None => listed(&out.snapshot),
            }),
        COMPANION
            .tool(
                "browser_snapshot",
                "Capture accessibility snapshot of the current page. Use this for getting references to elements \
                 to interact with.",
            )
            .takes((), |()| TakeSnapshot { html: true, ..TakeSnapshot::default() }).example("{}")
            .on_tab("tabId", TAB)
            .unlisted("ref", |look, of| look.part.of = Some(of))
            .unlisted("depth", |look, depth| look.part.depth = Some(depth))
            .unlisted("after", |look, after| look.part.after = Some(after))
            .unlisted("find", |look, find| look.part.find = Some(find))
            .unlisted("element", |_, _: String| {})
            .says(|out| format!("Page accessibility snapshot:{}\n\n{}", held(out), out.snapshot.text)),
        AGENT
            .tool("snapshot", "The page as a tree with element refs (@e1)")
            .takes((), |()| TakeSnapshot { outline: Some(Outline::default()), ..TakeSnapshot::default() })
            .example(r#"{"mode": "interactive"}"#)
            .opt("mode", "focused: in the focused element", |look, parts| {
                look.shows(|outline| outline.parts = parts);
            })
            .default("full")
            .opt("depth", "", |look, depth| look.shows(|outline| outline.depth = Some(depth)))
            .opt("selector", "Only this part", |look, within| {
                look.shows(|outline| outline.within = Some(within));
            })
            .opt("after", "", |look, after| look.shows(|outline| outline.after = Some(after)))
            .opt("find", "Text or role", |look, find| {
                look.shows(|outline| outline.find = Some(find));
            })
            .opt("compact", "", |look, compact| {
                look.shows(|outline| outline.compact = compact);
            })
            .default(false)
            .opt("include_text", "", |look, text| look.shows(|outline| outline.text = text))
            .default(true)
            .opt("include_bounds", "", |look, bounds| look.shows(|outline| outline.bounds = bounds))
            .default(false)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .fact("text", "string", |out| Some(out.snapshot.text.clone().into()))
            .says(|out| {
                let Snapshot { url, title, text } = &out.snapshot;
                let Size { width, height } = out.viewport;
                // One node is one line that begins with a dash, and a page can write neither.
                let held = held(out);
                format!("Page: {} ({url})\nViewport: {width}x{height}{held}\n\n{text}", plain(title, 200))
            }),
    ]
}
