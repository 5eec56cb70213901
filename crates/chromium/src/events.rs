//! Translates protocol events to `BrowserEvent`s. Unknown events are ignored and malformed ones dropped: no
//! page can end the program.

use cicerone_driver::{DialogKind, DialogOpened, DocumentId, FrameId, LoadStage, PageDriver, PageEvent};
use cicerone_driver_kit::Downloads;
use cicerone_wire::{Event, Session};

use crate::{
    console, downloads,
    frames::{World, WorldKind},
    interception, internal_page, network_capture,
    nodes::node_handle,
    page::ChromiumPage,
    protocol::{
        browser::DownloadWillBegin,
        log::EntryAdded,
        page::{
            FileChooserOpened, Frame, FrameAttached, FrameDetached, FrameNavigated, FrameRequestedNavigation,
            JavascriptDialogOpening, LifecycleEvent, NavigatedWithinDocument, OfFrame, ScreencastFrame,
        },
        runtime::{ConsoleApiCalled, ExceptionThrown, ExecutionContextCreated, ExecutionContextDestroyed},
        target::{AttachedToTarget, DetachedFromTarget},
    },
    requests, screencast,
    targets::Shared,
    trace,
};

pub(crate) fn observe(shared: &Shared, event: Event<'_>) {
    match event.method {
        "Target.attachedToTarget" => {
            if let Some(target) = event.parse::<AttachedToTarget>() {
                shared.attached(event.session, target);
            }
        }
        "Target.detachedFromTarget" => {
            if let Some(DetachedFromTarget { session_id }) = event.parse() {
                shared.detached(&session_id);
            }
        }
        "Browser.downloadWillBegin" => downloads::began(shared, event),
        "Browser.downloadProgress" => downloads::progressed(shared, event),
        "Fetch.requestPaused" if shared.page_of(event.session).is_none() => {
            if let Some((page, worker)) = event.session.and_then(|session| shared.page_of_worker(session)) {
                interception::fetch_domain(&page, &worker, event);
            }
        }
        _ => {
            if let Some((page, session)) = shared.page_of(event.session) {
                network_capture::observe(shared, &page, event);
                if let Some(happened) = in_page(shared, &page, &session, event) {
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

/// Handles an event of a page's session: updates the page and reports what it means.
fn in_page(shared: &Shared, page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<PageEvent> {
    match event.method {
        "Runtime.executionContextCreated" => {
            let ExecutionContextCreated { context } = event.parse()?;
            let frame = FrameId::from(context.aux_data.frame_id?.as_str());
            let kind = match () {
                () if context.aux_data.is_default => WorldKind::Main,
                () if context.name == shared.world => WorldKind::Injected,
                () => return None,
            };
            let world = World { id: context.id, unique_id: context.unique_id };
            page.with_frames(|frames| frames.world_created(session, frame, world, kind));
            None
        }
        "Runtime.executionContextDestroyed" => {
            let ExecutionContextDestroyed { execution_context_id: id } = event.parse()?;
            page.with_frames(|frames| frames.world_destroyed(session, id));
            None
        }
        "Runtime.executionContextsCleared" => {
            page.with_frames(|frames| frames.worlds_cleared(session));
            None
        }
        "Page.downloadWillBegin" if shared.powers.downloads == Downloads::Theirs => {
            let DownloadWillBegin { suggested_filename, .. } = event.parse()?;
            Some(PageEvent::DownloadKept(suggested_filename))
        }
        "Runtime.consoleAPICalled" => {
            console::from_api(&event.parse::<ConsoleApiCalled>()?).map(PageEvent::Console)
        }
        "Runtime.exceptionThrown" => {
            let ExceptionThrown { exception_details } = event.parse()?;
            Some(PageEvent::Console(console::from_exception(&exception_details)))
        }
        "Log.entryAdded" => console::from_entry(event.parse::<EntryAdded>()?.entry).map(PageEvent::Console),
        "Inspector.targetCrashed" => {
            if let Some(id) = session.id() {
                session.connection().lose(id);
            }
            if page.session.id() != session.id() {
                page.with_frames(|frames| frames.worlds_cleared(session));
                return None;
            }
            page.lifecycle.mark_crashed();
            Some(PageEvent::Crashed)
        }
        method if method.starts_with("Fetch.") => {
            match &page.purpose {
                Some(purpose) => internal_page::fetch_domain(page, purpose, session, event)?,
                None => interception::fetch_domain(page, session, event)?,
            }
            None
        }
        method if method.starts_with("Tracing.") => {
            trace::tracing_domain(page, event)?;
            None
        }
        method if method.starts_with("Page.") => page_domain(page, session, event),
        method if method.starts_with("Network.") => requests::observe(shared, page, event),
        _ => None,
    }
}

fn page_domain(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<PageEvent> {
    let frame_id = |id: &str| FrameId::from(id);
    match event.method {
        "Page.frameAttached" => {
            let attached: FrameAttached = event.parse()?;
            let frame = frame_id(&attached.frame_id);
            page.with_frames(|frames| frames.place(frame.clone(), session));
            Some(PageEvent::FrameAttached { frame, parent: Some(frame_id(&attached.parent_frame_id)) })
        }
        "Page.frameDetached" => {
            let detached: FrameDetached = event.parse()?;
            // A swap moves the frame to another process; it is still the same frame.
            if detached.reason == "swap" {
                return None;
            }
            let frame = frame_id(&detached.frame_id);
            page.with_frames(|frames| frames.remove(&frame));
            Some(PageEvent::FrameDetached(frame))
        }
        "Page.frameStartedLoading" => {
            Some(PageEvent::LoadingBegan(frame_id(&event.parse::<OfFrame>()?.frame_id)))
        }
        "Page.frameStoppedLoading" => {
            Some(PageEvent::LoadingEnded(frame_id(&event.parse::<OfFrame>()?.frame_id)))
        }
        "Page.frameRequestedNavigation" => {
            let FrameRequestedNavigation { disposition } = event.parse()?;
            (disposition == "download").then_some(PageEvent::DownloadAsked)
        }
        "Page.frameNavigated" => {
            let FrameNavigated { frame } = event.parse()?;
            let id = frame_id(&frame.id);
            // A frame that returns from another process belongs to this session again.
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
            let moved: NavigatedWithinDocument = event.parse()?;
            Some(PageEvent::Navigated {
                frame: frame_id(&moved.frame_id),
                document: DocumentId::from(""),
                url: moved.url,
                same_document: true,
            })
        }
        "Page.lifecycleEvent" => {
            let reached: LifecycleEvent = event.parse()?;
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
            let opening: JavascriptDialogOpening = event.parse()?;
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
            screencast::frame(page, session, &event.parse::<ScreencastFrame>()?);
            None
        }
        "Page.javascriptDialogClosed" => Some(PageEvent::DialogClosed),
        "Page.fileChooserOpened" => {
            let opened: FileChooserOpened = event.parse()?;
            Some(PageEvent::ChooserOpened {
                frame: frame_id(&opened.frame_id),
                field: node_handle(session, opened.backend_node_id?),
                multiple: opened.mode == "selectMultiple",
            })
        }
        _ => None,
    }
}

/// A frame with its own document.
pub(crate) fn navigated(frame: Frame) -> PageEvent {
    PageEvent::Navigated {
        frame: FrameId::from(frame.id.as_str()),
        document: DocumentId::from(frame.loader_id.as_str()),
        url: frame.unreachable_url.unwrap_or(frame.url + &frame.url_fragment),
        same_document: false,
    }
}
