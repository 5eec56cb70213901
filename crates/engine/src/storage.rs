//! Saved states of contexts: cookies and local storage, in the format that Playwright has.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use cicerone_driver::{Context as Driver, Cookie, DriverError, PageDriver, SameSite};
use futures::{StreamExt, future::BoxFuture};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{Context, Deadline, Error, Files, Page, Result, StorageKind, agent, goes_to};

/// How large a saved state may be.
const MOST_BYTES: u64 = 256 << 20;

/// How long one origin may take.
const ORIGIN: Duration = Duration::from_secs(5);

/// How many origins are visited at the same time.
const AT_ONCE: usize = 4;

/// A saved state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StorageState {
    /// Cookies of all sites.
    #[serde(default)]
    pub cookies: Vec<StoredCookie>,
    /// What each origin keeps.
    #[serde(default)]
    pub origins: Vec<StoredOrigin>,
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
    /// Seconds since 1970; -1 for one of the session.
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
    /// Some writers give this instead of a domain.
    #[serde(default, skip_serializing)]
    url: Option<String>,
}

fn root() -> String {
    "/".into()
}

fn never() -> f64 {
    -1.0
}

/// What an origin keeps.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredOrigin {
    origin: String,
    #[serde(default)]
    local_storage: Vec<Item>,
    /// Of one tab; only states that are kept under a name have it.
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

/// The databases of an origin, in the agent's words.
#[derive(Deserialize)]
struct Databases {
    databases: Vec<Value>,
}

/// Why a saved state cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// It is no JSON, or says something else.
    #[error("this is no storage state: {0}")]
    Malformed(Arc<serde_json::Error>),
    /// It is JSON, but has neither cookies nor origins.
    #[error("this is no storage state: it has neither cookies nor origins")]
    Foreign,
    /// An origin is none.
    #[error("{0} is no origin such as https://example.com")]
    BadOrigin(String),
    /// A cookie has no home.
    #[error("the cookie {0} has neither a domain nor a url")]
    Homeless(String),
    /// It is too large.
    #[error("it has {0} MB, and at most {max} are read", max = MOST_BYTES >> 20)]
    TooLarge(u64),
    /// The browser did not take it.
    #[error("the browser did not take it: {0}")]
    Refused(DriverError),
}

impl StorageError {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Refused(_) => "look for what is wrong with the cookies or origins in it",
            _ => "give a file that was saved as a storage state: {\"cookies\": […], \"origins\": […]}",
        }
    }
}

/// What came of saving.
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
    /// Reads a file.
    pub fn read(files: &Files, path: &Path) -> Result<Self> {
        let real = files.to_read(path)?;
        let failed = |reason| Error::Storage { path: path.to_owned(), reason };
        let io = |error| Error::File { path: path.to_owned(), reason: Arc::new(error) };
        let size = std::fs::metadata(&real).map_err(io)?.len();
        if size > MOST_BYTES {
            return Err(failed(StorageError::TooLarge(size >> 20)));
        }
        Self::parse(&std::fs::read(&real).map_err(io)?).map_err(failed)
    }

    /// Understands the bytes of a file.
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

fn malformed(error: serde_json::Error) -> StorageError {
    StorageError::Malformed(Arc::new(error))
}

impl StoredCookie {
    /// Whether it would be sent to a page at this URL, whatever its path.
    fn is_of(&self, url: &url::Url) -> bool {
        self.to_driver().is_ok_and(|cookie| goes_to(&Cookie { path: "/".into(), ..cookie }, url))
    }

    fn to_driver(&self) -> std::result::Result<Cookie, StorageError> {
        let home = self.url.as_deref().and_then(|url| url::Url::parse(url).ok());
        let domain = match (self.domain.as_str(), home.as_ref().and_then(url::Url::host_str)) {
            ("", Some(host)) => host.to_owned(),
            ("", None) => return Err(StorageError::Homeless(self.name.clone())),
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
                "Strict" | "strict" => Some(SameSite::Strict),
                "Lax" | "lax" => Some(SameSite::Lax),
                "None" | "none" | "no_restriction" => Some(SameSite::None),
                _ => None,
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
            // The format has no fourth state: what a site leaves out counts as lax.
            same_site: Some(
                match cookie.same_site {
                    Some(SameSite::Strict) => "Strict",
                    Some(SameSite::None) => "None",
                    Some(SameSite::Lax) | None => "Lax",
                }
                .into(),
            ),
            partition_key: cookie.partition,
            url: None,
        }
    }
}

