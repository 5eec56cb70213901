//! Video, encoded by the browser in a hidden page.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{PageDriver, Size};
use cicerone_media::{VideoChunk, WebmWriter};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::RecordError;
use crate::{Context, Deadline, Error, Result, injected::parse_reply};

/// An origin of our own, because encoders need a secure context. No request leaves the browser.
const ORIGIN: &str = "https://recorder.invalid";

/// Time limit for a frame.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A video being encoded.
pub(crate) struct Video {
    page: Arc<dyn PageDriver>,
    webm: WebmWriter,
}

#[derive(Deserialize)]
struct BeginReply {
    codec: Option<String>,
}

#[derive(Deserialize)]
struct FrameReply {
    chunks: Vec<Chunk>,
}

#[derive(Deserialize)]
struct Chunk {
    data: String,
    key: bool,
    /// In microseconds.
    at: u64,
}

impl Video {
    /// Starts a video in a context.
    pub(crate) async fn begin(context: &Context, size: Size, fps: f64) -> Result<Self> {
        let driver = context.make().await?;
        let opened = Deadline::after(TIMEOUT).bound(driver.origin_page(ORIGIN)).await;
        let page = opened.ok_or(Error::BrowserSilent(TIMEOUT))??;
        let args = json!({ "width": size.width, "height": size.height, "fps": fps });
        let reply = ask::<BeginReply>(page.as_ref(), "videoBegin", &args).await;
        let codec = match reply.map(|reply| reply.codec) {
            Ok(Some(codec)) if codec == "vp9" => "V_VP9",
            Ok(Some(_)) => "V_VP8",
            Ok(None) => return Err(unsupported(page, "it has neither VP9 nor VP8 for it").await),
            Err(reason) => return Err(unsupported(page, &reason).await),
        };
        Ok(Self { page, webm: WebmWriter::new(size.width, size.height, codec) })
    }

    pub(crate) async fn add(&mut self, jpeg: &[u8], at: Duration) -> std::result::Result<(), RecordError> {
        let micros = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
        let args = json!({ "data": STANDARD.encode(jpeg), "at": micros });
        let encoded: FrameReply = ask(self.page.as_ref(), "videoFrame", &args)
            .await
            .map_err(|reason| RecordError::NoEncoder(reason.into()))?;
        for Chunk { data, key, at } in encoded.chunks {
            let data =
                STANDARD.decode(data).map_err(|error| RecordError::NoEncoder(error.to_string().into()))?;
            self.webm.add(VideoChunk { data, key, at: Duration::from_micros(at) });
        }
        Ok(())
    }

    /// The file and its number of frames.
    pub(crate) async fn finish(self, last: Duration) -> std::result::Result<(Vec<u8>, usize), RecordError> {
        close(self.page).await;
        match self.webm.count() {
            0 => Err(RecordError::Empty),
            frames => Ok((self.webm.finish(last), frames)),
        }
    }
}

async fn unsupported(page: Arc<dyn PageDriver>, reason: &str) -> Error {
    close(page).await;
    Error::Record(RecordError::NoEncoder(reason.into()))
}

async fn close(page: Arc<dyn PageDriver>) {
    // If the browser has ended, the page is closed already.
    let closing = Deadline::after(TIMEOUT).bound(page.close()).await;
    if let Some(Err(error)) = closing {
        tracing::debug!(%error, "the page that encodes could not be closed");
    }
}

/// Calls the injected script of the page; fails with its message or the browser's.
async fn ask<T: DeserializeOwned>(
    page: &dyn PageDriver,
    function: &'static str,
    args: &Value,
) -> std::result::Result<T, String> {
    let frame = page.main_frame();
    let args = args.to_string();
    let answer = Deadline::after(TIMEOUT).bound(page.call(&frame, function, &args)).await;
    let answer = answer.ok_or_else(|| format!("it timed out after {} s", TIMEOUT.as_secs()))?;
    let answer = answer.map_err(|error| error.to_string())?;
    parse_reply(&answer).map_err(|failure| failure.into_error().to_string())
}
