//! <https://w3c.github.io/webdriver-bidi/#module-log>

use serde::Deserialize;

use super::script::{RemoteValue, Source, StackTrace};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryAdded {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) level: String,
    #[serde(default)]
    pub(crate) text: Option<String>,
    pub(crate) source: Source,
    pub(crate) method: Option<String>,
    #[serde(default)]
    pub(crate) args: Vec<RemoteValue>,
    pub(crate) stack_trace: Option<StackTrace>,
}
