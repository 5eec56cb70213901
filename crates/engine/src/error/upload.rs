use std::time::Duration;

use crate::Element;

/// Why files were not uploaded.
#[derive(Debug, Clone)]
pub enum UploadError {
    /// The page has no file field and did not open a file chooser.
    NoFileField,
    /// The page has several file fields.
    SeveralFileFields {
        /// Their number.
        count: usize,
        /// The first few.
        fields: Vec<Element>,
    },
    /// The field takes one file.
    OneFileOnly(Option<Box<Element>>),
    /// The element is not a file field.
    NotForFiles(Box<Element>),
    /// The files exceed what can be transferred into a page.
    TooLarge {
        /// The limit in bytes.
        most: usize,
    },
    /// A file could not be fetched.
    NotFetched {
        url: String,
        /// Why not.
        reason: FetchFailure,
    },
}

/// Why a file could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchFailure {
    /// The server did not answer in time.
    Timeout(Duration),
    /// The HTTP status is not a success.
    Status(u16),
    /// The browser's message.
    Failed(String),
}
