//! Resources: what a client can read by URI instead of calling a tool. Reading never opens a page, never starts a browser
//! and changes nothing that the next reply reports.
//!
//! A [`ResourceUri`] names one. [`list`] has those that exist now, [`TEMPLATES`] the forms of all, [`read`] the content.

mod completion;
mod read;
mod uri;

use cicerone_engine::Session;
use url::Url;

pub use completion::complete;
pub use read::{Content, ResourceError, page_of, read};
pub use uri::{ResourceUri, TabRef, View};

/// A resource or a template, as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceListing {
    /// Its URI, or the template of it.
    pub uri: String,
    /// Its short name.
    pub name: String,
    /// What it contains.
    pub about: &'static str,
    /// Its media type.
    pub mime: &'static str,
}

/// The most files that are listed.
const MOST_FILES: usize = 100;

/// Templates: URI, name, description, media type.
const TEMPLATES: [(&str, &str, &str, &str); 9] = [
    ("page://{tab}/snapshot", "snapshot", "Snapshot of a tab, by index or `current`", TEXT),
    ("page://{tab}/snapshot/{ref}", "element", "Snapshot of one element", TEXT),
    ("page://{tab}/screenshot", "screenshot", "Screenshot of a tab's viewport", View::Screenshot.mime()),
    ("page://{tab}/console", "console", "Console messages of a tab", TEXT),
    ("page://{tab}/network", "network", "Network requests of a tab", TEXT),
    ("context://{context}/tabs", "tabs", "Tabs of a context", JSON),
    ("dialect://{dialect}/tools", "tools", "Tools of a dialect", JSON),
    ("device://{device}", "device", "Viewport and scale of a device preset", JSON),
    ("file://{path}", "file", "A file that a tool saved", "application/octet-stream"),
];

const TEXT: &str = "text/plain";
const JSON: &str = "application/json";

pub fn templates() -> impl Iterator<Item = ResourceListing> {
    TEMPLATES.into_iter().map(|(uri, name, about, mime)| ResourceListing {
        uri: uri.to_owned(),
        name: name.to_owned(),
        about,
        mime,
    })
}

/// The resources that exist now: the current page, and the files that tools saved.
pub fn list(session: &Session) -> Vec<ResourceListing> {
    let views = View::ALL.into_iter().map(|view| ResourceListing {
        uri: format!("page://current/{}", view.as_str()),
        name: view.as_str().to_owned(),
        about: view.about(),
        mime: view.mime(),
    });
    let files = session.files().written();
    let newest = files.iter().rev().take(MOST_FILES).filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let uri = Url::from_file_path(path).ok()?.to_string();
        Some(ResourceListing { uri, mime: mime_of(&name), name, about: "A file that a tool saved" })
    });
    views.chain(newest).collect()
}

/// The media type of a file, by its extension.
pub fn mime_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "webm" => "video/webm",
        "pdf" => "application/pdf",
        "json" | "har" => JSON,
        "html" => "text/html",
        "txt" | "md" | "csv" => TEXT,
        _ => "application/octet-stream",
    }
}
