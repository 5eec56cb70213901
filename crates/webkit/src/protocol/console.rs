//! `Console.json`

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, runtime::RemoteObject};

#[derive(Serialize)]
pub(crate) struct Enable {}

commands! {
    Enable => "Console.enable", Empty;
}

/// `Console.messageAdded`
#[derive(Deserialize)]
pub(crate) struct MessageAdded {
    pub(crate) message: ConsoleMessage,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct ConsoleMessage {
    pub(crate) source: String,
    pub(crate) level: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) url: String,
    pub(crate) line: u32,
    pub(crate) parameters: Vec<RemoteObject>,
}
