//! Behaviour said once for all browsers.
//!
//! A [`Session`] is one client's browser: started when first needed, started anew when it died. It has tabs; a
//! [`Page`] is one of them. A [`Target`] says which element is meant; [`Ref`]s are the short names that snapshots
//! give to elements, for ever. Acting on a page waits until the element can be used, does it, waits for what
//! that caused, and tells the [`Outcome`]: whether it settled, what changed (a [`snapshot`] diff) and what
//! happened meanwhile ([`News`]). Every wait has a [`Deadline`].
//!
//! This crate names no browser. It composes the primitives of `driver` and the functions of the in-page agent.

mod abandoned;
mod act;
mod address;
mod agent;
mod answers;
mod bookmarks;
mod capture;
mod console;
mod context;
mod contexts;
mod deadline;
mod dialog;
mod downloads;
mod effect;
mod emulation;
mod error;
mod files;
mod history;
mod http;
mod idle;
mod jar;
mod local_files;
mod look;
mod meanwhile;
mod navigate;
mod news;
mod options;
mod outcome;
mod page;
mod pattern;
mod permissions;
mod places;
mod query;
mod ready;
mod record;
mod refs;
mod refusals;
mod requests;
mod rounds;
mod routes;
mod sanitize;
mod secrets;
mod session;
mod settle;
pub mod snapshot;
mod state;
mod storage;
mod tabs;
mod target;
mod vault;

pub use act::{
    aim::{Aim, Spot},
    check::Switched,
    click::{Click, Clicked},
    content::{Content, Given},
    drag::{Drag, Dragged},
    fill::{Field, Filled},
    keys::{Typed, Typing},
    press::{KeyChord, Press, Pressed},
    scroll::{Block, Course, Scroll, Scrolled},
    select::{Choice, Pick, Selected},
    upload::Uploaded,
};
pub use address::Address;
pub use bookmarks::{AddedBookmark, BookmarkError, FolderInfo, FoundBookmark};
pub use capture::{
    CaptureEnd, CaptureError, CaptureFilter, CaptureMode, CaptureOptions, CaptureStatus, Captured, Captures,
    Caught, LARGEST_BODY, MOST_BODY_BYTES, MOST_REQUESTS, NetworkSummary, RequestSummary, ResourceType,
    ShownBody, TraceSummary,
};
pub use cicerone_driver::{
    Button, Clip, ColorScheme, ConsoleLevel, ConsoleMessage, Cookie, Coordinates, DeviceMetrics, DialogKind,
    DialogOpened, HeaderFooter, HistorySearch, Kind, Launch, LaunchError, Launcher, Margin, Medium, Modifier,
    Orientation, Origin, Paper, Permission, Point, RequestChanges, SameSite, Setting, Size, Visited,
};
pub use cicerone_relay::{
    BadBypass, BadHostPattern, BadUpstream, Bypass, HostPattern, HostPolicy, Refusal, Route, Upstream,
};
pub use console::ConsoleLog;
pub use context::{Context, ContextInfo, ContextOptions};
pub use deadline::Deadline;
pub use emulation::{
    Device, Emulated, EmulationError, EmulationState, Environment, NetworkPreset, UnknownDevice,
};
pub use error::{Error, RequestError, Result};
pub use files::{Directories, Files, TooWide, is_too_wide};
pub use history::FoundVisits;
pub use http::{FormValue, HttpBody, HttpRequest, HttpResponse};
pub use jar::{StorageKind, goes_to};
pub use look::{
    annotate::Marked,
    evaluate::{Evaluated, Finish, Script},
    examine::{Bounds, Checked, Examination, Examined, Facet},
    outline::{Outline, Parts},
    part::Part,
    print::PrintedFile,
    sandbox::{SandboxFailure, Sandboxed},
    screenshot::{Encoding, Inline, Inlined, Keep, Picture, ShotOf, Wanted},
    snapshot::Snapshot,
    until::{Awaited, Condition, ElementState},
    wait::WaitFor,
};
pub use navigate::{Going, Navigated, Until, Whither};
pub use news::{News, NewsItem, TabName};
pub use options::{ActionSnapshot, Options};
pub use outcome::{Acted, Outcome, Place, Settled, View};
pub use page::{Manner, Page};
pub use pattern::{BadPattern, Pattern, Wording};
pub use query::{Exact, Filter, Query, States, Step};
pub use ready::Element;
pub use record::{
    ActionMark, Ended, Overlays, RecordError, RecordFormat, RecordMode, RecordOptions, RecordStatus, Recorded,
};
pub use refs::Ref;
pub use requests::NetworkEntry;
pub use routes::{MockBody, MockResponse, RouteHandler, RouteId, TabRoute};
pub use sanitize::{REDACTED, sanitize};
pub use secrets::{Secret, Secrets};
pub use session::{Session, Setup};
pub use storage::{Carried, Kept, Saved, StorageError, StorageState};
pub use tabs::{Opening, TabId, TabInfo, WindowChoice, WindowId};
pub use target::{BadTarget, Target};
pub use vault::{Vault, VaultError};
