//! What the browser tells, as happenings. Events that are not named here are ignored, and one that cannot be
//! understood is dropped: nothing that a page does can end the program.

use std::sync::atomic::Ordering;

use cicerone_driver::{DialogKind, DialogOpened, FrameId, Happening, LoadStage, PageEvent};
use cicerone_wire::Event;
use serde::de::DeserializeOwned;
use url::Url;

use crate::{
    agent,
    browser::Shared,
    console,
    navigate::Detour,
    page::node_handle,
    protocol::{
        browsing_context::{
            DownloadEnd, DownloadWillBegin, HistoryUpdated, Info, NavigationInfo, UserPromptClosed,
            UserPromptOpened,
        },
        input::FileDialogOpened,
        log::EntryAdded,
        script::Message,
    },
    requests,
};

pub(crate) fn observe(shared: &Shared, event: Event<'_>) {
    // Never the parameters: they hold cookies, headers and texts of the page.
    tracing::trace!(event = event.method, "the browser reported");
    // Whether it was understood matters to nobody.
    let _ = match event.method {
        "browsingContext.contextCreated" => parse::<Info>(event).map(|info| shared.created(info)),
        "browsingContext.contextDestroyed" => {
            parse::<Info>(event).map(|info| shared.destroyed(&info.context))
        }
        "browsingContext.downloadWillBegin" => download_began(shared, event),
        "browsingContext.downloadEnd" => download_ended(shared, event),
        "script.message" => told_by_agent(shared, event),
        "log.entryAdded" => logged(shared, event),
        "input.fileDialogOpened" => files_asked_for(shared, event),
        method if method.starts_with("network.") => requests::observe(shared, event),
        method if method.starts_with("browsingContext.userPrompt") => prompted(shared, event),
        method if method.starts_with("browsingContext.") => navigated(shared, event),
        _ => None,
    };
}

fn navigated(shared: &Shared, event: Event<'_>) -> Option<()> {
    if event.method == "browsingContext.historyUpdated" {
        let HistoryUpdated { context, url } = parse(event)?;
        return moved(shared, &context, url);
    }
    let NavigationInfo { context, navigation, url } = parse(event)?;
    let (page, frame) = (shared.page_of(&context)?, FrameId::from(context.as_str()));
    let navigation = navigation.unwrap_or_default();
    match event.method {
        "browsingContext.navigationStarted" => {
            page.mark_moving();
            shared.places().loading_began(&frame, &navigation);
            page.tell(PageEvent::LoadingBegan(frame));
        }
        "browsingContext.fragmentNavigated" => {
            page.took(Detour::SameDocument, &navigation);
            moved(shared, &context, url);
        }
        "browsingContext.navigationCommitted" => {
            if url.starts_with("about:tabcrashed") && page.is_main(&frame) {
                if page.mark_crashed() {
                    page.tell(PageEvent::Crashed);
                }
                return None;
            }
            // What takes the place of a crashed document until that is told: nobody went there.
            if url == "about:blank" && shared.places().has_shown(&frame, &navigation) {
                return None;
            }
            shows(shared, &frame, &navigation, &url)?;
        }
        "browsingContext.domContentLoaded" => {
            loaded(shared, &frame, &navigation, &url, LoadStage::Parsed)?;
        }
        "browsingContext.load" => {
            // A frame's own end says nothing of what others asked for.
            if page.is_main(&frame) {
                page.heard_of_ends();
            }
            loaded(shared, &frame, &navigation, &url, LoadStage::Complete)?;
        }
        "browsingContext.navigationFailed" | "browsingContext.navigationAborted" => {
            // Given up for another one, not by itself.
            if event.method == "browsingContext.navigationAborted" && page.is_main(&frame) {
                let superseded = shared.places().loads_another(&frame, &navigation);
                page.interrupted.store(superseded, Ordering::Relaxed);
            }
            loading_ended(shared, &frame, &navigation);
        }
        _ => {}
    }
    Some(())
}

