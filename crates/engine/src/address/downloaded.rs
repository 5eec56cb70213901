//! A downloaded document does not open as a local document, because its scripts would have a local document's
//! rights. It opens as a `data:` URL with an opaque origin: fewer rights than on its site. Reached by a link or in a
//! frame of a local page, it is not shown (`local_files.rs`).

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{BadUrl, Error, FileError, Files, NavigationError, Result};

/// The largest such document, in bytes; base64 makes the URL a third larger.
const MOST: usize = 256 << 10;

/// Extensions of types that run no script as documents. Browsers go by the extension, and guess the type of those that
/// they do not know from the content.
const INERT: &[&str] =
    &["png", "jpg", "jpeg", "gif", "webp", "pdf", "webm", "mp4", "txt", "csv", "json", "zip"];

/// Whether a file is a download whose scripts would run if it were opened as a document.
pub(crate) fn is_active(real: &Path, files: &Files) -> bool {
    files.is_output(real) && !INERT.contains(&extension(real).as_str())
}

fn extension(real: &Path) -> String {
    real.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

/// The `data:` URL to open instead, if the file is such a download.
pub(super) fn as_data(real: &Path, files: &Files) -> Result<Option<String>> {
    if !is_active(real, files) {
        return Ok(None);
    }
    let kind = match extension(real).as_str() {
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
