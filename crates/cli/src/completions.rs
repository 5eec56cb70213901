//! Completions for shells: the options, the tools, and their arguments.
//!
//! A *script* is made from the declaration of the options. What comes in a call depends on the tool, so the script asks
//! this program, which prints the candidates for the words typed so far.

use cicerone_mcp::listed;
use clap_complete::Shell;
use serde_json::Value;

use crate::{
    Failure,
    config::{Cli, Flags},
    print::print,
    secrets, serve,
};

/// Prints what makes a shell complete our options.
pub(crate) fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::offered(), "cicerone", &mut script);
    script.extend_from_slice(of_calls(shell).as_bytes());
    Ok(print(&script)?)
}

/// What a script does in a call.
fn of_calls(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("completions/call.bash"),
        Shell::Fish => include_str!("completions/call.fish"),
        Shell::Zsh => include_str!("completions/call.zsh"),
        _ => "",
    }
}

/// Prints the candidates for the last of these words, a line each.
pub(crate) fn complete(words: &[String], flags: &Flags) -> Result<(), Failure> {
    let (current, before) = match words.split_last() {
        Some((current, before)) => (current.as_str(), before),
        None => ("", words),
    };
    let typed = Typed::read(before);
    // An option of the line that is typed is stronger than those that are configured.
    let given =
        Cli::from_flags(typed.options.iter().map(Into::into)).ok().filter(|_| !typed.options.is_empty());
    let flags = given.as_ref().unwrap_or(flags);
    let tools = listed(&serve::toolbox(flags, &secrets::read(None)?))?;
    let lines: Vec<String> = candidates(&typed.words, current, &tools);
    Ok(print(lines.iter().map(|line| format!("{line}\n")).collect::<String>())?)
}

/// What is typed of a call.
#[derive(Default)]
struct Typed {
    /// The options that say which tools there are, as flags.
    options: Vec<String>,
    /// The tool and its arguments.
    words: Vec<String>,
}

impl Typed {
    fn read(before: &[String]) -> Self {
        let mut typed = Self::default();
        let mut rest = before.iter().skip_while(|word| *word != "call").skip(1);
        while let Some(word) = rest.next() {
            let Some(option) = word.strip_prefix("--") else {
                typed.words.push(word.clone());
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None if ["headed", "end", "help", "help-all"].contains(&option) => continue,
                None => (option, rest.next().cloned().unwrap_or_default()),
            };
            if ["dialect", "caps"].contains(&name) {
                typed.options.push(format!("--{name}={value}"));
            }
        }
        typed
    }
}

/// What the current word may become.
fn candidates(before: &[String], current: &str, tools: &[Value]) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().unwrap_or_default().to_owned();
    let all = match before {
        [] => tools.iter().map(name).collect(),
        [tool, given @ ..] => {
            let tool = tools.iter().find(|listed| listed["name"] == **tool);
            let properties = tool.and_then(|tool| tool["inputSchema"]["properties"].as_object());
            let properties = properties.into_iter().flatten();
            match current.split_once('=') {
                Some((key, _)) => {
                    let wanted = properties.filter(|(name, _)| *name == key).map(|(_, schema)| schema);
                    wanted.flat_map(values).map(|value| format!("{key}={value}")).collect()
                }
                None => {
                    let is_given =
                        |name: &str| given.iter().any(|word| word.starts_with(&format!("{name}=")));
                    let open =
                        properties.filter(|(name, schema)| schema["type"] == "array" || !is_given(name));
                    open.map(|(name, _)| format!("{name}=")).collect::<Vec<_>>()
                }
            }
        }
    };
    all.into_iter().filter(|candidate| candidate.starts_with(current)).collect()
}

/// The values that an argument may have, where they can be counted.
fn values(schema: &Value) -> Vec<String> {
    let choices = schema["enum"].as_array().or(schema["items"]["enum"].as_array());
    match choices {
        Some(choices) => choices.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None if schema["type"] == "boolean" => vec!["true".to_owned(), "false".to_owned()],
        None => Vec::new(),
    }
}
