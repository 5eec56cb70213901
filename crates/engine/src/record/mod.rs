//! Recordings of a tab: frames with overlays of the actions, saved as a file.
//!
//! A recorder task takes the frames, an encoder task encodes them as they arrive, off the async thread. Both
//! outlive the tab and the browser, so that the recording can still be saved.

mod encoder;
mod error;
mod pictures;
mod recorder;
mod registry;
mod source;
mod trail;
mod video;

use std::{path::PathBuf, time::Duration};

use cicerone_driver::Size;

pub use error::{Ended, RecordError};
pub(crate) use registry::Recordings;
pub use registry::{ActionMark, Recorded};
pub(crate) use trail::Trail;

/// Options of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordOptions {
    /// When to take frames.
    pub mode: RecordMode,
    /// The file format.
    pub format: RecordFormat,
    /// Frames per second in [`RecordMode::FixedFps`].
    pub fps: f64,
    /// The longest duration.
    pub max_duration: Duration,
    /// The most frames.
    pub max_frames: usize,
    /// The frame size.
    pub size: Size,
    /// What to draw onto the frames.
    pub overlays: Overlays,
    /// The file to save it to, if already known.
    pub save_path: Option<PathBuf>,
}

/// When to take frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordMode {
    /// At regular intervals.
    FixedFps,
    /// After each action.
    AutoCapture,
}

/// The file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    Gif,
    WebM,
}

impl RecordFormat {
    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::WebM => "webm",
        }
    }
}

/// What to draw onto the frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlays {
    /// Marks for mouse clicks.
    pub click_indicators: bool,
    /// Paths of drags.
    pub drag_paths: bool,
    /// Descriptions of actions.
    pub action_labels: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { click_indicators: true, drag_paths: true, action_labels: true }
    }
}

/// The status of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordStatus {
    pub options: RecordOptions,
    /// Frames taken.
    pub frames: usize,
    /// Frames missed.
    pub missed: usize,
    /// Its duration so far.
    pub duration: Duration,
    /// Why it takes no more frames.
    pub ended: Option<Ended>,
}
