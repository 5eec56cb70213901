//! What was sent and came back. The browser keeps responses by itself, as long as their document; what was sent is in the
//! request's own event.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Bodies, Body, DriverError, RequestId, Result};

use crate::{
    page::{WebKitPage, lock},
    protocol::network::GetResponseBody,
};

#[async_trait]
impl Bodies for WebKitPage {
    async fn keep(&self) -> Result<()> {
        self.lifecycle.alive()
    }

    async fn release(&self) -> Result<()> {
        Ok(())
    }

    async fn request(&self, id: &RequestId, most: usize) -> Result<Body> {
        let sent = lock(&self.sent).get(own(id)).cloned();
        Ok(sent.map_or(Body::Missing, |bytes| Body::of(bytes, most)))
    }

    async fn response(&self, id: &RequestId, most: usize) -> Result<Body> {
        let came = match self.send(&GetResponseBody { request_id: own(id) }).await {
            Ok(came) => came,
            // The browser refuses both what it does not have and what is empty.
            Err(DriverError::Refused { .. }) if lock(&self.without_bytes).contains(own(id)) => {
                return Ok(Body::of(Vec::new(), most));
            }
            Err(DriverError::Refused { .. }) => return Ok(Body::Missing),
            Err(error) => return Err(error),
        };
        if !came.base64_encoded {
            return Ok(Body::of(came.body.into_bytes(), most));
        }
        let bytes = STANDARD.decode(came.body).map_err(|_| DriverError::Refused {
            command: "Network.getResponseBody",
            message: "the body is not base64".into(),
        })?;
        Ok(Body::of(bytes, most))
    }
}

/// What the inspector calls a request.
fn own(id: &RequestId) -> &str {
    id.as_str().rsplit('/').next().unwrap_or_default()
}
