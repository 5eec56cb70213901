//! <https://chromedevtools.github.io/devtools-protocol/tot/Log/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

commands! {
    Enable => "Log.enable", Empty;
}

#[derive(Deserialize)]
pub(crate) struct EntryAdded {
    pub(crate) entry: Entry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) level: String,
    pub(crate) text: String,
    pub(crate) url: Option<String>,
    pub(crate) line_number: Option<i64>,
}
