//! The state of a page as events report it: frames, requests, console, dialogs. Waits check it after every
//! event.

use std::{
    collections::{HashMap, VecDeque},
    time::Instant,
};

use cicerone_driver::{
    ConsoleLevel, ConsoleMessage, DialogOpened, DocumentId, FrameId, LoadStage, NodeHandle, PageEvent,
    RequestEnd, RequestId, Size,
};

use crate::{
    ConsoleLog, EmulationState,
    capture::Capture,
    dialog::{DialogAnswer, FollowUp},
    document_source::DocumentSource,
    news::{self, News, NewsItem},
    outcome::UnreportedChanges,
    page::BLANK,
    polling::MethodAndUrl,
    record::Trail,
    refs::{Document, Refs},
    requests::{Flight, NetworkLog},
    routes::RouteTable,
    snapshot::tree::Key,
};

/// How many console messages and requests are kept.
pub(crate) const KEPT: usize = 1_000;

/// What events have reported of a page.
pub(crate) struct State {
    pub(crate) frames: Vec<Frame>,
    /// Counts events; a moment is a value of this counter.
    pub(crate) now: u64,
    pub(crate) console: ConsoleLog,
    /// Console messages of all documents, since buffering began.
    pub(crate) console_buffer: Option<ConsoleLog>,
    pub(crate) network: NetworkLog,
    /// The running capture.
    pub(crate) capture: Option<Capture>,
    /// Document requests whose document has not come yet. A failed one may come after the next request,
    /// so there may be two.
    pub(crate) documents_asked: u8,
    pub(crate) in_flight: HashMap<RequestId, Flight>,
    /// When the last request began that is not polling.
    pub(crate) last_request: u64,
    /// Requests that the page made without an action, and how often.
    pub(crate) own_requests: HashMap<MethodAndUrl, u32>,
    /// Whether an action is running.
    pub(crate) acting: bool,
    /// The element that it is for.
    pub(crate) acted_on: Option<Key>,
    /// When the page was last asked what its live regions announced.
    pub(crate) heard: Instant,
    /// When a request last began or ended.
    pub(crate) stirred: Instant,
    pub(crate) dialog: Option<DialogOpened>,
    /// Whether the open dialog was reported.
    pub(crate) dialog_told: bool,
    /// The answer for the next dialog.
    pub(crate) armed: Option<DialogAnswer>,
    /// The answer for all other dialogs, if they are answered automatically.
    pub(crate) automatic: Option<DialogAnswer>,
    /// Whether the document is being unloaded; its dialogs no longer matter.
    pub(crate) leaving: bool,
    /// Whether a beforeunload dialog was dismissed.
    pub(crate) stayed: bool,
    pub(crate) chooser: Option<Chooser>,
    /// When the page last started a download.
    pub(crate) download_asked: u64,
    pub(crate) news: News,
    /// Changes before an action that no reply has told.
    pub(crate) since: Option<UnreportedChanges>,
    /// The last URL that a reply told.
    pub(crate) reported_url: Option<String>,
    pub(crate) status: PageStatus,
    /// When it last opened a tab.
    pub(crate) tab_opened: Option<Instant>,
    /// Whether it did not answer the last call.
    pub(crate) doubtful: bool,
    /// Whether its crash was reported.
    pub(crate) crash_told: bool,
    pub(crate) viewport: Size,
    /// Its overrides.
    pub(crate) emulation: EmulationState,
    pub(crate) routes: RouteTable,
    /// Pointer positions, while a recording runs.
    pub(crate) trail: Option<Trail>,
    frames_seen: u32,
}

/// Whether a page is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageStatus {
    Alive,
    Crashed,
    Closed,
    /// The browser ended.
    Lost,
}

/// One frame.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) id: FrameId,
    pub(crate) parent: Option<FrameId>,
    /// 0 for the main frame; never reused.
    pub(crate) number: u32,
    pub(crate) url: String,
    /// This session's number of its document.
    pub(crate) document: Document,
    /// The browser's id of its document.
    pub(crate) loader: Option<DocumentId>,
    /// The previous few: a page may redirect before anybody looks.
    earlier: VecDeque<DocumentId>,
    pub(crate) stage: LoadStage,
    /// When it began to load, if it is loading.
    pub(crate) loading: Option<u64>,
    /// When its document or URL last changed.
    pub(crate) navigated: u64,
    /// Its owner element, once queried.
    pub(crate) owner: Option<Key>,
    /// Whether pointer events have reached its document.
    pub(crate) takes_pointer: bool,
    pub(crate) source: DocumentSource,
}

