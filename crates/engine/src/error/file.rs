use std::{path::PathBuf, sync::Arc};

/// Why a local file was not read, written or opened.
#[derive(Debug, Clone)]
pub enum FileError {
    /// It is outside the allowed directories.
    Outside(PathBuf),
    /// It is in a `.git` directory.
    Repository(PathBuf),
    /// It exists and was not written by this process.
    Exists(PathBuf),
    /// The system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: Arc<std::io::Error>,
    },
    /// `file:` URLs are not allowed.
    UrlsOff(String),
    /// The page navigated to a local file that it may not show.
    Withheld(String),
    /// A local page led to a download, which would run with the rights of a local file.
    DownloadWithheld(String),
}
