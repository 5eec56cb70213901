//! Reading a resource.

use std::path::Path;

use cicerone_engine::{
    Context, Device, Error, Inline, Page, ScreenshotOptions, Session, Target, snapshot::quoted,
};
use serde_json::json;

use super::{JSON, ResourceUri, TEXT, TabRef, View, mime_of};
use crate::{
    Dialect, Message, Toolbox,
    capability::{console_messages, network_requests},
    dialect::bounded,
    scope::in_turn,
};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// What a resource contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Text of this media type.
    Text(String, &'static str),
    /// Bytes of this media type.
    Bytes(Vec<u8>, &'static str),
}

/// Why a resource cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ResourceError {
    /// It has no known form.
    #[error("unknown resource {0}; resources/list and resources/templates/list have the known ones")]
    Unknown(String),
    /// Nothing has been opened yet.
    #[error("no page is open; open one with a tool first")]
    NoPage,
    /// The URI names something that does not exist.
    #[error("{what} {name} not found; known: {known}")]
    NotFound {
        /// What was named.
        what: &'static str,
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The file was not saved by this session.
    #[error("{0} was not saved by a tool of this session")]
    NotSaved(String),
    /// It is too large to send.
    #[error("{name} has {size} bytes; at most {MOST_BYTES} can be read as a resource")]
    TooLarge {
        /// The file.
        name: String,
        size: u64,
    },
    /// It could not be read.
    #[error("{name} could not be read: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// The element is not a target.
    #[error("{0} is not a ref or selector")]
    BadElement(String),
    /// The page could not be read.
    #[error("{}", Message::of(.0).text)]
    Engine(Box<Error>),
}

impl From<Error> for ResourceError {
    fn from(error: Error) -> Self {
        Self::Engine(Box::new(error))
    }
}

/// Reads a resource.
pub async fn read(session: &Session, uri: &str) -> Result<Content, ResourceError> {
    match ResourceUri::parse(uri).ok_or_else(|| ResourceError::Unknown(uri.to_owned()))? {
        ResourceUri::Page { tab, view, element } => {
            read_page(session, &page_of(session, tab)?, view, element.as_deref()).await
        }
        ResourceUri::Tabs(name) => {
            let context = context_named(session, &name)?;
            let mut tabs = json!(context.list().await.iter().map(tab_json).collect::<Vec<_>>());
            session.secrets().redact_json(&mut tabs);
            Ok(Content::Text(tabs.to_string(), JSON))
        }
        ResourceUri::Tools(name) => tools_of(&name),
        ResourceUri::Device(name) => device(&name),
        ResourceUri::File(path) => read_file(session, &path),
    }
}

/// The tab that a URI names. None is opened for it.
pub fn page_of(session: &Session, tab: TabRef) -> Result<Page, ResourceError> {
    let context = session.context();
    match tab {
        TabRef::Current => context.active().ok_or(ResourceError::NoPage),
        TabRef::Index(_) if context.pages().is_empty() => Err(ResourceError::NoPage),
        TabRef::Index(index) => Ok(context.tab_at(index)?),
    }
}

async fn read_page(
    session: &Session,
    page: &Page,
    view: View,
    element: Option<&str>,
) -> Result<Content, ResourceError> {
    let text = match view {
        View::Console => console_messages::sentence(&page.console().log()),
        View::Network => network_requests::sentence(&page.network()),
        View::Snapshot => {
            let target = element
                .map(|text| text.parse::<Target>().map_err(|_| ResourceError::BadElement(text.to_owned())));
            let target = target.transpose()?;
            let _turn = in_turn(page).await?;
            let snapshot = page.snapshots().peek(target.as_ref()).await?;
            format!("Page: {} {}\n{}", snapshot.url, quoted(&snapshot.title, 200), bounded(&snapshot.text))
        }
        View::Screenshot => {
            let _turn = in_turn(page).await?;
            let wanted = ScreenshotOptions { inline: Inline::Exact, ..ScreenshotOptions::default() };
            let bytes = page.rendering().screenshot(&wanted).await?.inline.map(|image| image.bytes);
            return Ok(Content::Bytes(bytes.unwrap_or_default(), view.mime()));
        }
    };
    Ok(Content::Text(session.secrets().redact(&text).into_owned(), TEXT))
}

fn context_named(session: &Session, name: &str) -> Result<Context, ResourceError> {
    session.context_named(name).map_err(|_| ResourceError::NotFound {
        what: "context",
        name: name.to_owned(),
        known: session.list_contexts().into_iter().map(|context| context.name).collect::<Vec<_>>().join(", "),
    })
}

fn tab_json(tab: &cicerone_engine::TabInfo) -> serde_json::Value {
    json!({ "index": tab.index, "title": tab.title, "url": tab.url, "active": tab.active })
}

fn tools_of(name: &str) -> Result<Content, ResourceError> {
    let dialect = Dialect::named(name).ok_or_else(|| ResourceError::NotFound {
        what: "dialect",
        name: name.to_owned(),
        known: Dialect::ALL.map(|dialect| dialect.name).join(", "),
    })?;
    let tools = Toolbox::new(&[dialect], &[]);
    let tools: Vec<_> = tools
        .list()
        .iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.about, "inputSchema": *tool.input }))
        .collect();
    Ok(Content::Text(json!(tools).to_string(), JSON))
}

fn device(name: &str) -> Result<Content, ResourceError> {
    let device = Device::named(name).map_err(|_| ResourceError::NotFound {
        what: "device",
        name: name.to_owned(),
        known: Device::ALL.map(|device| device.name).join(", "),
    })?;
    let metrics = device.metrics();
    let (width, height) = (metrics.size.width, metrics.size.height);
    let facts = json!({
        "name": device.name, "width": width, "height": height,
        "deviceScaleFactor": metrics.scale_factor, "mobile": metrics.mobile, "touch": metrics.touch,
    });
    Ok(Content::Text(facts.to_string(), JSON))
}

fn read_file(session: &Session, path: &Path) -> Result<Content, ResourceError> {
    let name = path.display().to_string();
    if !session.files().written().iter().any(|written| written == path) {
        return Err(ResourceError::NotSaved(name));
    }
    let io = |source| ResourceError::Io { name: name.clone(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MOST_BYTES {
        return Err(ResourceError::TooLarge { name, size });
    }
    let bytes = std::fs::read(path).map_err(io)?;
    let mime = mime_of(&name);
    match String::from_utf8(bytes) {
        Ok(text) if mime.starts_with("text/") || mime == JSON => Ok(Content::Text(text, mime)),
        Ok(text) => Ok(Content::Bytes(text.into_bytes(), mime)),
        Err(binary) => Ok(Content::Bytes(binary.into_bytes(), mime)),
    }
}