impl Frame {
    /// Whether this is or was its document; `None` matches any.
    pub(crate) fn has_got(&self, document: Option<&DocumentId>) -> bool {
        document
            .is_none_or(|document| self.loader.as_ref() == Some(document) || self.earlier.contains(document))
    }
}

/// An open file chooser.
#[derive(Debug, Clone)]
pub(crate) struct Chooser {
    pub(crate) field: NodeHandle,
    pub(crate) multiple: bool,
}

impl State {
    pub(crate) fn new(viewport: Size) -> Self {
        Self {
            frames: Vec::new(),
            now: 0,
            console: ConsoleLog::default(),
            console_buffer: None,
            network: NetworkLog::default(),
            capture: None,
            documents_asked: 0,
            in_flight: HashMap::new(),
            last_request: 0,
            own_requests: HashMap::new(),
            acting: false,
            acted_on: None,
            heard: Instant::now(),
            stirred: Instant::now(),
            dialog: None,
            dialog_told: false,
            armed: None,
            automatic: None,
            leaving: false,
            stayed: false,
            chooser: None,
            download_asked: 0,
            news: News::new(),
            since: None,
            reported_url: None,
            status: PageStatus::Alive,
            tab_opened: None,
            doubtful: false,
            crash_told: false,
            viewport,
            emulation: EmulationState::default(),
            routes: RouteTable::default(),
            trail: None,
            frames_seen: 0,
        }
    }

