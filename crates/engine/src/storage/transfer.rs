//! Transfers states between contexts and files.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use cicerone_driver::{Context as Driver, Cookie, Cookies, DriverError, PageDriver};
use futures::{StreamExt, future::BoxFuture};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    Databases, Item, Saved, StorageError, StorageState, StoredCookie, StoredOrigin, aside, malformed,
};
use crate::{Context, Deadline, Error, Page, Result, StorageKind, Unsupported, injected};

/// Time limit for one origin.
const ORIGIN: Duration = Duration::from_secs(5);

/// Additional time per megabyte.
const MEGABYTE: Duration = Duration::from_secs(1);

/// How many origins are visited concurrently.
const AT_ONCE: usize = 4;

impl Context {
    /// Restores a saved state in a context without pages.
    pub(crate) async fn restore(&self, driver: &dyn Driver, state: &StorageState) -> Result<()> {
        let cookies: Vec<Cookie> =
            state.cookies.iter().filter_map(|cookie| cookie.to_driver().ok()).collect();
        if !cookies.is_empty() {
            let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::SetCookies))?;
            let timeout = self.session()?.options().navigation_timeout;
            match Deadline::after(timeout).bound(power.set(&cookies)).await {
                Some(Ok(())) => {}
                Some(Err(error)) => return Err(state.blamed(error, power, &cookies).await),
                None => return Err(Error::BrowserSilent(timeout)),
            }
        }
        let mut visits: Vec<BoxFuture<'_, Result<()>>> = Vec::new();
        for origin in &state.origins {
            if origin.holds_something() {
                visits.push(Box::pin(async move {
                    origin.restore(driver).await.map_err(|error| state.refused_by(origin, error))
                }));
            }
        }
        let done: Vec<Result<()>> = futures::stream::iter(visits).buffer_unordered(AT_ONCE).collect().await;
        done.into_iter().collect::<Result<()>>()?;
        self.origins().extend(state.origins.iter().map(|origin| origin.origin.clone()));
        Ok(())
    }

    /// Collects the state of the context, from all its origins.
    pub async fn storage(&self) -> Result<(StorageState, Vec<String>)> {
        let origins = self.origins().iter().cloned().collect();
        self.storage_of(origins).await
    }

    /// Collects all cookies and the storage of these origins; and the origins that did not answer.
    async fn storage_of(&self, origins: Vec<String>) -> Result<(StorageState, Vec<String>)> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::ReadCookies))?;
        let cookies = self.answered(power.all()).await?;
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
        Ok((StorageState { cookies, origins: kept, source: PathBuf::new() }, skipped))
    }

    /// Saves the state of the context.
    pub async fn save_storage(&self, path: &Path) -> Result<Saved> {
        let session = self.session()?;
        // Checks the path first.
        session.files().to_write(path)?;
        let (state, skipped) = self.storage().await?;
        let (cookies, origins) = (state.cookies.len(), state.origins.len());
        let path = path.to_owned();
        let path = aside(move || {
            let text = serde_json::to_string_pretty(&state)
                .map_err(|error| Error::Storage { path: path.clone(), reason: malformed(error) })?;
            let text = session.secrets().redact(&text);
            let is_state = |there: &[u8]| StorageState::parse(there).is_ok();
            let written = session.files().write_private(&path, text.as_bytes(), is_state)?;
            Ok(session.files().shown(&written))
        })
        .await?;
        Ok(Saved { path, cookies, origins, skipped })
    }

    /// Stores the cookies and storage of some origins under a name, encrypted.
    pub async fn keep(&self, name: &str, kept: &TransferParts) -> Result<Transferred> {
        let session = self.session()?;
        let vault = session.vault()?;
        let origins = if kept.local { kept.origins.clone() } else { Vec::new() };
        let (mut state, left) = self.storage_of(origins).await?;
        let urls: Vec<url::Url> =
            kept.origins.iter().filter_map(|origin| url::Url::parse(origin).ok()).collect();
        state.cookies.retain(|cookie| urls.iter().any(|url| cookie.is_of(url)));
        if let Some(page) = kept.session.as_ref() {
            let items = page.web_storage().storage(StorageKind::Session).await?;
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
        Ok(Transferred { cookies: state.cookies.len(), origins: state.origins.len(), left })
    }

    /// Restores a named state; session storage goes to this page if the origin matches.
    pub async fn recall(&self, name: &str, page: Option<&Page>) -> Result<Transferred> {
        let session = self.session()?;
        let bytes = session.vault()?.load(name)?;
        let state =
            StorageState::parse(&bytes).map_err(|reason| Error::Storage { path: name.into(), reason })?;
        let state = StorageState { source: name.into(), ..state };
        let driver = self.make().await?;
        self.restore(driver.as_ref(), &state).await?;
        let mut left = Vec::new();
        for StoredOrigin { origin, session_storage, .. } in &state.origins {
            match page.filter(|page| page.is_at(origin)) {
                _ if session_storage.is_empty() => {}
                // Session storage needs a tab of the origin.
                None => left.push(origin.clone()),
                Some(page) => {
                    for Item { name, value } in session_storage {
                        page.web_storage().set_stored(StorageKind::Session, name, value).await?;
                    }
                }
            }
        }
        Ok(Transferred { cookies: state.cookies.len(), origins: state.origins.len(), left })
    }

    /// The storage of an origin, read from an open page if one answers: it has the latest writes.
    async fn gather(&self, driver: &dyn Driver, origin: &str) -> Result<StoredOrigin> {
        let pages = self.tabs().open.clone();
        for page in pages.iter().filter(|page| page.is_at(origin) && page.dialogs().not_held().is_ok()) {
            if let Ok(stored) = StoredOrigin::read_from(origin, page.driver().as_ref()).await {
                return Ok(stored);
            }
        }
        let visit = Deadline::after(ORIGIN).bound(driver.origin_page(origin)).await.ok_or_else(late)??;
        let read = StoredOrigin::read_from(origin, visit.as_ref()).await;
        visit.close().await?;
        read
    }
}

