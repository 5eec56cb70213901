//! Everything that can wake the program, on one screen.

use std::{path::PathBuf, sync::Arc};

use crate::{ContextId, DocumentId, FrameId, NetworkEvent, NodeHandle, PageDriver, PageId, RequestId};

/// Something that happened in the browser.
#[non_exhaustive]
pub enum Happening {
    /// A page appeared: opened by us, or by another page.
    PageOpened {
        /// The page, ready to be used.
        page: Arc<dyn PageDriver>,
        /// The page that opened it.
        opener: Option<PageId>,
        /// The context that it belongs to.
        context: ContextId,
    },
    /// Something happened in a page.
    Page(PageId, PageEvent),
    /// A download began in a page.
    DownloadBegan {
        /// What names it in [`Happening::DownloadEnded`].
        id: String,
        /// The frame that it came from, where known.
        frame: Option<FrameId>,
        /// The name that the page suggests.
        name: String,
        /// Where it is written to while it runs and when it is done.
        path: PathBuf,
    },
    /// A download ended.
    DownloadEnded {
        /// The name given at its begin.
        id: String,
        /// Whether all of it arrived.
        complete: bool,
    },
    /// The browser ended.
    Disconnected,
}

/// Something that happened in one page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum PageEvent {
    /// The page is closed.
    Closed,
    /// The page's process died.
    Crashed,
    /// A frame appeared; the main frame has no parent.
    FrameAttached {
        /// The new frame.
        frame: FrameId,
        /// The frame that it is in.
        parent: Option<FrameId>,
    },
    /// A frame went, with all below it.
    FrameDetached(FrameId),
    /// The page asked for a download; that it began is told by [`Happening::DownloadBegan`].
    DownloadAsked,
    /// A frame shares a process with one of another page, and has the time zone of that one instead of its own page's.
    TimeZoneRefused,
    /// A frame began to load something.
    LoadingBegan(FrameId),
    /// A frame loads no more, whether it got a new document or not.
    LoadingEnded(FrameId),
    /// A frame shows another document, or the same at another URL.
    Navigated {
        /// The frame.
        frame: FrameId,
        /// What it shows now.
        document: DocumentId,
        /// Its URL.
        url: String,
        /// The same document moved to another URL (a fragment, the history API).
        same_document: bool,
    },
    /// A document reached a stage of loading.
    Loaded {
        /// The frame.
        frame: FrameId,
        /// The document that it is about.
        document: DocumentId,
        /// How far it is.
        stage: LoadStage,
    },
    /// A dialog is open; the page stands still until it is answered.
    DialogOpened(DialogOpened),
    /// The dialog is closed.
    DialogClosed,
    /// The page asked for files.
    ChooserOpened {
        /// The frame of the field.
        frame: FrameId,
        /// The field.
        field: NodeHandle,
        /// Whether it takes several files.
        multiple: bool,
    },
    /// A line for the console.
    Console(ConsoleMessage),
    /// A request went out.
    RequestBegan(Request),
    /// An answer's head arrived.
    RequestAnswered {
        /// Which request.
        id: RequestId,
        /// The HTTP status.
        status: u16,
        /// Its words.
        status_text: String,
        /// The media type.
        mime: String,
    },
    /// A request is over.
    RequestEnded {
        /// Which request.
        id: RequestId,
        /// How.
        end: RequestEnd,
        /// Whether the page has heard of it; if not, that is told by itself.
        heard: bool,
    },
    /// A page has heard that a request of its is over.
    RequestHeard(RequestId),
    /// A step of a request in detail, while a [`NetworkCapture`](crate::NetworkCapture) runs.
    Network(NetworkEvent),
}

/// How far a document has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadStage {
    /// It is there.
    Committed,
    /// Parsed, with its blocking scripts run.
    Parsed,
    /// With all that it asked for at first.
    Complete,
}

/// A dialog of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogOpened {
    /// What kind.
    pub kind: DialogKind,
    /// The page's words.
    pub message: String,
    /// What a prompt proposes.
    pub proposal: String,
}

/// The kinds of dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialogKind {
    /// Only tells.
    Alert,
    /// Asks yes or no.
    Confirm,
    /// Asks for a text.
    Prompt,
    /// Asks whether to leave the page.
    BeforeUnload,
    /// Nobody saw it open, and it does not say.
    Unknown,
}

impl DialogKind {
    /// The web's own word for it, where it has one.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Confirm => "confirm",
            Self::Prompt => "prompt",
            Self::BeforeUnload => "beforeunload",
            Self::Unknown => "dialog",
        }
    }
}

/// A line for the console.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsoleMessage {
    /// How loud.
    pub level: ConsoleLevel,
    /// Its text.
    pub text: String,
    /// Where it was written, `url:line`.
    pub place: Option<String>,
}

impl ConsoleMessage {
    /// Longer texts are cut: a page may log whatever it likes.
    const LONGEST: usize = 2_000;

    /// A line with as much of a text as is kept.
    pub fn new(level: ConsoleLevel, mut text: String, place: Option<String>) -> Self {
        if let Some((at, _)) = text.char_indices().nth(Self::LONGEST) {
            text.truncate(at);
            text.push('…');
        }
        Self { level, text, place }
    }
}

/// How loud a console line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConsoleLevel {
    /// `console.debug`.
    Debug,
    /// `console.log` and its like.
    Log,
    /// `console.info`.
    Info,
    /// `console.warn`.
    Warning,
    /// `console.error`.
    Error,
    /// Uncaught exceptions, unhandled rejections.
    Exception,
}

/// A request that went out.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its name; a redirected request keeps it.
    pub id: RequestId,
    /// The frame that asked.
    pub frame: Option<FrameId>,
    /// The HTTP method.
    pub method: String,
    /// Where to.
    pub url: String,
    /// What for, in the browser's words: document, script, fetch ….
    pub kind: String,
    /// Whether it is for a new document of its frame.
    pub navigation: bool,
    /// Whether it stays open by design (event sources, sockets, beacons): nobody waits for these.
    pub endless: bool,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestEnd {
    /// All of the answer arrived.
    Finished,
    /// It failed, in the browser's words.
    Failed(String),
}
