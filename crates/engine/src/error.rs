//! What can go wrong, with what to do next.

use std::{path::PathBuf, sync::Arc, time::Duration};

use cicerone_driver::{DialogOpened, DriverError, LaunchError, ScriptError};

use crate::{ready::Element, refs::RefName, snapshot::quoted, tabs::TabId, target::Target};

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
    /// No snapshot gave this ref.
    #[error("no element has the ref {0}: it was never given")]
    UnknownRef(RefName),
    /// The ref belongs to another tab.
    #[error("{reference} belongs to tab {tab}, not to this one")]
    ForeignRef {
        /// The ref.
        reference: RefName,
        /// The tab that it is in.
        tab: TabId,
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
    /// The URL cannot be used.
    #[error("{} is no URL that can be opened: {reason}", quoted(.url, 200))]
    BadUrl {
        /// What was given.
        url: String,
        /// Why not.
        reason: &'static str,
        /// What was perhaps meant.
        meant: Option<String>,
    },
    /// The page could not be loaded.
    #[error("{url} could not be loaded: {reason}")]
    Navigation {
        /// Where to.
        url: String,
        /// The browser's words.
        reason: String,
    },
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
    #[error("a dialog is open and holds the page: {} {}", .0.kind.as_str(), quoted(&.0.message, 500))]
    DialogOpen(DialogOpened),
    /// A script threw.
    #[error("the script failed: {0}")]
    Script(ScriptError),
    /// A script did not end.
    #[error("the script did not end within {} and was stopped", seconds(.0))]
    ScriptTimeout(Duration),
    /// The value of a script cannot be told.
    #[error("the script's value cannot be returned: {0}")]
    ScriptValue(String),
    /// What was waited for did not happen.
    #[error("{what} within {}", seconds(.after))]
    WaitTimeout {
        /// What did not happen.
        what: String,
        /// How long it was waited for.
        after: Duration,
    },
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
    /// The browser did not do as it was told.
    #[error("{0}")]
    Driver(DriverError),
}

/// What keeps an element from being used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Obstacle {
    /// It has no box, or is invisible.
    #[error("is not visible")]
    Hidden,
    /// It keeps moving.
    #[error("keeps moving")]
    Moving,
    /// It is disabled.
    #[error("is disabled")]
    Disabled,
    /// It cannot be edited.
    #[error("is read-only")]
    ReadOnly,
    /// Something is in front of it.
    #[error("is covered{}", .0.as_ref().map_or_else(String::new, |by| format!(" by {by}")))]
    Covered(Option<Box<Element>>),
    /// It cannot be scrolled into view.
    #[error("is outside of the viewport and cannot be scrolled into it")]
    Outside,
}

