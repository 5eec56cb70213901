//! The in-page agent: its source, and how its functions are called.

use std::sync::LazyLock;

use cicerone_driver::{DriverError, FrameId, Result};
use cicerone_wire::WireError;
use serde_json::Value;

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

/// What a function answers, and where the document was then. Only an own property counts: an element with this id would
/// answer to the name as well.
const CALL: &str = "function(f,a){if(!Object.hasOwn(globalThis,'cicerone'))return null;\
    const at=r=>[r,location.protocol==='data:'?'':location.href],r=cicerone.call(f,a);\
    return r instanceof Promise?r.then(at):at(r)}";

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

    /// Calls one of the agent's JSON functions. That the document moved before it answered is told before the answer:
    /// the browser itself tells it some time after.
    pub(crate) async fn call_agent(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let arguments = [LocalValue::String(function), LocalValue::String(args)];
        let answer = self.with_agent(frame, CALL, &arguments, SerializationOptions::default()).await?;
        let Some(Value::Array(mut parts)) = answer.value else { return Err(DriverError::Gone) };
        let mut take = |at: usize| match parts.get_mut(at).map(|part| part["value"].take()) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(DriverError::Gone),
        };
        let (json, at) = (take(0)?, take(1)?);
        if let Some(shared) = self.shared.upgrade().filter(|_| !at.is_empty()) {
            shared.seen_at(frame, &at);
        }
        Ok(json)
    }

    /// Gives the agent the closed shadow roots of the elements that it suspects of having one.
    pub(crate) async fn tell_closed_roots(&self, frame: &FrameId) -> Result<usize> {
        let options =
            SerializationOptions { max_dom_depth: 0, include_shadow_tree: "all", max_object_depth: None };
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
