use std::sync::Arc;

use crate::TabId;

/// Why there is no recording.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RecordError {
    /// The tab is recorded already.
    #[error("tab {0} is being recorded already")]
    Started(TabId),
    /// Nothing is recorded.
    #[error("no recording was started{}", others(.0))]
    NotStarted(Vec<TabId>),
    /// It takes no more frames.
    #[error("the recording has ended: {0}")]
    Ended(Ended),
    /// There is nothing to make a file of.
    #[error("the recording has no frames")]
    Empty,
    /// A frame could not be made.
    #[error("a frame could not be made: {0}")]
    Frame(#[from] cicerone_media::BadPicture),
    /// The browser has no encoder for it.
    #[error("the browser cannot encode video of this size: {0}")]
    NoEncoder(Arc<str>),
}

/// Why a recording ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// It was as long as it may be.
    #[error("max_duration is reached")]
    Duration,
    /// It had as many frames as it may have.
    #[error("max_frames is reached")]
    Frames,
    /// The tab was closed.
    #[error("the tab was closed")]
    Closed,
    /// The page crashed.
    #[error("the page crashed")]
    Crashed,
    /// The browser ended.
    #[error("the browser ended")]
    Lost,
    /// Its frames could not be encoded any more.
    #[error("the encoder failed")]
    Encoder,
}

fn others(tabs: &[TabId]) -> String {
    match tabs {
        [] => String::new(),
        tabs => {
            let tabs: Vec<String> = tabs.iter().map(ToString::to_string).collect();
            format!(" for this tab; recorded: {}", tabs.join(", "))
        }
    }
}

impl RecordError {
    /// A short name that does not change with the wording.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Started(_) => "AlreadyRecording",
            Self::NotStarted(_) => "NotRecording",
            Self::Ended(_) => "RecordingEnded",
            Self::Empty => "NoFrames",
            Self::Frame(_) => "BadPicture",
            Self::NoEncoder(_) => "Unsupported",
        }
    }

    /// What to do next.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Started(_) => "stop it first",
            Self::NotStarted(_) => "start one first, or give the tabId of the tab that is recorded",
            Self::Ended(_) => "stop it to get what was recorded, then start another one",
            Self::Empty => "capture a frame or act on the page before it is stopped",
            Self::Frame(_) => "stop the recording and start another one",
            Self::NoEncoder(_) => "record a GIF, or choose another size",
        }
    }
}
