//! What can go wrong; [`advice`] says what to do next.

mod advice;
mod obstacle;
mod references;
mod request;

pub(crate) use obstacle::{Cover, Obstacle};
pub use request::RequestError;

use std::{path::PathBuf, sync::Arc, time::Duration};

use cicerone_driver::{Clip, DialogOpened, DriverError, LaunchError, Point, ScriptError, Size};
use cicerone_media::BadPicture;
use cicerone_relay::{Refusal, Trouble};

use crate::{
    bookmarks::BookmarkError,
    capture::CaptureError,
    emulation::EmulationError,
    look::sandbox::SandboxFailure,
    ready::Element,
    record::RecordError,
    refs::RefName,
    snapshot::quoted,
    storage::StorageError,
    tabs::{TabId, WindowId},
    target::Target,
    vault::VaultError,
};

/// What the engine answers.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something did not happen.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The ref's element is gone.
    #[error("{reference} is stale: {}", if *.replaced { "its page has been replaced" } else { "its element is no longer on the page" })]
    Stale {
        /// The ref.
        reference: RefName,
        /// Whether the whole document went.
        replaced: bool,
    },
    /// The document keeps nothing, or not that.
    #[error("{0}")]
    WebStorage(String),
    /// No snapshot gave this ref.
    #[error("no element has the ref {0}: it was never given")]
    UnknownRef(RefName),
    /// What was asked for after this element is not in the subtree that was asked for.
    #[error("{reference} is not inside the subtree that was asked for")]
    NotInside {
        /// The ref.
        reference: RefName,
    },
    /// The ref belongs to another tab.
    #[error("{reference} belongs to tab {tab}{}, not to this one", .context.as_ref().map_or_else(String::new, |name| format!(" of the context {}", quoted(name, 100))))]
    ForeignRef {
        /// The ref.
        reference: RefName,
        /// The tab that it is in.
        tab: TabId,
        /// The context that the tab is in, where it is another one.
        context: Option<String>,
    },
    /// Nothing matches.
    #[error("no element matches {target}")]
    NoMatch {
        /// What was looked for.
        target: Target,
    },
    /// Several match.
    #[error("{target} matches {count} elements: {}", list(.matches))]
    Ambiguous {
        /// What was looked for.
        target: Target,
        /// How many there are.
        count: usize,
        /// The first few.
        matches: Vec<Element>,
    },
    /// The target cannot be understood.
    #[error("{target} is no valid target: {reason}")]
    BadTarget {
        /// What was given.
        target: Target,
        /// Why not.
        reason: String,
    },
    /// The element cannot be used.
    #[error("{}: {} {obstacle}", .element.kind(), .element.reference)]
    NotReady {
        /// The element.
        element: Box<Element>,
        /// What stands in the way.
        obstacle: Obstacle,
    },
    /// The element cannot take that.
    #[error("{element}: {reason}")]
    Misfit {
        /// The element.
        element: Box<Element>,
        /// Why not.
        reason: String,
        /// What could be chosen instead.
        options: Vec<String>,
    },
    /// What was filled in is not there.
    #[error("{element} did not take the value: it holds {}", quoted(.holds, 200))]
    NotTaken {
        /// The element.
        element: Box<Element>,
        /// What it holds.
        holds: String,
    },
    /// The click landed elsewhere.
    #[error("{element} moved away: the pointer hit {}", .by.as_ref().map_or_else(|| "something else".into(), ToString::to_string))]
    Missed {
        /// The element.
        element: Box<Element>,
        /// What was hit.
        by: Option<Box<Element>>,
    },
    /// The click went to a document of another frame.
    #[error("{0} was not clicked: another frame came in front of it and took the click")]
    HitAnotherFrame(Box<Element>),
    /// A secret was to be typed, and no text field has the focus.
    #[error("no text field has the focus, so the secret was not typed")]
    NoFieldForSecret,
    /// Local files are not to be opened.
    #[error("{} cannot be opened: file: URLs are off", quoted(.0, 200))]
    FileUrlsOff(String),
    /// A page went to a local file that it may not show.
    #[error("the page shows {}, which is outside of the directories whose files may be opened", quoted(.0, 200))]
    FileWithheld(String),
    /// The URL cannot be used.
    #[error("{} is no URL that can be opened: {reason}", quoted(.url, 200))]
    BadUrl {
        /// What was given.
        url: String,
        /// Why not.
        reason: &'static str,
        /// What was perhaps meant.
        meant: Option<String>,
        /// Whether it is a URL, of a scheme that may not be opened.
        forbidden: bool,
    },
    /// The page could not be loaded.
    #[error("{url} could not be loaded: {reason}")]
    Navigation {
        /// Where to.
        url: String,
        /// The browser's words.
        reason: String,
    },
    /// The page could not be loaded through the proxy.
    #[error("{url} could not be loaded: {trouble}")]
    OnTheWay {
        /// Where to.
        url: String,
        /// What went wrong on the way.
        trouble: Trouble,
    },
    /// The host policy does not allow it.
    #[error("{0}")]
    HostRefused(Refusal),
    /// The relay to a proxy could not be started.
    #[error("the way to the proxy could not be set up: {0}")]
    Relay(Arc<cicerone_relay::StartError>),
    /// The page did not come in time.
    #[error("{url} did not load within {}", seconds(.after))]
    NavigationTimeout {
        /// Where to.
        url: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The page asked not to be left.
    #[error("the page asked before it was left for {url}, and the dialog was dismissed: it stays")]
    Stayed {
        /// Where to.
        url: String,
    },
    /// There is nothing to go back or forward to.
    #[error("there is no page to go {0} to")]
    NoHistory(&'static str),
    /// A dialog is in the way.
    #[error("the page is blocked by an open {}: {}", crate::dialog::name(.0), crate::dialog::question(.0))]
    DialogOpen(DialogOpened),
    /// No dialog is in the way.
    #[error("no dialog is open")]
    NoDialog,
    /// Nobody asked for console lines to be kept.
    #[error("no console buffer was started")]
    NoConsoleBuffer,
    /// Something is wrong with a capture.
    #[error("{0}")]
    Capture(CaptureError),
    /// A script threw.
    #[error("the script failed: {0}")]
    Script(ScriptError),
    /// A script failed in the sandbox.
    #[error("the script failed: {0}")]
    Sandbox(SandboxFailure),
    /// A script did not end.
    #[error("the script did not end within {} and was stopped", seconds(.0))]
    ScriptTimeout(Duration),
    /// The value of a script cannot be told.
    #[error("the script's value cannot be returned: {0}")]
    ScriptValue(String),
    /// What was waited for did not happen.
    #[error("{what} within {}{}{instead}", seconds(.after), if .instead.is_empty() { "" } else { "; " })]
    WaitTimeout {
        /// What did not happen.
        what: String,
        /// What is there instead.
        instead: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// A pattern cannot be understood.
    #[error("{pattern} is no valid pattern: {reason}")]
    BadPattern {
        /// What was given.
        pattern: String,
        /// Why not.
        reason: String,
    },
    /// A download that was waited for was cut off.
    #[error("the download of {} failed", quoted(.0, 200))]
    DownloadFailed(String),
    /// A person was asked to pick an element, and did not.
    #[error("nobody picked an element within {}", seconds(.0))]
    NobodyPicked(Duration),
    /// A person was asked to pick an element, and would not.
    #[error("the person gave up picking an element")]
    PickingGivenUp,
    /// The page does not answer.
    #[error("the page did not answer within {}: a script keeps it busy, and was stopped", seconds(.0))]
    Unresponsive(Duration),
    /// There is no such tab.
    #[error("there is no tab {index}: {count} {} open", if *.count == 1 { "is" } else { "are" })]
    NoTab {
        /// What was asked for.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// The page's process died.
    #[error("the page crashed; its URL was {url}")]
    Crashed {
        /// Where it was.
        url: String,
    },
    /// The tab was closed meanwhile.
    #[error("the tab was closed")]
    TabClosed,
    /// The browser ended.
    #[error("the browser ended unexpectedly, and its pages with it")]
    BrowserEnded,
    /// The browser could not be started.
    #[error("the browser could not be started: {0}")]
    Launch(LaunchError),
    /// No key has this name.
    #[error("{0}")]
    UnknownKey(cicerone_driver::UnknownKey),
    /// A file may not be touched.
    #[error("{} is outside of the directories that may be used", .0.display())]
    Outside(PathBuf),
    /// The path is in a repository's own directory.
    #[error("{} is in a .git directory", .0.display())]
    Repository(PathBuf),
    /// There is a file that is not ours.
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// A file cannot be used.
    #[error("{}: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: Arc<std::io::Error>,
    },
    /// The page has no file field.
    #[error("the page has no field for files, and none asked for one")]
    NoFileField,
    /// It is not clear which field is meant.
    #[error("the page has {count} fields for files: {}", list(.fields))]
    SeveralFileFields {
        /// How many.
        count: usize,
        /// The first few.
        fields: Vec<Element>,
    },
    /// The field takes one file.
    #[error("{} takes only one file", .0.as_ref().map_or_else(|| "the field".into(), ToString::to_string))]
    OneFileOnly(Option<Box<Element>>),
    /// The element is no field for files.
    #[error("{0} is no field for files")]
    NotForFiles(Box<Element>),
    /// Files are too large to be carried into a page.
    #[error("the files are larger than {} MB, which is all that is carried into a page", .most >> 20)]
    TooLarge {
        /// How many bytes may be.
        most: usize,
    },
    /// A file could not be fetched.
    #[error("{url} could not be fetched: {reason}")]
    NotFetched {
        /// From where.
        url: String,
        /// Why not.
        reason: String,
    },
    /// A request that was made beside the page got no response.
    #[error("{0}")]
    Request(RequestError),
    /// A tab has no such route.
    #[error("unknown route {}; known: {}", quoted(.id, 100), if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    NoRoute {
        /// What was asked for.
        id: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// No tab has this number.
    #[error("there is no tab with the id {id}{}", open_tabs(.open))]
    NoTabId {
        /// What was asked for.
        id: TabId,
        /// Those that there are.
        open: Vec<TabId>,
    },
    /// No window has this number.
    #[error("there is no window with the id {}; open are {}", .id.0, .open.iter().map(|window| window.0.to_string()).collect::<Vec<_>>().join(", "))]
    NoWindow {
        /// What was asked for.
        id: WindowId,
        /// Those that there are.
        open: Vec<WindowId>,
    },
    /// The browser itself does not answer.
    #[error("the browser did not answer within {}", seconds(.0))]
    BrowserSilent(Duration),
    /// No frame has this number.
    #[error("the page has no frame {0}")]
    NoFrame(u32),
    /// No context has this name.
    #[error("there is no context {}; there is {}", quoted(.name, 100), .known.join(", "))]
    NoContext {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A context has this name already.
    #[error("there is a context {} already", quoted(.0, 100))]
    ContextExists(String),
    /// The last context stays.
    #[error("Cannot close the only remaining context")]
    LastContext,
    /// A saved state cannot be used.
    #[error("{}: {reason}", .path.display())]
    Storage {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: StorageError,
    },
    /// A named state cannot be had.
    #[error("{0}")]
    Vault(VaultError),
    /// A picture could not be made.
    #[error(transparent)]
    Picture(#[from] BadPicture),
    /// There is no recording, or it cannot be made.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// A point is outside of what is seen.
    #[error("the point {},{} is outside of the viewport of {}x{}", .point.x, .point.y, .viewport.width, .viewport.height)]
    OffViewport {
        /// The point.
        point: Point,
        /// What is seen.
        viewport: Size,
    },
    /// A part of a picture has nothing of the page in it.
    #[error("the clip {},{} {}x{} is outside of the {}x{} that there is to see", .clip.x, .clip.y, .clip.width, .clip.height, .within.width, .within.height)]
    ClipOutside {
        /// The part.
        clip: Clip,
        /// What there is.
        within: Size,
    },
    /// Printing gave something else than a PDF.
    #[error("the browser did not print a PDF")]
    NotPdf,
    /// There is no such cookie.
    #[error("there is no cookie {} here", quoted(.0, 100))]
    NoCookie(String),
    /// The page belongs to no site.
    #[error("the page belongs to no site, so there is nothing to keep")]
    NothingToKeep,
    /// The browser did not keep a cookie.
    #[error("the browser did not keep the cookie {}", quoted(.0, 100))]
    CookieDropped(String),
    /// Something is not emulated.
    #[error("{0}")]
    Emulation(EmulationError),
    /// The browser can do that only when it was started with system access.
    #[error("this browser cannot {0} without system access")]
    NeedsSystemAccess(&'static str),
    /// Something with a bookmark.
    #[error("{0}")]
    Bookmark(BookmarkError),
    /// The browser lacks something.
    #[error("this browser cannot {0}")]
    Unsupported(&'static str),
    /// The browser did not do as it was told.
    #[error("{0}")]
    Driver(DriverError),
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Disconnected => Self::BrowserEnded,
            DriverError::Closed => Self::TabClosed,
            DriverError::Crashed => Self::Crashed { url: "about:blank".into() },
            DriverError::Script(error) => Self::Script(error),
            DriverError::NeedsSystemAccess(what) => Self::NeedsSystemAccess(what),
            DriverError::Unsupported(what) => Self::Unsupported(what),
            other => Self::Driver(other),
        }
    }
}

impl Error {
    /// What a trouble on the way to a URL means.
    pub(crate) fn on_the_way(url: &str, trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(refusal) => Self::HostRefused(refusal),
            trouble => Self::OnTheWay { url: url.to_owned(), trouble },
        }
    }
}

fn list(elements: &[Element]) -> String {
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn seconds(duration: &Duration) -> String {
    format!("{} s", (duration.as_secs_f64() * 10.0).round() / 10.0)
}

fn open_tabs(open: &[TabId]) -> String {
    match open {
        [] => "; none is open".into(),
        open => format!("; open are {}", open.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl From<BookmarkError> for Error {
    fn from(error: BookmarkError) -> Self {
        Self::Bookmark(error)
    }
}

impl From<VaultError> for Error {
    fn from(error: VaultError) -> Self {
        Self::Vault(error)
    }
}

impl From<CaptureError> for Error {
    fn from(error: CaptureError) -> Self {
        Self::Capture(error)
    }
}
