//! <https://chromedevtools.github.io/devtools-protocol/tot/Runtime/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct RunIfWaitingForDebugger {}

#[derive(Serialize)]
pub(crate) struct TerminateExecution {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseObjectGroup<'a> {
    pub(crate) object_group: &'a str,
}

/// Without a `unique_context_id`: the main frame's main world.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate<'a> {
    pub(crate) expression: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    pub(crate) unique_context_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object_group: Option<&'a str>,
    pub(crate) return_by_value: bool,
    pub(crate) await_promise: bool,
    pub(crate) user_gesture: bool,
}

/// The same with a context id, which is valid within its session.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EvaluateInContext<'a> {
    pub(crate) expression: &'a str,
    pub(crate) context_id: i64,
    pub(crate) return_by_value: bool,
    pub(crate) await_promise: bool,
    pub(crate) user_gesture: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompileScript<'a> {
    pub(crate) expression: &'a str,
    #[serde(rename = "sourceURL")]
    pub(crate) source_url: &'a str,
    pub(crate) persist_script: bool,
    pub(crate) execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Compiled {
    pub(crate) exception_details: Option<ExceptionDetails>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFunctionOn<'a> {
    pub(crate) function_declaration: &'a str,
    pub(crate) unique_context_id: &'a str,
    pub(crate) arguments: &'a [CallArgument<'a>],
    pub(crate) return_by_value: bool,
    pub(crate) await_promise: bool,
    pub(crate) user_gesture: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object_group: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CallArgument<'a> {
    Value(&'a str),
    #[serde(rename = "value")]
    Number(u32),
    ObjectId(&'a str),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetProperties<'a> {
    pub(crate) object_id: &'a str,
    pub(crate) own_properties: bool,
}

#[derive(Deserialize)]
pub(crate) struct Properties {
    pub(crate) result: Vec<Property>,
}

#[derive(Deserialize)]
pub(crate) struct Property {
    pub(crate) value: Option<RemoteObject>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluated {
    pub(crate) result: RemoteObject,
    pub(crate) exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoteObject {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) subtype: Option<String>,
    pub(crate) class_name: Option<String>,
    pub(crate) value: Option<Value>,
    pub(crate) unserializable_value: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) object_id: Option<String>,
    pub(crate) preview: Option<ObjectPreview>,
}

#[derive(Deserialize)]
pub(crate) struct ObjectPreview {
    pub(crate) subtype: Option<String>,
    #[serde(default)]
    pub(crate) overflow: bool,
    #[serde(default)]
    pub(crate) properties: Vec<PropertyPreview>,
}

#[derive(Deserialize)]
pub(crate) struct PropertyPreview {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionDetails {
    pub(crate) text: String,
    pub(crate) exception: Option<RemoteObject>,
    pub(crate) url: Option<String>,
    #[serde(default)]
    pub(crate) line_number: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    #[serde(default)]
    pub(crate) call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame {
    pub(crate) url: String,
    pub(crate) line_number: i64,
}

fn is_empty(text: &&str) -> bool {
    text.is_empty()
}

commands! {
    Enable => "Runtime.enable", Empty;
    RunIfWaitingForDebugger => "Runtime.runIfWaitingForDebugger", Empty;
    TerminateExecution => "Runtime.terminateExecution", Empty;
    ReleaseObjectGroup<'_> => "Runtime.releaseObjectGroup", Empty;
    Evaluate<'_> => "Runtime.evaluate", Evaluated;
    EvaluateInContext<'_> => "Runtime.evaluate", Evaluated;
    CompileScript<'_> => "Runtime.compileScript", Compiled;
    CallFunctionOn<'_> => "Runtime.callFunctionOn", Evaluated;
    GetProperties<'_> => "Runtime.getProperties", Properties;
}

#[derive(Deserialize)]
pub(crate) struct ExecutionContextCreated {
    pub(crate) context: ExecutionContext,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContext {
    pub(crate) id: i64,
    pub(crate) unique_id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aux_data: AuxData,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuxData {
    pub(crate) frame_id: Option<String>,
    #[serde(default)]
    pub(crate) is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExecutionContextDestroyed {
    pub(crate) execution_context_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsoleApiCalled {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) args: Vec<RemoteObject>,
    pub(crate) stack_trace: Option<StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionThrown {
    pub(crate) exception_details: ExceptionDetails,
}
