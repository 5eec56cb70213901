//! `cargo xtask docs`: the reference of the tools, made from what the server itself lists.
//!
//! The *listing* is the server's answer to `tools/list`; it is kept as a golden file, which a test of the command line
//! compares with the server. The *reference* is a page made from the listing; a test here compares the two.

use std::{fmt::Write, fs, path::PathBuf};

use cicerone_trial::Client;
use serde_json::{Value, json};

use crate::{
    Failure, root,
    steps::{cargo, run},
};

/// Writes the golden listing and the reference.
pub(crate) fn write() -> Result<(), Failure> {
    run(&mut cargo(&["build", "--quiet", "--package", "cicerone"]))?;
    let mut client = Client::start(&mut cargo(&["run", "--quiet", "--package", "cicerone"]))?;
    let (listing, _) = client.ask("tools/list", &json!({}))?;
    for (path, text) in [(golden(), format!("{listing:#}\n")), (reference(), page(&listing))] {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        println!("{}", path.strip_prefix(root()).unwrap_or(&path).display());
    }
    Ok(())
}

fn golden() -> PathBuf {
    root().join("tests/golden/browser.tools.json")
}

fn reference() -> PathBuf {
    root().join("docs/tools/browser.md")
}

/// The reference of a listing.
fn page(listing: &Value) -> String {
    let mut page = String::from(
        "<!-- Made by `cargo xtask docs`. -->\n\n# The tools of the `browser` dialect\n\n\
         Where an element is named (`ref`, `startRef`, `endRef`), a ref from a snapshot (`e12`, `f2e12`), \
         `role:button[name=\"Save\"]`, `text:`, `label:`, `placeholder:`, `alt:`, `title:`, `testid:`, XPath or CSS is \
         taken. `element` is a description for people, and is never needed.\n\n\
         | tool | what it does | arguments (**required**) |\n| --- | --- | --- |\n",
    );
    for tool in listing["tools"].as_array().into_iter().flatten() {
        let about = tool["description"].as_str().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            text(&tool["name"]),
            cell(about),
            arguments(&tool["inputSchema"])
        );
    }
    page
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
    use super::*;

    #[test]
    fn the_reference_is_fresh() {
        let listing = serde_json::from_str(&fs::read_to_string(golden()).unwrap()).unwrap();
        let written = fs::read_to_string(reference()).unwrap_or_default();
        assert!(page(&listing) == written, "docs/tools/browser.md is stale: run `cargo xtask docs`");
    }

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
