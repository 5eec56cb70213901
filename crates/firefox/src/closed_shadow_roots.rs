//! Hands closed shadow roots to the injected script, for elements that may have one.

use async_trait::async_trait;
use cicerone_driver::{ClosedShadowRoots, FrameId, Result};

use crate::{
    page::FirefoxPage,
    protocol::script::{LocalValue, SerializationOptions},
};

#[async_trait]
impl ClosedShadowRoots for FirefoxPage {
    async fn report_closed_shadow_roots(&self, frame: &FrameId) -> Result<usize> {
        let options =
            SerializationOptions { max_dom_depth: 0, include_shadow_tree: "all", max_object_depth: None };
        let ask = "function(){return cicerone.candidates()}";
        let suspects = self.with_injected(frame, ask, &[], options).await?;
        let closed: Vec<&str> = suspects
            .value
            .iter()
            .flat_map(|list| list.as_array().into_iter().flatten())
            .map(|element| &element["value"]["shadowRoot"])
            .filter(|root| root["value"]["mode"] == "closed")
            .filter_map(|root| root["sharedId"].as_str())
            .collect();
        for roots in closed.chunks(500) {
            let roots: Vec<_> = roots.iter().map(|id| LocalValue::Node(id)).collect();
            let adopt = "function(...r){cicerone.adopt(...r);return 1}";
            self.with_injected(frame, adopt, &roots, SerializationOptions::default()).await?;
        }
        Ok(closed.len())
    }
}