impl Error {
    /// A short name that does not change with the wording.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "StaleRef",
            Self::UnknownRef(_) => "UnknownRef",
            Self::ForeignRef { .. } => "ForeignRef",
            Self::NoMatch { .. } => "NotFound",
            Self::Ambiguous { .. } => "Ambiguous",
            Self::BadTarget { .. } => "BadTarget",
            Self::NotReady { .. } => "NotReady",
            Self::Misfit { .. } => "Misfit",
            Self::NotTaken { .. } => "NotTaken",
            Self::Missed { .. } => "Missed",
            Self::BadUrl { .. } => "BadUrl",
            Self::Navigation { .. } => "NavigationFailed",
            Self::NavigationTimeout { .. }
            | Self::ScriptTimeout(_)
            | Self::WaitTimeout { .. }
            | Self::Unresponsive(_) => "Timeout",
            Self::Stayed { .. } => "Stayed",
            Self::NoHistory(_) => "NoHistory",
            Self::DialogOpen(_) => "DialogOpen",
            Self::Script(_) | Self::ScriptValue(_) => "ScriptError",
            Self::NoTab { .. } => "NoTab",
            Self::Crashed { .. } => "Crashed",
            Self::TabClosed => "TabClosed",
            Self::BrowserEnded => "BrowserEnded",
            Self::Launch(_) => "LaunchFailed",
            Self::UnknownKey(_) => "UnknownKey",
            Self::Outside(_) => "Forbidden",
            Self::File { .. } => "FileError",
            Self::NoFileField
            | Self::SeveralFileFields { .. }
            | Self::OneFileOnly(_)
            | Self::NotForFiles(_) => "FileField",
            Self::Driver(_) => "BrowserError",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Self::Stale { .. } | Self::UnknownRef(_) => "take a new snapshot and use a ref from it".into(),
            Self::ForeignRef { tab, .. } => format!("select tab {tab} first, or take a snapshot of this one"),
            Self::NoMatch { .. } => {
                "take a snapshot to see what is on the page, or wait for it to appear".into()
            }
            Self::Ambiguous { .. } => "use one of these refs, or a narrower target".into(),
            Self::BadTarget { .. } => {
                "use a ref (e12), CSS, role:button[name=\"Save\"], text:…, label:… or //xpath".into()
            }
            Self::NotReady { obstacle, .. } => obstacle.hint().into(),
            Self::Misfit { options, .. } if !options.is_empty() => {
                let known: Vec<String> = options.iter().map(|option| quoted(option, 60)).collect();
                format!("choose one of {}", known.join(", "))
            }
            Self::Misfit { .. } => "choose another element or value".into(),
            Self::NotTaken { .. } => "try typing slowly, or click the field first".into(),
            Self::Missed { .. } => "wait until the page is quiet, then try again".into(),
            Self::BadUrl { meant: Some(meant), .. } => format!("did you mean {meant} ?"),
            Self::BadUrl { .. } => "give an absolute http: or https: URL".into(),
            Self::Navigation { .. } => "check the URL, and that the server can be reached from here".into(),
            Self::NavigationTimeout { .. } => {
                "take a snapshot to see what came so far; or try again, or raise --navigation-timeout".into()
            }
            Self::Stayed { .. } => "navigate again to leave it: the next question is accepted".into(),
            Self::NoHistory(_) => "navigate to a URL instead".into(),
            Self::DialogOpen(_) => "answer it first (accept or dismiss)".into(),
            Self::Script(error) if error.syntax => {
                "give a function such as () => document.title, or an expression".into()
            }
            Self::Script(_) => "mend the script; the page goes on".into(),
            Self::ScriptTimeout(_) => "the page can be used again; do less in one script".into(),
            Self::ScriptValue(_) => {
                "return plain data: strings, numbers, lists, objects without cycles".into()
            }
            Self::WaitTimeout { .. } => "take a snapshot to see what is there instead".into(),
            Self::Unresponsive(_) => "try again; if it stays stuck, navigate elsewhere".into(),
            Self::NoTab { .. } => "list the tabs to see their indices".into(),
            Self::Crashed { .. } => "the next call opens it anew; or navigate elsewhere".into(),
            Self::TabClosed => "list the tabs, or navigate to open a new one".into(),
            Self::BrowserEnded => "navigate again: a fresh browser will be started".into(),
            Self::Launch(LaunchError::Missing { .. }) => {
                "install a browser (`cicerone install`, or the tool for it), or give --executable-path".into()
            }
            Self::Launch(_) => "check --executable-path; without a display leave --headed out".into(),
            Self::UnknownKey(_) => "use names such as Enter, Tab, ArrowDown, a, Control+A".into(),
            Self::Outside(_) => {
                "use a path below the working directory, or start the server with --allow-path".into()
            }
            Self::File { .. } => "check the path".into(),
            Self::NoFileField | Self::NotForFiles(_) => {
                "click what opens the file chooser first, or give the field's ref".into()
            }
            Self::SeveralFileFields { .. } => "give the ref of the field that is meant".into(),
            Self::OneFileOnly(_) => "give one path".into(),
            Self::Driver(_) => "try again; if it stays, navigate anew".into(),
        }
    }
}

impl Obstacle {
    fn hint(&self) -> &'static str {
        match self {
            Self::Hidden => "something must open or show it first",
            Self::Moving => "wait until it stands still",
            Self::Disabled => "something else must be filled in or done first",
            Self::ReadOnly => "it cannot be typed into",
            Self::Covered(_) => "close or answer what covers it, then try again",
            Self::Outside => "scroll or resize the page",
        }
    }
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Disconnected => Self::BrowserEnded,
            DriverError::Closed => Self::TabClosed,
            DriverError::Crashed => Self::Crashed { url: "about:blank".into() },
            DriverError::Script(error) => Self::Script(error),
            other => Self::Driver(other),
        }
    }
}

fn list(elements: &[Element]) -> String {
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn seconds(duration: &Duration) -> String {
    format!("{} s", (duration.as_secs_f64() * 10.0).round() / 10.0)
}
