//! The contract between the engine and a browser driver.
//!
//! A [`Launcher`] starts a [`Browser`]. A browser has [`Context`]s, each with its own cookies and storage, and a
//! context opens pages. A [`PageDriver`] controls one page: it navigates, sends [`Input`], and calls functions of the
//! injected script in frames. Everything that reads or judges a page is in that script.
//!
//! Events flow back as one closed enum, [`BrowserEvent`], into the [`Sink`] that the launcher got. Events and replies
//! arrive in the browser's order: when a call returns, the sink has seen everything before it.
//!
//! What an engine may lack is a *power*: a trait behind an accessor that returns an `Option`.

mod body;
mod bookmark;
mod browser;
mod closed_shadow_roots;
mod cookie;
mod crashing;
mod emulation;
mod engine;
mod error;
mod event;
mod extra_headers;
mod feature;
mod fetch;
mod history;
mod ids;
mod input;
mod interception;
mod interruption;
mod key;
mod layout_metrics;
mod listeners;
mod network;
mod page;
mod permission;
mod printing;
mod sandbox;
mod screencast;
mod screenshot;
mod sync;
mod version;

pub use body::{Bodies, Body};
pub use bookmark::{Bookmark, BookmarkFolder, BookmarkSearch, Bookmarks};
pub use browser::{Browser, Context, KeptProfile, Launch, LaunchError, Launcher, Proxy, Restart, Sink};
pub use closed_shadow_roots::ClosedShadowRoots;
pub use cookie::{Cookie, Cookies, SameSite};
pub use crashing::Crashing;
pub use emulation::{
    ClientHints, ColorScheme, Coordinates, DeviceMetrics, Emulation, Media, Medium, Orientation, Throttle,
    UserAgent,
};
pub use engine::Engine;
pub use error::{DriverError, Result, ScriptError};
pub use event::{
    BrowserEvent, ConsoleLevel, ConsoleMessage, DialogKind, DialogOpened, LoadStage, PageEvent, Request,
    RequestEnd,
};
pub use extra_headers::ExtraHeaders;
pub use feature::Feature;
pub use fetch::{Fetched, Fetching};
pub use history::{History, HistorySearch, Visited};
pub use ids::{ContextId, DocumentId, FrameId, NodeHandle, PageId, RequestId};
pub use input::{Button, Input, Point};
pub use interception::{
    Action, FulfilledResponse, InterceptedRequest, Interception, Interceptor, RequestChanges, Responding,
};
pub use interruption::Interruption;
pub use key::{Key, Modifier, UnknownKey};
pub use layout_metrics::LayoutMetrics;
pub use listeners::Listeners;
pub use network::{
    Headers, NetworkCapture, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, RequestKey, Timing,
    Tracing, WebSocketMessage,
};
pub use page::{Navigation, PageDriver, Size};
pub use permission::{Permission, Permissions, Setting};
pub use printing::{HeaderFooter, Margin, Paper, Printing};
pub use sandbox::{SandboxAnswer, ScriptSandbox};
pub use screencast::{FrameSink, Screencast, ScreencastFrame};
pub use screenshot::{Clip, ImageFormat, Origin, Shot};
pub use sync::lock;
pub use version::{OldestVersion, major_version};
