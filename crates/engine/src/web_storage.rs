//! Local and session storage of a page's origin.

use serde_json::{Value, json};

use crate::{
    Deadline, Error, Result, SiteDataError,
    injected::{InjectedError, Refusal},
    page::parts::WebStorage,
};

/// The two kinds of web storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StorageKind {
    /// `localStorage`.
    #[default]
    Local,
    /// `sessionStorage`.
    Session,
}

impl StorageKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Session => "session",
        }
    }
}

impl WebStorage<'_> {
    /// All entries, in the page's order.
    pub async fn storage(self, kind: StorageKind) -> Result<Vec<(String, String)>> {
        self.ask_storage("storageRead", json!({ "kind": kind.as_str() })).await
    }

    /// Sets an entry.
    pub async fn set_stored(self, kind: StorageKind, key: &str, value: &str) -> Result<()> {
        let args = json!({ "kind": kind.as_str(), "items": [[key, value]] });
        self.ask_storage::<Value>("storageWrite", args).await.map(drop)
    }

    /// Removes one entry, or all of them.
    pub async fn remove_stored(self, kind: StorageKind, key: Option<&str>) -> Result<()> {
        let (function, args) = match key {
            Some(key) => ("storageRemove", json!({ "kind": kind.as_str(), "keys": [key] })),
            None => ("storageWrite", json!({ "kind": kind.as_str(), "items": [], "clear": true })),
        };
        self.ask_storage::<Value>(function, args).await.map(drop)
    }

    async fn ask_storage<T: serde::de::DeserializeOwned>(
        self,
        function: &'static str,
        args: Value,
    ) -> Result<T> {
        let frame = self.page.locator().chosen_frame()?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let reply = self.page.injected().ask(&frame, function, &args, deadline).await;
        reply.map_err(|failure| match failure {
            InjectedError::Refused(Refusal::Misfit { message, .. }) => {
                Error::SiteData(SiteDataError::WebStorage(message))
            }
            failure => failure.into_error(),
        })
    }
}
