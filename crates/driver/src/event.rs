//! All events that a browser can send, as one closed enum.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use crate::{ContextId, DocumentId, FrameId, NetworkEvent, NodeHandle, PageDriver, PageId, RequestId};

/// An event of the browser.
#[non_exhaustive]
pub enum BrowserEvent {
    /// A page was opened, by us or by another page.
    PageOpened {
        /// The page, ready for use.
        page: Arc<dyn PageDriver>,
        /// The page that opened it.
        opener: Option<PageId>,
        context: ContextId,
    },
    /// An event of one page.
    Page(PageId, PageEvent),
    /// A download started.
    DownloadBegan {
        /// Identifies the download in [`BrowserEvent::DownloadEnded`].
        id: String,
        /// The frame that started it, if known.
        frame: Option<FrameId>,
        /// The suggested file name.
        name: String,
        /// The file that it is written to.
        path: PathBuf,
    },
    DownloadEnded {
        /// As in [`BrowserEvent::DownloadBegan`].
        id: String,
        /// Whether it is complete.
        complete: bool,
    },
    /// A download was cancelled because it is larger than the driver takes.
    DownloadTooLarge {
        /// As in [`BrowserEvent::DownloadBegan`].
        id: String,
        /// Its size, as far as known.
        bytes: u64,
    },
    /// The browser exited.
    Disconnected,
}

/// An event of one page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum PageEvent {
    /// The page was closed.
    Closed,
    /// The page's process crashed.
    Crashed,
    /// A frame was attached; the main frame has no parent.
    FrameAttached {
        /// The new frame.
        frame: FrameId,
        /// Its parent frame.
        parent: Option<FrameId>,
    },
    /// A frame was detached, with all its descendants.
    FrameDetached(FrameId),
    /// The page requested a download; [`BrowserEvent::DownloadBegan`] follows when it starts.
    DownloadAsked,
    /// A download with this suggested name started. The browser saves it where its user's downloads go, and does not tell
    /// where that is.
    DownloadKept(String),
    /// A frame shares its process with a frame of another page, and has that page's time zone override instead of its
    /// own.
    TimeZoneRefused,
    /// A frame started loading.
    LoadingBegan(FrameId),
    /// A frame stopped loading, with or without a new document.
    LoadingEnded(FrameId),
    /// A frame committed a new document, or its document changed its URL.
    Navigated {
        frame: FrameId,
        /// The document that it now shows; meaningless if it is the same.
        document: DocumentId,
        url: String,
        /// The document is the same, at another URL (fragment, history API).
        same_document: bool,
    },
    /// The response with a frame's next document came from this address. A driver whose browser does not tell it
    /// never reports this.
    DocumentAnswered {
        frame: FrameId,
        document: DocumentId,
        /// The address that the browser dialled: of the host or of a proxy.
        address: IpAddr,
    },
    /// A document reached a load stage.
    Loaded { frame: FrameId, document: DocumentId, stage: LoadStage },
    /// A dialog opened; it blocks the page until it is handled.
    DialogOpened(DialogOpened),
    /// The dialog was closed.
    DialogClosed,
    /// The page opened a file chooser.
    ChooserOpened {
        /// The frame of the file input.
        frame: FrameId,
        /// The file input.
        field: NodeHandle,
        /// Whether it accepts several files.
        multiple: bool,
    },
    /// A console message.
    Console(ConsoleMessage),
    /// A request was sent.
    RequestBegan(Request),
    /// Response headers arrived.
    RequestAnswered {
        /// The request.
        id: RequestId,
        /// The HTTP status.
        status: u16,
        /// The reason phrase.
        status_text: String,
        /// The media type.
        mime: String,
        /// The announced size of the body, where the browser reports [`PageEvent::RequestData`].
        length: Option<u64>,
    },
    /// A part of a response's body arrived. Reported by browsers that do not report the end of a body which the page's
    /// script does not read.
    RequestData {
        /// The request.
        id: RequestId,
        /// How many bytes, as sent.
        bytes: u64,
    },
    /// A request ended. A driver whose browser reports this before the page's script sees it holds the event back.
    RequestEnded {
        /// The request.
        id: RequestId,
        /// Finished or failed.
        end: RequestEnd,
    },
    /// A detailed network event, while a [`NetworkCapture`](crate::NetworkCapture) runs.
    Network(NetworkEvent),
}

/// Load stages of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadStage {
    Committed,
    /// `DOMContentLoaded`.
    Parsed,
    /// `load`.
    Complete,
}

/// An open dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogOpened {
    /// Which dialog.
    pub kind: DialogKind,
    pub message: String,
    /// The default value of a prompt.
    pub proposal: String,
}

/// The JavaScript dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DialogKind {
    /// `alert()`.
    Alert,
    /// `confirm()`.
    Confirm,
    /// `prompt()`.
    Prompt,
    /// `beforeunload`.
    BeforeUnload,
    /// Opened while no event could be received, and the engine does not report its type.
    Unknown,
}

impl DialogKind {
    /// Its name in the web platform, or `dialog`.
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

#[derive(Debug, Clone, PartialEq)]
pub struct ConsoleMessage {
    /// Severity.
    pub level: ConsoleLevel,
    /// Its text, truncated if it is long.
    pub text: String,
    /// The length of the whole text in characters.
    pub length: usize,
    /// Source location, `url:line`.
    pub place: Option<String>,
}

impl ConsoleMessage {
    /// Longer texts are truncated: pages may log anything.
    pub const LONGEST: usize = 2_000;

    /// A message whose text is truncated to the limit.
    pub fn new(level: ConsoleLevel, mut text: String, place: Option<String>) -> Self {
        let length = text.chars().count();
        if let Some((at, _)) = text.char_indices().nth(Self::LONGEST) {
            text.truncate(at);
            text.push('…');
        }
        Self { level, text, length, place }
    }
}

/// Severity of a console message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConsoleLevel {
    /// `console.debug`.
    Debug,
    /// `console.log` and similar.
    Log,
    /// `console.info`.
    Info,
    /// `console.warn`.
    Warning,
    /// `console.error`.
    Error,
    /// Uncaught exceptions and unhandled rejections.
    Exception,
}

/// A sent request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Its id; redirects keep it.
    pub id: RequestId,
    /// The frame that sent it.
    pub frame: Option<FrameId>,
    /// The HTTP method.
    pub method: String,
    /// The target URL.
    pub url: String,
    /// The resource type as the browser names it: document, script, fetch ….
    pub kind: String,
    /// Whether it loads a new document of its frame.
    pub navigation: bool,
    /// Whether it stays open by design (event source, WebSocket, beacon): nothing waits for it.
    pub endless: bool,
}

impl Request {
    /// Whether requests of this kind (in lower case) stay open by design, or matter to nobody who waits for a page.
    pub fn is_endless(kind: &str) -> bool {
        ["eventsource", "websocket", "ping", "beacon", "media", "prefetch"].contains(&kind)
    }
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestEnd {
    /// The response is complete.
    Finished,
    /// It failed, with the browser's message.
    Failed(String),
}
