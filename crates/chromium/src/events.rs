//! What the browser tells, as happenings. Events that are not named here are ignored, and one that cannot be
//! understood is dropped: nothing that a page does can end the program.

use cicerone_driver::{
    DialogKind, DialogOpened, DocumentId, FrameId, Happening, LoadStage, PageDriver, PageEvent, Request,
    RequestEnd, RequestId,
};
use cicerone_wire::{Event, Session};
use serde::de::DeserializeOwned;

use crate::{
    agent, console,
    frames::{World, WorldKind},
    hidden, interception, network_capture,
    nodes::node_handle,
    page::ChromiumPage,
    protocol::{
        browser::{CancelDownload, DownloadProgress, DownloadWillBegin},
        log::EntryAdded,
        network::{LoadingFailed, LoadingFinished, RequestWillBeSent, ResponseReceived},
        page::{
            FileChooserOpened, Frame, FrameAttached, FrameDetached, FrameNavigated, FrameRequestedNavigation,
            JavascriptDialogOpening, LifecycleEvent, NavigatedWithinDocument, OfFrame, ScreencastFrame,
        },
        runtime::{ConsoleApiCalled, ExceptionThrown, ExecutionContextCreated, ExecutionContextDestroyed},
        target::{AttachedToTarget, DetachedFromTarget},
    },
    screencast,
    targets::Shared,
    trace,
};

/// Requests of these kinds stay open or matter to nobody; settling does not wait for them.
const ENDLESS: [&str; 5] = ["EventSource", "WebSocket", "Ping", "Media", "Prefetch"];

/// A download that is larger is cancelled, in bytes: a page must not fill the disk.
const LARGEST_DOWNLOAD: f64 = (1u64 << 30) as f64;

/// Whether a request is for the script that a worker begins with. Only the worker hears how it ends. It goes by the
/// worker's id; other requests of a page have a number after a dot.
fn is_of_worker(sent: &RequestWillBeSent) -> bool {
    sent.kind == "Script" && !sent.request_id.contains('.')
}

pub(crate) fn observe(shared: &Shared, event: Event<'_>) {
    match event.method {
        "Target.attachedToTarget" => {
            if let Some(target) = parse::<AttachedToTarget>(event) {
                shared.attached(event.session, target);
            }
        }
        "Target.detachedFromTarget" => {
            if let Some(DetachedFromTarget { session_id }) = parse(event) {
                shared.detached(&session_id);
            }
        }
        "Browser.downloadWillBegin" => {
            if let Some(download) = parse::<DownloadWillBegin>(event) {
                (shared.sink)(Happening::DownloadBegan {
                    path: shared.downloads.join(&download.guid),
                    id: download.guid,
                    frame: Some(FrameId::from(download.frame_id.as_str())),
                    name: download.suggested_filename,
                });
            }
        }
        "Browser.downloadProgress" => {
            let Some(DownloadProgress { guid, state, received_bytes }) = parse(event) else { return };
            if state != "inProgress" {
                (shared.sink)(Happening::DownloadEnded { id: guid, complete: state == "completed" });
            } else if received_bytes > LARGEST_DOWNLOAD
                && let Some(connection) = shared.connection.get()
            {
                connection.root().tell(&CancelDownload { guid: &guid });
            }
        }
        "Fetch.requestPaused" if shared.page_of(event.session).is_none() => {
            if let Some((page, worker)) = event.session.and_then(|session| shared.page_of_worker(session)) {
                interception::fetch_domain(&page, &worker, event);
            }
        }
        _ => {
            if let Some((page, session)) = shared.page_of(event.session) {
                network_capture::observe(shared, &page, event);
                if let Some(happened) = in_page(&page, &session, event) {
                    if let PageEvent::Loaded { frame, .. } = &happened
                        && *frame == page.main_frame()
                    {
                        shared.left_process(&page.id);
                    }
                    shared.tell(&page, happened);
                }
            } else if let Some((page, _)) = event.session.and_then(|session| shared.page_of_worker(session)) {
                network_capture::observe(shared, &page, event);
            }
        }
    }
}

