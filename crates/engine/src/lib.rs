//! Browser behaviour, independent of the browser.
//!
//! A [`Session`] is one client's browser, started on first use and restarted after a crash. It has tabs; each
//! is a [`Page`]. A [`Target`] selects an element; [`Ref`]s are short names that snapshots give to elements
//! and that stay valid. An action waits until its element is ready, acts, waits until the page settles, and
//! returns an [`Outcome`]: whether it settled, what changed (a [`snapshot`] diff) and what else happened
//! ([`News`]). Every wait has a [`Deadline`].
//!
//! This crate names no browser. It composes the primitives of `driver` and the functions of the injected
//! script.

mod act;
mod address;
mod answers;
mod bookmarks;
mod cancel_guard;
mod capture;
mod console;
mod context;
mod contexts;
mod cookies;
mod deadline;
mod dialog;
mod document_source;
mod downloads;
mod effect;
mod emulation;
mod error;
mod extra_headers;
mod files;
mod history;
mod host;
mod http;
mod idle;
mod injected;
mod loading;
mod local_files;
mod locate;
mod look;
mod navigate;
mod news;
mod options;
mod outcome;
mod page;
mod pattern;
mod permissions;
mod polling;
mod query;
mod ready;
mod record;
mod refs;
mod refusals;
mod requests;
mod routes;
mod sanitize;
mod secrets;
mod session;
mod settle;
pub mod snapshot;
mod state;
mod state_lock;
mod storage;
mod tabs;
mod target;
mod vault;
mod web_storage;

pub use act::{
    check::Switched,
    click::{Click, Clicked},
    drag::{Drag, Dragged},
    fill::{Field, Filled},
    keys::{Typed, Typing},
    pointer_target::{PointerTarget, Spot},
    press::{KeyChord, Press, Pressed},
    recipient::Recipient,
    scroll::{Block, Course, Scroll, Scrolled},
    select::{Choice, Pick, Selected},
    upload::Uploaded,
    upload_source::{Content, UploadFile},
};
pub use address::Address;
pub use bookmarks::{AddedBookmark, BookmarkError, FolderInfo, FoundBookmark};
pub use capture::{
    CaptureEnd, CaptureError, CaptureFilter, CaptureMode, CaptureOptions, CaptureStatus, Captured, Captures,
    Caught, LARGEST_BODY, MOST_BODY_BYTES, MOST_REQUESTS, NetworkSummary, RequestSummary, ResourceType,
    SaveCapture, ShownBody, TraceSummary,
};
pub use cicerone_driver::{
    Button, Clip, ColorScheme, ConsoleLevel, ConsoleMessage, Cookie, Coordinates, DeviceMetrics, DialogKind,
    DialogOpened, Engine, Feature, HeaderFooter, HistorySearch, Launch, LaunchError, Launcher, Margin,
    Medium, Modifier, Orientation, Origin, Paper, Permission, Point, RequestChanges, SameSite, Setting, Size,
    Visited,
};
pub use cicerone_http::HttpError;
pub use cicerone_relay::{
    BadBypass, BadHostPattern, BadUpstream, Bypass, HostPattern, HostPolicy, Refusal, Route, Upstream,
};
pub use console::ConsoleLog;
pub use context::{Context, ContextInfo, ContextOptions};
pub use cookies::goes_to;
pub use deadline::Deadline;
pub use downloads::{DownloadFailure, HeldDownload, SaveError};
pub use emulation::{
    Device, Emulated, EmulationError, EmulationState, Environment, NetworkPreset, UnknownDevice,
};
pub use error::{
    BadUrl, ContextError, Cover, ElementError, Error, EvaluateError, FetchFailure, FileError, FoundElement,
    HistoryDirection, Misfit, NavigationError, Obstacle, PictureError, RequestError, Result, ScriptState,
    SiteDataError, TabError, Unmet, Unsupported, UploadError, WaitError,
};
pub use files::{Directories, Files, is_too_wide};
pub use history::FoundVisits;
pub use host::{BrowserHost, SessionFactory, Sharing};
pub use http::{FormValue, HttpBody, HttpRequest, HttpResponse};
pub use look::{
    annotate::Marked,
    element_info::{Bounds, Checked, ElementInfo, ElementList, Property},
    evaluate::{Evaluated, Finish, Script},
    outline::{Outline, Parts},
    part::Part,
    print::PrintedFile,
    sandbox::{SandboxFailure, Sandboxed},
    screenshot::{Encoding, Inline, Inlined, Keep, Picture, ScreenshotOptions, ShotOf},
    snapshot::Snapshot,
    wait::WaitFor,
    wait_condition::{Awaited, Condition, ElementState},
};
pub use navigate::{Destination, NavigateRequest, Navigated, WaitUntil};
pub use news::{News, NewsItem, TabName};
pub use options::{ActionSnapshot, Options};
pub use outcome::{Acted, Focused, Outcome, Place, Settled, UnreportedChanges, View};
pub use page::{CallOptions, Page};
pub use pattern::{BadPattern, Pattern, Wording};
pub use query::{Exact, Filter, Query, States, Step};
pub use ready::Element;
pub use record::{
    ActionMark, Ended, Overlays, RecordError, RecordFormat, RecordMode, RecordOptions, RecordStatus, Recorded,
};
pub use refs::Ref;
pub use requests::{NetworkEntry, NetworkLog};
pub use routes::{MockBody, MockResponse, RouteHandler, RouteId, TabRoute};
pub use sanitize::{REDACTED, sanitize};
pub use secrets::{Secret, Secrets};
pub use session::{Session, SessionSetup, Setup};
pub use storage::{Saved, StorageError, StorageState, TransferParts, Transferred};
pub use tabs::{Opening, TabId, TabInfo, WindowChoice, WindowId};
pub use target::{BadTarget, Target};
pub use vault::{Vault, VaultError};
pub use web_storage::StorageKind;
