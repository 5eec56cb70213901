//! Running a script in the sandbox: the page, without its cookies and storage, and without code from text.

use cicerone_engine::{NewsItem, Sandboxed};
use serde_json::{Map, Value, json};

use crate::{
    Argument, Capability, Effect, Face, Output,
    dialect::{VISION, bounded, vision::SESSION},
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct SandboxedEvaluate {
    script: String,
    args: Vec<Value>,
}

/// What a script returned.
pub(super) struct Returned {
    sandboxed: Sandboxed,
    /// Whether it says anywhere what it returns.
    returns: bool,
}

/// A list of anything.
struct Arguments(Vec<Value>);

impl Argument for Arguments {
    fn schema() -> Value {
        json!({ "type": "array" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value.as_array().cloned().map(Self).ok_or_else(|| "an array".to_owned())
    }
}

impl Capability for SandboxedEvaluate {
    type On = OnPage;
    type Output = Returned;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Returned, Failure> {
        let sandboxed = on.page.scripts().run_sandboxed(&self.script, &self.args).await?;
        Ok(Returned { sandboxed, returns: self.script.contains("return") })
    }
}

impl Output for Returned {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        // Long values are only in the text.
        if let Some(value) = self.sandboxed.value.as_ref().filter(|value| value.to_string().len() <= 1_000) {
            facts.insert("result".to_owned(), value.clone());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        Map::from_iter([("result".to_owned(), json!({}))])
    }

    fn news(&self) -> &[NewsItem] {
        &self.sandboxed.news
    }
}

/// How many characters of a value a reply has, at most.
const MOST: usize = 100_000;

fn sentence(out: &Returned) -> String {
    let text = match &out.sandboxed.value {
        None if out.returns => return "undefined".to_owned(),
        None => {
            return "undefined\nHint: the script is the body of a function; use `return`".to_owned();
        }
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    match text.char_indices().nth(MOST) {
        Some((at, _)) => {
            let total = out.sandboxed.total.unwrap_or_else(|| text.chars().count());
            format!("{}\n… truncated, {total} characters in total; return less", apart(&text[..at]))
        }
        None => apart(&text),
    }
}

/// A value on one line stays as published. Marks are put around several lines, which could be mistaken for lines of ours.
fn apart(text: &str) -> String {
    let is_break = |c: char| (c.is_control() && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(is_break) || text.trim_start().starts_with("Hint:") {
        bounded(text)
    } else {
        text.to_owned()
    }
}

pub(super) fn faces() -> [Face<SandboxedEvaluate>; 1] {
    [VISION
        .tool("browser.evaluate", "Execute JavaScript with sandboxing")
        .takes(must("script", "JavaScript code to execute: the body of an async function"), |script| {
            SandboxedEvaluate { script, args: Vec::new() }
        })
        .example(r#"{"script": "return document.title"}"#)
        .opt("args", "Arguments to pass to script", |evaluate, Arguments(args)| evaluate.args = args)
        .default(json!([]))
        .in_context("sessionId", SESSION)
        .says(sentence)]
}
