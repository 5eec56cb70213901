//! The host's own events.

use std::path::PathBuf;

use serde::Deserialize;

/// The version of the host's protocol.
pub(crate) const PROTOCOL: &str = include_str!("../../../webkit-host/PROTOCOL").trim_ascii();

/// `Host.started`
#[derive(Deserialize, Clone)]
pub(crate) struct Started {
    /// The version of WebKit.
    pub(crate) version: String,
    /// [`PROTOCOL`], if the host is of the same release.
    #[serde(default)]
    pub(crate) protocol: String,
}

/// `Host.pageOpened`
#[derive(Deserialize)]
pub(crate) struct PageOpened {
    pub(crate) page: String,
    pub(crate) context: String,
    pub(crate) opener: Option<String>,
    pub(crate) hidden: bool,
}

/// `Host.moved`
#[derive(Deserialize)]
pub(crate) struct Moved {
    pub(crate) url: String,
}

/// `Host.redirectIntercepted`
#[derive(Deserialize)]
pub(crate) struct RedirectIntercepted {
    pub(crate) number: u64,
    pub(crate) method: String,
    pub(crate) url: String,
}

/// `Host.dialogOpened`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DialogOpened {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) message: Option<String>,
    pub(crate) default_prompt: Option<String>,
}

/// `Host.chooserOpened`
#[derive(Deserialize)]
pub(crate) struct ChooserOpened {
    pub(crate) multiple: bool,
}

/// `Host.downloadBegan`
#[derive(Deserialize)]
pub(crate) struct DownloadBegan {
    pub(crate) id: String,
    pub(crate) page: Option<String>,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// `Host.downloadEnded`
#[derive(Deserialize)]
pub(crate) struct DownloadEnded {
    pub(crate) id: String,
    pub(crate) complete: bool,
}
