//! The reference of some tools, made from what the server lists.

use std::fmt::Write;

use cicerone_tools::{Needs, Toolbox};
use serde_json::Value;

/// The page about the tools of these dialects, as the toolbox lists them.
pub(crate) fn page(dialects: &[&str], tools: &[Value], toolbox: &Toolbox) -> String {
    let names: Vec<String> = dialects.iter().map(|name| format!("`{name}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let mut page = format!(
        "<!-- Made by `cargo xtask docs`. -->\n\n# The tools of the {} dialect{plural}\n\n\
         Where an element is named (`ref`, `startRef`, `selector`, `source` …), a ref from a snapshot (`e12`, `f2e12`), \
         `role:button[name=\"Save\"]`, `text:`, `label:`, `placeholder:`, `alt:`, `title:`, `testid:`, XPath or CSS is \
         taken. `element` is a description for people, and is never needed.\n\n",
        names.join(", ")
    );
    let wrapped = tools.iter().any(|tool| data(tool).is_some());
    if wrapped {
        page.push_str(WRAPPED);
    }
    let (told, line) = if wrapped { (" `data` |", " --- |") } else { ("", "") };
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
        "| tool | what it does | arguments (**required**) | for example |{told}\n| --- | --- | --- | --- |{line}"
    );
    for tool in tools {
        let told = data(tool).unwrap_or_default();
        let name = text(&tool["name"]);
        let needs: Vec<Needs> = toolbox.needs().iter().filter(|needs| needs.tool == name).copied().collect();
        let _ = writeln!(
            page,
            "| `{name}` | {}{} | {} | {} |{}",
            cell(text(&tool["description"])),
            needed_for(None, &needs),
            arguments(&tool["inputSchema"], &needs),
            calls(name, toolbox.examples()),
            if wrapped { format!(" {told} |") } else { String::new() },
        );
    }
    page
}

/// What is said of replies that have one shape.
const WRAPPED: &str = "Every reply's `structuredContent` is `{success, data}`, or `{success, error, code, name}` with `error` in words. \
The last column has what `data` may hold. Where that is `state` (`settled`, `navigated`, `busy`, `dialog`, `unawaited`), there may \
also be `url` and `title` of where the page went, `pending` requests, and `news` of what happened meanwhile.\n\n";

/// The names of what `data` may hold, where replies have it.
fn data(tool: &Value) -> Option<String> {
    let facts = tool["outputSchema"]["properties"]["data"]["properties"].as_object()?;
    Some(facts.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" "))
}

/// The arguments of the calls of a tool.
fn calls(name: &str, examples: &[(&str, &str)]) -> String {
    let of_tool = examples.iter().filter(|(tool, _)| *tool == name);
    of_tool.map(|(_, arguments)| format!("`{}`", cell(arguments))).collect::<Vec<_>>().join("<br>")
}

/// What must be switched on for an argument, or for the tool itself.
fn needed_for(argument: Option<&str>, needs: &[Needs]) -> String {
    let needed = needs.iter().find(|needs| needs.argument == argument);
    needed.map(|needs| format!(" (with `--caps {}`)", needs.cap.name())).unwrap_or_default()
}

/// Required arguments first; the others in the schema's order.
fn arguments(schema: &Value, needs: &[Needs]) -> String {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().map(text).collect();
    let (mut needed, mut optional) = (Vec::new(), Vec::new());
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let about = match text(&property["description"]) {
            "" => String::new(),
            about => format!(": {}", cell(about)),
        };
        let default = match &property["default"] {
            Value::Null => String::new(),
            default => format!(" = {default}"),
        };
        let kind = kind(property) + &default + &needed_for(Some(name.as_str()), needs);
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
        _ => match property["oneOf"].as_array() {
            Some(kinds) => kinds.iter().map(kind).collect::<Vec<_>>().join(" or "),
            None => "any value".into(),
        },
    }
}

fn kind_of_items(items: &Value) -> String {
    match items["properties"].as_object() {
        Some(fields) => {
            let required: Vec<&str> = items["required"].as_array().into_iter().flatten().map(text).collect();
            let (needed, optional): (Vec<&str>, Vec<&str>) =
                fields.keys().map(String::as_str).partition(|name| required.contains(name));
            let needed = needed.iter().map(|name| format!("**`{name}`**"));
            let names: Vec<String> = needed.chain(optional.iter().map(|name| format!("`{name}`"))).collect();
            format!("objects with {}", names.join(", "))
        }
        None if items["enum"].is_array() || items["oneOf"].is_array() => kind(items),
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
    use cicerone_tools::Cap;
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_told_with_their_kinds() {
        let schema = json!({
            "properties": {
                "ref": { "type": "string", "description": "a | b" },
                "keys": { "type": "array", "items": { "enum": ["Alt", "Shift"] } },
                "fields": { "type": "array", "items": { "properties": { "name": {}, "ref": {} }, "required": ["ref"] } },
                "marked": { "type": "boolean", "description": "With refs" },
                "timeout": { "type": "number", "default": 5000 },
            },
            "required": ["ref"],
        });
        let marked = Needs { tool: "look", argument: Some("marked"), cap: Cap::Annotate };
        let expected = [
            "**`ref`** string: a \\| b",
            "`fields` list of objects with **`ref`**, `name`",
            "`keys` list of `Alt` `Shift`",
            "`marked` boolean (with `--caps annotate`): With refs",
            "`timeout` number = 5000",
        ];
        let mut told: Vec<String> = arguments(&schema, &[marked]).split("<br>").map(str::to_owned).collect();
        told.sort_unstable();
        assert_eq!(told, expected);
        assert_eq!(needed_for(None, &[marked]), "");
    }
}
