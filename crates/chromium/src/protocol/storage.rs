//! <https://chromedevtools.github.io/devtools-protocol/tot/Storage/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

/// Without a `browser_context_id` it is the default context, in this and in [`SetCookies`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetCookies<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<&'a str>,
}

#[derive(Deserialize)]
pub(crate) struct GotCookies {
    pub(crate) cookies: Vec<Cookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cookie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) domain: String,
    pub(crate) path: String,
    /// Seconds since 1970; -1 for a session cookie.
    pub(crate) expires: f64,
    pub(crate) http_only: bool,
    pub(crate) secure: bool,
    pub(crate) session: bool,
    pub(crate) same_site: Option<String>,
    pub(crate) partition_key: Option<PartitionKey>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetCookies<'a> {
    pub(crate) cookies: Vec<CookieParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CookieParam<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) domain: &'a str,
    pub(crate) path: &'a str,
    pub(crate) http_only: bool,
    pub(crate) secure: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) same_site: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partition_key: Option<PartitionKey>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PartitionKey {
    pub(crate) top_level_site: String,
    pub(crate) has_cross_site_ancestor: bool,
}

#[derive(Serialize)]
pub(crate) struct GetTrustTokens {}

commands! {
    GetCookies<'_> => "Storage.getCookies", GotCookies;
    SetCookies<'_> => "Storage.setCookies", Empty;
    GetTrustTokens => "Storage.getTrustTokens", Empty;
}
