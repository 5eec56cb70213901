//! `cicerone tools`: what `tools/list` would say.

pub(crate) mod markdown;

use cicerone_mcp::listed;
use serde_json::Value;

use crate::{
    Failure,
    config::{Flags, ListFormat},
    print::print,
    secrets,
    serve::toolbox,
};

/// Prints the tools that these options offer.
pub(crate) fn run(format: ListFormat, flags: &Flags) -> Result<(), Failure> {
    let toolbox = toolbox(flags, &secrets::read(flags.secrets.as_deref())?);
    let tools = listed(&toolbox)?;
    Ok(print(match format {
        ListFormat::Text => text(&tools),
        ListFormat::Json => format!("{:#}\n", Value::Array(tools)),
        ListFormat::Markdown => {
            let names: Vec<&str> = flags.dialects().iter().map(|dialect| dialect.name).collect();
            markdown::page(&names, &tools, &toolbox)
        }
    })?)
}

/// A line for each: its name, and the first line of what it does.
fn text(tools: &[Value]) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names: Vec<String> = tools.iter().map(|tool| word(&tool["name"])).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let about = tools.iter().map(|tool| word(&tool["description"]));
    let lines = names.iter().zip(about);
    lines
        .map(|(name, about)| format!("{name:width$}  {}\n", about.lines().next().unwrap_or_default()))
        .collect()
}
