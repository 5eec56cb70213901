//! Reads a body up to a limit, decompressed.

use std::io::Write;

use bytes::Bytes;
use flate2::write::GzDecoder;
use http_body_util::BodyExt;
use hyper::{
    body::Incoming,
    header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap},
};

use crate::{HttpError, error::broken};

pub(crate) struct Read {
    pub(crate) bytes: Vec<u8>,
    /// Whether it is complete.
    pub(crate) complete: bool,
    /// Its full length, if known.
    pub(crate) total: Option<u64>,
}

/// Decodes the body.
enum Decoder {
    AsIs(Vec<u8>),
    Gzip(Box<GzDecoder<Vec<u8>>>),
}

impl Decoder {
    fn of(headers: &HeaderMap) -> Self {
        let encoding =
            headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Self::Gzip(Box::new(GzDecoder::new(Vec::new()))),
            // Unrequested encodings are left as they are.
            _ => Self::AsIs(Vec::new()),
        }
    }

    fn take(&mut self, data: &Bytes) -> std::io::Result<()> {
        match self {
            Self::AsIs(bytes) => bytes.extend_from_slice(data),
            Self::Gzip(decoder) => decoder.write_all(data)?,
        }
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            Self::AsIs(bytes) => bytes.len(),
            Self::Gzip(decoder) => decoder.get_ref().len(),
        }
    }

    /// All of it, or what was received.
    fn finish(self, complete: bool) -> std::io::Result<Vec<u8>> {
        match self {
            Self::AsIs(bytes) => Ok(bytes),
            Self::Gzip(decoder) if complete => decoder.finish(),
            Self::Gzip(decoder) => Ok(decoder.get_ref().clone()),
        }
    }
}

pub(crate) async fn read(
    mut incoming: Incoming,
    headers: &HeaderMap,
    most: usize,
) -> Result<Read, HttpError> {
    let promised = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let mut decoder = Decoder::of(headers);
    let mut complete = true;
    let mut came = false;
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| broken(&error))?;
        let Some(data) = frame.data_ref() else { continue };
        came = came || !data.is_empty();
        decoder.take(data).map_err(|error| broken(&error))?;
        if decoder.len() > most {
            complete = false;
            break;
        }
    }
    let compressed = matches!(decoder, Decoder::Gzip(_));
    // An empty body is not a gzip file.
    let mut bytes = if came { decoder.finish(complete).map_err(|error| broken(&error))? } else { Vec::new() };
    // The last bytes may only appear at the end.
    complete = complete && bytes.len() <= most;
    let total = if complete { Some(bytes.len() as u64) } else { promised.filter(|_| !compressed) };
    bytes.truncate(most);
    Ok(Read { bytes, complete, total })
}
