//! <https://w3c.github.io/webdriver-bidi/#module-script>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddPreloadScript<'a> {
    pub(crate) function_declaration: &'a str,
    pub(crate) arguments: [ChannelValue<'a>; 1],
    pub(crate) sandbox: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_contexts: Option<[&'a str; 1]>,
}

#[derive(Deserialize)]
pub(crate) struct PreloadScript {
    pub(crate) script: String,
}

#[derive(Serialize)]
pub(crate) struct RemovePreloadScript<'a> {
    pub(crate) script: &'a str,
}

/// A channel function, which sends its argument to us.
#[derive(Serialize)]
pub(crate) struct ChannelValue<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    value: ChannelProperties<'a>,
}

#[derive(Serialize)]
struct ChannelProperties<'a> {
    channel: &'a str,
}

impl<'a> ChannelValue<'a> {
    pub(crate) fn named(channel: &'a str) -> Self {
        Self { kind: "channel", value: ChannelProperties { channel } }
    }
}

/// A message from a channel.
#[derive(Deserialize)]
pub(crate) struct Message {
    pub(crate) channel: String,
    pub(crate) data: RemoteValue,
    pub(crate) source: Source,
}

#[derive(Deserialize)]
pub(crate) struct Source {
    pub(crate) context: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFunction<'a> {
    pub(crate) function_declaration: &'a str,
    pub(crate) arguments: &'a [LocalValue<'a>],
    pub(crate) target: Target<'a>,
    pub(crate) await_promise: bool,
    pub(crate) user_activation: bool,
    pub(crate) serialization_options: SerializationOptions,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate<'a> {
    pub(crate) expression: &'a str,
    pub(crate) target: Target<'a>,
    pub(crate) await_promise: bool,
    pub(crate) user_activation: bool,
    /// `root` for a handle that stays until it is released, `none` for none.
    pub(crate) result_ownership: &'static str,
    pub(crate) serialization_options: SerializationOptions,
}

#[derive(Serialize)]
pub(crate) struct Disown<'a> {
    pub(crate) handles: [&'a str; 1],
    pub(crate) target: Target<'a>,
}

#[derive(Serialize, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) context: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sandbox: Option<&'a str>,
}

#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SerializationOptions {
    pub(crate) max_dom_depth: u32,
    pub(crate) include_shadow_tree: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_object_depth: Option<u32>,
}

impl Default for SerializationOptions {
    fn default() -> Self {
        Self { max_dom_depth: 0, include_shadow_tree: "none", max_object_depth: None }
    }
}

/// An argument.
pub(crate) enum LocalValue<'a> {
    String(&'a str),
    Number(u32),
    Node(&'a str),
    /// A value by handle.
    Handle(&'a str),
}

impl Serialize for LocalValue<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Primitive<T> {
            #[serde(rename = "type")]
            kind: &'static str,
            value: T,
        }
        match self {
            Self::String(value) => Primitive { kind: "string", value }.serialize(serializer),
            Self::Number(value) => Primitive { kind: "number", value }.serialize(serializer),
            Self::Handle(handle) => RemoteObjectReference { handle }.serialize(serializer),
            Self::Node(id) => SharedReference { shared_id: (*id).to_owned() }.serialize(serializer),
        }
    }
}

#[derive(Serialize)]
struct RemoteObjectReference<'a> {
    handle: &'a str,
}

/// A node by its shared id, valid in every realm of its document.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SharedReference {
    pub(crate) shared_id: String,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Evaluated {
    Success {
        result: RemoteValue,
        /// The realm: a different one for every document.
        realm: String,
    },
    #[serde(rename_all = "camelCase")]
    Exception { exception_details: ExceptionDetails },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionDetails {
    pub(crate) text: String,
    pub(crate) exception: RemoteValue,
    pub(crate) stack_trace: StackTrace,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    pub(crate) call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame {
    pub(crate) url: String,
    pub(crate) line_number: u32,
}

/// A remote value. The type determines `value`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteValue {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default, deserialize_with = "present")]
    pub(crate) value: Option<Value>,
    pub(crate) shared_id: Option<String>,
    pub(crate) handle: Option<String>,
    pub(crate) internal_id: Option<String>,
}

/// An explicit `null` is a value.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

commands! {
    AddPreloadScript<'_> => "script.addPreloadScript", PreloadScript;
    CallFunction<'_> => "script.callFunction", Evaluated;
    Disown<'_> => "script.disown", Empty;
    Evaluate<'_> => "script.evaluate", Evaluated;
    RemovePreloadScript<'_> => "script.removePreloadScript", Empty;
}
