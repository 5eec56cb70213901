//! The smallest contract that a browser must meet.
//!
//! A [`Launcher`] starts a [`Browser`]. A browser has [`Context`]s, each with its own cookies and storage,
//! and a context opens pages. A [`PageDriver`] is one page: it navigates, takes [`Input`], and calls
//! functions of the in-page agent in its frames; everything that reads or judges a page is that agent's work.
//! What happens in the browser flows back as one closed enum, [`Happening`], into the one [`Sink`] that the
//! launcher was given. Happenings and replies arrive in the browser's own order: when a call returns, the sink
//! has seen everything that came before.
//!
//! What an engine may lack is a *power* behind an accessor that returns an `Option`.

mod body;
mod bookmark;
mod browser;
mod cookie;
mod emulation;
mod error;
mod happening;
mod history;
mod ids;
mod input;
mod interception;
mod key;
mod network;
mod page;
mod permission;
mod sandbox;
mod screencast;
mod version;

pub use body::{Bodies, Body};
pub use bookmark::{Bookmark, BookmarkFolder, BookmarkSearch, Bookmarks};
pub use browser::{Browser, Context, Kind, Launch, LaunchError, Launcher, Proxy, Sink};
pub use cookie::{Cookie, Cookies, SameSite};
pub use emulation::{
    ClientHints, ColorScheme, Coordinates, DeviceMetrics, Emulation, Media, Medium, Orientation, Throttle,
    UserAgent,
};
pub use error::{DriverError, Result, ScriptError};
pub use happening::{
    ConsoleLevel, ConsoleMessage, DialogKind, DialogOpened, Happening, LoadStage, PageEvent, Request,
    RequestEnd,
};
pub use history::{History, HistorySearch, Visited};
pub use ids::{ContextId, DocumentId, FrameId, NodeHandle, PageId, RequestId};
pub use input::{Button, Input, Point};
pub use interception::{
    Action, FulfilledResponse, InterceptedRequest, Interception, Interceptor, RequestChanges, Responding,
};
pub use key::{Key, Modifier, UnknownKey};
pub use network::{
    Headers, NetworkCapture, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, RequestKey, Timing,
    Tracing, WebSocketMessage,
};
pub use page::{
    Clip, Fetched, Fetching, HeaderFooter, ImageFormat, Margin, Navigation, Origin, PageDriver, Paper,
    Printing, Shot, Size,
};
pub use permission::{Permission, Permissions, Setting};
pub use sandbox::{SandboxAnswer, ScriptSandbox};
pub use screencast::{FrameSink, Screencast, ScreencastFrame};
pub use version::{OldestVersion, major_version};
