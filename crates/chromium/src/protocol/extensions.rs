//! <https://chromedevtools.github.io/devtools-protocol/tot/Extensions/>

use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct LoadUnpacked<'a> {
    pub(crate) path: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Loaded {
    pub(crate) id: String,
}

commands! {
    LoadUnpacked<'_> => "Extensions.loadUnpacked", Loaded;
}
