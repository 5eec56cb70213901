use async_trait::async_trait;

use crate::{RequestId, Result};

/// Reads the request and response bodies of a page.
#[async_trait]
pub trait Bodies: Send + Sync {
    /// Starts keeping bodies. This costs memory, and time for every request, so an engine that does not keep bodies by
    /// default starts only here or when a body is first requested. Bodies of earlier requests are missing.
    async fn keep(&self) -> Result<()>;
    /// Stops keeping bodies, if the engine keeps them only on request.
    async fn release(&self) -> Result<()>;
    /// The request's body, if it has at most `most` bytes.
    async fn request(&self, id: &RequestId, most: usize) -> Result<Body>;
    /// The decoded response body, if it has at most `most` bytes. Available once the request has ended.
    async fn response(&self, id: &RequestId, most: usize) -> Result<Body>;
}

/// A request or response body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The bytes.
    Content(Vec<u8>),
    /// Larger than the requested limit.
    TooLarge,
    /// Not available: nothing was sent, the request is still running, or the browser did not keep the body (too large,
    /// or its document is gone).
    Missing,
}

impl Body {
    /// The bytes as content, or `TooLarge` if there are more than `most`.
    pub fn of(bytes: Vec<u8>, most: usize) -> Self {
        if bytes.len() > most { Self::TooLarge } else { Self::Content(bytes) }
    }
}
