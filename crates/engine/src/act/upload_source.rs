//! What is in files that are given to a page, wherever that comes from.

use std::{path::PathBuf, time::Instant};

use base64::Engine as _;
use cicerone_driver::Fetched;
use serde::Serialize;
use url::Url;

use crate::{Address, Deadline, Error, Files, Page, Result};

/// A file to give to a page.
#[derive(Debug, Clone)]
pub struct Given {
    /// What is in it.
    pub content: Content,
    /// What it is called; as its path or URL says unless told.
    pub name: Option<String>,
    /// Its media type; as its server or its name says unless told.
    pub mime: Option<String>,
}

/// What is in a file.
#[derive(Debug, Clone)]
pub enum Content {
    /// What is in a file of this machine.
    Path(PathBuf),
    /// What is under a URL, for the browser with its cookies.
    Url(String),
    /// This.
    Bytes(Vec<u8>),
}

impl From<PathBuf> for Given {
    fn from(path: PathBuf) -> Self {
        Self { content: Content::Path(path), name: None, mime: None }
    }
}

impl Given {
    /// The file that is given as it is, where it is one.
    pub(crate) fn as_it_is(&self) -> Option<&PathBuf> {
        match self {
            Self { content: Content::Path(path), name: None, mime: None } => Some(path),
            _ => None,
        }
    }
}

/// A file for the agent.
#[derive(Serialize)]
pub(crate) struct Carried {
    name: String,
    #[serde(rename = "type")]
    mime: String,
    base64: String,
}

/// How much is carried into a page in one call, all files together: it goes through memory several times.
const MOST: usize = 32 << 20;

impl Page {
    /// Gets hold of what is in files.
    pub(crate) async fn carried(&self, files: &[Given], deadline: Deadline) -> Result<Vec<Carried>> {
        let mut carried = Vec::new();
        let mut room = MOST;
        for file in files {
            let (bytes, called, served) = match &file.content {
                Content::Bytes(bytes) => (bytes.clone(), None, None),
                Content::Path(path) => self.read_file(path, room)?,
                Content::Url(url) => self.fetch_file(url, room, deadline).await?,
            };
            room = room.checked_sub(bytes.len()).ok_or(Error::TooLarge { most: MOST })?;
            let name = file.name.clone().or(called).unwrap_or_else(|| "file".into());
            let mime = file.mime.clone().or(served).or_else(|| mime_of(&name).map(str::to_owned));
            let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
            carried.push(Carried { name, mime: mime.unwrap_or_default(), base64 });
        }
        Ok(carried)
    }

    fn read_file(&self, path: &std::path::Path, room: usize) -> Result<Had> {
        let (bytes, name) = read_file(&*self.files()?, path, room, MOST)?;
        Ok((bytes, name, None))
    }

    async fn fetch_file(&self, url: &str, room: usize, deadline: Deadline) -> Result<Had> {
        let address = Address::read(url, &*self.files()?)?;
        let bad = |reason| Error::BadUrl { url: url.to_owned(), reason, meant: None, forbidden: false };
        let parsed = Url::parse(address.as_str()).map_err(|_| bad("it cannot be parsed"))?;
        match parsed.scheme() {
            "http" | "https" => {}
            "file" => {
                let path = parsed.to_file_path().map_err(|()| bad("it names no file"))?;
                return self.read_file(&path, room);
            }
            _ => return Err(bad("nothing can be fetched from it; give its content as base64")),
        }
        let context = self.context().ok_or(Error::TabClosed)?;
        context.check_policy(parsed.as_str())?;
        let power = self.driver().fetching().ok_or(Error::Unsupported("fetch beside a page"))?;
        let (after, began) = (deadline.left(), Instant::now());
        let fetched = deadline.bound(power.fetch(parsed.as_str(), room)).await;
        let not = |reason: String| Error::NotFetched { url: url.to_owned(), reason };
        // The relay answers with this status; where it refused a redirect, that has the reason.
        if let Some(Ok(Fetched::Status(403) | Fetched::Failed(_))) = fetched
            && let Some(refusal) = context.refused_since(began)
        {
            return Err(Error::HostRefused(refusal));
        }
        match fetched {
            None => Err(not(format!("it took longer than {} s", after.as_secs_f64().round()))),
            Some(Err(error)) => Err(self.explain(error)),
            Some(Ok(Fetched::Status(status))) => Err(not(format!("the server answered {status}"))),
            Some(Ok(Fetched::Failed(reason))) => Err(not(reason)),
            Some(Ok(Fetched::TooLarge)) => Err(Error::TooLarge { most: MOST }),
            Some(Ok(Fetched::Content { mime, bytes })) => {
                let plain = |mime: String| mime.split(';').next().unwrap_or_default().trim().to_owned();
                Ok((bytes, last_part(&parsed), mime.map(plain)))
            }
        }
    }
}

/// What is in a file that may be read, and its name. There is room for so many bytes, of so many in all.
pub(crate) fn read_file(
    files: &Files,
    path: &std::path::Path,
    room: usize,
    most: usize,
) -> Result<(Vec<u8>, Option<String>)> {
    let path = files.to_read(path)?;
    let unread = |error| Error::File { path: path.clone(), reason: std::sync::Arc::new(error) };
    let size = std::fs::metadata(&path).map_err(unread)?.len();
    if usize::try_from(size).map_or(true, |size| size > room) {
        return Err(Error::TooLarge { most });
    }
    let bytes = std::fs::read(&path).map_err(unread)?;
    Ok((bytes, path.file_name().map(|name| name.to_string_lossy().into_owned())))
}

/// Bytes, and the name and media type where they are known.
type Had = (Vec<u8>, Option<String>, Option<String>);

/// What a URL calls its file.
fn last_part(url: &Url) -> Option<String> {
    let part = url.path_segments()?.next_back().filter(|part| !part.is_empty())?;
    Some(percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned())
}

/// The media types of names that forms ask for.
const TYPES: &[(&str, &str)] = &[
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("html", "text/html"),
    ("json", "application/json"),
    ("xml", "text/xml"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
];

pub(crate) fn mime_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    TYPES.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, mime)| *mime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_its_file() {
        let name = |url: &str| last_part(&Url::parse(url).unwrap());
        assert_eq!(name("http://a/b/c%20d.png?x#y").as_deref(), Some("c d.png"));
        assert_eq!(name("http://a/b/"), None);
    }

    #[test]
    fn names_tell_types() {
        assert_eq!(mime_of("A.PNG"), Some("image/png"));
        assert_eq!(mime_of("png"), None);
    }
}
