use cicerone_engine::{CaptureError, Ended, PictureError, RecordError, TabId};

use super::{ErrorName, Message, joined, seconds};

pub(super) fn picture_message(error: &PictureError) -> Message {
    match error {
        PictureError::Invalid(error) => Message::new(
            ErrorName::ImageError,
            error.to_string(),
            "take the screenshot again, or only of an element",
        ),
        PictureError::OffViewport { point, viewport } => Message::new(
            ErrorName::OffViewport,
            format!(
                "the point {},{} is outside of the viewport of {}x{}",
                point.x, point.y, viewport.width, viewport.height
            ),
            "take a screenshot of the viewport, and scroll or resize first if needed",
        ),
        PictureError::ClipOutside { clip, within } => Message::new(
            ErrorName::OffViewport,
            format!(
                "the clip {},{} {}x{} is outside of the visible {}x{}",
                clip.x, clip.y, clip.width, clip.height, within.width, within.height
            ),
            "choose a clip inside, or give full_page to clip the whole page",
        ),
        PictureError::NotPdf => Message::new(
            ErrorName::BrowserError,
            "the browser did not print a PDF",
            "try again; if it fails again, navigate again",
        ),
    }
}

pub(super) fn record_message(error: &RecordError) -> Message {
    match error {
        RecordError::Started(tab) => Message::new(
            ErrorName::AlreadyRecording,
            format!("a recording is already running in tab {tab}"),
            "stop the recording first",
        ),
        RecordError::NotStarted(tabs) => {
            let others = match &tabs[..] {
                [] => String::new(),
                tabs => format!(" for this tab; tabs with a recording: {}", joined(tabs)),
            };
            Message::new(
                ErrorName::NotRecording,
                format!("no recording was started{others}"),
                "start a recording first, or pass the tabId of the recorded tab",
            )
        }
        RecordError::Ended(why) => Message::new(
            ErrorName::RecordingEnded,
            format!("the recording has ended: {}", ended(*why)),
            "stop it to get the frames so far, then start a new one",
        ),
        RecordError::Empty => Message::new(
            ErrorName::NoFrames,
            "the recording has no frames",
            "capture a frame or act on the page before stopping",
        ),
        RecordError::Frame(error) => Message::new(
            ErrorName::BadPicture,
            format!("a frame could not be encoded: {error}"),
            "stop the recording and start a new one",
        ),
        RecordError::NoEncoder(reason) => Message::new(
            ErrorName::Unsupported,
            format!("the browser cannot encode video of this size: {reason}"),
            "record a GIF, or choose another size",
        ),
    }
}

/// Why a recording ended before it was stopped.
pub(crate) fn ended(why: Ended) -> &'static str {
    match why {
        Ended::Duration => "max_duration is reached",
        Ended::Frames => "max_frames is reached",
        Ended::Closed => "the tab was closed",
        Ended::Crashed => "the page crashed",
        Ended::Lost => "the browser ended",
        Ended::Encoder => "the encoder failed",
    }
}

pub(super) fn capture_message(error: &CaptureError) -> Message {
    const AGAIN: &str = "start a new trace";
    match error {
        CaptureError::AlreadyRunning(tab) => Message::new(
            ErrorName::AlreadyRunning,
            format!("a capture is already running in tab {tab}"),
            "stop it first, or capture another tab",
        ),
        CaptureError::NotStarted { tab, others } => Message::new(
            ErrorName::NotStarted,
            not_started(*tab, others),
            "start a capture first, then make the requests",
        ),
        CaptureError::TraceRefused(error) => Message::new(
            ErrorName::TraceFailed,
            format!("the trace could not be started: {error}"),
            "a browser records one trace at a time: stop the other one first",
        ),
        CaptureError::TraceLost(error) => Message::new(
            ErrorName::TraceFailed,
            format!("the trace was lost: {error}"),
            "start a new trace, and stop it while its tab and the browser run: only then does the browser deliver it",
        ),
        CaptureError::TraceTimeout(after) => Message::new(
            ErrorName::Timeout,
            format!("the trace was lost: reading it timed out after {}", seconds(*after)),
            AGAIN,
        ),
        CaptureError::TraceTooLarge(bytes) => Message::new(
            ErrorName::TraceFailed,
            format!("the trace was lost: it is larger than {} MB", bytes >> 20),
            "start a new trace and stop it earlier",
        ),
        CaptureError::TraceInvalid(error) => {
            Message::new(ErrorName::TraceFailed, format!("the trace is not valid: {error}"), AGAIN)
        }
    }
}

fn not_started(tab: Option<TabId>, others: &[TabId]) -> String {
    let tab = tab.map(|tab| format!(" in tab {tab}")).unwrap_or_default();
    let others = match others {
        [] => String::new(),
        others => format!("; tabs with a capture: {}", joined(others)),
    };
    format!("no capture was started{tab}{others}")
}
