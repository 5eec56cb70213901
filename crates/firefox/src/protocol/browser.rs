//! <https://w3c.github.io/webdriver-bidi/#module-browser>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateUserContext {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proxy: Option<ProxyConfiguration>,
}

/// The proxy of all traffic.
#[derive(Serialize)]
#[serde(tag = "proxyType", rename_all = "lowercase")]
pub(crate) enum ProxyConfiguration {
    /// No proxy, whatever other contexts have.
    Direct,
    #[serde(rename_all = "camelCase")]
    Manual { http_proxy: String, ssl_proxy: String },
}

impl ProxyConfiguration {
    pub(crate) fn at(address: std::net::SocketAddr) -> Self {
        Self::Manual { http_proxy: address.to_string(), ssl_proxy: address.to_string() }
    }
}

#[derive(Serialize)]
pub(crate) struct GetClientWindows {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientWindows {
    pub(crate) client_windows: Vec<ClientWindowInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientWindowInfo {
    pub(crate) client_window: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetClientWindowState<'a> {
    pub(crate) client_window: &'a str,
    pub(crate) state: &'static str,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserContextInfo {
    pub(crate) user_context: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoveUserContext<'a> {
    pub(crate) user_context: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetDownloadBehavior<'a> {
    pub(crate) download_behavior: DownloadBehavior<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_contexts: Option<[&'a str; 1]>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum DownloadBehavior<'a> {
    #[serde(rename_all = "camelCase")]
    Allowed {
        destination_folder: &'a str,
    },
    Denied,
}

commands! {
    CreateUserContext => "browser.createUserContext", UserContextInfo;
    GetClientWindows => "browser.getClientWindows", ClientWindows;
    RemoveUserContext<'_> => "browser.removeUserContext", Empty;
    SetClientWindowState<'_> => "browser.setClientWindowState", ClientWindowInfo;
    SetDownloadBehavior<'_> => "browser.setDownloadBehavior", Empty;
}