/// An event of a page's session: keeps the page's own books, and says what it means to the outside.
fn in_page(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<PageEvent> {
    match event.method {
        "Runtime.executionContextCreated" => {
            let ExecutionContextCreated { context } = parse(event)?;
            let frame = FrameId::from(context.aux_data.frame_id?.as_str());
            let kind = match () {
                () if context.aux_data.is_default => WorldKind::Main,
                () if context.name == agent::WORLD => WorldKind::Agent,
                () => return None,
            };
            let world = World { id: context.id, unique_id: context.unique_id };
            page.with_frames(|frames| frames.world_created(session, frame, world, kind));
            None
        }
        "Runtime.executionContextDestroyed" => {
            let ExecutionContextDestroyed { execution_context_id: id } = parse(event)?;
            page.with_frames(|frames| frames.world_destroyed(session, id));
            None
        }
        "Runtime.executionContextsCleared" => {
            page.with_frames(|frames| frames.worlds_cleared(session));
            None
        }
        "Runtime.consoleAPICalled" => {
            console::from_api(&parse::<ConsoleApiCalled>(event)?).map(PageEvent::Console)
        }
        "Runtime.exceptionThrown" => {
            let ExceptionThrown { exception_details } = parse(event)?;
            Some(PageEvent::Console(console::from_exception(&exception_details)))
        }
        "Log.entryAdded" => console::from_entry(parse::<EntryAdded>(event)?.entry).map(PageEvent::Console),
        "Inspector.targetCrashed" => {
            if let Some(id) = session.id() {
                session.connection().lose(id);
            }
            if page.session.id() != session.id() {
                page.with_frames(|frames| frames.worlds_cleared(session));
                return None;
            }
            page.mark_crashed();
            Some(PageEvent::Crashed)
        }
        method if method.starts_with("Fetch.") => {
            match &page.errand {
                Some(errand) => hidden::fetch_domain(page, errand, session, event)?,
                None => interception::fetch_domain(page, session, event)?,
            }
            None
        }
        method if method.starts_with("Tracing.") => {
            trace::tracing_domain(page, event)?;
            None
        }
        method if method.starts_with("Page.") => page_domain(page, session, event),
        method if method.starts_with("Network.") => network_domain(event),
        _ => None,
    }
}

fn page_domain(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<PageEvent> {
    let frame_id = |id: &str| FrameId::from(id);
    match event.method {
        "Page.frameAttached" => {
            let attached: FrameAttached = parse(event)?;
            let frame = frame_id(&attached.frame_id);
            page.with_frames(|frames| frames.place(frame.clone(), session));
            Some(PageEvent::FrameAttached { frame, parent: Some(frame_id(&attached.parent_frame_id)) })
        }
        "Page.frameDetached" => {
            let detached: FrameDetached = parse(event)?;
            // A swap moves the frame to another process; it stays the same frame.
            if detached.reason == "swap" {
                return None;
            }
            let frame = frame_id(&detached.frame_id);
            page.with_frames(|frames| frames.remove(&frame));
            Some(PageEvent::FrameDetached(frame))
        }
        "Page.frameStartedLoading" => {
            Some(PageEvent::LoadingBegan(frame_id(&parse::<OfFrame>(event)?.frame_id)))
        }
        "Page.frameStoppedLoading" => {
            Some(PageEvent::LoadingEnded(frame_id(&parse::<OfFrame>(event)?.frame_id)))
        }
        "Page.frameRequestedNavigation" => {
            let FrameRequestedNavigation { disposition } = parse(event)?;
            (disposition == "download").then_some(PageEvent::DownloadAsked)
        }
        "Page.frameNavigated" => {
            let FrameNavigated { frame } = parse(event)?;
            let id = frame_id(&frame.id);
            // A frame that comes back from another process is in this session again.
            page.with_frames(|frames| {
                if frame.parent_id.is_none() {
                    frames.only(&id);
                }
                frames.place(id.clone(), session);
            });
            if frame.parent_id.is_none() {
                page.mark_navigated();
            }
            Some(navigated(frame))
        }
        "Page.navigatedWithinDocument" => {
            let moved: NavigatedWithinDocument = parse(event)?;
            Some(PageEvent::Navigated {
                frame: frame_id(&moved.frame_id),
                document: DocumentId::from(""),
                url: moved.url,
                same_document: true,
            })
        }
        "Page.lifecycleEvent" => {
            let reached: LifecycleEvent = parse(event)?;
            let stage = match reached.name.as_str() {
                "commit" => LoadStage::Committed,
                "DOMContentLoaded" => LoadStage::Parsed,
                "load" => LoadStage::Complete,
                _ => return None,
            };
            let document = DocumentId::from(reached.loader_id.as_str());
            if stage == LoadStage::Complete {
                page.mark_complete(document.clone());
            }
            Some(PageEvent::Loaded { frame: frame_id(&reached.frame_id), document, stage })
        }
        "Page.javascriptDialogOpening" => {
            let opening: JavascriptDialogOpening = parse(event)?;
            let kind = match opening.kind.as_str() {
                "confirm" => DialogKind::Confirm,
                "prompt" => DialogKind::Prompt,
                "beforeunload" => DialogKind::BeforeUnload,
                _ => DialogKind::Alert,
            };
            let (message, proposal) = (opening.message, opening.default_prompt);
            Some(PageEvent::DialogOpened(DialogOpened { kind, message, proposal }))
        }
        "Page.screencastFrame" => {
            screencast::frame(page, session, &parse::<ScreencastFrame>(event)?);
            None
        }
        "Page.javascriptDialogClosed" => Some(PageEvent::DialogClosed),
        "Page.fileChooserOpened" => {
            let opened: FileChooserOpened = parse(event)?;
            Some(PageEvent::ChooserOpened {
                frame: frame_id(&opened.frame_id),
                field: node_handle(session, opened.backend_node_id?),
                multiple: opened.mode == "selectMultiple",
            })
        }
        _ => None,
    }
}

/// A frame with a document of its own.
pub(crate) fn navigated(frame: Frame) -> PageEvent {
    PageEvent::Navigated {
        frame: FrameId::from(frame.id.as_str()),
        document: DocumentId::from(frame.loader_id.as_str()),
        url: frame.unreachable_url.unwrap_or(frame.url + &frame.url_fragment),
        same_document: false,
    }
}

fn network_domain(event: Event<'_>) -> Option<PageEvent> {
    let request_id = |id: &str| RequestId::from(id);
    match event.method {
        "Network.requestWillBeSent" => {
            let sent: RequestWillBeSent = parse(event)?;
            if sent.request.url.starts_with("data:") {
                return None;
            }
            Some(PageEvent::RequestBegan(Request {
                navigation: sent.kind == "Document" && sent.request_id == sent.loader_id,
                endless: ENDLESS.contains(&sent.kind.as_str()) || is_of_worker(&sent),
                id: request_id(&sent.request_id),
                frame: sent.frame_id.as_deref().map(FrameId::from),
                method: sent.request.method,
                url: sent.request.url,
                kind: sent.kind.to_ascii_lowercase(),
            }))
        }
        "Network.responseReceived" => {
            let received: ResponseReceived = parse(event)?;
            Some(PageEvent::RequestAnswered {
                id: request_id(&received.request_id),
                status: received.response.status,
                status_text: received.response.status_text,
                mime: received.response.mime_type,
            })
        }
        "Network.loadingFinished" => {
            let LoadingFinished { request_id: id } = parse(event)?;
            Some(PageEvent::RequestEnded { id: request_id(&id), end: RequestEnd::Finished, heard: true })
        }
        "Network.loadingFailed" => {
            let failed: LoadingFailed = parse(event)?;
            let end = RequestEnd::Failed(failed.error_text);
            Some(PageEvent::RequestEnded { id: request_id(&failed.request_id), end, heard: true })
        }
        _ => None,
    }
}

pub(crate) fn parse<T: DeserializeOwned>(event: Event<'_>) -> Option<T> {
    serde_json::from_str(event.params.get())
        // Where, not what: the error's own text may quote a value of the page.
        .inspect_err(|error| {
            tracing::debug!(column = error.column(), event = event.method, "unexpected event")
        })
        .ok()
}
