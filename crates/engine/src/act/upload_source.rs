//! The content of uploads: files, URLs, bytes.

use std::{path::PathBuf, time::Instant};

use base64::Engine as _;
use cicerone_driver::Fetched;
use serde::Serialize;
use url::Url;

use crate::{
    Address, BadUrl, Deadline, Error, FetchFailure, FileError, Files, NavigationError, Result, Unsupported,
    UploadError, page::parts::FileInputs,
};

/// A file to upload.
#[derive(Debug, Clone)]
pub struct UploadFile {
    pub content: Content,
    /// The file name; by default from the path or URL.
    pub name: Option<String>,
    /// The media type; by default from the server or the file name.
    pub mime: Option<String>,
}

/// Where the content comes from.
#[derive(Debug, Clone)]
pub enum Content {
    /// A local file.
    Path(PathBuf),
    /// A URL, fetched with the browser's cookies.
    Url(String),
    /// The content itself.
    Bytes(Vec<u8>),
}

impl From<PathBuf> for UploadFile {
    fn from(path: PathBuf) -> Self {
        Self { content: Content::Path(path), name: None, mime: None }
    }
}

impl UploadFile {
    /// The path of a local file that is uploaded unchanged.
    pub(crate) fn plain_path(&self) -> Option<&PathBuf> {
        match self {
            Self { content: Content::Path(path), name: None, mime: None } => Some(path),
            _ => None,
        }
    }
}

/// A file for the injected script.
#[derive(Serialize)]
pub(crate) struct FilePayload {
    name: String,
    #[serde(rename = "type")]
    mime: String,
    base64: String,
}

/// Bytes per call, over all files: they pass through memory several times.
const MOST: usize = 32 << 20;

impl FileInputs<'_> {
    /// Reads or fetches the content of files.
    pub(crate) async fn file_payloads(
        self,
        files: &[UploadFile],
        deadline: Deadline,
    ) -> Result<Vec<FilePayload>> {
        let mut file_payloads = Vec::new();
        let mut room = MOST;
        for file in files {
            let (bytes, path_name, served_mime) = match &file.content {
                Content::Bytes(bytes) => (bytes.clone(), None, None),
                Content::Path(path) => self.read_file(path, room)?,
                Content::Url(url) => self.fetch_file(url, room, deadline).await?,
            };
            room =
                room.checked_sub(bytes.len()).ok_or(Error::Upload(UploadError::TooLarge { most: MOST }))?;
            let name = file.name.clone().or(path_name).unwrap_or_else(|| "file".into());
            let mime = file.mime.clone().or(served_mime).or_else(|| mime_of(&name).map(str::to_owned));
            let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
            file_payloads.push(FilePayload { name, mime: mime.unwrap_or_default(), base64 });
        }
        Ok(file_payloads)
    }

    fn read_file(self, path: &std::path::Path, room: usize) -> Result<FileData> {
        let (bytes, name) = read_file(&*self.page.files()?, path, room, MOST)?;
        Ok((bytes, name, None))
    }

    async fn fetch_file(self, url: &str, room: usize, deadline: Deadline) -> Result<FileData> {
        let address = Address::read(url, &*self.page.files()?)?;
        let bad =
            |reason| Error::Navigation(NavigationError::BadUrl { url: url.to_owned(), reason, meant: None });
        let parsed = Url::parse(address.as_str()).map_err(|_| bad(BadUrl::Unparsable))?;
        match parsed.scheme() {
            "http" | "https" => {}
            "file" => {
                let path = parsed.to_file_path().map_err(|()| bad(BadUrl::NoFilePath))?;
                return self.read_file(&path, room);
            }
            _ => return Err(bad(BadUrl::NotFetchable)),
        }
        let context = self.page.context().ok_or(Error::TabClosed)?;
        context.check_navigation(parsed.as_str()).await?;
        let power = self.page.driver().fetching().ok_or(Error::Unsupported(Unsupported::Fetch))?;
        let (after, began) = (deadline.left(), Instant::now());
        let fetched = deadline.bound(power.fetch(parsed.as_str(), room)).await;
        let not =
            |reason: FetchFailure| Error::Upload(UploadError::NotFetched { url: url.to_owned(), reason });
        // The relay answers with this status; a refused redirect has its reason.
        if let Some(Ok(Fetched::Status(403) | Fetched::Failed(_))) = fetched
            && let Some(refusal) = context.refused_since(began)
        {
            return Err(Error::Navigation(NavigationError::HostRefused(refusal)));
        }
        match fetched {
            None => Err(not(FetchFailure::Timeout(after))),
            Some(Err(error)) => Err(self.page.injected().explain(error)),
            Some(Ok(Fetched::Status(status))) => Err(not(FetchFailure::Status(status))),
            Some(Ok(Fetched::Failed(reason))) => Err(not(FetchFailure::Failed(reason))),
            Some(Ok(Fetched::TooLarge)) => Err(Error::Upload(UploadError::TooLarge { most: MOST })),
            Some(Ok(Fetched::Content { mime, bytes })) => {
                let plain = |mime: String| mime.split(';').next().unwrap_or_default().trim().to_owned();
                Ok((bytes, url_file_name(&parsed), mime.map(plain)))
            }
        }
    }
}

/// The content and name of a readable file, if it fits into `room`. `most` is the limit named in the error.
pub(crate) fn read_file(
    files: &Files,
    path: &std::path::Path,
    room: usize,
    most: usize,
) -> Result<(Vec<u8>, Option<String>)> {
    let path = files.to_read(path)?;
    let unread =
        |error| Error::File(FileError::Io { path: path.clone(), reason: std::sync::Arc::new(error) });
    let size = std::fs::metadata(&path).map_err(unread)?.len();
    if usize::try_from(size).map_or(true, |size| size > room) {
        return Err(Error::Upload(UploadError::TooLarge { most }));
    }
    let bytes = std::fs::read(&path).map_err(unread)?;
    Ok((bytes, path.file_name().map(|name| name.to_string_lossy().into_owned())))
}

/// Bytes, name and media type.
type FileData = (Vec<u8>, Option<String>, Option<String>);

/// The file name in a URL.
fn url_file_name(url: &Url) -> Option<String> {
    let part = url.path_segments()?.next_back().filter(|part| !part.is_empty())?;
    Some(percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned())
}

/// Media types by file name extension, as upload forms ask for them.
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
        let name = |url: &str| url_file_name(&Url::parse(url).unwrap());
        assert_eq!(name("http://a/b/c%20d.png?x#y").as_deref(), Some("c d.png"));
        assert_eq!(name("http://a/b/"), None);
    }

    #[test]
    fn names_tell_types() {
        assert_eq!(mime_of("A.PNG"), Some("image/png"));
        assert_eq!(mime_of("png"), None);
    }
}
