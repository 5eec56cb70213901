//! <https://chromedevtools.github.io/devtools-protocol/tot/IO/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Read<'a> {
    pub(crate) handle: &'a str,
    pub(crate) size: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Chunk {
    #[serde(default)]
    pub(crate) base64_encoded: bool,
    pub(crate) data: String,
    pub(crate) eof: bool,
}

#[derive(Serialize)]
pub(crate) struct Close<'a> {
    pub(crate) handle: &'a str,
}

commands! {
    Read<'_> => "IO.read", Chunk;
    Close<'_> => "IO.close", Empty;
}
