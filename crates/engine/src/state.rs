//! What is known of a page without asking it: its frames, requests, console, dialogs. Happenings change it, in the
//! browser's order; waits look at it whenever it changed.

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
    dialog::{DialogAnswer, Errand},
    news::{self, News, NewsItem},
    page::BLANK,
    record::Trail,
    refs::{Document, Refs},
    requests::{Flight, NetworkEntry},
    rounds::Asked,
    routes::RouteTable,
    snapshot::tree::Key,
};

/// How many console lines and requests are kept.
pub(crate) const KEPT: usize = 1_000;

/// A page's books.
pub(crate) struct State {
    pub(crate) frames: Vec<Frame>,
    /// Counts happenings, so that one can say "since then".
    pub(crate) now: u64,
    pub(crate) console: ConsoleLog,
    /// The same from when it was asked for, through all documents.
    pub(crate) console_buffer: Option<ConsoleLog>,
    pub(crate) network: VecDeque<NetworkEntry>,
    /// What is captured of it.
    pub(crate) capture: Option<Capture>,
    /// Documents that were asked for and are not there yet. The page of a failed one may come after the next is asked
    /// for, so there may be two.
    documents_asked: u8,
    pub(crate) in_flight: HashMap<RequestId, Flight>,
    /// When a request last began that the page does not make by itself.
    pub(crate) last_request: u64,
    /// What the page asks for while nobody acts, and how often it did.
    pub(crate) own_requests: HashMap<Asked, u32>,
    /// Whether an action is under way.
    pub(crate) acting: bool,
    /// When a request last began or ended.
    pub(crate) stirred: Instant,
    pub(crate) dialog: Option<DialogOpened>,
    /// Whether a client was told of it.
    pub(crate) dialog_told: bool,
    /// How the next dialog is to be answered.
    pub(crate) armed: Option<DialogAnswer>,
    /// How all others are, where nobody is to be asked.
    pub(crate) automatic: Option<DialogAnswer>,
    /// Whether the document is being left: its dialogs are nobody's business any more.
    pub(crate) leaving: bool,
    /// Whether the page asked not to be left, and that was granted.
    pub(crate) stayed: bool,
    pub(crate) chooser: Option<Chooser>,
    /// When the page last asked for a download.
    pub(crate) download_asked: u64,
    pub(crate) news: News,
    pub(crate) fate: Fate,
    /// When it last opened another tab.
    pub(crate) tab_opened: Option<Instant>,
    /// Whether it did not answer when it was last asked.
    pub(crate) doubtful: bool,
    /// Whether a client was told that the page crashed.
    pub(crate) crash_told: bool,
    pub(crate) viewport: Size,
    /// What it is made to observe.
    pub(crate) emulation: EmulationState,
    pub(crate) routes: RouteTable,
    /// What the pointer does, while it is recorded.
    pub(crate) trail: Option<Trail>,
    frames_seen: u32,
}

/// What became of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
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
    /// Its document as this session counts them.
    pub(crate) document: Document,
    /// Its document in the browser's words.
    loader: Option<DocumentId>,
    /// The few before it: a page may send one on before anybody looks.
    earlier: VecDeque<DocumentId>,
    pub(crate) stage: LoadStage,
    /// When it began to load, if it loads.
    pub(crate) loading: Option<u64>,
    /// When it last got another document or URL.
    pub(crate) navigated: u64,
    /// The element that holds it, once asked for.
    pub(crate) owner: Option<Key>,
}

impl Frame {
    /// Whether it has got this document, or was sent on from it; any will do where none is asked for.
    pub(crate) fn has_got(&self, document: Option<&DocumentId>) -> bool {
        document
            .is_none_or(|document| self.loader.as_ref() == Some(document) || self.earlier.contains(document))
    }
}

/// A page's wish for files.
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
            network: VecDeque::new(),
            capture: None,
            documents_asked: 0,
            in_flight: HashMap::new(),
            last_request: 0,
            own_requests: HashMap::new(),
            acting: false,
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
            fate: Fate::Alive,
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

    fn frame_mut(&mut self, id: &FrameId) -> Option<&mut Frame> {
        self.frames.iter_mut().find(|frame| frame.id == *id)
    }

    pub(crate) fn main(&self) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.parent.is_none())
    }

    /// Whether a frame loads a document, and began to after a moment.
    pub(crate) fn loads_since(&self, moment: u64) -> bool {
        self.frames.iter().any(|frame| frame.loading.is_some_and(|at| at > moment))
    }

    /// Where the page is, or is about to be.
    pub(crate) fn heading_for(&self) -> Option<String> {
        let there = self.main().map(|main| main.url.clone()).filter(|url| !url.is_empty() && url != BLANK);
        let asked =
            || self.network.iter().find(|entry| entry.kind == "document").map(|entry| entry.url.clone());
        there.or_else(asked)
    }

    pub(crate) fn remember_owner(&mut self, id: &FrameId, owner: Key) {
        if let Some(frame) = self.frame_mut(id) {
            frame.owner = Some(owner);
        }
    }

    /// Whether nothing will come of it any more. A crash may be that of the process that is left behind.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.fate, Fate::Closed | Fate::Lost)
    }

    /// Writes a happening down.
    pub(crate) fn apply(&mut self, event: PageEvent, refs: &mut Refs) -> Option<Errand> {
        self.now += 1;
        let now = self.now;
        if let Some(capture) = &self.capture {
            capture.observe(&event);
        }
        match event {
            PageEvent::Closed => self.fate = Fate::Closed,
            PageEvent::Crashed => {
                self.fate = Fate::Crashed;
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
            PageEvent::RequestBegan(request) => {
                self.stirred = Instant::now();
                let asked = Asked { method: request.method.clone(), url: request.url.clone() };
                if !request.endless && !self.is_own(&asked) {
                    self.last_request = now;
                }
                self.in_flight.entry(request.id.clone()).or_insert(Flight {
                    asked,
                    since: now,
                    endless: request.endless,
                });
                if request.navigation && request.frame.as_ref() == self.main().map(|main| &main.id) {
                    // A new page begins its list with the request for itself.
                    self.network.clear();
                    self.documents_asked = (self.documents_asked + 1).min(2);
                }
                let (id, method, url, kind) = (request.id, request.method, request.url, request.kind);
                push(&mut self.network, NetworkEntry { id, method, url, kind, status: None, failure: None });
            }
            PageEvent::RequestAnswered { id, status, status_text, mime } => {
                if mime == "text/event-stream"
                    && let Some(flight) = self.in_flight.get_mut(&id)
                {
                    flight.endless = true;
                }
                if let Some(entry) = self.entry(&id) {
                    entry.status = Some((status, status_text));
                }
            }
            PageEvent::RequestEnded { id, end, heard } => {
                if let (RequestEnd::Failed(why), Some(entry)) = (end, self.entry(&id)) {
                    entry.failure = Some(why);
                }
                if heard {
                    self.request_over(&id);
                }
            }
            PageEvent::RequestHeard(id) => self.request_over(&id),
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
        }
    }

    fn navigated(&mut self, id: &FrameId, loader: DocumentId, url: String, same: bool, refs: &mut Refs) {
        let now = self.now;
        if !same {
            // The frames of the old document are gone, told or not.
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
        if frame.parent.is_none() {
            self.console = ConsoleLog::default();
            self.own_requests.clear();
            self.chooser = None;
            self.dialog = None;
            self.leaving = false;
            // A document that nobody was asked for, as of a data: URL, begins an empty list.
            match self.documents_asked {
                0 => self.network.clear(),
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
