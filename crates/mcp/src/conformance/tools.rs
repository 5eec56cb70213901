//! The listing of all fixture tools, and those whose answer is fixed.

use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};

use super::content::{PNG, WAV};

/// Fixture tools without arguments, and what they are for.
const PLAIN: [(&str, &str); 24] = [
    ("test_simple_text", "Returns a text"),
    ("test_image_content", "Returns a picture"),
    ("test_audio_content", "Returns a sound"),
    ("test_embedded_resource", "Returns a resource"),
    ("test_multiple_content_types", "Returns a text, a picture and a resource"),
    ("test_error_handling", "Fails"),
    ("test_tool_with_logging", "Sends log messages"),
    ("test_tool_with_progress", "Reports progress"),
    ("test_reconnection", "Takes a moment"),
    ("test_elicitation_sep1034_defaults", "Asks with default values"),
    ("test_elicitation_sep1330_enums", "Asks with enumerations"),
    ("test_input_required_result_elicitation", "Asks for a name, in rounds"),
    ("test_input_required_result_sampling", "Asks for a completion, in rounds"),
    ("test_input_required_result_list_roots", "Asks for roots, in rounds"),
    ("test_input_required_result_request_state", "Keeps state between rounds"),
    ("test_input_required_result_multiple_inputs", "Asks for several things at once"),
    ("test_input_required_result_multi_round", "Asks twice"),
    ("test_input_required_result_tampered_state", "Refuses state that it did not make"),
    ("test_input_required_result_capabilities", "Asks only for what the client can do"),
    ("test_missing_capability", "Requires sampling"),
    ("test_streaming_elicitation", "Asks for a name, in rounds"),
    ("test_logging_tool", "Logs if the request asks for it"),
    ("test_trigger_tool_change", "Does nothing: the tools never change"),
    ("test_trigger_prompt_change", "Does nothing: the prompts never change"),
];

/// A fixture of our own: the suite has none for a bug of the server.
const PANICS: &str = "test_panic";

/// The call in whose place a panic is asked for.
pub(super) fn panicking(request: &CallToolRequestParams) -> Option<CallToolRequestParams> {
    let arguments = request.arguments.as_ref().filter(|_| request.name == PANICS)?;
    Some(CallToolRequestParams::new(arguments.get("tool")?.as_str()?.to_owned()))
}

pub(super) fn listed() -> Vec<Value> {
    let empty = json!({ "type": "object", "properties": {} });
    let plain = PLAIN.iter().map(|(name, about)| tool(name, about, empty.clone()));
    let with_text = |name: &str, about: &str, argument: &str| {
        let schema = json!({
            "type": "object",
            "properties": { argument: { "type": "string" } },
            "required": [argument],
        });
        tool(name, about, schema)
    };
    let more = [
        with_text("test_sampling", "Asks the client for a completion", "prompt"),
        with_text("test_elicitation", "Asks the person for a name and an address", "message"),
        tool("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", rich_schema()),
        tool("test_custom_headers", "Takes an argument that a header repeats", header_schema()),
        with_text(PANICS, "Panics in the place of another tool", "tool"),
    ];
    plain.chain(more).collect()
}

fn tool(name: &str, about: &str, schema: Value) -> Value {
    json!({ "name": name, "description": about, "inputSchema": schema })
}

/// Schema keywords that must survive the listing.
fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

fn header_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        "required": ["region"],
    })
}

/// The answer of a tool with a fixed answer.
pub(super) fn fixed(name: &str) -> Option<Value> {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let picture = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
    let resource = |uri: &str, mime: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text } });
    let content = match name {
        "test_simple_text" => vec![text("This is a simple text response for testing.")],
        "test_image_content" => vec![picture],
        "test_audio_content" => vec![json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" })],
        "test_embedded_resource" => {
            vec![resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
        }
        "test_multiple_content_types" => vec![
            text("Multiple content types test:"),
            picture,
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ],
        "json_schema_2020_12_tool"
        | "test_custom_headers"
        | "test_trigger_tool_change"
        | "test_trigger_prompt_change" => vec![text("Done")],
        "test_error_handling" => {
            let content = [text("This tool intentionally returns an error for testing")];
            return Some(json!({ "content": content, "isError": true }));
        }
        _ => return None,
    };
    Some(json!({ "content": content }))
}
