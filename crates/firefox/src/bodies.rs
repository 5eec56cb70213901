//! What was sent and came back. The browser keeps it only where a collector was asked for.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Bodies, Body, DriverError, RequestId, Result};
use cicerone_wire::WireError;

use crate::{
    page::{FirefoxPage, lock},
    protocol::network::{AddDataCollector, BytesValue, GetData, RemoveDataCollector},
};

/// The largest body that is kept.
const LARGEST: u32 = 20 << 20;

/// What the browser says of bodies that it has not.
const MISSING: [&str; 2] = ["no such network data", "unavailable network data"];

impl FirefoxPage {
    /// What is kept of a page that is gone is of no use.
    pub(crate) fn stop_keeping(&self) {
        self.drop_collector();
        if let Some(Some(collector)) = self.sent_collector.get() {
            self.root.tell(&RemoveDataCollector { collector });
        }
    }

    fn drop_collector(&self) {
        if let Ok(mut collector) = self.collector.try_lock()
            && let Some(collector) = collector.take()
        {
            self.root.tell(&RemoveDataCollector { collector: &collector });
        }
    }

    /// What a request sends that waits to be decided about; nothing where the browser has it no more.
    pub(crate) async fn sent_body(&self, request: &str) -> Result<Option<Vec<u8>>> {
        match self.answer(self.root.send(&GetData { data_type: "request", request })).await? {
            Ok(data) => Ok(Some(bytes(data.bytes))),
            Err(WireError::Refused { kind, .. }) if MISSING.contains(&kind.as_str()) => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Has the browser keep what the page's requests send. Older ones cannot: requests that send something can then not be
    /// sent elsewhere, and all others can.
    pub(crate) async fn keep_sent_bodies(&self) -> Result<()> {
        let command = AddDataCollector {
            data_types: &["request"],
            max_encoded_data_size: LARGEST,
            contexts: [self.context()],
        };
        let begin = async || match self.answer(self.root.send(&command)).await? {
            Ok(added) => Ok(Some(added.collector)),
            Err(WireError::Refused { kind, .. }) if kind == "unknown command" => Ok(None),
            Err(error) => Err(self.failed(error)),
        };
        self.sent_collector.get_or_try_init(begin).await.map(drop)
    }

    async fn body(&self, data_type: &'static str, id: &RequestId, most: usize) -> Result<Body> {
        self.keep().await?;
        let command = GetData { data_type, request: id.as_str() };
        match self.answer(self.root.send(&command)).await? {
            Ok(data) => Ok(Body::of(bytes(data.bytes), most)),
            Err(WireError::Refused { kind, .. }) if MISSING.contains(&kind.as_str()) => Ok(Body::Missing),
            Err(error) => Err(self.failed(error)),
        }
    }
}

#[async_trait]
impl Bodies for FirefoxPage {
    async fn keep(&self) -> Result<()> {
        self.alive()?;
        let mut collector = self.collector.lock().await;
        if collector.is_none() {
            let contexts = [self.context()];
            let data_types = &["request", "response"];
            let command = AddDataCollector { data_types, max_encoded_data_size: LARGEST, contexts };
            *collector = Some(match self.answer(self.root.send(&command)).await? {
                Ok(added) => added.collector,
                // Versions before 143.
                Err(WireError::Refused { kind, .. }) if kind == "unknown command" => {
                    return Err(DriverError::Unsupported("keep bodies"));
                }
                Err(error) => return Err(self.failed(error)),
            });
        }
        Ok(())
    }

    async fn release(&self) -> Result<()> {
        self.drop_collector();
        Ok(())
    }

    async fn request(&self, id: &RequestId, most: usize) -> Result<Body> {
        self.body("request", id, most).await
    }

    async fn response(&self, id: &RequestId, most: usize) -> Result<Body> {
        // The browser would answer when it has ended.
        let under_way = lock(&self.under_way).contains(id);
        if under_way { Ok(Body::Missing) } else { self.body("response", id, most).await }
    }
}

/// Firefox takes a body of a media type that is not one of texts for base64, but reads it as UTF-8 where it can, and encodes
/// no character that is more than a byte. So what cannot be decoded is text. (What it can encode and was such a text,
/// a byte for each character is left of.)
fn bytes(value: BytesValue) -> Vec<u8> {
    match value.kind.as_str() {
        "base64" => STANDARD.decode(&value.value).unwrap_or_else(|_| value.value.into_bytes()),
        _ => value.value.into_bytes(),
    }
}
