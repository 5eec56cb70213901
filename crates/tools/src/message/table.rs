use cicerone_engine::{Engine, Error, snapshot::quoted};

use super::{
    ErrorName, Message, Refs, bookmark,
    dialog::blocked_by,
    element, emulation, evaluate, file, launch, media, navigation, request, seconds, storage, tab,
    unsupported::{feature, unsupported},
    wait,
};

impl Message {
    /// With refs as a dialect writes them.
    pub(crate) fn with_refs(error: &Error, refs: Refs) -> Self {
        match error {
            Error::Element(error) => element::message(error, refs),
            Error::Upload(error) => file::upload_message(error, refs),
            Error::File(error) => file::message(error),
            Error::Navigation(error) => navigation::message(error),
            Error::Evaluate(error) => evaluate::message(error),
            Error::Wait(error) => wait::message(error),
            Error::Tab(error) => tab::message(error),
            Error::Context(error) => tab::context_message(error),
            Error::SiteData(error) => storage::site_data_message(error),
            Error::Storage { path, reason } => storage::message(path, reason),
            Error::Vault(error) => storage::vault_message(error),
            Error::Picture(error) => media::picture_message(error),
            Error::Record(error) => media::record_message(error),
            Error::Capture(error) => media::capture_message(error),
            Error::Request(error) => request::message(error),
            Error::Emulation(error) => emulation::message(error),
            Error::Bookmark(error) => bookmark::message(error),
            Error::Launch(error) => launch::message(error),
            Error::NoRoute { id, known } => {
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                Message::new(
                    ErrorName::NotFound,
                    format!("unknown route {}; known: {known}", quoted(id, 100)),
                    "list the routes of the tab to see their ids",
                )
            }
            Error::UnknownKey(key) => Message::new(
                ErrorName::UnknownKey,
                key.to_string(),
                "use names such as Enter, Tab, ArrowDown, a, Control+A",
            ),
            Error::DialogOpen(dialog) => Message::new(
                ErrorName::DialogOpen,
                blocked_by(dialog),
                "answer it first (accept or dismiss), or navigate, which leaves the page",
            ),
            Error::NoDialog => Message::new(
                ErrorName::NoDialog,
                "no dialog is open",
                "do what opens it first; calls that it blocks say so",
            ),
            Error::NoConsoleBuffer => {
                Message::new(ErrorName::NoConsoleBuffer, "no console buffer was started", "start it first")
            }
            Error::Unresponsive(after) => Message::new(
                ErrorName::Timeout,
                format!("timed out after {}: a script kept the page busy and was stopped", seconds(*after)),
                "try again; if it still does not respond, navigate elsewhere",
            ),
            Error::Crashed { url } => Message::new(
                ErrorName::Crashed,
                format!("the page crashed; its URL was {url}"),
                "the next call reopens it; or navigate elsewhere",
            ),
            Error::TabClosed => Message::new(
                ErrorName::TabClosed,
                "the tab was closed",
                "list the tabs, or navigate to open a new one",
            ),
            Error::BrowserEnded => Message::new(
                ErrorName::BrowserEnded,
                "the browser ended unexpectedly, and its pages with it",
                "navigate again: a new browser will be started",
            ),
            Error::Interrupted => Message::new(
                ErrorName::Interrupted,
                "the connection to the browser broke during the call, and was made again",
                "take a snapshot to see whether it took effect, then continue",
            ),
            Error::Withheld(reason) => Message::new(
                ErrorName::Withheld,
                reason.clone(),
                "ask the person; they decide in the popup of the extension's button, then call again",
            ),
            Error::BrowserSilent(after) => Message::new(
                ErrorName::Timeout,
                format!("timed out after {}: the browser did not answer", seconds(*after)),
                "try again; if it stays silent, end the browser",
            ),
            Error::NeedsSystemAccess(what) => Message::new(
                ErrorName::Unsupported,
                format!("this browser cannot {} without system access", feature(*what)),
                format!("start the server with --system-access, or with --browser {}", Engine::default()),
            ),
            Error::Unsupported(what) => Message::new(
                ErrorName::Unsupported,
                format!("this browser cannot {}", unsupported(*what)),
                format!(
                    "use another engine (--browser {}), started by the server: without --endpoint and --extension",
                    Engine::default()
                ),
            ),
            Error::Driver(error) => Message::new(
                ErrorName::BrowserError,
                error.to_string(),
                "try again; if it fails again, navigate again",
            ),
        }
    }
}
