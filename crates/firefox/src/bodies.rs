//! Request and response bodies. Firefox keeps them only while a data collector exists.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Bodies, Body, DriverError, Feature, RequestId, Result, lock};
use cicerone_wire::WireError;

use crate::{
    page::FirefoxPage,
    protocol::network::{AddDataCollector, BytesValue, GetData, RemoveDataCollector},
};

/// The largest body that is kept.
const LARGEST: u32 = 20 << 20;

/// The browser's error for a body that it does not have.
const MISSING: [&str; 2] = ["no such network data", "unavailable network data"];

impl FirefoxPage {
    /// Bodies of a closed page are lost.
    pub(crate) fn stop_keeping(&self) {
        self.drop_collector();
        if let Some(Some(collector)) = self.requests.sent_collector.get() {
            self.root.tell(&RemoveDataCollector { collector });
        }
    }

    fn drop_collector(&self) {
        if let Ok(mut collector) = self.requests.collector.try_lock()
            && let Some(collector) = collector.take()
        {
            self.root.tell(&RemoveDataCollector { collector: &collector });
        }
    }

    /// The body of a request that is being intercepted; `None` if the browser no longer has it.
    pub(crate) async fn sent_body(&self, request: &str) -> Result<Option<Vec<u8>>> {
        match self.lifecycle.unless_ended(self.root.send(&GetData { data_type: "request", request })).await? {
            Ok(data) => Ok(Some(bytes(data.bytes))),
            Err(WireError::Refused { kind, .. }) if MISSING.contains(&kind.as_str()) => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Collects the bodies that the page's requests send. Older versions cannot: then requests with a
    /// body cannot be redirected.
    pub(crate) async fn keep_sent_bodies(&self) -> Result<()> {
        let command = AddDataCollector {
            data_types: &["request"],
            max_encoded_data_size: LARGEST,
            contexts: [self.context()],
        };
        let begin = async || match self.lifecycle.unless_ended(self.root.send(&command)).await? {
            Ok(added) => Ok(Some(added.collector)),
            Err(WireError::Refused { kind, .. }) if kind == "unknown command" => Ok(None),
            Err(error) => Err(self.failed(error)),
        };
        self.requests.sent_collector.get_or_try_init(begin).await.map(drop)
    }

    async fn body(&self, data_type: &'static str, id: &RequestId, most: usize) -> Result<Body> {
        self.keep().await?;
        let command = GetData { data_type, request: id.as_str() };
        match self.lifecycle.unless_ended(self.root.send(&command)).await? {
            Ok(data) => Ok(Body::of(bytes(data.bytes), most)),
            Err(WireError::Refused { kind, .. }) if MISSING.contains(&kind.as_str()) => Ok(Body::Missing),
            Err(error) => Err(self.failed(error)),
        }
    }
}

#[async_trait]
impl Bodies for FirefoxPage {
    async fn keep(&self) -> Result<()> {
        self.lifecycle.alive()?;
        let mut collector = self.requests.collector.lock().await;
        if collector.is_none() {
            let contexts = [self.context()];
            let data_types = &["request", "response"];
            let command = AddDataCollector { data_types, max_encoded_data_size: LARGEST, contexts };
            *collector = Some(match self.lifecycle.unless_ended(self.root.send(&command)).await? {
                Ok(added) => added.collector,
                // Versions before 143.
                Err(WireError::Refused { kind, .. }) if kind == "unknown command" => {
                    return Err(DriverError::Unsupported(Feature::Bodies));
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
        // The browser would answer only when the response has ended.
        let under_way = lock(&self.requests.under_way).contains(id);
        if under_way { Ok(Body::Missing) } else { self.body("response", id, most).await }
    }
}

/// Firefox returns bodies of non-text media types as base64, but decodes them as UTF-8 where it can, and does
/// not encode characters beyond one byte. So what cannot be decoded is text. (Text that it can encode keeps
/// one byte per character.)
fn bytes(value: BytesValue) -> Vec<u8> {
    match value.kind.as_str() {
        "base64" => STANDARD.decode(&value.value).unwrap_or_else(|_| value.value.into_bytes()),
        _ => value.value.into_bytes(),
    }
}
