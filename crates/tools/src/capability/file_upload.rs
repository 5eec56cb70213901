//! Giving files to a page.

use std::path::PathBuf;

use cicerone_engine::{Acted, Target, Uploaded};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct FileUpload {
    on: Option<Target>,
    paths: Vec<PathBuf>,
}

impl Capability for FileUpload {
    type On = OnPage;
    type Output = Acted<Uploaded>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Uploaded>, Failure> {
        Ok(on.page.upload(self.on.as_ref(), &self.paths).await?)
    }
}

impl Output for Uploaded {
    fn facts(&self) -> Map<String, Value> {
        facts! { "files" => self.names.clone() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "files" => of("array") }
    }
}

pub(super) fn faces() -> [Face<FileUpload>; 1] {
    [BROWSER
        .tool("browser_file_upload", "Give files to the field that asked for them, or the only one")
        .takes(must("paths", ""), |paths| FileUpload { on: None, paths })
        .example(r#"{"paths": ["notes.txt"]}"#)
        .opt("ref", "The field, when there are several", |upload, on| upload.on = Some(on))
        .described("element")
        .says(|out| {
            let field = out.done.element.as_ref().map(|element| format!(" to {element}")).unwrap_or_default();
            match out.done.names.as_slice() {
                [] => format!("Cleared the files{field}"),
                names => format!("Uploaded {}{field}", names.join(", ")),
            }
        })]
}
