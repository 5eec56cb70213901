//! <https://chromedevtools.github.io/devtools-protocol/tot/Input/>

use cicerone_wire::Empty;
use serde::Serialize;

use super::commands;

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DispatchMouseEvent {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) modifiers: u8,
    pub(crate) button: &'static str,
    pub(crate) buttons: u8,
    pub(crate) click_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delta_x: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) delta_y: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DispatchKeyEvent<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) modifiers: u8,
    pub(crate) key: &'a str,
    pub(crate) code: &'a str,
    pub(crate) windows_virtual_key_code: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) commands: &'a [&'static str],
}

#[derive(Serialize)]
pub(crate) struct InsertText<'a> {
    pub(crate) text: &'a str,
}

commands! {
    DispatchMouseEvent => "Input.dispatchMouseEvent", Empty;
    DispatchKeyEvent<'_> => "Input.dispatchKeyEvent", Empty;
    InsertText<'_> => "Input.insertText", Empty;
}
