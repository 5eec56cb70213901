//! Recordings of a tab: frames of it, with what was done drawn onto them, as a file.
//!
//! A recorder task takes the frames, an encoder task makes the file of them while they come, off the main thread. Both
//! outlive the tab and the browser, so that what was caught can still be had.

mod encoder;
mod error;
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

/// What is recorded, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordOptions {
    /// When frames are taken.
    pub mode: RecordMode,
    /// What becomes of them.
    pub format: RecordFormat,
    /// How many frames a second has in [`RecordMode::FixedFps`].
    pub fps: f64,
    /// How long it may be.
    pub max_duration: Duration,
    /// How many frames it may have.
    pub max_frames: usize,
    /// The size of the frames.
    pub size: Size,
    /// What is drawn onto them.
    pub overlays: Overlays,
    /// The file that it is saved to, where that is known already.
    pub save_path: Option<PathBuf>,
}

/// When frames are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordMode {
    /// At regular intervals.
    FixedFps,
    /// After each action.
    AutoCapture,
}

/// What becomes of the frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// A GIF.
    Gif,
    /// A WebM.
    WebM,
}

impl RecordFormat {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::WebM => "webm",
        }
    }
}

/// What is drawn onto the frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlays {
    /// A mark where a mouse button was pressed.
    pub click_indicators: bool,
    /// The way that something was dragged.
    pub drag_paths: bool,
    /// What was done, in words.
    pub action_labels: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { click_indicators: true, drag_paths: true, action_labels: true }
    }
}

/// How far a recording is.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordStatus {
    /// How it was started.
    pub options: RecordOptions,
    /// How many frames it has.
    pub frames: usize,
    /// How many could not be taken.
    pub missed: usize,
    /// How long it has been going on.
    pub duration: Duration,
    /// Why it takes no more frames, if it does not.
    pub ended: Option<Ended>,
}
