//! The injected script: its source, and calls of its functions.

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

/// The bundle of `injected/` as a function, built by `cargo xtask injected`. As a preload script it gets the
/// channel for URL changes, and does what this browser does not do by itself.
static SOURCE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "function(t){{{}\nif(t){{cicerone.moves(t);cicerone.drags();cicerone.closeSelectPopups()}}}}",
        include_str!("../../../injected/dist/injected.js")
    )
});

/// The channel on which the injected script reports a document's URL changes.
pub(crate) const MOVES: &str = "moves";

/// The sandbox of the injected script, which the page cannot see or enter.
const SANDBOX: &str = "cicerone";

/// A function's answer and the document's URL at that time. Only an own property counts: an element with this
/// id would answer to the name too.
const CALL: &str = "function(f,a){if(!Object.hasOwn(globalThis,'cicerone'))return null;\
    const at=r=>[r,location.protocol==='data:'?'':location.href],r=cicerone.call(f,a);\
    return r instanceof Promise?r.then(at):at(r)}";

/// The command that adds the injected script to every document, or every one of a user context.
pub(crate) fn settle_in(user_context: Option<&str>) -> AddPreloadScript<'_> {
    AddPreloadScript {
        function_declaration: &SOURCE,
        arguments: [ChannelValue::named(MOVES)],
        sandbox: SANDBOX,
        user_contexts: user_context.map(|id| [id]),
    }
}

impl FirefoxPage {
    /// Calls a function in the injected script's sandbox. Arguments are always valid, so a refusal means
    /// that the document went away, and an exception that the injected script is missing.
    pub(crate) async fn in_sandbox(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &[LocalValue<'_>],
        serialization_options: SerializationOptions,
    ) -> Result<Option<RemoteValue>> {
        self.lifecycle.alive()?;
        let command = CallFunction {
            function_declaration: function,
            arguments,
            target: Target { context: frame.as_str(), sandbox: Some(SANDBOX) },
            await_promise: true,
            user_activation: false,
            serialization_options,
        };
        match self.lifecycle.unless_ended(self.root.send(&command)).await? {
            Ok(Evaluated::Success { result, realm }) => {
                self.document_told(frame, &realm).await;
                Ok(Some(result))
            }
            Ok(Evaluated::Exception { .. }) => Ok(None),
            Err(WireError::Refused { .. }) => Err(self.lifecycle.alive().err().unwrap_or(DriverError::Gone)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Calls a function of the injected script with nodes. Injects it first where it is missing: preload
    /// scripts do not run in a window's initial blank document.
    pub(crate) async fn with_injected(
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

    /// Calls one of the injected script's JSON functions. A URL change before the answer is reported
    /// before it; the browser reports it later.
    pub(crate) async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let arguments = [LocalValue::String(function), LocalValue::String(args)];
        let answer = self.with_injected(frame, CALL, &arguments, SerializationOptions::default()).await?;
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
}
