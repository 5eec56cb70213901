//! <https://w3c.github.io/webdriver-bidi/#module-browsingContext>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, script::SharedReference};

/// Commands that take nothing but a context.
#[derive(Serialize)]
pub(crate) struct Activate<'a> {
    pub(crate) context: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaptureScreenshot<'a> {
    pub(crate) context: &'a str,
    pub(crate) origin: &'static str,
    pub(crate) format: ImageFormat,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<BoxClip>,
}

#[derive(Serialize)]
pub(crate) struct ImageFormat {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quality: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct BoxClip {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Base64 data.
#[derive(Deserialize)]
pub(crate) struct Data {
    pub(crate) data: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Close<'a> {
    pub(crate) context: &'a str,
    pub(crate) prompt_unload: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Create<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_context: Option<&'a str>,
    /// For a tab: a context in the same window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reference_context: Option<&'a str>,
    pub(crate) background: bool,
}

#[derive(Deserialize)]
pub(crate) struct Created {
    pub(crate) context: String,
}

#[derive(Serialize)]
pub(crate) struct GetTree<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) root: Option<&'a str>,
}

/// The tree of the browser's own windows. Firefox only, with system access.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetChromeTree {
    #[serde(rename = "moz:scope")]
    pub(crate) scope: &'static str,
    pub(crate) max_depth: u32,
}

#[derive(Deserialize)]
pub(crate) struct ChromeTree {
    pub(crate) contexts: Vec<ChromeInfo>,
}

#[derive(Deserialize)]
pub(crate) struct ChromeInfo {
    pub(crate) context: String,
    /// Versions that do not know the parameter do not return it.
    #[serde(rename = "moz:scope")]
    pub(crate) scope: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Tree {
    pub(crate) contexts: Vec<Info>,
}

/// Also the parameters of `contextCreated` and `contextDestroyed`.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Info {
    pub(crate) context: String,
    pub(crate) parent: Option<String>,
    pub(crate) user_context: String,
    pub(crate) original_opener: Option<String>,
    #[serde(default)]
    pub(crate) client_window: String,
    #[serde(default)]
    pub(crate) url: String,
    /// Child frames, in a tree.
    #[serde(default)]
    pub(crate) children: Option<Vec<Self>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandleUserPrompt<'a> {
    pub(crate) context: &'a str,
    pub(crate) accept: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_text: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct LocateNodes<'a> {
    pub(crate) context: &'a str,
    pub(crate) locator: ContextLocator<'a>,
}

/// The owner element of a context.
#[derive(Serialize)]
pub(crate) struct ContextLocator<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) value: OfContext<'a>,
}

#[derive(Serialize)]
pub(crate) struct OfContext<'a> {
    pub(crate) context: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Located {
    pub(crate) nodes: Vec<SharedReference>,
}

#[derive(Serialize)]
pub(crate) struct Navigate<'a> {
    pub(crate) context: &'a str,
    pub(crate) url: &'a str,
    pub(crate) wait: &'static str,
}

#[derive(Deserialize)]
pub(crate) struct Navigated {
    pub(crate) navigation: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Print<'a> {
    pub(crate) context: &'a str,
    pub(crate) background: bool,
    pub(crate) orientation: &'static str,
    pub(crate) page: PrintPage,
    pub(crate) margin: PrintMargin,
    pub(crate) scale: f64,
    pub(crate) shrink_to_fit: bool,
}

/// In centimetres.
#[derive(Serialize)]
pub(crate) struct PrintPage {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// In centimetres.
#[derive(Serialize)]
pub(crate) struct PrintMargin {
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

#[derive(Serialize)]
pub(crate) struct Reload<'a> {
    pub(crate) context: &'a str,
    pub(crate) wait: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetViewport<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<&'a str>,
    /// For all existing and future contexts of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_contexts: Option<[&'a str; 1]>,
    pub(crate) viewport: Viewport,
    /// Omitted: unchanged; `null` removes the override.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) device_pixel_ratio: Option<Option<f64>>,
}

#[derive(Serialize)]
pub(crate) struct Viewport {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Serialize)]
pub(crate) struct TraverseHistory<'a> {
    pub(crate) context: &'a str,
    pub(crate) delta: i32,
}

/// The parameters of all navigation events.
#[derive(Deserialize)]
pub(crate) struct NavigationInfo {
    pub(crate) context: String,
    pub(crate) navigation: Option<String>,
    /// Versions before 153 do not know it while a page asks whether it may be left.
    pub(crate) url: Option<String>,
}

/// `historyUpdated`.
#[derive(Deserialize)]
pub(crate) struct HistoryUpdated {
    pub(crate) context: String,
    pub(crate) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadWillBegin {
    pub(crate) context: String,
    pub(crate) navigation: Option<String>,
    pub(crate) url: String,
    pub(crate) suggested_filename: String,
}

#[derive(Deserialize)]
pub(crate) struct DownloadEnd {
    pub(crate) navigation: Option<String>,
    pub(crate) url: String,
    pub(crate) status: String,
    pub(crate) filepath: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserPromptOpened {
    pub(crate) context: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) message: String,
    pub(crate) default_value: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct UserPromptClosed {
    pub(crate) context: String,
}

commands! {
    Activate<'_> => "browsingContext.activate", Empty;
    CaptureScreenshot<'_> => "browsingContext.captureScreenshot", Data;
    Close<'_> => "browsingContext.close", Empty;
    Create<'_> => "browsingContext.create", Created;
    GetChromeTree => "browsingContext.getTree", ChromeTree;
    GetTree<'_> => "browsingContext.getTree", Tree;
    HandleUserPrompt<'_> => "browsingContext.handleUserPrompt", Empty;
    LocateNodes<'_> => "browsingContext.locateNodes", Located;
    Navigate<'_> => "browsingContext.navigate", Navigated;
    Print<'_> => "browsingContext.print", Data;
    Reload<'_> => "browsingContext.reload", Empty;
    SetViewport<'_> => "browsingContext.setViewport", Empty;
    TraverseHistory<'_> => "browsingContext.traverseHistory", Empty;
}
