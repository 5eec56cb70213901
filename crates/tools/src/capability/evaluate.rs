//! Running a script in the page.

use cicerone_engine::{Evaluated, NewsItem, Target};
use serde_json::{Map, Value, json};

use crate::{Capability, Effect, Face, Output, dialect::BROWSER, face::must, reply::Failure, scope::OnPage};

pub(super) struct Evaluate {
    source: String,
    on: Option<Target>,
}

impl Capability for Evaluate {
    type On = OnPage;
    type Output = Evaluated;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Evaluated, Failure> {
        Ok(on.page.evaluate(&self.source, self.on.as_ref()).await?)
    }
}

impl Output for Evaluated {
    fn facts(&self) -> Map<String, Value> {
        // Long values are told once, in the text.
        match &self.value {
            Some(value) if value.to_string().len() <= 1_000 => {
                Map::from_iter([("result".to_owned(), value.clone())])
            }
            _ => Map::new(),
        }
    }

    fn schema() -> Map<String, Value> {
        Map::from_iter([("result".to_owned(), json!({}))])
    }

    fn news(&self) -> &[NewsItem] {
        &self.news
    }
}

/// How many characters of a value a reply has, at most.
const MOST: usize = 100_000;

fn told(out: &Evaluated) -> String {
    let text = match &out.value {
        None => "undefined".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}… ({} characters in all)", &text[..at], text.chars().count()),
        None => text,
    }
}

pub(super) fn faces() -> [Face<Evaluate>; 1] {
    [BROWSER
        .tool("browser_evaluate", "Run JavaScript in the page and return its value")
        .takes(must("function", "() => …, or (element) => … with ref"), |source| Evaluate {
            source,
            on: None,
        })
        .example(r#"{"function": "() => document.title"}"#)
        .opt("ref", "", |evaluate, on| evaluate.on = Some(on))
        .described("element")
        .says(told)]
}
