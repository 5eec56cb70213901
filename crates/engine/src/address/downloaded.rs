//! What a site has sent for download is not opened as a local document: its scripts would have the rights of one. It is
//! opened as a `data:` URL, so as a document of no origin, with less than it had on its site.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{Error, Files, Result};

/// The largest document that is opened so: its URL is as large, and a third more.
const MOST: usize = 256 << 10;

/// Types that run no script as documents, by the ending of the file's name, by which browsers know them.
const INERT: &[&str] =
    &["png", "jpg", "jpeg", "gif", "webp", "pdf", "webm", "mp4", "txt", "csv", "json", "har", "zip"];

/// The URL to open in place of the file's own, where it was downloaded.
pub(super) fn as_data(real: &Path, files: &Files) -> Result<Option<String>> {
    let ending = real.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !files.is_output(real) || INERT.contains(&ending.as_str()) {
        return Ok(None);
    }
    let kind = match ending.as_str() {
        "html" | "htm" | "xhtml" | "xht" | "shtml" => "text/html",
        "svg" => "image/svg+xml",
        "xml" => "text/xml",
        _ => "text/plain",
    };
    let bytes = std::fs::read(real)
        .map_err(|reason| Error::File { path: real.to_owned(), reason: std::sync::Arc::new(reason) })?;
    if bytes.len() > MOST {
        return Err(Error::BadUrl {
            url: format!("file://{}", real.display()),
            reason: "a downloaded document is opened only up to 256 KB",
            meant: None,
            forbidden: true,
        });
    }
    Ok(Some(format!("data:{kind};base64,{}", STANDARD.encode(bytes))))
}
