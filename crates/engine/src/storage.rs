//! Saved states of contexts: cookies and local storage, in Playwright's format.

mod error;
mod transfer;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use cicerone_driver::{Cookie, SameSite};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, FileError, Files, Result, goes_to};

use self::error::MOST_BYTES;
pub use self::{
    error::StorageError,
    transfer::{TransferParts, Transferred},
};

/// A saved state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StorageState {
    /// Cookies of all sites.
    #[serde(default)]
    pub cookies: Vec<StoredCookie>,
    /// The storage of each origin.
    #[serde(default)]
    pub origins: Vec<StoredOrigin>,
    #[serde(skip)]
    source: PathBuf,
}

/// A cookie.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCookie {
    name: String,
    value: String,
    #[serde(default)]
    domain: String,
    #[serde(default = "root")]
    path: String,
    /// Seconds since 1970; -1 for a session cookie.
    #[serde(default = "never")]
    expires: f64,
    #[serde(default)]
    http_only: bool,
    #[serde(default)]
    secure: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    same_site: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    partition_key: Option<String>,
    /// Some writers use this instead of a domain.
    #[serde(default, skip_serializing)]
    url: Option<String>,
}

fn root() -> String {
    "/".into()
}

fn never() -> f64 {
    -1.0
}

/// The storage of an origin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredOrigin {
    origin: String,
    #[serde(default)]
    local_storage: Vec<Item>,
    /// Of one tab; only named states have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    session_storage: Vec<Item>,
    #[serde(default, rename = "indexedDB", skip_serializing_if = "Vec::is_empty")]
    databases: Vec<Value>,
}

/// An entry of a storage.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Item {
    name: String,
    value: String,
}

/// The databases of an origin, as the injected script serialises them.
#[derive(Deserialize)]
struct Databases {
    databases: Vec<Value>,
}

/// The result of saving.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The file.
    pub path: std::path::PathBuf,
    /// How many cookies it has.
    pub cookies: usize,
    /// How many origins it has.
    pub origins: usize,
    /// Origins that did not answer.
    pub skipped: Vec<String>,
}

impl StorageState {
    /// Reads a file on another thread, because it may be large.
    pub async fn read(files: &Files, path: &Path) -> Result<Self> {
        let real = files.to_read(path)?;
        let path = path.to_owned();
        aside(move || {
            let failed = |reason| Error::Storage { path: path.clone(), reason };
            let io = |error| Error::File(FileError::Io { path: path.clone(), reason: Arc::new(error) });
            let size = std::fs::metadata(&real).map_err(io)?.len();
            if size > MOST_BYTES {
                return Err(failed(StorageError::TooLarge { size, most: MOST_BYTES }));
            }
            let state = Self::parse(&std::fs::read(&real).map_err(io)?).map_err(failed)?;
            Ok(Self { source: path.clone(), ..state })
        })
        .await
    }

    /// Parses the bytes of a file.
    pub fn parse(bytes: &[u8]) -> std::result::Result<Self, StorageError> {
        let state: BTreeMap<String, &serde_json::value::RawValue> =
            serde_json::from_slice(bytes).map_err(malformed)?;
        if !state.contains_key("cookies") && !state.contains_key("origins") {
            return Err(StorageError::Foreign);
        }
        let state: Self = serde_json::from_slice(bytes).map_err(malformed)?;
        for StoredOrigin { origin, .. } in &state.origins {
            let known = url::Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            known.ok_or_else(|| StorageError::BadOrigin(origin.clone()))?;
        }
        state.cookies.iter().try_for_each(|cookie| cookie.to_driver().map(drop))?;
        Ok(state)
    }
}

/// Runs slow work on another thread.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(failed) => match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Cancelled only when the runtime ends.
            Err(_) => Err(Error::BrowserEnded),
        },
    }
}

fn malformed(error: serde_json::Error) -> StorageError {
    StorageError::Malformed(Arc::new(error))
}

impl StoredCookie {
    /// Whether it would be sent to this URL, ignoring its path.
    fn is_of(&self, url: &url::Url) -> bool {
        self.to_driver().is_ok_and(|cookie| goes_to(&Cookie { path: "/".into(), ..cookie }, url))
    }

    fn to_driver(&self) -> std::result::Result<Cookie, StorageError> {
        let home = self.url.as_deref().and_then(|url| url::Url::parse(url).ok());
        let domain = match (self.domain.as_str(), home.as_ref().and_then(url::Url::host_str)) {
            ("", Some(host)) => host.to_owned(),
            ("", None) => return Err(StorageError::NoDomain(self.name.clone())),
            (domain, _) => domain.to_owned(),
        };
        Ok(Cookie {
            name: self.name.clone(),
            value: self.value.clone(),
            domain,
            path: self.path.clone(),
            expires: Some(self.expires).filter(|expires| *expires >= 0.0),
            http_only: self.http_only,
            secure: self.secure,
            same_site: self.same_site.as_deref().and_then(|same_site| match same_site {
                // The word of cookie-exporting extensions.
                "no_restriction" => Some(SameSite::None),
                other => SameSite::parse(other),
            }),
            partition: self.partition_key.clone(),
        })
    }

    fn from_driver(cookie: Cookie) -> Self {
        Self {
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            path: cookie.path,
            expires: cookie.expires.unwrap_or(-1.0),
            http_only: cookie.http_only,
            secure: cookie.secure,
            // The format has no unset value: it counts as lax.
            same_site: Some(cookie.same_site.unwrap_or(SameSite::Lax).as_str().into()),
            partition_key: cookie.partition,
            url: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_storage_states_are_read() {
        let read = |text: &str| StorageState::parse(text.as_bytes());
        assert!(read(r#"{"cookies":[],"origins":[]}"#).is_ok());
        assert!(read(r#"{"cookies":[{"name":"a","value":"b","domain":"x.test"}]}"#).is_ok());
        assert!(matches!(read("{"), Err(StorageError::Malformed(_))));
        assert!(matches!(read("[]"), Err(StorageError::Malformed(_))));
        assert!(matches!(read(r#"{"users":[]}"#), Err(StorageError::Foreign)));
        assert!(matches!(read(r#"{"cookies":{}}"#), Err(StorageError::Malformed(_))));
        assert!(matches!(read(r#"{"cookies":[{"name":"a","value":"b"}]}"#), Err(StorageError::NoDomain(_))));
        assert!(matches!(read(r#"{"origins":[{"origin":"nowhere"}]}"#), Err(StorageError::BadOrigin(_))));
    }
}
