//! The owner element of a frame.

use cicerone_driver::{DriverError, FrameId, Result};
use serde_json::Value;

use crate::{
    page::FirefoxPage,
    protocol::{
        browsing_context::{ContextLocator, LocateNodes, OfContext},
        script::{LocalValue, SerializationOptions},
    },
};

impl FirefoxPage {
    /// The number of `frame`'s owner element in `parent`.
    pub(crate) async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        let locator = ContextLocator { kind: "context", value: OfContext { context: frame.as_str() } };
        let located = match self.send_to_document(&LocateNodes { context: parent.as_str(), locator }).await {
            // Firefox 140 has no context locator.
            Err(DriverError::Refused { .. }) => return self.frame_element_by_window(frame, parent).await,
            located => located?,
        };
        let element = located.nodes.into_iter().next().ok_or(DriverError::Gone)?;
        let arguments = [LocalValue::Node(&element.shared_id)];
        let function = "function(e){return cicerone.number(e)}";
        let answer =
            self.with_injected(parent, function, &arguments, SerializationOptions::default()).await?;
        answer.value.as_ref().and_then(number).ok_or(DriverError::Gone)
    }

    /// The same from the windows of all frames in `parent`: a serialised window includes its context.
    async fn frame_element_by_window(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        let function = "function(){return cicerone.frameWindows()}";
        let answer = self.with_injected(parent, function, &[], SerializationOptions::default()).await?;
        let pairs = answer.value.as_ref().and_then(Value::as_array).into_iter().flatten();
        let pairs = pairs.filter_map(|pair| pair["value"].as_array());
        let of_frame = |pair: &&Vec<Value>| {
            pair.get(1).is_some_and(|window| window["value"]["context"] == frame.as_str())
        };
        pairs.filter(of_frame).find_map(|pair| number(&pair.first()?["value"])).ok_or(DriverError::Gone)
    }
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}
