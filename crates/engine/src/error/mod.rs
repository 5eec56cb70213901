//! Errors, as facts. `cicerone-tools` has their names, messages and hints.

mod element;
mod evaluate;
mod file;
mod navigation;
mod obstacle;
mod picture;
mod request;
mod site_data;
mod tab;
mod unsupported;
mod upload;
mod wait;

pub use element::{ElementError, Misfit};
pub use evaluate::EvaluateError;
pub use file::FileError;
pub use navigation::{BadUrl, HistoryDirection, NavigationError};
pub use obstacle::{Cover, Obstacle};
pub use picture::PictureError;
pub use request::RequestError;
pub use site_data::SiteDataError;
pub use tab::{ContextError, TabError};
pub use unsupported::Unsupported;
pub use upload::{FetchFailure, UploadError};
pub use wait::{FoundElement, ScriptState, Unmet, WaitError};

use std::{fmt, path::PathBuf, time::Duration};

use cicerone_driver::{DialogOpened, DriverError, Feature, LaunchError, UnknownKey};
use cicerone_media::BadPicture;

use crate::{
    bookmarks::BookmarkError, capture::CaptureError, emulation::EmulationError, record::RecordError,
    storage::StorageError, vault::VaultError,
};

/// The result of an operation of the engine.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed. `Display` is a technical line for logs.
#[derive(Debug, Clone)]
pub enum Error {
    /// An element was not found, or not acted on.
    Element(ElementError),
    /// Files were not uploaded.
    Upload(UploadError),
    /// A local file was not read, written or opened.
    File(FileError),
    /// A navigation failed.
    Navigation(NavigationError),
    /// A client's script failed.
    Evaluate(EvaluateError),
    /// A wait failed.
    Wait(WaitError),
    /// A tab, a window or a frame was not found.
    Tab(TabError),
    /// A context was not found, created or closed.
    Context(ContextError),
    /// Cookies or web storage were not read or changed.
    SiteData(SiteDataError),
    /// A storage state cannot be used.
    Storage {
        /// Its file.
        path: PathBuf,
        /// Why not.
        reason: StorageError,
    },
    /// A saved state cannot be used.
    Vault(VaultError),
    /// A screenshot or a PDF was not made.
    Picture(PictureError),
    /// A recording failed.
    Record(RecordError),
    /// A capture failed.
    Capture(CaptureError),
    /// A request without a page failed.
    Request(RequestError),
    /// An override was not applied.
    Emulation(EmulationError),
    /// A bookmark operation failed.
    Bookmark(BookmarkError),
    /// The tab has no such route.
    NoRoute {
        id: String,
        /// The existing ids.
        known: Vec<String>,
    },
    /// Unknown key name.
    UnknownKey(UnknownKey),
    /// A dialog blocks the page.
    DialogOpen(DialogOpened),
    /// No dialog is open.
    NoDialog,
    /// The console buffer was not started.
    NoConsoleBuffer,
    /// The page did not answer in time; its script was terminated.
    Unresponsive(Duration),
    /// The page's process crashed.
    Crashed {
        /// The page's URL.
        url: String,
    },
    /// The tab was closed.
    TabClosed,
    /// The browser exited.
    BrowserEnded,
    /// The connection to the browser broke during the call and was made again.
    Interrupted,
    /// The person whose browser it is does not allow it now.
    Withheld(String),
    /// The browser did not answer in time.
    BrowserSilent(Duration),
    /// The browser could not be started.
    Launch(LaunchError),
    /// The browser supports this only with system access.
    NeedsSystemAccess(Feature),
    /// The browser does not support this.
    Unsupported(Unsupported),
    /// Any other error of the driver.
    Driver(DriverError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Error {}

macro_rules! groups {
    ($($error:ident => $variant:ident),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        })*
    };
}

groups! {
    ElementError => Element,
    UploadError => Upload,
    FileError => File,
    NavigationError => Navigation,
    EvaluateError => Evaluate,
    WaitError => Wait,
    TabError => Tab,
    ContextError => Context,
    SiteDataError => SiteData,
    VaultError => Vault,
    PictureError => Picture,
    RecordError => Record,
    CaptureError => Capture,
    RequestError => Request,
    EmulationError => Emulation,
    BookmarkError => Bookmark,
}

impl From<BadPicture> for Error {
    fn from(error: BadPicture) -> Self {
        Self::Picture(PictureError::Invalid(error))
    }
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Disconnected => Self::BrowserEnded,
            DriverError::Interrupted => Self::Interrupted,
            DriverError::Withheld(reason) => Self::Withheld(reason),
            DriverError::Closed => Self::TabClosed,
            DriverError::Crashed => Self::Crashed { url: "about:blank".into() },
            DriverError::Script(error) => EvaluateError::Thrown(error).into(),
            DriverError::NeedsSystemAccess(what) => Self::NeedsSystemAccess(what),
            DriverError::Unsupported(what) => Self::Unsupported(Unsupported::Driver(what)),
            other => Self::Driver(other),
        }
    }
}
