//! `Runtime.json`

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

/// The parser's opinion of a program.
#[derive(Serialize)]
pub(crate) struct Parse<'a> {
    pub(crate) source: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Parsed {
    /// `none` where it is a program.
    pub(crate) result: String,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate<'a> {
    pub(crate) expression: &'a str,
    pub(crate) context_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object_group: Option<&'a str>,
    pub(crate) return_by_value: bool,
    pub(crate) emulate_user_gesture: bool,
    #[serde(rename = "includeCommandLineAPI")]
    pub(crate) include_command_line_api: bool,
    pub(crate) do_not_pause_on_exceptions_and_mute_console: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AwaitPromise<'a> {
    pub(crate) promise_object_id: &'a str,
    pub(crate) return_by_value: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFunctionOn<'a> {
    pub(crate) object_id: &'a str,
    pub(crate) function_declaration: &'a str,
    pub(crate) arguments: &'a [CallArgument<'a>],
    pub(crate) return_by_value: bool,
    pub(crate) await_promise: bool,
    pub(crate) emulate_user_gesture: bool,
    pub(crate) do_not_pause_on_exceptions_and_mute_console: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CallArgument<'a> {
    Value(Value),
    ObjectId(&'a str),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub(crate) result: RemoteObject,
    #[serde(default)]
    pub(crate) was_thrown: bool,
}

#[derive(Deserialize, Default, Debug)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct RemoteObject {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) subtype: Option<String>,
    pub(crate) class_name: Option<String>,
    pub(crate) value: Option<Value>,
    pub(crate) description: Option<String>,
    pub(crate) object_id: Option<String>,
    pub(crate) preview: Option<ObjectPreview>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(crate) struct ObjectPreview {
    pub(crate) overflow: bool,
    pub(crate) properties: Vec<PropertyPreview>,
}

#[derive(Deserialize, Default, Debug)]
#[serde(default)]
pub(crate) struct PropertyPreview {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetProperties<'a> {
    pub(crate) object_id: &'a str,
    pub(crate) own_properties: bool,
}

#[derive(Deserialize)]
pub(crate) struct Properties {
    pub(crate) properties: Vec<Property>,
}

#[derive(Deserialize)]
pub(crate) struct Property {
    pub(crate) value: Option<RemoteObject>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseObject<'a> {
    pub(crate) object_id: &'a str,
}

commands! {
    Enable => "Runtime.enable", Empty;
    Parse<'_> => "Runtime.parse", Parsed;
    Evaluate<'_> => "Runtime.evaluate", Evaluated;
    AwaitPromise<'_> => "Runtime.awaitPromise", Evaluated;
    CallFunctionOn<'_> => "Runtime.callFunctionOn", Evaluated;
    GetProperties<'_> => "Runtime.getProperties", Properties;
    ReleaseObject<'_> => "Runtime.releaseObject", Empty;
}

/// `Runtime.executionContextCreated`
#[derive(Deserialize)]
pub(crate) struct ExecutionContextCreated {
    pub(crate) context: ExecutionContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContext {
    pub(crate) id: i64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) frame_id: String,
}
