//! Encodes frames as they arrive, off the async thread.

use std::{sync::Arc, time::Duration};

use cicerone_driver::Size;
use cicerone_media::{BadPicture, GifWriter, Overlay, Picture};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{RecordError, video::Video};

/// The most frames queued for the encoder.
const QUEUE_SIZE: usize = 8;

/// The least display time of the last frame.
const LAST_FRAME: Duration = Duration::from_secs(1);

/// A frame to encode.
pub(crate) struct Frame {
    /// The page as JPEG or PNG.
    pub(crate) picture: Arc<[u8]>,
    /// The page's width in CSS pixels.
    pub(crate) page_width: u32,
    /// What to draw onto it.
    pub(crate) overlays: Vec<Overlay>,
    /// Its display time, from the beginning.
    pub(crate) at: Duration,
}

/// The encoder of a recording.
pub(crate) enum Encoder {
    /// A GIF, encoded here.
    Gif(GifWriter),
    /// A video, encoded by the browser.
    Video(Video),
}

/// A running encoding: the frame queue and the resulting file.
pub(crate) struct Encoding {
    pub(crate) frames: mpsc::Sender<Frame>,
    pub(crate) file: JoinHandle<Result<EncodedFile, RecordError>>,
}

#[derive(Debug, Clone)]
pub(crate) struct EncodedFile {
    pub(crate) bytes: Arc<[u8]>,
    /// Its number of frames.
    pub(crate) frames: usize,
}

/// Starts to encode.
pub(crate) fn encode(encoder: Encoder, size: Size) -> Encoding {
    let (frames, queue) = mpsc::channel(QUEUE_SIZE);
    Encoding { frames, file: tokio::spawn(run(encoder, size, queue)) }
}

async fn run(
    mut encoder: Encoder,
    size: Size,
    mut queue: mpsc::Receiver<Frame>,
) -> Result<EncodedFile, RecordError> {
    let mut last = Duration::ZERO;
    let mut failed = None;
    while let Some(frame) = queue.recv().await {
        let since = frame.at.saturating_sub(last);
        last = frame.at;
        let added;
        (encoder, added) = encoder.add(frame, since, size).await;
        if let Err(error) = added {
            // The frames so far are still a file; the next sender learns that the queue is closed.
            tracing::debug!(?error, "a frame could not be encoded");
            failed = Some(error);
            break;
        }
    }
    queue.close();
    match encoder.finish().await {
        Err(RecordError::Empty) => Err(failed.unwrap_or(RecordError::Empty)),
        encoded => encoded,
    }
}

impl Encoder {
    async fn add(self, frame: Frame, since: Duration, size: Size) -> (Self, Result<(), RecordError>) {
        match self {
            Self::Gif(mut gif) => {
                let added = tokio::task::spawn_blocking(move || {
                    let added = compose(&frame, size).and_then(|picture| gif.add(picture, since));
                    (gif, added)
                });
                match added.await {
                    Ok((gif, added)) => (Self::Gif(gif), added.map_err(RecordError::Frame)),
                    Err(_) => (Self::Gif(empty_gif(size)), Err(RecordError::Empty)),
                }
            }
            Self::Video(mut video) => {
                let at = frame.at;
                let jpeg = tokio::task::spawn_blocking(move || compose(&frame, size)?.jpeg(95)).await;
                let added = match jpeg {
                    Ok(Ok(jpeg)) => video.add(&jpeg, at).await,
                    Ok(Err(error)) => Err(RecordError::Frame(error)),
                    Err(_) => Err(RecordError::Empty),
                };
                (Self::Video(video), added)
            }
        }
    }

    async fn finish(self) -> Result<EncodedFile, RecordError> {
        let (bytes, frames) = match self {
            Self::Gif(gif) if gif.count() == 0 => return Err(RecordError::Empty),
            Self::Gif(gif) => {
                let frames = gif.count();
                let encoded = tokio::task::spawn_blocking(move || gif.finish(LAST_FRAME)).await;
                (encoded.map_err(|_| RecordError::Empty)?.map_err(RecordError::Frame)?, frames)
            }
            Self::Video(video) => video.finish(LAST_FRAME).await?,
        };
        Ok(EncodedFile { bytes: bytes.into(), frames })
    }
}

pub(crate) fn empty_gif(size: Size) -> GifWriter {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    GifWriter::new(side(size.width), side(size.height))
}

/// The page scaled to the frame size, with overlays.
fn compose(frame: &Frame, size: Size) -> Result<Picture, BadPicture> {
    let page = Picture::decode(&frame.picture)?;
    let per_css_pixel = f64::from(page.width()) / f64::from(frame.page_width.max(1));
    let (mut picture, placed) = page.fit(size.width, size.height)?;
    for overlay in &frame.overlays {
        picture.draw(overlay, per_css_pixel, Some(placed));
    }
    Ok(picture)
}
