use async_trait::async_trait;

use crate::Result;

/// Fetches as the browser would, with its cookies, outside the page.
#[async_trait]
pub trait Fetching: Send + Sync {
    /// Fetches a URL, up to `most` bytes.
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched>;
}

/// The result of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The response.
    Content {
        /// The `Content-Type` as sent.
        mime: Option<String>,
        /// The body.
        bytes: Vec<u8>,
    },
    /// The server refused with this status.
    Status(u16),
    /// Larger than the limit.
    TooLarge,
    /// It failed, with the browser's message.
    Failed(String),
}
