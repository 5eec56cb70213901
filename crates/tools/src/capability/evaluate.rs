//! Running a script in the page.

use cicerone_engine::{Evaluated, Finish, NewsItem, Script, Target, sanitize};
use serde_json::{Map, Value, json};

use crate::{
    Argument, Capability, Effect, Face, Output,
    dialect::{AGENT, BROWSER, bounded},
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Evaluate {
    source: String,
    on: Option<Target>,
    /// How it is run, where that is not as ever.
    terms: Option<Terms>,
}

/// On which terms a script is run.
struct Terms {
    args: Vec<Value>,
    awaits: bool,
    by_value: bool,
    /// The maximum size of its value in the reply, in bytes.
    most: usize,
    sanitizes: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self { args: Vec::new(), awaits: true, by_value: true, most: 51_200, sanitizes: true }
    }
}

impl Evaluate {
    fn of(source: String) -> Self {
        Self { source, on: None, terms: None }
    }

    /// Changes the terms.
    fn on_terms(&mut self, change: impl FnOnce(&mut Terms)) {
        change(self.terms.get_or_insert_default());
    }
}

/// The value of a script, truncated to the limit.
pub(super) struct Returned {
    evaluated: Evaluated,
    /// Whether the facts have it, however long it is.
    whole: bool,
    /// Its full size in bytes, if truncated.
    cut: Option<usize>,
}

struct Anything(Value);

impl Argument for Anything {
    fn schema() -> Value {
        json!({})
    }

    fn parse(value: &Value) -> Result<Self, String> {
        Ok(Self(value.clone()))
    }
}

impl Capability for Evaluate {
    type On = OnPage;
    type Output = Returned;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Returned, Failure> {
        let Some(terms) = self.terms else {
            let evaluated = on.page.scripts().evaluate(&self.source, self.on.as_ref()).await?;
            return Ok(Returned { evaluated, whole: false, cut: None });
        };
        let finish = if terms.by_value { Finish::Value } else { Finish::Description };
        let script = Script { source: self.source, args: terms.args, awaits: terms.awaits, finish };
        let mut evaluated = on.page.scripts().run_script(&script).await?;
        if let (Some(value), true) = (&mut evaluated.value, terms.sanitizes) {
            sanitize(value, &script.source);
        }
        let cut = evaluated.value.as_mut().and_then(|value| shortened(value, terms.most));
        Ok(Returned { evaluated, whole: true, cut })
    }
}

/// Truncates a value to this many bytes; returns its full size if it was longer.
fn shortened(value: &mut Value, most: usize) -> Option<usize> {
    let mut text = written(value);
    let all = text.len();
    if all <= most {
        return None;
    }
    text.truncate(text.floor_char_boundary(most));
    *value = Value::String(text);
    Some(all)
}

/// A text as it is, anything else as JSON.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

impl Output for Returned {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = Map::new();
        // Long values are only in the text, unless the facts are asked for.
        match &self.evaluated.value {
            Some(value) if self.whole || value.to_string().len() <= 1_000 => {
                facts.insert("result".to_owned(), value.clone());
            }
            None if self.whole => {
                facts.insert("result".to_owned(), Value::Null);
            }
            _ => {}
        }
        if self.cut.is_some() {
            facts.insert("truncated".to_owned(), true.into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        Map::from_iter([
            ("result".to_owned(), json!({})),
            ("truncated".to_owned(), json!({ "type": "boolean" })),
        ])
    }

    fn news(&self) -> &[NewsItem] {
        &self.evaluated.news
    }
}

/// How many characters of a value a reply has, at most.
const MOST: usize = 100_000;

/// What our own lines begin with.
const OURS: [&str; 5] = ["Hint:", "Note:", "Page:", "Error:", "<"];

fn sentence(out: &Returned) -> String {
    let text = out.evaluated.value.as_ref().map_or_else(|| "undefined".to_owned(), written);
    if let Some(all) = out.cut {
        return format!("{}… (truncated, {all} bytes in total; return less)", apart(text));
    }
    match text.char_indices().nth(MOST) {
        Some((at, _)) => {
            let all = text.chars().count();
            let shown = apart(text[..at].to_owned());
            format!("{shown}… (truncated, {all} characters in total; return less)")
        }
        None => apart(text),
    }
}

/// Puts marks around a value that could be mistaken for lines of ours.
fn apart(text: String) -> String {
    let own_lines =
        text.contains(char::is_control) || OURS.iter().any(|ours| text.trim_start().starts_with(ours));
    if own_lines { bounded(&text) } else { text }
}

pub(super) fn faces() -> [Face<Evaluate>; 2] {
    [
        BROWSER
            .tool("browser_evaluate", "Run JavaScript in the page and return its value")
            .takes(must("function", "() => …, or (element) => … with ref"), Evaluate::of)
            .example(r#"{"function": "() => document.title"}"#)
            .opt("ref", "", |evaluate, on| evaluate.on = Some(on))
            .described("element")
            .alias("target", "ref")
            .says(sentence),
        AGENT
            .tool("evaluate", "Run JavaScript in the page")
            .takes(must("expression", "Expression, function or body"), |source| Evaluate {
                terms: Some(Terms::default()),
                ..Evaluate::of(source)
            })
            .example(r#"{"expression": "document.title"}"#)
            .opt("args", "", |evaluate, args: Vec<Anything>| {
                evaluate.on_terms(|terms| terms.args = args.into_iter().map(|Anything(arg)| arg).collect());
            })
            .opt("await_promise", "", |evaluate, awaits| evaluate.on_terms(|terms| terms.awaits = awaits))
            .default(true)
            .opt("return_by_value", "false: only its type", |evaluate, by_value| {
                evaluate.on_terms(|terms| terms.by_value = by_value);
            })
            .default(true)
            .opt("max_output_size", "", |evaluate, most: u32| {
                evaluate.on_terms(|terms| terms.most = usize::try_from(most).unwrap_or(usize::MAX));
            })
            .default(51_200)
            .opt("sanitize", "", |evaluate, sanitizes| {
                evaluate.on_terms(|terms| terms.sanitizes = sanitizes);
            })
            .default(true)
            .within("timeout", "", 30_000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .says(sentence),
    ]
}
