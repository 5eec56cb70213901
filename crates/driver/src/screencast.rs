use std::{sync::Arc, time::SystemTime};

use async_trait::async_trait;

use crate::{Result, Size};

/// The power to stream pictures of a page: a new one whenever it has changed.
#[async_trait]
pub trait Screencast: Send + Sync {
    /// Starts the stream with pictures that fit into this size. There is one stream a page: a second start replaces the
    /// first.
    async fn start_screencast(&self, fit: Size, sink: FrameSink) -> Result<()>;
    /// Ends the stream.
    async fn stop_screencast(&self) -> Result<()>;
}

/// Where the pictures go. It is called in their order and must not block.
pub type FrameSink = Arc<dyn Fn(ScreencastFrame) + Send + Sync>;

/// One picture of a stream.
#[derive(Debug, Clone)]
pub struct ScreencastFrame {
    /// The picture, as JPEG.
    pub jpeg: Vec<u8>,
    /// When the page looked so.
    pub at: SystemTime,
}
