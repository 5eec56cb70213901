use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{DriverError, Fetched, Result};
use serde::Deserialize;

/// The injected script's answer to `load`: what a document fetched.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FetchResult {
    /// It came, in base64.
    Content {
        /// The type that the server gave it.
        mime: Option<String>,
        /// All of it.
        data: String,
    },
    /// The server answered with an error.
    Status(u16),
    /// There is more than was wanted.
    TooLarge,
    /// The document's words for why it did not come.
    Failed(String),
}

impl FetchResult {
    /// The same for the driver's caller. A browser may know more about a failure than the document: `explain` gets the
    /// document's words.
    pub fn into_fetched(self, explain: impl FnOnce(String) -> String) -> Result<Fetched> {
        Ok(match self {
            Self::Content { mime, data } => {
                let bytes = STANDARD.decode(data).map_err(|_| DriverError::Refused {
                    command: "the injected function",
                    message: "the response body is not base64".into(),
                })?;
                Fetched::Content { mime, bytes }
            }
            Self::Status(status) => Fetched::Status(status),
            Self::TooLarge => Fetched::TooLarge,
            Self::Failed(words) => Fetched::Failed(explain(words)),
        })
    }
}
