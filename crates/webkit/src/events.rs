//! What the host reports, as happenings. Events that are not named here are ignored, and one that cannot be understood is
//! dropped: nothing that a page does can end the program.

use std::sync::{Arc, atomic::Ordering};

use cicerone_driver::{
    BrowserEvent, DialogKind, DialogOpened, DocumentId, FrameId, LoadStage, NodeHandle, PageDriver, PageEvent,
};
use cicerone_wire::Event;
use serde::de::DeserializeOwned;

use crate::{
    browser::Shared,
    console,
    frames::WorldKind,
    injected, interception, network_capture,
    nodes::CHOOSER,
    page::{WebKitPage, lock},
    protocol::{
        console::MessageAdded,
        dom::SetChildNodes,
        host::{self, ChooserOpened, DownloadBegan, DownloadEnded, Moved, PageOpened, Started},
        page::{FrameNavigated, GetResourceTree, OfFrame},
        runtime::{ExecutionContext, ExecutionContextCreated},
    },
    requests,
};

pub(crate) fn observe(shared: &Shared, event: Event<'_>) {
    // Never the parameters: they hold cookies, headers and texts of the page.
    tracing::trace!(event = event.method, "the browser reported");
    // Whether it was understood matters to nobody.
    let _ = match shared.page_of(event.session) {
        Some(page) => in_page(shared, &page, event),
        None => in_browser(shared, event),
    };
}

fn in_browser(shared: &Shared, event: Event<'_>) -> Option<()> {
    match event.method {
        "Host.started" => {
            let started: Started = parse(event)?;
            shared.started.send_replace(Some(started));
        }
        "Host.pageOpened" => shared.opened(&parse::<PageOpened>(event)?),
        "Host.downloadBegan" => {
            let DownloadBegan { id, page, name, path } = parse(event)?;
            let frame = page.as_deref().map(FrameId::from);
            (shared.sink)(BrowserEvent::DownloadBegan { id, frame, name, path });
        }
        "Host.downloadEnded" => {
            let DownloadEnded { id, complete } = parse(event)?;
            (shared.sink)(BrowserEvent::DownloadEnded { id, complete });
        }
        _ => {}
    }
    Some(())
}

fn in_page(shared: &Shared, page: &Arc<WebKitPage>, event: Event<'_>) -> Option<()> {
    match event.method.split_once('.')?.0 {
        "Host" => of_host(shared, page, event),
        "Page" => of_page(page, event),
        "DOM" if event.method == "DOM.setChildNodes" => {
            lock(&page.closed_roots).add(&parse::<SetChildNodes>(event)?.nodes);
            Some(())
        }
        "Runtime" => world_created(page, parse::<ExecutionContextCreated>(event)?.context),
        "Console" => logged(page, event),
        "Network" if event.method == "Network.requestIntercepted" => {
            interception::intercepted(page, parse(event)?);
            Some(())
        }
        "Network" if event.method == "Network.responseIntercepted" => {
            interception::response_intercepted(page, parse(event)?);
            Some(())
        }
        "Network" => {
            network_capture::observe(page, event);
            requests::observe(page, event)
        }
        _ => None,
    }
}

fn of_host(shared: &Shared, page: &Arc<WebKitPage>, event: Event<'_>) -> Option<()> {
    match event.method {
        "Host.moved" => page.seen_at(&page.main_frame(), &parse::<Moved>(event)?.url),
        "Host.closed" => shared.closed(page),
        "Host.processSwapped" => {
            let page = Arc::clone(page);
            tokio::spawn(async move { page.begin_in_new_process().await });
        }
        "Host.crashed" => page.report_crashed(),
        "Host.downloadAsked" => {
            page.has_navigated();
            page.tell(PageEvent::DownloadAsked);
        }
        "Host.dialogOpened" => {
            let opened: host::DialogOpened = parse(event)?;
            let kind = match opened.kind.as_str() {
                "confirm" => DialogKind::Confirm,
                "prompt" => DialogKind::Prompt,
                "beforeunload" => DialogKind::BeforeUnload,
                _ => DialogKind::Alert,
            };
            let (message, proposal) =
                (opened.message.unwrap_or_default(), opened.default_prompt.unwrap_or_default());
            page.dialog_open.store(kind != DialogKind::BeforeUnload, Ordering::Relaxed);
            page.lifecycle.notify();
            page.tell(PageEvent::DialogOpened(DialogOpened { kind, message, proposal }));
        }
        "Host.dialogClosed" => {
            page.dialog_open.store(false, Ordering::Relaxed);
            page.tell(PageEvent::DialogClosed);
        }
        "Host.chooserOpened" => {
            let ChooserOpened { multiple } = parse(event)?;
            if page.attaching.load(Ordering::Relaxed) {
                page.chooser_open.store(true, Ordering::Relaxed);
                page.lifecycle.notify();
            } else {
                let (frame, field) = (page.main_frame(), NodeHandle::from(CHOOSER));
                page.tell(PageEvent::ChooserOpened { frame, field, multiple });
            }
        }
        "Host.loadFailed" => {
            page.has_navigated();
            loading_ended(page, &page.main_frame());
        }
        "Host.redirectIntercepted" => interception::redirect_intercepted(page, parse(event)?),
        _ => {}
    }
    Some(())
}

