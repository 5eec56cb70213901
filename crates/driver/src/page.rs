use async_trait::async_trait;

use crate::{
    Bodies, ClosedShadowRoots, Crashing, DocumentId, Emulation, ExtraHeaders, Fetching, FrameId, Input,
    Interception, Interruption, LayoutMetrics, Listeners, NetworkCapture, NodeHandle, PageId, Printing,
    Result, Screencast, ScriptSandbox, Shot, Tracing,
};

/// One page. Each method is one protocol command or a short sequence. None waits for the page to settle, and dropping
/// the future abandons the call.
#[async_trait]
pub trait PageDriver: Send + Sync {
    fn id(&self) -> PageId;
    fn main_frame(&self) -> FrameId;

    /// Loads a URL in the main frame; returns when the document is committed or the navigation failed.
    async fn navigate(&self, url: &str) -> Result<Navigation>;
    /// Moves by `steps` in the session history; false if there is no such entry.
    async fn traverse(&self, steps: i32) -> Result<bool>;
    /// Loads the document again.
    async fn reload(&self) -> Result<()>;
    /// Stops loading.
    async fn stop(&self) -> Result<()>;

    /// Calls a function of the injected script in a frame, with JSON in both directions.
    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String>;
    /// The injected script's number, in the parent frame, of the element that owns a frame.
    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32>;
    /// Gets a handle of an element by the injected script's number.
    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle>;
    /// Evaluates a user's script in the page's main world, with an element as argument if given; returns the value as
    /// JSON, `None` for `undefined`.
    async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<serde_json::Value>>;

    /// Sends a batch of input in order, without waiting in between.
    async fn input(&self, steps: &[Input]) -> Result<()>;
    /// An encoded screenshot.
    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>>;
    /// The title as the browser shows it; works even if the page hangs.
    async fn title(&self) -> Result<String>;
    /// Sets the files of a file input.
    async fn attach_files(&self, field: &NodeHandle, paths: &[std::path::PathBuf]) -> Result<()>;
    /// Accepts or dismisses the open dialog.
    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()>;
    /// Sets the viewport.
    async fn resize(&self, size: Size) -> Result<()>;
    /// Brings the page to the front.
    async fn activate(&self) -> Result<()>;
    /// Closes the page. The sink receives `Closed`.
    async fn close(&self) -> Result<()>;

    // Powers: what an engine may lack.

    /// Request and response bodies.
    fn bodies(&self) -> Option<&dyn Bodies> {
        None
    }
    /// Access to closed shadow roots.
    fn closed_shadow_roots(&self) -> Option<&dyn ClosedShadowRoots> {
        None
    }
    /// Ending a page that hangs.
    fn crashing(&self) -> Option<&dyn Crashing> {
        None
    }
    fn emulation(&self) -> Option<&dyn Emulation> {
        None
    }
    /// Headers that are sent with every request.
    fn extra_headers(&self) -> Option<&dyn ExtraHeaders> {
        None
    }
    /// Fetching outside the page.
    fn fetching(&self) -> Option<&dyn Fetching> {
        None
    }
    /// Interception of requests.
    fn interception(&self) -> Option<&dyn Interception> {
        None
    }
    /// Termination of running scripts.
    fn interruption(&self) -> Option<&dyn Interruption> {
        None
    }
    /// Sizes as the browser has laid them out.
    fn layout_metrics(&self) -> Option<&dyn LayoutMetrics> {
        None
    }
    /// Event listeners of elements.
    fn listeners(&self) -> Option<&dyn Listeners> {
        None
    }
    /// Detailed network events.
    fn network_capture(&self) -> Option<&dyn NetworkCapture> {
        None
    }
    /// PDF output.
    fn printing(&self) -> Option<&dyn Printing> {
        None
    }
    /// Streaming of frames.
    fn screencast(&self) -> Option<&dyn Screencast> {
        None
    }
    /// Scripts in a sandbox world.
    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        None
    }
    /// Performance traces.
    fn tracing(&self) -> Option<&dyn Tracing> {
        None
    }
}

/// The result of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Navigation {
    /// A new document was committed.
    Document(DocumentId),
    /// The same document, at another URL (fragment).
    SameDocument,
    /// It became a download.
    Download,
    /// It failed, with the browser's message.
    Failed(String),
}

/// A size in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}