    pub(crate) fn frame(&self, id: &FrameId) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.id == *id)
    }

    pub(crate) fn frame_mut(&mut self, id: &FrameId) -> Option<&mut Frame> {
        self.frames.iter_mut().find(|frame| frame.id == *id)
    }

    pub(crate) fn main(&self) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.parent.is_none())
    }

    /// Whether a frame began to load after `moment` and is still loading.
    pub(crate) fn loads_since(&self, moment: u64) -> bool {
        self.frames.iter().any(|frame| frame.loading.is_some_and(|at| at > moment))
    }

    /// The page's URL, or the one that it is navigating to.
    pub(crate) fn heading_for(&self) -> Option<String> {
        let there = self.main().map(|main| main.url.clone()).filter(|url| !url.is_empty() && url != BLANK);
        there.or_else(|| self.network.document().map(|entry| entry.url.clone()))
    }

    pub(crate) fn remember_owner(&mut self, id: &FrameId, owner: Key) {
        if let Some(frame) = self.frame_mut(id) {
            frame.owner = Some(owner);
        }
    }

    /// Whether it is closed for good. A crash may be that of a process left behind by a navigation.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.status, PageStatus::Closed | PageStatus::Lost)
    }

    /// Applies an event.
    pub(crate) fn apply(&mut self, event: PageEvent, refs: &mut Refs) -> Option<FollowUp> {
        self.now += 1;
        let now = self.now;
        if let Some(capture) = &self.capture {
            capture.observe(&event);
        }
        match event {
            PageEvent::Closed => self.status = PageStatus::Closed,
            PageEvent::Crashed => {
                self.status = PageStatus::Crashed;
                self.dialog = None;
            }
            PageEvent::FrameAttached { frame, parent } => self.attach(frame, parent, refs),
            PageEvent::FrameDetached(frame) => self.detach(&frame, refs),
            PageEvent::TimeZoneRefused => news::add(&mut self.news, NewsItem::FrameTimeZone),
            PageEvent::DownloadAsked => self.download_asked = now,
            PageEvent::LoadingBegan(frame) => {
                if let Some(frame) = self.frame_mut(&frame) {
                    frame.loading.get_or_insert(now);
                }
            }
            PageEvent::LoadingEnded(frame) => {
                if let Some(frame) = self.frame_mut(&frame) {
                    frame.loading = None;
                }
            }
            PageEvent::Navigated { frame, document, url, same_document } => {
                self.navigated(&frame, document, url, same_document, refs);
            }
            PageEvent::DocumentAnswered { frame, document, address } => {
                self.document_answered(&frame, document, address);
            }
            PageEvent::Loaded { frame, document, stage } => {
                if let Some(frame) = self.frame_mut(&frame)
                    && *frame.loader.get_or_insert_with(|| document.clone()) == document
                {
                    frame.stage = frame.stage.max(stage);
                }
            }
            PageEvent::DialogOpened(dialog) => return self.dialog_opened(dialog),
            PageEvent::DialogClosed => self.dialog = None,
            PageEvent::ChooserOpened { field, multiple, .. } => {
                self.chooser = Some(Chooser { field, multiple });
                news::add(&mut self.news, NewsItem::ChooserOpened);
            }
            PageEvent::Console(message) => self.console_line(message),
            PageEvent::RequestBegan(request) => self.request_began(request),
            PageEvent::RequestAnswered { id, status, status_text, mime, length } => {
                self.request_answered(&id, &mime, length);
                if let Some(entry) = self.entry(&id) {
                    entry.status = Some((status, status_text));
                }
            }
            PageEvent::RequestData { id, bytes } => self.data_arrived(&id, bytes),
            PageEvent::RequestEnded { id, end } => {
                if let (RequestEnd::Failed(why), Some(entry)) = (end, self.entry(&id)) {
                    entry.failure = Some(why);
                }
                self.request_over(&id);
            }
            PageEvent::Network(event) => {
                if let Some(capture) = &self.capture {
                    capture.add(event);
                }
            }
            _ => {}
        }
        None
    }

    fn attach(&mut self, id: FrameId, parent: Option<FrameId>, refs: &mut Refs) {
        if self.frame(&id).is_some() {
            return;
        }
        let number = match parent {
            None => 0,
            Some(_) => {
                self.frames_seen += 1;
                self.frames_seen
            }
        };
        self.frames.push(Frame {
            id,
            parent,
            number,
            url: String::new(),
            document: refs.document(),
            loader: None,
            earlier: VecDeque::new(),
            stage: LoadStage::Committed,
            loading: None,
            navigated: 0,
            owner: None,
            takes_pointer: false,
            source: DocumentSource::default(),
        });
    }

    fn children(&self, id: &FrameId) -> Vec<FrameId> {
        self.frames
            .iter()
            .filter(|frame| frame.parent.as_ref() == Some(id))
            .map(|frame| frame.id.clone())
            .collect()
    }

    fn detach(&mut self, id: &FrameId, refs: &mut Refs) {
        for child in self.children(id) {
            self.detach(&child, refs);
        }
        if let Some(at) = self.frames.iter().position(|frame| frame.id == *id) {
            refs.forget(self.frames.remove(at).document);
            self.forget_requests(id);
        }
    }

    fn navigated(&mut self, id: &FrameId, loader: DocumentId, url: String, same: bool, refs: &mut Refs) {
        let now = self.now;
        if !same {
            // Child frames of the old document are gone, reported or not.
            for child in self.children(id) {
                self.detach(&child, refs);
            }
        }
        let Some(frame) = self.frame_mut(id) else { return };
        frame.url = url;
        frame.navigated = now;
        if same {
            return;
        }
        refs.forget(frame.document);
        frame.document = refs.document();
        frame.earlier.extend(frame.loader.replace(loader));
        if frame.earlier.len() > 8 {
            frame.earlier.pop_front();
        }
        frame.stage = LoadStage::Committed;
        frame.takes_pointer = false;
        frame.source.committed(frame.loader.as_ref());
        let is_main = frame.parent.is_none();
        self.forget_requests_of_document(id, is_main);
        if is_main {
            self.console = ConsoleLog::default();
            self.own_requests.clear();
            self.chooser = None;
            self.dialog = None;
            self.leaving = false;
            // A document without a request, such as a data: URL, starts an empty list.
            match self.documents_asked {
                0 => self.network = NetworkLog::default(),
                asked => self.documents_asked = asked - 1,
            }
        }
    }

    fn console_line(&mut self, message: ConsoleMessage) {
        if message.level >= ConsoleLevel::Error {
            news::add(&mut self.news, NewsItem::ConsoleErrors(1, message.text.clone()));
        }
        if let Some(buffer) = &mut self.console_buffer {
            buffer.add(message.clone());
        }
        self.console.add(message);
    }
}

pub(crate) fn push<T>(list: &mut VecDeque<T>, item: T) {
    if list.len() == KEPT {
        list.pop_front();
    }
    list.push_back(item);
}