/// A context shows another document.
fn shows(shared: &Shared, frame: &FrameId, navigation: &str, url: &str) -> Option<()> {
    let page = shared.page_of(frame.as_str())?;
    let told = shared.places().shows(frame, navigation, url);
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
    let (document, stage) = shared.places().loaded(frame, navigation, url, stage)?;
    page.tell(PageEvent::Loaded { frame: frame.clone(), document: document.clone(), stage });
    if stage == LoadStage::Complete {
        loading_ended(shared, frame, document.as_str());
    }
    Some(())
}

fn loading_ended(shared: &Shared, frame: &FrameId, navigation: &str) {
    let over = shared.places().loading_ended(frame, navigation);
    if let Some(page) = shared.page_of(frame.as_str()).filter(|_| over) {
        page.changed.notify_waiters();
        page.tell(PageEvent::LoadingEnded(frame.clone()));
    }
}

/// The same document is at another URL.
fn moved(shared: &Shared, context: &str, url: String) -> Option<()> {
    let frame = FrameId::from(context);
    let news = shared.places().moved(&frame, &url);
    news.then(|| shared.tell_moved(frame, url))
}

/// The agent tells where a document is after a step in the history, of which the browser says nothing.
fn told_by_agent(shared: &Shared, event: Event<'_>) -> Option<()> {
    let Message { channel, data, source } = parse(event)?;
    match data.value {
        Some(serde_json::Value::String(url)) if channel == agent::MOVES => {
            moved(shared, &source.context?, url)
        }
        _ => None,
    }
}

fn download_began(shared: &Shared, event: Event<'_>) -> Option<()> {
    let begun: DownloadWillBegin = parse(event)?;
    let frame = FrameId::from(begun.context.as_str());
    if let (Some(page), Some(navigation)) = (shared.page_of(&begun.context), &begun.navigation) {
        page.took(Detour::Download, navigation);
        loading_ended(shared, &frame, navigation);
    }
    let id = begun.navigation.unwrap_or(begun.url);
    (shared.sink)(Happening::DownloadBegan {
        path: shared.download_path(&id),
        id,
        frame: Some(frame),
        name: begun.suggested_filename,
    });
    Some(())
}

fn download_ended(shared: &Shared, event: Event<'_>) -> Option<()> {
    let ended: DownloadEnd = parse(event)?;
    let id = ended.navigation.unwrap_or(ended.url);
    // The browser names the file as it likes; it was promised under a name of ours.
    let moved = ended.filepath.filter(|_| ended.status == "complete").map(|from| {
        std::fs::rename(from, shared.download_path(&id))
            .inspect_err(|error| tracing::warn!(%error, "a download could not be moved"))
    });
    (shared.sink)(Happening::DownloadEnded { id, complete: matches!(moved, Some(Ok(()))) });
    Some(())
}

fn prompted(shared: &Shared, event: Event<'_>) -> Option<()> {
    if event.method == "browsingContext.userPromptClosed" {
        let UserPromptClosed { context } = parse(event)?;
        shared.page_of(&context)?.dialog_closed();
        return Some(());
    }
    let opened: UserPromptOpened = parse(event)?;
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
    let opened: FileDialogOpened = parse(event)?;
    shared.page_of(&opened.context)?.tell(PageEvent::ChooserOpened {
        field: node_handle(&opened.context, &opened.element?.shared_id),
        frame: FrameId::from(opened.context.as_str()),
        multiple: opened.multiple,
    });
    Some(())
}

fn logged(shared: &Shared, event: Event<'_>) -> Option<()> {
    let entry: EntryAdded = parse(event)?;
    let page = shared.page_of(entry.source.context.as_deref()?)?;
    page.tell(PageEvent::Console(console::line(&entry)?));
    Some(())
}

pub(crate) fn parse<T: DeserializeOwned>(event: Event<'_>) -> Option<T> {
    serde_json::from_str(event.params.get())
        // Where, not what: the error's own text may quote a value of the page.
        .inspect_err(|error| {
            tracing::debug!(column = error.column(), event = event.method, "unexpected event")
        })
        .ok()
}
