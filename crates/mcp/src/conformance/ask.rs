//! Tools that talk to the client while they run: log messages, progress, and questions in protocol versions
//! with sessions.

#![expect(deprecated, reason = "the suite tests logging and sampling, which older protocols have")]

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientResult, ContentBlock,
        CreateMessageRequestParams, ElicitRequest, ElicitRequestParams, LoggingLevel,
        LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion, ServerRequest,
    },
};
use serde_json::{Value, json};

use super::{Context, typed};

/// The pause between two messages that the suite requires.
const PAUSE: Duration = Duration::from_millis(50);

/// Time limit for the client's answer.
const ANSWER: Duration = Duration::from_secs(20);

/// The answer of such a tool; `None` for other names.
pub(super) async fn call(
    request: &CallToolRequestParams,
    context: &Context,
) -> Option<Result<CallToolResult, ErrorData>> {
    let argument = |name: &str| {
        request.arguments.as_ref().and_then(|given| given.get(name)?.as_str()).unwrap_or_default()
    };
    Some(match request.name.as_ref() {
        "test_tool_with_logging" => log(context, true).await,
        "test_logging_tool" => log(context, context.meta.log_level().is_some()).await,
        "test_tool_with_progress" => progress(context).await,
        "test_reconnection" => {
            tokio::time::sleep(PAUSE * 2).await;
            Ok(text("Reconnection test completed"))
        }
        "test_sampling" => sample(context, argument("prompt")).await,
        "test_elicitation" => {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": { "type": "string", "description": "User's response" },
                    "email": { "type": "string", "description": "User's email address" },
                },
                "required": ["username", "email"],
            });
            elicit(context, argument("message"), schema, "User response: ").await
        }
        "test_elicitation_sep1034_defaults" => {
            elicit(context, "Check the default values", defaults(), "Elicitation completed: ").await
        }
        "test_elicitation_sep1330_enums" => {
            elicit(context, "Choose", enumerations(), "Elicitation completed: ").await
        }
        "test_missing_capability" => sampling_required(context),
        _ => return None,
    })
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text.into())])
}

fn gone(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

async fn log(context: &Context, is_asked_for: bool) -> Result<CallToolResult, ErrorData> {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        if is_asked_for {
            let params = LoggingMessageNotificationParam::new(LoggingLevel::Info, line.into());
            context.peer.notify_logging_message(params).await.map_err(gone)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(text("Logged"))
}

async fn progress(context: &Context) -> Result<CallToolResult, ErrorData> {
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let mut params = ProgressNotificationParam::new(token, done);
            params.total = Some(100.0);
            context.peer.notify_progress(params).await.map_err(gone)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(text("Done"))
}

async fn sample(context: &Context, prompt: &str) -> Result<CallToolResult, ErrorData> {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    let params: CreateMessageRequestParams = typed(json!({ "messages": [message], "maxTokens": 100 }))?;
    let answer = tokio::time::timeout(ANSWER, context.peer.create_message(params)).await;
    let answer = serde_json::to_value(answer.map_err(gone)?.map_err(gone)?).map_err(gone)?;
    let said = answer["content"]["text"].as_str().unwrap_or_default();
    Ok(text(format!("LLM response: {said}")))
}

async fn elicit(
    context: &Context,
    message: &str,
    schema: Value,
    begins: &str,
) -> Result<CallToolResult, ErrorData> {
    let params: ElicitRequestParams =
        typed(json!({ "mode": "form", "message": message, "requestedSchema": schema }))?;
    let asked = context.peer.send_request(ServerRequest::ElicitRequest(ElicitRequest::new(params)));
    let answer = tokio::time::timeout(ANSWER, asked).await.map_err(gone)?.map_err(gone)?;
    let ClientResult::ElicitResult(answer) = answer else {
        return Err(gone("not an answer to the question"));
    };
    let action = serde_json::to_value(&answer.action).map_err(gone)?;
    let content = answer.content.unwrap_or_default();
    Ok(text(format!("{begins}action={}, content={content}", action.as_str().unwrap_or_default())))
}

/// Refuses a client that cannot sample.
fn sampling_required(context: &Context) -> Result<CallToolResult, ErrorData> {
    let is_stateless =
        context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    let can_sample = context.client_capabilities().is_some_and(|client| client.sampling.is_some());
    if is_stateless && !can_sample {
        let required = ClientCapabilities::builder().enable_sampling().build();
        return Err(ErrorData::missing_required_client_capability(required));
    }
    Ok(text("The client can sample"))
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
        "required": [],
    })
}

fn enumerations() -> Value {
    let options = json!(["option1", "option2", "option3"]);
    let titled = |what: &str| {
        let ordinals = ["First", "Second", "Third"].iter().zip(1..);
        let choices = ordinals.map(|(ordinal, number)| {
            json!({ "const": format!("value{number}"), "title": format!("{ordinal} {what}") })
        });
        choices.collect::<Vec<_>>()
    };
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        },
        "required": [],
    })
}
