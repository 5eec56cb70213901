//! Saving what a context holds.

use std::path::{Path, PathBuf};

use cicerone_engine::Saved;
use serde_json::{Map, Value};

use super::context_create::Name;
use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    ending::check_ending,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct ContextSaveStorage {
    name: Option<Name>,
    path: PathBuf,
}

impl Capability for ContextSaveStorage {
    type On = OnSession;
    type Output = Saved;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnSession) -> Result<Saved, Failure> {
        let session = on.call.session;
        let context = match &self.name {
            Some(Name(name)) => session.context_named(name)?,
            None => session.context(),
        };
        // Where it is read from again: a bare name is in the working directory.
        Ok(context.save_storage(&Path::new(".").join(self.path)).await?)
    }
}

impl Output for Saved {
    fn facts(&self) -> Map<String, Value> {
        facts! {
            "path" => self.path.display().to_string(), "cookies" => self.cookies, "origins" => self.origins,
            "skipped" => self.skipped.clone(),
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "path" => of("string"), "cookies" => of("integer"), "origins" => of("integer"), "skipped" => of("array"),
        }
    }
}

fn sentence(saved: &Saved) -> String {
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let skipped = match saved.skipped.as_slice() {
        [] => String::new(),
        skipped => format!("\nNote: these did not answer and were skipped: {}", skipped.join(", ")),
    };
    format!(
        "Saved {} and the storage of {} to {}{skipped}",
        plural(saved.cookies, "cookie"),
        plural(saved.origins, "origin"),
        saved.path.display()
    )
}

pub(super) fn faces() -> [Face<ContextSaveStorage>; 1] {
    [BROWSER
        .tool("browser_context_save_storage", "Save cookies and local storage of a context to a file")
        .takes(must("path", ""), |path| ContextSaveStorage { name: None, path })
        .example(r#"{"path": "login.json"}"#)
        .opt("name", "Default: the active one", |save, name| save.name = Some(name))
        .validate(|save| check_ending("path", Some(&save.path), &["json"]))
        .says(sentence)]
}