impl Context {
    /// Puts a saved state into a context that has no page yet.
    pub(crate) async fn restore(&self, driver: &dyn Driver, state: &StorageState) -> Result<()> {
        let cookies: Vec<Cookie> =
            state.cookies.iter().filter_map(|cookie| cookie.to_driver().ok()).collect();
        if !cookies.is_empty() {
            let power = driver.cookies().ok_or(Error::Unsupported("set cookies"))?;
            power.set(&cookies).await?;
        }
        let mut visits: Vec<BoxFuture<'_, Result<()>>> = Vec::new();
        for origin in &state.origins {
            if origin.holds_something() {
                visits.push(Box::pin(origin.restore(driver)));
            }
        }
        let done: Vec<Result<()>> = futures::stream::iter(visits).buffer_unordered(AT_ONCE).collect().await;
        done.into_iter().collect::<Result<()>>()?;
        self.origins().extend(state.origins.iter().map(|origin| origin.origin.clone()));
        Ok(())
    }

    /// Gathers what the context holds, from all origins that it has seen.
    pub async fn storage(&self) -> Result<(StorageState, Vec<String>)> {
        let origins = self.origins().iter().cloned().collect();
        self.storage_of(origins).await
    }

    /// Gathers all cookies, and what these origins keep; and which of them did not answer.
    async fn storage_of(&self, origins: Vec<String>) -> Result<(StorageState, Vec<String>)> {
        let driver = self.make().await?;
        let cookies = driver.cookies().ok_or(Error::Unsupported("read cookies"))?.all().await?;
        let mut visits: Vec<BoxFuture<'_, _>> = Vec::new();
        for origin in origins {
            let driver = driver.as_ref();
            visits.push(Box::pin(async move {
                let stored = self.gather(driver, &origin).await;
                (origin, stored)
            }));
        }
        let mut gathered: Vec<_> = futures::stream::iter(visits).buffer_unordered(AT_ONCE).collect().await;
        gathered.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut skipped = Vec::new();
        let mut kept = Vec::new();
        for (origin, stored) in gathered {
            match stored {
                Ok(stored) if stored.holds_something() => kept.push(stored),
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%origin, %error, "an origin's storage could not be read");
                    skipped.push(origin);
                }
            }
        }
        let cookies = cookies.into_iter().map(StoredCookie::from_driver).collect();
        Ok((StorageState { cookies, origins: kept }, skipped))
    }

    /// Saves what the context holds.
    pub async fn save_storage(&self, path: &Path) -> Result<Saved> {
        let session = self.session()?;
        // Nothing is gathered for a path that is refused.
        session.files().to_write(path)?;
        let (state, skipped) = self.storage().await?;
        let text = serde_json::to_string_pretty(&state)
            .map_err(|error| Error::Storage { path: path.to_owned(), reason: malformed(error) })?;
        let written = session.files().write_private(path, session.secrets().redact(&text).as_bytes())?;
        Ok(Saved {
            path: session.files().shown(&written),
            cookies: state.cookies.len(),
            origins: state.origins.len(),
            skipped,
        })
    }

    /// Keeps the cookies and storage of some origins under a name, encrypted.
    pub async fn keep(&self, name: &str, kept: &Kept) -> Result<(usize, usize)> {
        let session = self.session()?;
        let vault = session.vault()?;
        let (mut state, _) = self.storage_of(kept.origins.clone()).await?;
        let urls: Vec<url::Url> =
            kept.origins.iter().filter_map(|origin| url::Url::parse(origin).ok()).collect();
        state.cookies.retain(|cookie| urls.iter().any(|url| cookie.is_of(url)));
        if !kept.local {
            state.origins.clear();
        }
        if let Some(page) = kept.session.as_ref() {
            let items = page.storage(StorageKind::Session).await?;
            let origin = page.origin().unwrap_or_default();
            let place =
                state.origins.iter().position(|stored| stored.origin == origin).unwrap_or_else(|| {
                    state.origins.push(StoredOrigin::empty(&origin));
                    state.origins.len() - 1
                });
            state.origins[place].session_storage = items.into_iter().map(Item::from).collect();
        }
        let bytes = serde_json::to_vec(&state)
            .map_err(|error| Error::Storage { path: name.into(), reason: malformed(error) })?;
        vault.save(name, &bytes)?;
        Ok((state.cookies.len(), state.origins.len()))
    }

    /// Puts back what was kept under a name; session storage into this page, where it is at its origin.
    pub async fn recall(&self, name: &str, page: Option<&Page>) -> Result<(usize, usize)> {
        let session = self.session()?;
        let bytes = session.vault()?.load(name)?;
        let state =
            StorageState::parse(&bytes).map_err(|reason| Error::Storage { path: name.into(), reason })?;
        let driver = self.make().await?;
        self.restore(driver.as_ref(), &state).await?;
        for origin in &state.origins {
            for Item { name, value } in &origin.session_storage {
                if let Some(page) = page.filter(|page| page.is_at(&origin.origin)) {
                    page.set_stored(StorageKind::Session, name, value).await?;
                }
            }
        }
        Ok((state.cookies.len(), state.origins.len()))
    }

    /// What an origin keeps, told by an open page where one answers: it has seen its own latest writes.
    async fn gather(&self, driver: &dyn Driver, origin: &str) -> Result<StoredOrigin> {
        let pages = self.tabs().open.clone();
        for page in pages.iter().filter(|page| page.is_at(origin) && page.not_held().is_ok()) {
            if let Ok(stored) = StoredOrigin::read_from(origin, page.driver().as_ref()).await {
                return Ok(stored);
            }
        }
        let visit = Deadline::after(ORIGIN).bound(driver.visit(origin)).await.ok_or_else(late)??;
        let read = StoredOrigin::read_from(origin, visit.as_ref()).await;
        visit.close().await?;
        read
    }
}

