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
    /// BiDi's words for an error are beside it.
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
}

/// An error as the protocols write it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Refusal {
    /// CDP: all of it in one place.
    Numbered {
        #[serde(default)]
        code: i64,
        #[serde(default)]
        message: String,
    },
    /// BiDi: a kind, with the words beside it.
    Named(String),
}

impl Incoming<'_> {
    /// The error that the message tells, where it tells one: code, kind and words.
    pub(crate) fn refusal(&mut self) -> Option<(i64, String, String)> {
        match self.error.take()? {
            Refusal::Numbered { code, message } => Some((code, String::new(), message)),
            Refusal::Named(kind) => {
                Some((0, kind, self.message.take().map(Cow::into_owned).unwrap_or_default()))
            }
        }
    }
}
