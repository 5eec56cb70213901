//! Tools and a prompt that ask the client in rounds: the answer says what is missing, and the client calls again with it.

use std::{collections::HashSet, sync::Mutex};

use rmcp::{
    ErrorData,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, InputRequests, InputRequiredResult, InputResponses,
        PromptMessage, Role,
    },
};
use serde_json::{Value, json};

use super::{Context, typed};
use crate::sync::lock;

/// The most states that are kept; a test needs a few.
const MOST: usize = 64;

type CallResult = Result<CallToolResponse, ErrorData>;

/// The states that were given out. A state that is not among them was not made here.
#[derive(Default)]
pub(super) struct Rounds {
    given_out: Mutex<HashSet<String>>,
}

impl Rounds {
    /// The answer of a tool that asks in rounds; nothing for other names.
    pub(super) fn call(&self, request: &CallToolRequestParams, context: &Context) -> Option<CallResult> {
        let empty = InputResponses::new();
        let given = request.input_responses.as_ref().unwrap_or(&empty);
        let name = request.name.strip_prefix("test_input_required_result_").unwrap_or(&request.name);
        Some(match name {
            "elicitation" | "test_streaming_elicitation" => match content(given, "user_name", "name") {
                Some(name) => done(format!("Hello, {name}!")),
                None => asks(json!({ "user_name": ask_name() }), None),
            },
            "sampling" => match given.get("capital_question") {
                Some(said) => done(said["content"]["text"].as_str().unwrap_or_default()),
                None => {
                    let question = ask_model("What is the capital of France?", 100);
                    asks(json!({ "capital_question": question }), None)
                }
            },
            "list_roots" => match given.get("client_roots") {
                Some(roots) => done(format!("Roots: {}", roots["roots"])),
                None => asks(json!({ "client_roots": ask_roots() }), None),
            },
            "request_state" | "tampered_state" => self.confirmed(request, given),
            "multiple_inputs" => self.several(request, given),
            "multi_round" => self.two_rounds(request, given),
            "capabilities" => only_what_it_can(context),
            _ => return None,
        })
    }

    fn confirmed(&self, request: &CallToolRequestParams, given: &InputResponses) -> CallResult {
        if self.state(request)?.is_some() && given.contains_key("confirm") {
            return done("state-ok");
        }
        let question = ask_person("Please confirm", "ok", "boolean");
        asks(json!({ "confirm": question }), Some(self.new_state("confirm")?))
    }

    fn several(&self, request: &CallToolRequestParams, given: &InputResponses) -> CallResult {
        let is_known = self.state(request)?.is_some();
        if is_known && ["user_name", "greeting", "client_roots"].iter().all(|key| given.contains_key(*key)) {
            return done("All answered");
        }
        let questions = json!({
            "user_name": ask_name(),
            "greeting": ask_model("Generate a greeting", 50),
            "client_roots": ask_roots(),
        });
        asks(questions, Some(self.new_state("several")?))
    }

    fn two_rounds(&self, request: &CallToolRequestParams, given: &InputResponses) -> CallResult {
        let state = self.state(request)?.unwrap_or_default();
        if state.starts_with("second") && given.contains_key("step2") {
            return done("Both answered");
        }
        if state.starts_with("first") && given.contains_key("step1") {
            let question = ask_person("Step 2: What is your favorite color?", "color", "string");
            return asks(json!({ "step2": question }), Some(self.new_state("second")?));
        }
        let question = ask_person("Step 1: What is your name?", "name", "string");
        asks(json!({ "step1": question }), Some(self.new_state("first")?))
    }

    fn new_state(&self, round: &str) -> Result<String, ErrorData> {
        let mut bits = [0_u8; 16];
        getrandom::fill(&mut bits).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let state = format!("{round}-{:032x}", u128::from_be_bytes(bits));
        let mut given_out = lock(&self.given_out);
        if given_out.len() >= MOST {
            given_out.clear();
        }
        given_out.insert(state.clone());
        Ok(state)
    }

    /// The state that came back, if one did.
    fn state(&self, request: &CallToolRequestParams) -> Result<Option<String>, ErrorData> {
        let Some(state) = &request.request_state else { return Ok(None) };
        let is_ours = lock(&self.given_out).contains(state);
        let forged = || ErrorData::invalid_params("unknown requestState", None);
        if is_ours { Ok(Some(state.clone())) } else { Err(forged()) }
    }
}

/// The prompt that asks for its context.
pub(super) fn prompt(request: &GetPromptRequestParams) -> Option<Result<GetPromptResponse, ErrorData>> {
    if request.name != "test_input_required_result_prompt" {
        return None;
    }
    let given = request.input_responses.as_ref();
    Some(match given.and_then(|given| content(given, "user_context", "context")) {
        Some(context) => {
            let message = PromptMessage::new_text(Role::User, format!("The context is {context}."));
            Ok(GetPromptResult::new(vec![message]).into())
        }
        None => {
            let question = ask_person("What context should the prompt use?", "context", "string");
            required(json!({ "user_context": question }), None).map(Into::into)
        }
    })
}

/// What the person answered to a question, if it is a text.
fn content<'a>(given: &'a InputResponses, key: &str, field: &str) -> Option<&'a str> {
    given.get(key)?["content"][field].as_str()
}

fn only_what_it_can(context: &Context) -> CallResult {
    let client = context.client_capabilities().unwrap_or_default();
    let mut questions = serde_json::Map::new();
    if client.sampling.is_some() {
        questions.insert("greeting".into(), ask_model("Generate a greeting", 50));
    }
    if client.elicitation.is_some() {
        questions.insert("user_name".into(), ask_name());
    }
    if questions.is_empty() { done("The client can answer nothing") } else { asks(questions.into(), None) }
}

fn ask_name() -> Value {
    ask_person("What is your name?", "name", "string")
}

fn ask_person(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { field: { "type": kind } }, "required": [field] });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    json!({ "method": "elicitation/create", "params": params })
}

fn ask_model(text: &str, most: u32) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    let params = json!({ "messages": [message], "maxTokens": most });
    json!({ "method": "sampling/createMessage", "params": params })
}

fn ask_roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

fn done(text: impl Into<String>) -> CallResult {
    Ok(CallToolResult::success(vec![ContentBlock::text(text.into())]).into())
}

fn asks(questions: Value, state: Option<String>) -> CallResult {
    required(questions, state).map(Into::into)
}

fn required(questions: Value, state: Option<String>) -> Result<InputRequiredResult, ErrorData> {
    Ok(InputRequiredResult::new(Some(typed::<InputRequests>(questions)?), state))
}
