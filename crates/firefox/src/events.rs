//! Translates protocol events to `BrowserEvent`s. Unknown events are ignored and malformed ones dropped: no
//! page can end the program.

use std::sync::atomic::Ordering;

use cicerone_driver::{DialogKind, DialogOpened, FrameId, LoadStage, NodeHandle, PageEvent};
use cicerone_wire::Event;
use url::Url;

use crate::{
    browser::Shared,
    console, downloads, injected,
    navigate::NavigationKind,
    protocol::{
        browsing_context::{HistoryUpdated, Info, NavigationInfo, UserPromptClosed, UserPromptOpened},
        input::FileDialogOpened,
        log::EntryAdded,
        script::Message,
    },
    requests,
};

pub(crate) fn observe(shared: &Shared, event: Event<'_>) {
    // Never the parameters: they contain cookies, headers and page text.
    tracing::trace!(event = event.method, "the browser reported");
    let _ = match event.method {
        "browsingContext.contextCreated" => event.parse::<Info>().map(|info| shared.created(info)),
        "browsingContext.contextDestroyed" => {
            event.parse::<Info>().map(|info| shared.destroyed(&info.context))
        }
        "browsingContext.downloadWillBegin" => downloads::began(shared, event),
        "browsingContext.downloadEnd" => downloads::ended(shared, event),
        "script.message" => injected_message(shared, event),
        "log.entryAdded" => logged(shared, event),
        "input.fileDialogOpened" => files_asked_for(shared, event),
        method if method.starts_with("network.") => requests::observe(shared, event),
        method if method.starts_with("browsingContext.userPrompt") => prompted(shared, event),
        method if method.starts_with("browsingContext.") => navigated(shared, event),
        _ => None,
    };
}

/// What takes the place of a page that crashed.
pub(crate) const CRASHED: &str = "about:tabcrashed";

fn navigated(shared: &Shared, event: Event<'_>) -> Option<()> {
    if event.method == "browsingContext.historyUpdated" {
        let HistoryUpdated { context, url } = event.parse()?;
        return moved(shared, &context, url);
    }
    let NavigationInfo { context, navigation, url } = event.parse()?;
    let (navigation, url) = (navigation.unwrap_or_default(), url.unwrap_or_default());
    if !["", "about:blank", "about:newtab"].contains(&url.as_str()) {
        shared.is_tab(&context);
    }
    let (page, frame) = (shared.page_of(&context)?, FrameId::from(context.as_str()));
    if url.starts_with(CRASHED) && page.is_main(&frame) {
        page.crashed();
        return None;
    }
    match event.method {
        "browsingContext.navigationStarted" => {
            page.mark_moving();
            shared.frames().loading_began(&frame, &navigation);
            page.tell(PageEvent::LoadingBegan(frame));
        }
        "browsingContext.fragmentNavigated" => {
            page.took(NavigationKind::SameDocument, &navigation);
            moved(shared, &context, url);
        }
        "browsingContext.navigationCommitted" => {
            // A placeholder for a crashed document, until the crash is reported. Not a
            // navigation.
            if url == "about:blank" && shared.frames().has_shown(&frame, &navigation) {
                return None;
            }
            shows(shared, &frame, &navigation, &url)?;
        }
        "browsingContext.domContentLoaded" => {
            loaded(shared, &frame, &navigation, &url, LoadStage::Parsed)?;
        }
        "browsingContext.load" => {
            // The end of one frame says nothing about the requests of others.
            if page.is_main(&frame) {
                page.release_held_ends();
            }
            loaded(shared, &frame, &navigation, &url, LoadStage::Complete)?;
        }
        "browsingContext.navigationFailed" | "browsingContext.navigationAborted" => {
            // Aborted by another navigation.
            if event.method == "browsingContext.navigationAborted" && page.is_main(&frame) {
                let superseded = shared.frames().loads_another(&frame, &navigation);
                page.navigations.interrupted.store(superseded, Ordering::Relaxed);
            }
            loading_ended(shared, &frame, &navigation);
        }
        _ => {}
    }
    Some(())
}

/// A context has a new document.
fn shows(shared: &Shared, frame: &FrameId, navigation: &str, url: &str) -> Option<()> {
    let page = shared.page_of(frame.as_str())?;
    let told = shared.frames().shows(frame, navigation, url);
    if let Some(site) = Url::parse(url).ok().filter(|url| url.has_host() && page.is_main(frame)) {
        shared.remember_partition(&page.user_context, &site.origin().ascii_serialization());
    }
    page.mark_moving();
    page.mark_arrived(frame);
    told.into_iter().for_each(|event| page.tell(event));
    Some(())
}

fn loaded(shared: &Shared, frame: &FrameId, navigation: &str, url: &str, stage: LoadStage) -> Option<()> {
    let page = shared.page_of(frame.as_str())?;
    let (document, stage) = shared.frames().loaded(frame, navigation, url, stage)?;
    page.tell(PageEvent::Loaded { frame: frame.clone(), document: document.clone(), stage });
    if stage == LoadStage::Complete {
        loading_ended(shared, frame, document.as_str());
    }
    Some(())
}

pub(crate) fn loading_ended(shared: &Shared, frame: &FrameId, navigation: &str) {
    let over = shared.frames().loading_ended(frame, navigation);
    if let Some(page) = shared.page_of(frame.as_str()).filter(|_| over) {
        page.lifecycle.notify();
        page.tell(PageEvent::LoadingEnded(frame.clone()));
    }
}

/// A same-document navigation.
fn moved(shared: &Shared, context: &str, url: String) -> Option<()> {
    let frame = FrameId::from(context);
    let news = shared.frames().moved(&frame, &url);
    news.then(|| shared.tell_moved(frame, url))
}

/// The injected script reports a document's URL after a history traversal, which the browser does not.
fn injected_message(shared: &Shared, event: Event<'_>) -> Option<()> {
    let Message { channel, data, source } = event.parse()?;
    match data.value {
        Some(serde_json::Value::String(url)) if channel == injected::MOVES => {
            moved(shared, &source.context?, url)
        }
        _ => None,
    }
}

fn prompted(shared: &Shared, event: Event<'_>) -> Option<()> {
    if event.method == "browsingContext.userPromptClosed" {
        let UserPromptClosed { context } = event.parse()?;
        shared.page_of(&context)?.dialog_closed();
        return Some(());
    }
    let opened: UserPromptOpened = event.parse()?;
    let kind = match opened.kind.as_str() {
        "confirm" => DialogKind::Confirm,
        "prompt" => DialogKind::Prompt,
        "beforeunload" => DialogKind::BeforeUnload,
        _ => DialogKind::Alert,
    };
    let (message, proposal) = (opened.message, opened.default_value.unwrap_or_default());
    shared.page_of(&opened.context)?.dialog_opened(DialogOpened { kind, message, proposal });
    Some(())
}

fn files_asked_for(shared: &Shared, event: Event<'_>) -> Option<()> {
    let opened: FileDialogOpened = event.parse()?;
    shared.page_of(&opened.context)?.tell(PageEvent::ChooserOpened {
        field: NodeHandle::new(&opened.context, &opened.element?.shared_id),
        frame: FrameId::from(opened.context.as_str()),
        multiple: opened.multiple,
    });
    Some(())
}

fn logged(shared: &Shared, event: Event<'_>) -> Option<()> {
    let entry: EntryAdded = event.parse()?;
    let page = shared.page_of(entry.source.context.as_deref()?)?;
    page.tell(PageEvent::Console(console::line(&entry)?));
    Some(())
}
