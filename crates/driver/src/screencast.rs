use std::{sync::Arc, time::SystemTime};

use async_trait::async_trait;

use crate::{Result, Size};

/// Streams frames of a page: a new one after every change.
#[async_trait]
pub trait Screencast: Send + Sync {
    /// Starts streaming frames that fit into this size. A page has one stream: a second start replaces the first.
    async fn start_screencast(&self, fit: Size, sink: FrameSink) -> Result<()>;
    /// Stops streaming.
    async fn stop_screencast(&self) -> Result<()>;
}

/// Receives the frames, in order. It must not block.
pub type FrameSink = Arc<dyn Fn(ScreencastFrame) + Send + Sync>;

/// One frame of a screencast.
#[derive(Debug, Clone)]
pub struct ScreencastFrame {
    /// The image, as JPEG.
    pub jpeg: Vec<u8>,
    /// When it was captured.
    pub at: SystemTime,
}
