use std::sync::Arc;

use crate::TabId;

/// A failed recording.
#[derive(Debug, Clone)]
pub enum RecordError {
    /// The tab already has a recording.
    Started(TabId),
    /// No recording is running.
    NotStarted(Vec<TabId>),
    /// It takes no more frames.
    Ended(Ended),
    /// It has no frames.
    Empty,
    /// A frame could not be encoded.
    Frame(cicerone_media::BadPicture),
    /// The browser has no encoder for this size.
    NoEncoder(Arc<str>),
}

/// Why a recording ended before it was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The duration limit.
    Duration,
    /// The frame limit.
    Frames,
    /// The tab was closed.
    Closed,
    /// The page crashed.
    Crashed,
    /// The browser ended.
    Lost,
    /// The encoder failed.
    Encoder,
}
