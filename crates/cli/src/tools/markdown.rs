//! The reference of some tools, made from what the server lists.

use std::fmt::Write;

use serde_json::Value;

/// The page about the tools of these dialects, with calls of them: a name and arguments.
pub(crate) fn page(dialects: &[&str], tools: &[Value], examples: &[(&str, &str)]) -> String {
    let names: Vec<String> = dialects.iter().map(|name| format!("`{name}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let mut page = format!(
        "<!-- Made by `cargo xtask docs`. -->\n\n# The tools of the {} dialect{plural}\n\n\
         Where an element is named (`ref`, `startRef`, `endRef`), a ref from a snapshot (`e12`, `f2e12`), \
         `role:button[name=\"Save\"]`, `text:`, `label:`, `placeholder:`, `alt:`, `title:`, `testid:`, XPath or CSS is \
         taken. `element` is a description for people, and is never needed.\n\n\
         | tool | what it does | arguments (**required**) | for example |\n| --- | --- | --- | --- |\n",
        names.join(", ")
    );
    for tool in tools {
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            text(&tool["name"]),
            cell(text(&tool["description"])),
            arguments(&tool["inputSchema"]),
            calls(text(&tool["name"]), examples)
        );
    }
    page
}

/// The arguments of the calls of a tool.
fn calls(name: &str, examples: &[(&str, &str)]) -> String {
    let of_tool = examples.iter().filter(|(tool, _)| *tool == name);
    of_tool.map(|(_, arguments)| format!("`{}`", cell(arguments))).collect::<Vec<_>>().join("<br>")
}

/// Required arguments first; the others in the schema's order.
fn arguments(schema: &Value) -> String {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().map(text).collect();
    let (mut needed, mut optional) = (Vec::new(), Vec::new());
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let about = match text(&property["description"]) {
            "" => String::new(),
            about => format!(": {}", cell(about)),
        };
        let kind = kind(property);
        match required.contains(&name.as_str()) {
            true => needed.push(format!("**`{name}`** {kind}{about}")),
            false => optional.push(format!("`{name}` {kind}{about}")),
        }
    }
    [needed, optional].concat().join("<br>")
}

/// What a value may be, in a word or by its choices.
fn kind(property: &Value) -> String {
    if let Some(choices) = property["enum"].as_array() {
        return choices.iter().map(|choice| format!("`{}`", text(choice))).collect::<Vec<_>>().join(" ");
    }
    match &property["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", kind_of_items(&property["items"])),
        Value::String(kind) => kind.clone(),
        _ => "any value".into(),
    }
}

fn kind_of_items(items: &Value) -> String {
    match items["properties"].as_object() {
        Some(fields) => {
            let names: Vec<String> = fields.keys().map(|name| format!("`{name}`")).collect();
            format!("objects with {}", names.join(", "))
        }
        None if items["enum"].is_array() => kind(items),
        None => format!("{}s", kind(items)),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Words that may stand in a table.
fn cell(words: &str) -> String {
    words.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_told_with_their_kinds() {
        let schema = json!({
            "properties": {
                "ref": { "type": "string", "description": "a | b" },
                "keys": { "type": "array", "items": { "enum": ["Alt", "Shift"] } },
            },
            "required": ["ref"],
        });
        assert_eq!(arguments(&schema), "**`ref`** string: a \\| b<br>`keys` list of `Alt` `Shift`");
    }
}
