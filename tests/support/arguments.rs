//! The tools of a dialect as they are listed, and each of their arguments wrong in each way.

use cicerone_tools::{Dialect, Toolbox};
use serde_json::{Map, Value, json};

use super::Server;

/// A tool: its name, arguments that it can be called with, the schemas of all that it takes, what it cannot do without.
pub type Listed = (&'static str, Map<String, Value>, Map<String, Value>, Vec<String>);

/// The tools of a dialect. `dialects.rs` compares them with what a server lists and with the golden listing.
pub fn tools_of(dialect: &str) -> Vec<Listed> {
    let toolbox = Toolbox::new(&[Dialect::named(dialect).unwrap()], &[]);
    let listed = toolbox.list().iter().cloned().zip(toolbox.examples().to_vec());
    listed
        .map(|(listing, (name, example))| {
            assert_eq!(listing.name, name);
            let takes = listing.input["properties"].as_object().unwrap().clone();
            let must = listing.input.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let must = must.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
            (name, serde_json::from_str(example).unwrap(), takes, must)
        })
        .collect()
}

/// Arguments with one that is other.
pub fn with(arguments: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value);
    arguments.into()
}

/// Values that are not of a schema's type.
fn of_other_types(schema: &Value) -> Vec<Value> {
    let of_each = [
        ("string", json!("wrong")),
        ("number", json!(5)),
        ("boolean", json!(true)),
        ("array", json!([])),
        ("object", json!({})),
    ];
    match schema["type"].as_str() {
        // Some objects are any JSON but a text.
        Some("object") => vec![json!("wrong")],
        Some(own) => of_each.into_iter().filter(|(name, _)| *name != own).map(|(_, value)| value).collect(),
        None => vec![json!(true)],
    }
}

/// Every argument of every tool of a dialect is refused by name when it is wrong, missing or unknown, before a browser starts.
pub fn wrong_ones_are_named(dialect: &str) {
    let mut server = Server::start(&["--dialect", dialect]);
    for (tool, example, takes, must) in tools_of(dialect) {
        let odd = with(&example, "colour", json!("red"));
        server.call(tool, odd).refused(-32602, "Unknown argument: colour; ");
        for (name, schema) in takes {
            let named = format!("Invalid argument {name}: it must be ");
            for wrong in of_other_types(&schema) {
                server.call(tool, with(&example, &name, wrong)).refused(-32602, &named);
            }
            if schema.get("enum").is_some() {
                server.call(tool, with(&example, &name, json!("nonsense"))).refused(-32602, "one of ");
            }
            if schema["type"] == "object" && schema.get("properties").is_some() {
                let odd = with(&example, &name, json!({ "odd": 1 }));
                server.call(tool, odd).refused(-32602, &named);
            }
        }
        for name in must {
            let mut arguments = example.clone();
            arguments.remove(&name);
            let missing = format!("Missing required argument: {name}");
            server.call(tool, arguments.into()).refused(-32602, &missing);
        }
    }
    assert_eq!(server.descendants(), [0; 0]);
}
