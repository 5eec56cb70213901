//! Screencast frames of a page.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{FrameSink, Result, Screencast, ScreencastFrame, Size, lock};
use cicerone_wire::Session;

use crate::{
    page::ChromiumPage,
    protocol::page::{self, ScreencastFrameAck, StartScreencast, StopScreencast},
};

/// Recordings scale and compress the frames, so little quality may be lost here.
const QUALITY: u8 = 90;

#[async_trait]
impl Screencast for ChromiumPage {
    async fn start_screencast(&self, fit: Size, sink: FrameSink) -> Result<()> {
        *lock(&self.screencast) = Some(sink);
        let start = StartScreencast {
            format: "jpeg",
            quality: QUALITY,
            max_width: fit.width,
            max_height: fit.height,
        };
        self.send(&start).await.map(drop)
    }

    async fn stop_screencast(&self) -> Result<()> {
        *lock(&self.screencast) = None;
        self.send(&StopScreencast {}).await.map(drop)
    }
}

/// A frame came. It is acknowledged at once: the browser drops frames while two are unacknowledged.
pub(crate) fn frame(page: &ChromiumPage, session: &Session, frame: &page::ScreencastFrame) {
    session.tell(&ScreencastFrameAck { session_id: frame.session_id });
    let sink = lock(&page.screencast).clone();
    let (Some(sink), Ok(jpeg)) = (sink, STANDARD.decode(&frame.data)) else { return };
    let at = frame.metadata.timestamp.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let at = at.map_or_else(SystemTime::now, |since| SystemTime::UNIX_EPOCH + since);
    sink(ScreencastFrame { jpeg, at });
}
