//! The shape of one message. Everything is borrowed: only what is subscribed to gets parsed further, so
//! unknown events and fields cost nothing and break nothing.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outgoing<'a, P: Serialize> {
    pub(crate) id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) params: P,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Incoming<'a> {
    pub(crate) id: Option<u64>,
    #[serde(borrow)]
    pub(crate) session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) result: Option<&'a RawValue>,
    pub(crate) error: Option<Refusal>,
}

#[derive(Deserialize)]
pub(crate) struct Refusal {
    #[serde(default)]
    pub(crate) code: i64,
    #[serde(default)]
    pub(crate) message: String,
}
