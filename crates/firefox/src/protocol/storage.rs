//! <https://w3c.github.io/webdriver-bidi/#module-storage>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, network::BytesValue};

/// Which cookies: those of a user context, and of one partition if it has a source origin.
#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StorageKey<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) user_context: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source_origin: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct GetCookies<'a> {
    pub(crate) partition: StorageKey<'a>,
}

#[derive(Deserialize)]
pub(crate) struct GotCookies {
    pub(crate) cookies: Vec<Cookie>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cookie {
    pub(crate) name: String,
    pub(crate) value: BytesValue,
    pub(crate) domain: String,
    pub(crate) path: String,
    pub(crate) http_only: bool,
    pub(crate) secure: bool,
    pub(crate) same_site: Option<String>,
    /// Seconds since 1970; `None` for a session cookie.
    pub(crate) expiry: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct SetCookie<'a> {
    pub(crate) cookie: PartialCookie<'a>,
    pub(crate) partition: StorageKey<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PartialCookie<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: BytesValue,
    pub(crate) domain: &'a str,
    pub(crate) path: &'a str,
    pub(crate) http_only: bool,
    pub(crate) secure: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) same_site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expiry: Option<i64>,
}

#[derive(Serialize)]
pub(crate) struct DeleteCookies<'a> {
    pub(crate) filter: CookieFilter<'a>,
    pub(crate) partition: StorageKey<'a>,
}

#[derive(Serialize)]
pub(crate) struct CookieFilter<'a> {
    pub(crate) name: &'a str,
    pub(crate) domain: &'a str,
    pub(crate) path: &'a str,
}

commands! {
    DeleteCookies<'_> => "storage.deleteCookies", Empty;
    GetCookies<'_> => "storage.getCookies", GotCookies;
    SetCookie<'_> => "storage.setCookie", Empty;
}