/// What is kept under a name.
pub struct Kept {
    /// The origins whose cookies and storage are meant.
    pub origins: Vec<String>,
    /// Whether local storage is kept.
    pub local: bool,
    /// The page whose session storage is kept.
    pub session: Option<Page>,
}

impl Page {
    /// The origin of its document, where it has one that keeps anything.
    pub fn origin(&self) -> Option<String> {
        let url = url::Url::parse(&self.url()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(|url| url.origin().ascii_serialization())
    }

    fn is_at(&self, origin: &str) -> bool {
        self.origin().is_some_and(|own| own == origin)
    }
}

impl From<(String, String)> for Item {
    fn from((name, value): (String, String)) -> Self {
        Self { name, value }
    }
}

impl StoredOrigin {
    fn empty(origin: &str) -> Self {
        let origin = origin.to_owned();
        Self { origin, local_storage: Vec::new(), session_storage: Vec::new(), databases: Vec::new() }
    }

    fn holds_something(&self) -> bool {
        !self.local_storage.is_empty() || !self.databases.is_empty()
    }

    async fn restore(&self, driver: &dyn Driver) -> Result<()> {
        let visit = Deadline::after(ORIGIN).bound(driver.visit(&self.origin)).await.ok_or_else(late)??;
        let put = self.put_into(visit.as_ref()).await;
        visit.close().await?;
        put
    }

    async fn put_into(&self, page: &dyn PageDriver) -> Result<()> {
        if !self.local_storage.is_empty() {
            let items: Vec<_> = self.local_storage.iter().map(|item| [&item.name, &item.value]).collect();
            ask::<Value>(page, "storageWrite", &json!({ "kind": "local", "items": items })).await?;
        }
        if !self.databases.is_empty() {
            ask::<Value>(page, "databasesWrite", &json!({ "databases": self.databases })).await?;
        }
        Ok(())
    }

    async fn read_from(origin: &str, page: &dyn PageDriver) -> Result<Self> {
        let items: Vec<(String, String)> = ask(page, "storageRead", &json!({ "kind": "local" })).await?;
        let Databases { databases } = ask(page, "databasesRead", &json!({})).await?;
        let local_storage = items.into_iter().map(Item::from).collect();
        Ok(Self { local_storage, databases, ..Self::empty(origin) })
    }
}

/// A function of the agent in the main frame of a page, by a deadline.
async fn ask<T: DeserializeOwned>(page: &dyn PageDriver, function: &str, args: &Value) -> Result<T> {
    let frame = page.main_frame();
    let args = args.to_string();
    let answer =
        Deadline::after(ORIGIN).bound(page.call(&frame, function, &args)).await.ok_or_else(late)??;
    agent::understand(&answer).map_err(agent::Failure::into_error)
}

fn late() -> Error {
    Error::Unresponsive(ORIGIN)
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
        assert!(matches!(read(r#"{"cookies":[{"name":"a","value":"b"}]}"#), Err(StorageError::Homeless(_))));
        assert!(matches!(read(r#"{"origins":[{"origin":"nowhere"}]}"#), Err(StorageError::BadOrigin(_))));
    }
}
