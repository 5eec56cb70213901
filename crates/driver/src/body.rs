use async_trait::async_trait;

use crate::{RequestId, Result};

/// The power to read what was sent with the requests of a page, and what came back.
#[async_trait]
pub trait Bodies: Send + Sync {
    /// Has the browser keep bodies from now on. That takes memory, and time for every request; so an engine that keeps
    /// none by itself begins with it only here, or when a body is first asked for. Those of earlier requests are missing.
    async fn keep(&self) -> Result<()>;
    /// Has the browser keep none any more, where it keeps them only when asked to.
    async fn release(&self) -> Result<()>;
    /// What was sent with a request, unless it is larger than this.
    async fn request(&self, id: &RequestId, most: usize) -> Result<Body>;
    /// What a request was answered with, decoded, unless it is larger than this. It is there when the request has ended.
    async fn response(&self, id: &RequestId, most: usize) -> Result<Body>;
}

/// What was sent, or came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// It is there.
    Content(Vec<u8>),
    /// It is larger than it may be.
    TooLarge,
    /// There is none, not yet or no more: nothing was sent, the request is under way, or the browser did not keep it, since
    /// it was too large for that or its document is gone.
    Missing,
}

impl Body {
    /// These bytes, if they are not too many.
    pub fn of(bytes: Vec<u8>, most: usize) -> Self {
        if bytes.len() > most { Self::TooLarge } else { Self::Content(bytes) }
    }
}
