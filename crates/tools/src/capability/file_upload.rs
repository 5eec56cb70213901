//! Giving files to a page.

use std::{path::PathBuf, time::Duration};

use base64::Engine as _;
use cicerone_engine::{Acted, Content, Target, UploadFile, Uploaded};
use serde_json::{Map, Value, json};

use crate::{
    Argument, Call, Capability, Effect, Face, Output,
    argument::object,
    dialect::{AGENT, BROWSER, agent::named},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct FileUpload {
    on: Option<Target>,
    files: Vec<UploadFile>,
    /// How long it may take unless told, where that is not the usual time.
    timeout: Option<Duration>,
}

impl Capability for FileUpload {
    type On = OnPage;
    type Output = Acted<Uploaded>;
    const EFFECT: Effect = Effect::Acts;

    fn begin(&self, call: &mut Call) -> Result<(), Failure> {
        call.options.timeout = call.options.timeout.or(self.timeout);
        Ok(())
    }

    async fn run(self, on: OnPage) -> Result<Acted<Uploaded>, Failure> {
        let message = || {
            let names: Vec<String> = self.files.iter().map(described).collect();
            format!("Upload {} to {}?", names.join(", "), on.page.shown_url())
        };
        if !self.files.is_empty() {
            on.call.consent_to_upload(&on.page, message).await?;
        }
        Ok(on.page.uploads().upload(self.on.as_ref(), &self.files).await?)
    }
}

/// How long an upload of the `agent` dialect may take, as published.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A file as a person knows it.
pub(super) fn described(file: &UploadFile) -> String {
    match (&file.content, &file.name) {
        (Content::Path(path), _) => path.display().to_string(),
        (Content::Url(url), _) => url.clone(),
        (Content::Bytes(_), Some(name)) => name.clone(),
        (Content::Bytes(bytes), None) => format!("{} bytes", bytes.len()),
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

/// A file of the `agent` dialect: a path, or an object that says where its content is.
struct Described(UploadFile);

impl Argument for Described {
    fn schema() -> Value {
        let text = String::schema();
        let object = json!({ "type": "object", "properties": {
            "path": text, "url": text, "base64": text, "name": text, "mime_type": text,
        } });
        json!({ "oneOf": [text, object] })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        if value.is_string() {
            return PathBuf::parse(value).map(|path| Self(path.into()));
        }
        if !value.is_object() {
            return Err("a path, or an object with path, url or base64".into());
        }
        let Parts { path, url, base64, name, mime } = Parts::parse(value)?;
        let content = match (path, url, base64) {
            (Some(path), None, None) => Content::Path(path),
            (None, Some(url), None) => Content::Url(url),
            (None, None, Some(text)) => Content::Bytes(decoded(&text).ok_or("an object with valid base64")?),
            _ => return Err("a path, or an object with one of path, url, base64".into()),
        };
        Ok(Self(UploadFile { content, name, mime }))
    }
}

#[derive(Default)]
struct Parts {
    path: Option<PathBuf>,
    url: Option<String>,
    base64: Option<String>,
    name: Option<String>,
    mime: Option<String>,
}

object! {
    Parts {
        "path" => path: PathBuf,
        "url" => url: String,
        "base64" => base64: String,
        "name" => name: String,
        "mime_type" => mime: String,
    }
}

/// Base64 as people have it: in lines, with or without what a data URL puts before it and the padding at its end.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    let bare = match text.strip_prefix("data:") {
        Some(rest) => rest.split_once(";base64,")?.1,
        None => text,
    };
    let bare: String = bare.chars().filter(|c| !c.is_ascii_whitespace() && *c != '=').collect();
    base64::engine::general_purpose::STANDARD_NO_PAD.decode(bare).ok()
}

fn sentence(files: &Uploaded, field: &str) -> String {
    match files.names.as_slice() {
        [] => format!("Cleared the files{field}"),
        names => format!("Uploaded {}{field}", names.join(", ")),
    }
}

pub(super) fn faces() -> [Face<FileUpload>; 2] {
    [
        BROWSER
            .tool("browser_file_upload", "Give files to the field that asked for them, or the only one")
            .takes(must("paths", ""), |paths: Vec<PathBuf>| FileUpload {
                on: None,
                files: paths.into_iter().map(UploadFile::from).collect(),
                timeout: None,
            })
            .example(r#"{"paths": ["notes.txt"]}"#)
            .opt("ref", "The field, when there are several", |upload, on| upload.on = Some(on))
            .described("element")
            .alias("target", "ref")
            .says(|out| {
                let field = out.done.element.as_ref().map(|element| format!(" to {element}"));
                sentence(&out.done, &field.unwrap_or_default())
            }),
        AGENT
            .tool("upload", "Upload files to a file input")
            .takes((must("selector", ""), must("files", "")), |(on, files): (_, Vec<Described>)| FileUpload {
                on: Some(on),
                files: files.into_iter().map(|Described(file)| file).collect(),
                timeout: Some(TIMEOUT),
            })
            .example(r#"{"selector": "label:File", "files": ["notes.txt"]}"#)
            .within("timeout", "", 30_000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .fact("ref", "string", |out| Some(out.done.element.as_ref()?.reference.to_string().into()))
            .says(|out| {
                let field = out.done.element.as_ref().map(|element| format!(" to {}", named(element)));
                sentence(&out.done, &field.unwrap_or_default())
            }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_people_have_it() {
        for text in ["aGVsbG8=", "aGVsbG8", "aGVs\nbG8=\n", "data:text/plain;base64,aGVsbG8="] {
            assert_eq!(decoded(text).as_deref(), Some(&b"hello"[..]), "{text}");
        }
        assert_eq!(decoded("a!"), None);
        assert_eq!(decoded("data:text/plain,hello"), None);
    }
}
