//! Request and response bodies. The browser keeps them, in each session for the frames and workers of that
//! session.

use async_trait::async_trait;
use base64::Engine as _;
use cicerone_driver::{Bodies, Body, DriverError, RequestId, Result, lock};
use cicerone_wire::{Command, WireError};

use crate::{
    page::{ChromiumPage, failed},
    protocol::network::{GetRequestPostData, GetResponseBody},
};

impl ChromiumPage {
    /// The answer of the session that has the body; `None` if none has it.
    async fn ask_sessions<C: Command + Sync>(&self, command: &C) -> Result<Option<C::Reply>> {
        self.lifecycle.alive()?;
        let workers = lock(&self.workers).clone();
        let sessions = std::iter::once(self.session.clone()).chain(self.frame_sessions()).chain(workers);
        for session in sessions {
            match session.send(command).await {
                Ok(reply) => return Ok(Some(reply)),
                Err(WireError::Refused { .. }) => {}
                // A closed frame loses its bodies; a closed page loses all.
                Err(WireError::Lost { .. }) => self.lifecycle.alive()?,
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(None)
    }
}

#[async_trait]
impl Bodies for ChromiumPage {
    async fn keep(&self) -> Result<()> {
        self.lifecycle.alive()
    }

    async fn release(&self) -> Result<()> {
        Ok(())
    }

    async fn request(&self, id: &RequestId, most: usize) -> Result<Body> {
        let command = GetRequestPostData { request_id: id.as_str() };
        match self.ask_sessions(&command).await? {
            Some(sent) => Ok(Body::of(bytes(sent.post_data, sent.base64_encoded)?, most)),
            None => Ok(Body::Missing),
        }
    }

    async fn response(&self, id: &RequestId, most: usize) -> Result<Body> {
        let command = GetResponseBody { request_id: id.as_str() };
        match self.ask_sessions(&command).await? {
            Some(came) => Ok(Body::of(bytes(came.body, came.base64_encoded)?, most)),
            None => Ok(Body::Missing),
        }
    }
}

fn bytes(text: String, base64_encoded: bool) -> Result<Vec<u8>> {
    if !base64_encoded {
        return Ok(text.into_bytes());
    }
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| DriverError::Refused {
        command: "Network.getResponseBody",
        message: "the body is not base64".into(),
    })
}
