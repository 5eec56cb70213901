//! <https://chromedevtools.github.io/devtools-protocol/tot/Extensions/>

use cicerone_wire::Empty;
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

#[derive(Serialize)]
pub(crate) struct Uninstall<'a> {
    pub(crate) id: &'a str,
}

commands! {
    LoadUnpacked<'_> => "Extensions.loadUnpacked", Loaded;
    Uninstall<'_> => "Extensions.uninstall", Empty;
}
