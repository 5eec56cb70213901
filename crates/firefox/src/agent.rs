//! The in-page agent: its source, and how its functions are called.

use std::sync::LazyLock;

use cicerone_driver::{DriverError, FrameId, Result};
use cicerone_wire::WireError;

use crate::{
    page::FirefoxPage,
    protocol::script::{
        AddPreloadScript, CallFunction, ChannelValue, Evaluated, LocalValue, RemoteValue,
        SerializationOptions, Target,
    },
};

/// The bundle, made from `agent/` by `cargo xtask agent`, as a function. Where it is put into a document before its
/// scripts it gets the channel for moves, and does what this browser does not do by itself.
static SOURCE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "function(t){{{}\nif(t){{cicerone.moves(t);cicerone.drags();cicerone.lists()}}}}",
        include_str!("../../../agent/dist/agent.js")
    )
});

/// The channel through which the agent says where a document has moved to.
pub(crate) const MOVES: &str = "moves";

/// The name of the agent's sandbox. The page can neither see nor enter it.
const SANDBOX: &str = "cicerone";

/// Only an own property counts: an element with this id would answer to the name as well.
const CALL: &str = "function(f,a){return Object.hasOwn(globalThis,'cicerone')?cicerone.call(f,a):null}";

/// The command that puts the agent into every document.
pub(crate) fn settle_in() -> AddPreloadScript<'static> {
    AddPreloadScript {
        function_declaration: &SOURCE,
        arguments: [ChannelValue::named(MOVES)],
        sandbox: SANDBOX,
    }
}

impl FirefoxPage {
    /// Calls a function in the agent's sandbox. Arguments are always well formed, so a refusal means that the document
    /// went away meanwhile; what is thrown, that the agent is not there.
    pub(crate) async fn in_sandbox(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &[LocalValue<'_>],
        serialization_options: SerializationOptions,
    ) -> Result<Option<RemoteValue>> {
        self.alive()?;
        let command = CallFunction {
            function_declaration: function,
            arguments,
            target: Target { context: frame.as_str(), sandbox: Some(SANDBOX) },
            await_promise: true,
            user_activation: false,
            serialization_options,
        };
        match self.answer(self.root.send(&command)).await? {
            Ok(Evaluated::Success { result, realm }) => {
                self.document_told(frame, &realm).await;
                Ok(Some(result))
            }
            Ok(Evaluated::Exception { .. }) => Ok(None),
            Err(WireError::Refused { .. }) => Err(self.alive().err().unwrap_or(DriverError::Gone)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Calls a function of the agent with nodes, and puts the agent there where it is not yet: the blank document that a
    /// window begins with is not like others.
    pub(crate) async fn with_agent(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &[LocalValue<'_>],
        serialization_options: SerializationOptions,
    ) -> Result<RemoteValue> {
        let first = self.in_sandbox(frame, function, arguments, serialization_options).await?;
        if let Some(value) = first.filter(|value| value.kind != "null") {
            return Ok(value);
        }
        self.in_sandbox(frame, &SOURCE, &[], SerializationOptions::default()).await?;
        let second = self.in_sandbox(frame, function, arguments, serialization_options).await?;
        second.ok_or(DriverError::Gone)
    }

    /// Calls one of the agent's JSON functions.
    pub(crate) async fn call_agent(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let arguments = [LocalValue::String(function), LocalValue::String(args)];
        let answer = self.with_agent(frame, CALL, &arguments, SerializationOptions::default()).await?;
        match answer.value {
            Some(serde_json::Value::String(json)) => Ok(json),
            _ => Err(DriverError::Gone),
        }
    }

    /// Gives the agent the closed shadow roots of the elements that it suspects of having one.
    pub(crate) async fn tell_closed_roots(&self, frame: &FrameId) -> Result<usize> {
        let options = SerializationOptions { max_dom_depth: 0, include_shadow_tree: "all" };
        let ask = "function(){return cicerone.candidates()}";
        let suspects = self.with_agent(frame, ask, &[], options).await?;
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
            self.with_agent(frame, adopt, &roots, SerializationOptions::default()).await?;
        }
        Ok(closed.len())
    }
}
