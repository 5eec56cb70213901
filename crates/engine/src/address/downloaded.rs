//! A downloaded document does not open as a local document, because its scripts would have a local document's
//! rights. It opens as a `data:` URL with an opaque origin: fewer rights than on its site.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{BadUrl, Error, FileError, Files, NavigationError, Result};

/// The largest such document, in bytes; base64 makes the URL a third larger.
const MOST: usize = 256 << 10;

/// Extensions of types that run no script as documents. Browsers go by the extension.
const INERT: &[&str] =
    &["png", "jpg", "jpeg", "gif", "webp", "pdf", "webm", "mp4", "txt", "csv", "json", "har", "zip"];

/// The `data:` URL to open instead, if the file is a download.
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
    let bytes = std::fs::read(real).map_err(|reason| {
        Error::File(FileError::Io { path: real.to_owned(), reason: std::sync::Arc::new(reason) })
    })?;
    if bytes.len() > MOST {
        return Err(Error::Navigation(NavigationError::BadUrl {
            url: format!("file://{}", real.display()),
            reason: BadUrl::DownloadTooLarge { most: MOST },
            meant: None,
        }));
    }
    Ok(Some(format!("data:{kind};base64,{}", STANDARD.encode(bytes))))
}
