//! The helper extension, for what CDP lacks and extensions have.
//!
//! A manifest and an empty page. In a browser that we launch they are beside the profile before it starts, and no other
//! extension runs. In one that runs already they are loaded at the first call and unloaded when we leave. Each call opens
//! the page in a hidden target and closes it again, so it costs nothing in between.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use cicerone_driver::{DriverError, Feature, Result};
use cicerone_wire::{Session, WireError};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::OnceCell;

use crate::{
    contexts::ContextHandle,
    evaluate::thrown,
    internal_page::{self, Purpose},
    page::{ChromiumPage, failed},
    protocol::{
        extensions::{LoadUnpacked, Uninstall},
        page::Navigate,
        runtime::Evaluate,
    },
};

const MANIFEST: &str =
    r#"{"manifest_version":3,"name":"cicerone","version":"1","permissions":["bookmarks","history"]}"#;

const PAGE: &str = "page.html";

const FUNCTIONS: &str = include_str!("helper.js");

/// The directory of its files, below the browser's own.
pub(crate) fn directory(beside: &Path) -> PathBuf {
    beside.join("cicerone-helper")
}

/// Writes its files.
pub(crate) fn write(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    fs::write(directory.join("manifest.json"), MANIFEST)?;
    fs::write(directory.join(PAGE), "<!doctype html>")
}

/// The helper extension of a browser.
pub(crate) struct Helper {
    place: ContextHandle,
    directory: PathBuf,
    /// Its id, known from the first use on.
    id: OnceCell<String>,
}

impl Helper {
    /// The one of the browser with this default context.
    pub(crate) fn new(place: ContextHandle, directory: PathBuf) -> Self {
        Self { place, directory, id: OnceCell::new() }
    }

    /// Calls a function; arguments and answer are JSON.
    pub(crate) async fn call<T: DeserializeOwned>(&self, name: &str, arguments: impl Serialize) -> Result<T> {
        let garbled = |error| DriverError::Garbled(Arc::new(error));
        let arguments = serde_json::to_string(&arguments).map_err(garbled)?;
        let opened = self.open().await?;
        let command = Evaluate {
            expression: &format!("{FUNCTIONS}(\"{name}\", {arguments})"),
            return_by_value: true,
            await_promise: true,
            ..Evaluate::default()
        };
        let evaluated = opened.page.session.send(&command).await.map_err(failed)?;
        match evaluated.exception_details {
            Some(details) => {
                let message = thrown(&details).message;
                let message = message.trim_start_matches("Error: ").to_owned();
                Err(DriverError::Refused { command: "Runtime.evaluate", message })
            }
            None => serde_json::from_value(evaluated.result.value.unwrap_or_default()).map_err(garbled),
        }
    }

    async fn open(&self) -> Result<Opened> {
        let id = self.id.get_or_try_init(|| self.load()).await?;
        let url = format!("chrome-extension://{id}/{PAGE}");
        let goes = |page: Arc<ChromiumPage>| async move {
            let reply = page.session.send(&Navigate { url: &url }).await.map_err(failed)?;
            reply.error_text.map_or(Ok(()), |_| Err(DriverError::Unsupported(Feature::HelperExtension)))
        };
        let page = internal_page::run(&self.place, Purpose::Helper, goes).await?;
        Ok(Opened { root: self.place.root.clone(), page })
    }

    /// Leaves the browser as it was.
    pub(crate) fn unload(&self) {
        if let Some(id) = self.id.get() {
            self.place.root.tell(&Uninstall { id });
        }
    }

    async fn load(&self) -> Result<String> {
        let path = self.directory.to_string_lossy();
        match self.place.root.send(&LoadUnpacked { path: &path }).await {
            Ok(loaded) => Ok(loaded.id),
            Err(WireError::Refused { .. }) => Err(DriverError::Unsupported(Feature::HelperExtension)),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Its page, closed on drop.
struct Opened {
    root: Session,
    page: Arc<ChromiumPage>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        internal_page::close(&self.root, self.page.id.as_str());
    }
}
