//! Resources and prompts with fixed content.

use serde_json::{Map, Value, json};

/// A picture of one red pixel.
pub(super) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// Sound without any samples.
pub(super) const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const SCHEME: &str = "test://";

pub(super) fn is_fixture(uri: &str) -> bool {
    uri.starts_with(SCHEME)
}

pub(super) fn resources() -> Vec<Value> {
    let resource = |uri: &str, name: &str, about: &str, mime: &str| json!({ "uri": uri, "name": name, "description": about, "mimeType": mime });
    vec![
        resource("test://static-text", "Static text", "A text for tests", "text/plain"),
        resource("test://static-binary", "Static binary", "A picture for tests", "image/png"),
        resource("test://watched-resource", "Watched resource", "A text to subscribe to", "text/plain"),
    ]
}

pub(super) fn template() -> Value {
    json!({
        "uriTemplate": "test://template/{id}/data",
        "name": "Template",
        "description": "Data by id, for tests",
        "mimeType": "application/json",
    })
}

pub(super) fn read(uri: &str) -> Option<Value> {
    let content = match uri {
        "test://static-text" => json!({
            "uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource.",
        }),
        "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": PNG }),
        "test://watched-resource" => json!({ "uri": uri, "mimeType": "text/plain", "text": "Watched" }),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
        }
    };
    Some(json!({ "contents": [content] }))
}

pub(super) fn prompts() -> Vec<Value> {
    let argument = |name: &str, about: &str| json!({ "name": name, "description": about, "required": true });
    let prompt = |name: &str, about: &str, arguments: Vec<Value>| json!({ "name": name, "description": about, "arguments": arguments });
    vec![
        prompt("test_simple_prompt", "A prompt without arguments", vec![]),
        prompt(
            "test_prompt_with_arguments",
            "A prompt with two arguments",
            vec![argument("arg1", "First test argument"), argument("arg2", "Second test argument")],
        ),
        prompt(
            "test_prompt_with_embedded_resource",
            "A prompt with a resource",
            vec![argument("resourceUri", "URI of the resource to embed")],
        ),
        prompt("test_prompt_with_image", "A prompt with a picture", vec![]),
        prompt("test_input_required_result_prompt", "A prompt that asks for its context", vec![]),
    ]
}

pub(super) fn prompt(name: &str, arguments: Option<&Map<String, Value>>) -> Option<Value> {
    let argument = |name: &str| arguments.and_then(|given| given.get(name)?.as_str()).unwrap_or_default();
    let text = |text: &str| json!({ "type": "text", "text": text });
    let contents = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => {
            let resource = json!({
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            });
            let embedded = json!({ "type": "resource", "resource": resource });
            vec![embedded, text("Please process the embedded resource above.")]
        }
        "test_prompt_with_image" => vec![
            json!({ "type": "image", "data": PNG, "mimeType": "image/png" }),
            text("Please analyze the image above."),
        ],
        _ => return None,
    };
    let messages: Vec<_> =
        contents.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
    Some(json!({ "messages": messages }))
}