fn of_page(page: &Arc<WebKitPage>, event: Event<'_>) -> Option<()> {
    match event.method {
        "Page.frameNavigated" => {
            let FrameNavigated { frame: shown } = parse(event)?;
            if shown.parent_id.is_none() {
                *lock(&page.main) = Some(shown.id.clone());
            }
            let (frame, parent) =
                (page.frame(&shown.id), shown.parent_id.as_deref().map(|id| page.frame(id)));
            if page.with_frames(|frames| frames.attach(&frame, parent.as_ref())) {
                page.tell(PageEvent::FrameAttached { frame: frame.clone(), parent });
            }
            page.shows(&shown);
            // Nothing more is reported of a document that has nothing to load.
            if shown.parent_id.is_some() && shown.url == "about:blank" {
                complete(page, &frame);
            }
        }
        "Page.frameDetached" => {
            let frame = page.frame(&parse::<OfFrame>(event)?.frame_id);
            page.with_frames(|frames| frames.remove(&frame));
            page.tell(PageEvent::FrameDetached(frame));
        }
        "Page.frameStartedLoading" => {
            let frame = page.frame(&parse::<OfFrame>(event)?.frame_id);
            if page.with_frames(|frames| frames.set_loading(&frame, true)) {
                page.tell(PageEvent::LoadingBegan(frame));
            }
        }
        "Page.frameStoppedLoading" => {
            let frame = page.frame(&parse::<OfFrame>(event)?.frame_id);
            if frame == page.main_frame() {
                // A document is complete when its frames are.
                let below = lock(&page.frames).loading_below();
                below.iter().for_each(|frame| complete(page, frame));
                loading_ended(page, &frame);
            } else {
                complete(page, &frame);
            }
        }
        "Page.domContentEventFired" => parsed(page, &page.main_frame()),
        "Page.loadEventFired" => {
            // A document with nothing to load is reported to be complete first.
            parsed(page, &page.main_frame());
            loaded(page, &page.main_frame(), LoadStage::Complete);
        }
        _ => {}
    }
    Some(())
}

/// A frame has loaded all that it will.
pub(crate) fn complete(page: &WebKitPage, frame: &FrameId) {
    parsed(page, frame);
    loaded(page, frame, LoadStage::Complete);
    loading_ended(page, frame);
}

/// Reported once.
pub(crate) fn parsed(page: &WebKitPage, frame: &FrameId) {
    if page.with_frames(|frames| frames.set_parsed(frame)) {
        loaded(page, frame, LoadStage::Parsed);
    }
}

fn loaded(page: &WebKitPage, frame: &FrameId, stage: LoadStage) {
    let document: Option<DocumentId> = lock(&page.frames).get(frame).and_then(|place| place.document.clone());
    if let Some(document) = document {
        page.tell(PageEvent::Loaded { frame: frame.clone(), document, stage });
    }
}

fn loading_ended(page: &WebKitPage, frame: &FrameId) {
    if page.with_frames(|frames| frames.set_loading(frame, false)) {
        page.tell(PageEvent::LoadingEnded(frame.clone()));
    }
}

fn world_created(page: &Arc<WebKitPage>, context: ExecutionContext) -> Option<()> {
    let kind = match (context.kind.as_str(), context.name.as_str()) {
        ("normal", _) => WorldKind::Main,
        ("user", injected::WORLD) => WorldKind::Injected,
        ("user", injected::SANDBOX) => WorldKind::Sandbox,
        _ => return None,
    };
    let frame = page.frame(&context.frame_id);
    let is_known = lock(&page.frames).get(&frame).is_some();
    page.with_frames(|frames| frames.world_created(&frame, kind, context.id));
    if !is_known {
        // A frame that was never navigated: only the tree says where it is.
        let page = Arc::clone(page);
        tokio::spawn(async move {
            if let Ok(tree) = page.send(&GetResourceTree {}).await {
                page.learn(&tree.frame_tree, None);
            }
        });
    }
    Some(())
}

fn logged(page: &WebKitPage, event: Event<'_>) -> Option<()> {
    let line = match event.method {
        "Console.messageAdded" => console::line(&parse::<MessageAdded>(event)?.message)?,
        // The same line once more.
        "Console.messageRepeatCountUpdated" => lock(&page.last_line).clone()?,
        _ => return None,
    };
    *lock(&page.last_line) = Some(line.clone());
    page.tell(PageEvent::Console(line));
    Some(())
}

pub(crate) fn parse<T: DeserializeOwned>(event: Event<'_>) -> Option<T> {
    event.parse()
}
