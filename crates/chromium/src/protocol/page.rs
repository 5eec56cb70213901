//! <https://chromedevtools.github.io/devtools-protocol/tot/Page/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct SetLifecycleEventsEnabled {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
pub(crate) struct SetInterceptFileChooserDialog {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddScriptToEvaluateOnNewDocument<'a> {
    pub(crate) source: &'a str,
    pub(crate) world_name: &'a str,
    pub(crate) run_immediately: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateIsolatedWorld<'a> {
    pub(crate) frame_id: &'a str,
    pub(crate) world_name: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedWorld {
    pub(crate) execution_context_id: i64,
}

#[derive(Serialize)]
pub(crate) struct Navigate<'a> {
    pub(crate) url: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigateReply {
    pub(crate) loader_id: Option<String>,
    pub(crate) error_text: Option<String>,
    #[serde(default)]
    pub(crate) is_download: bool,
}

#[derive(Serialize)]
pub(crate) struct GetFrameTree {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GotFrameTree {
    pub(crate) frame_tree: FrameTree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTree {
    pub(crate) frame: Frame,
    #[serde(default)]
    pub(crate) child_frames: Vec<FrameTree>,
}

#[derive(Serialize)]
pub(crate) struct Reload {}

#[derive(Serialize)]
pub(crate) struct StopLoading {}

#[derive(Serialize)]
pub(crate) struct Crash {}

#[derive(Serialize)]
pub(crate) struct GetNavigationHistory {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigationHistory {
    pub(crate) current_index: i32,
    pub(crate) entries: Vec<NavigationEntry>,
}

#[derive(Deserialize)]
pub(crate) struct NavigationEntry {
    pub(crate) id: i64,
    pub(crate) url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigateToHistoryEntry {
    pub(crate) entry_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandleJavaScriptDialog<'a> {
    pub(crate) accept: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompt_text: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaptureScreenshot {
    pub(crate) format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quality: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<Viewport>,
    pub(crate) capture_beyond_viewport: bool,
    pub(crate) optimize_for_speed: bool,
}

#[derive(Serialize)]
pub(crate) struct Viewport {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) scale: f64,
}

#[derive(Deserialize)]
pub(crate) struct Captured {
    pub(crate) data: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrintToPdf<'a> {
    /// Inches, like the height.
    pub(crate) paper_width: f64,
    pub(crate) paper_height: f64,
    pub(crate) landscape: bool,
    pub(crate) print_background: bool,
    #[serde(rename = "preferCSSPageSize")]
    pub(crate) prefer_css_page_size: bool,
    pub(crate) scale: f64,
    /// Inches, like the other margins.
    pub(crate) margin_top: f64,
    pub(crate) margin_bottom: f64,
    pub(crate) margin_left: f64,
    pub(crate) margin_right: f64,
    pub(crate) display_header_footer: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) header_template: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) footer_template: Option<&'a str>,
    pub(crate) transfer_mode: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartScreencast {
    pub(crate) format: &'static str,
    pub(crate) quality: u8,
    pub(crate) max_width: u32,
    pub(crate) max_height: u32,
}

#[derive(Serialize)]
pub(crate) struct StopScreencast {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreencastFrameAck {
    pub(crate) session_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreencastFrame {
    /// Base64.
    pub(crate) data: String,
    pub(crate) metadata: ScreencastFrameMetadata,
    pub(crate) session_id: i64,
}

#[derive(Deserialize)]
pub(crate) struct ScreencastFrameMetadata {
    /// Seconds since 1970.
    pub(crate) timestamp: Option<f64>,
}

#[derive(Deserialize)]
pub(crate) struct Printed {
    /// An IO stream, depending on the transfer mode.
    pub(crate) stream: String,
}

#[derive(Serialize)]
pub(crate) struct GetLayoutMetrics {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayoutMetrics {
    pub(crate) css_visual_viewport: VisualViewport,
    pub(crate) css_content_size: ContentSize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VisualViewport {
    pub(crate) page_x: f64,
    pub(crate) page_y: f64,
    pub(crate) client_width: f64,
    pub(crate) client_height: f64,
}

#[derive(Deserialize)]
pub(crate) struct ContentSize {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

commands! {
    Enable => "Page.enable", Empty;
    SetLifecycleEventsEnabled => "Page.setLifecycleEventsEnabled", Empty;
    SetInterceptFileChooserDialog => "Page.setInterceptFileChooserDialog", Empty;
    AddScriptToEvaluateOnNewDocument<'_> => "Page.addScriptToEvaluateOnNewDocument", Empty;
    CreateIsolatedWorld<'_> => "Page.createIsolatedWorld", CreatedWorld;
    Navigate<'_> => "Page.navigate", NavigateReply;
    GetFrameTree => "Page.getFrameTree", GotFrameTree;
    Reload => "Page.reload", Empty;
    StopLoading => "Page.stopLoading", Empty;
    Crash => "Page.crash", Empty;
    GetNavigationHistory => "Page.getNavigationHistory", NavigationHistory;
    NavigateToHistoryEntry => "Page.navigateToHistoryEntry", Empty;
    HandleJavaScriptDialog<'_> => "Page.handleJavaScriptDialog", Empty;
    CaptureScreenshot => "Page.captureScreenshot", Captured;
    PrintToPdf<'_> => "Page.printToPDF", Printed;
    StartScreencast => "Page.startScreencast", Empty;
    StopScreencast => "Page.stopScreencast", Empty;
    ScreencastFrameAck => "Page.screencastFrameAck", Empty;
    GetLayoutMetrics => "Page.getLayoutMetrics", LayoutMetrics;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameAttached {
    pub(crate) frame_id: String,
    pub(crate) parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameDetached {
    pub(crate) frame_id: String,
    #[serde(default)]
    pub(crate) reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfFrame {
    pub(crate) frame_id: String,
}

#[derive(Deserialize)]
pub(crate) struct FrameNavigated {
    pub(crate) frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) loader_id: String,
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) url_fragment: String,
    pub(crate) unreachable_url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NavigatedWithinDocument {
    pub(crate) frame_id: String,
    pub(crate) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LifecycleEvent {
    pub(crate) frame_id: String,
    pub(crate) loader_id: String,
    pub(crate) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JavascriptDialogOpening {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) default_prompt: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileChooserOpened {
    pub(crate) frame_id: String,
    pub(crate) mode: String,
    pub(crate) backend_node_id: Option<i64>,
}

#[derive(Deserialize)]
pub(crate) struct FrameRequestedNavigation {
    pub(crate) disposition: String,
}
