//! <https://w3c.github.io/webdriver-bidi/#module-input>

use std::path::PathBuf;

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, script::SharedReference};

#[derive(Serialize)]
pub(crate) struct PerformActions<'a> {
    pub(crate) context: &'a str,
    pub(crate) actions: [SourceActions; 3],
}

/// The actions of one input source, tick by tick.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceActions {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) id: &'static str,
    pub(crate) actions: Vec<Action>,
}

#[derive(Serialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Action {
    Pause {},
    PointerMove {
        x: f64,
        y: f64,
    },
    PointerDown {
        button: u8,
    },
    PointerUp {
        button: u8,
    },
    KeyDown {
        value: String,
    },
    KeyUp {
        value: String,
    },
    #[serde(rename_all = "camelCase")]
    Scroll {
        x: i64,
        y: i64,
        delta_x: i64,
        delta_y: i64,
    },
}

#[derive(Serialize)]
pub(crate) struct ReleaseActions<'a> {
    pub(crate) context: &'a str,
}

#[derive(Serialize)]
pub(crate) struct SetFiles<'a> {
    pub(crate) context: &'a str,
    pub(crate) element: SharedReference,
    pub(crate) files: &'a [PathBuf],
}

#[derive(Deserialize)]
pub(crate) struct FileDialogOpened {
    pub(crate) context: String,
    pub(crate) element: Option<SharedReference>,
    pub(crate) multiple: bool,
}

commands! {
    PerformActions<'_> => "input.performActions", Empty;
    ReleaseActions<'_> => "input.releaseActions", Empty;
    SetFiles<'_> => "input.setFiles", Empty;
}