/// What was saved or restored.
#[derive(Debug, Clone)]
pub struct Transferred {
    /// How many cookies.
    pub cookies: usize,
    /// How many origins with storage.
    pub origins: usize,
    /// Origins whose storage was not transferred: no answer, or no tab for their session storage.
    pub left: Vec<String>,
}

/// What to store under a name.
pub struct TransferParts {
    pub origins: Vec<String>,
    /// Whether to include local storage.
    pub local: bool,
    /// The page whose session storage is included.
    pub session: Option<Page>,
}

impl Page {
    /// The origin of its document, if it has one with storage.
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
        let visit =
            Deadline::after(ORIGIN).bound(driver.origin_page(&self.origin)).await.ok_or_else(late)??;
        let put = self.put_into(visit.as_ref()).await;
        visit.close().await?;
        put
    }

    async fn put_into(&self, page: &dyn PageDriver) -> Result<()> {
        if !self.local_storage.is_empty() {
            let items: Vec<_> = self.local_storage.iter().map(|item| [&item.name, &item.value]).collect();
            let args = json!({ "kind": "local", "items": items, "arrive": true });
            ask::<Value>(page, "storageWrite", &args).await?;
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

/// Calls a function of the injected script in a page's main frame, with a deadline.
async fn ask<T: DeserializeOwned>(page: &dyn PageDriver, function: &str, args: &Value) -> Result<T> {
    let frame = page.main_frame();
    let args = args.to_string();
    let timeout = ORIGIN + MEGABYTE * u32::try_from(args.len() >> 20).unwrap_or(u32::MAX);
    let call = page.call(&frame, function, &args);
    let answer = Deadline::after(timeout).bound(call).await.ok_or(Error::Unresponsive(timeout))??;
    injected::parse_reply(&answer).map_err(injected::InjectedError::into_error)
}

fn late() -> Error {
    Error::Unresponsive(ORIGIN)
}

impl StorageState {
    /// Why cookies were refused. The browser takes all or none and does not say which is wrong, so each
    /// is tried.
    async fn blamed(&self, error: DriverError, power: &dyn Cookies, cookies: &[Cookie]) -> Error {
        if !matches!(error, DriverError::Refused { .. }) {
            return error.into();
        }
        for cookie in cookies {
            if let Err(reason) = power.set(std::slice::from_ref(cookie)).await {
                let reason =
                    StorageError::Cookie { name: cookie.name.clone(), domain: cookie.domain.clone(), reason };
                return Error::Storage { path: self.source.clone(), reason };
            }
        }
        error.into()
    }

    /// Why an origin did not take what it is to keep.
    fn refused_by(&self, origin: &StoredOrigin, error: Error) -> Error {
        match error {
            Error::Driver(reason @ DriverError::Refused { .. }) => Error::Storage {
                path: self.source.clone(),
                reason: StorageError::Origin { origin: origin.origin.clone(), reason },
            },
            Error::Unresponsive(after) => Error::Storage {
                path: self.source.clone(),
                reason: StorageError::Late { origin: origin.origin.clone(), after },
            },
            other => other,
        }
    }
}
