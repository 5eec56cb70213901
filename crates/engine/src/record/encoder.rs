//! Makes a file of frames as they come, off the main thread.

use std::{sync::Arc, time::Duration};

use cicerone_driver::Size;
use cicerone_media::{BadPicture, GifWriter, Overlay, Picture};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{RecordError, video::Video};

/// How many frames may wait for the encoder.
const WAITING: usize = 8;

/// How long the last frame is shown, at least.
const LAST: Duration = Duration::from_secs(1);

/// A frame that is to be encoded.
pub(crate) struct Frame {
    /// The page, as JPEG or PNG.
    pub(crate) picture: Arc<[u8]>,
    /// The width of the page in CSS pixels.
    pub(crate) page_width: u32,
    /// What is drawn onto it.
    pub(crate) overlays: Vec<Overlay>,
    /// When it is shown, from the beginning.
    pub(crate) at: Duration,
}

/// What the frames become.
pub(crate) enum Encoder {
    /// A GIF, made here.
    Gif(GifWriter),
    /// A video, encoded by the browser.
    Video(Video),
}

/// A file that is being made: where its frames go, and where it comes out.
pub(crate) struct Encoding {
    pub(crate) frames: mpsc::Sender<Frame>,
    pub(crate) file: JoinHandle<Result<EncodedFile, RecordError>>,
}

/// A file that was made.
#[derive(Debug, Clone)]
pub(crate) struct EncodedFile {
    pub(crate) bytes: Arc<[u8]>,
    /// How many frames it has.
    pub(crate) frames: usize,
}

/// Begins to encode.
pub(crate) fn encode(encoder: Encoder, size: Size) -> Encoding {
    let (frames, coming) = mpsc::channel(WAITING);
    Encoding { frames, file: tokio::spawn(run(encoder, size, coming)) }
}

async fn run(
    mut encoder: Encoder,
    size: Size,
    mut coming: mpsc::Receiver<Frame>,
) -> Result<EncodedFile, RecordError> {
    let mut last = Duration::ZERO;
    let mut failed = None;
    while let Some(frame) = coming.recv().await {
        let since = frame.at.saturating_sub(last);
        last = frame.at;
        let added;
        (encoder, added) = encoder.add(frame, since, size).await;
        if let Err(error) = added {
            // What there is so far is still a file; whoever sends the next frame learns that it is not taken.
            tracing::debug!(%error, "a frame could not be encoded");
            failed = Some(error);
            break;
        }
    }
    coming.close();
    match encoder.finish().await {
        Err(RecordError::Empty) => Err(failed.unwrap_or(RecordError::Empty)),
        made => made,
    }
}

impl Encoder {
    async fn add(self, frame: Frame, since: Duration, size: Size) -> (Self, Result<(), RecordError>) {
        match self {
            Self::Gif(mut gif) => {
                let added = tokio::task::spawn_blocking(move || {
                    let added = composed(&frame, size).and_then(|picture| gif.add(picture, since));
                    (gif, added)
                });
                match added.await {
                    Ok((gif, added)) => (Self::Gif(gif), added.map_err(RecordError::Frame)),
                    Err(_) => (Self::Gif(empty(size)), Err(RecordError::Empty)),
                }
            }
            Self::Video(mut video) => {
                let at = frame.at;
                let jpeg = tokio::task::spawn_blocking(move || composed(&frame, size)?.jpeg(95)).await;
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
                let made = tokio::task::spawn_blocking(move || gif.finish(LAST)).await;
                (made.map_err(|_| RecordError::Empty)??, frames)
            }
            Self::Video(video) => video.finish(LAST).await?,
        };
        Ok(EncodedFile { bytes: bytes.into(), frames })
    }
}

pub(crate) fn empty(size: Size) -> GifWriter {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    GifWriter::new(side(size.width), side(size.height))
}

/// The page in a frame of this size, with what is drawn onto it.
fn composed(frame: &Frame, size: Size) -> Result<Picture, BadPicture> {
    let page = Picture::decode(&frame.picture)?;
    let per_css_pixel = f64::from(page.width()) / f64::from(frame.page_width.max(1));
    let (mut picture, placed) = page.fit(size.width, size.height)?;
    for overlay in &frame.overlays {
        picture.draw(overlay, per_css_pixel, Some(placed));
    }
    Ok(picture)
}
