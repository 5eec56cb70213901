use async_trait::async_trait;

use crate::{
    Bodies, DocumentId, DriverError, Emulation, FrameId, Input, Interception, NetworkCapture, NodeHandle,
    PageId, Result, Screencast, ScriptSandbox, Tracing,
};

/// One page. Every method is one command of the protocol or one short sequence; none of them waits for the
/// page to settle, and dropping a call's future abandons it.
#[async_trait]
pub trait PageDriver: Send + Sync {
    /// Its name.
    fn id(&self) -> PageId;
    /// Its main frame.
    fn main_frame(&self) -> FrameId;

    /// Loads a URL in the main frame; returns when its document is there or cannot be had.
    async fn navigate(&self, url: &str) -> Result<Navigation>;
    /// Goes that far through the history; false when there is nothing there.
    async fn traverse(&self, steps: i32) -> Result<bool>;
    /// Loads the document again.
    async fn reload(&self) -> Result<()>;
    /// Stops loading.
    async fn stop(&self) -> Result<()>;

    /// Calls a function of the agent in a frame; JSON in and out.
    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String>;
    /// Tells the agent of a frame what only the browser knows before it looks at the document: the elements
    /// that have pointer listeners. Nothing where the engine cannot.
    async fn enlighten(&self, frame: &FrameId) -> Result<()>;
    /// Gives the agent of a frame the closed shadow roots of the elements that it suspects of having one; how
    /// many there were.
    async fn uncover(&self, frame: &FrameId) -> Result<usize>;
    /// The agent's number, in the parent frame, of the element that holds a frame.
    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32>;
    /// Holds on to an element that the agent numbered.
    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle>;
    /// Runs a person's script in the page's own world, on an element where one is given; its value as JSON,
    /// nothing for `undefined`.
    async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<serde_json::Value>>;
    /// Ends whatever script runs in the page, even one that never would.
    async fn interrupt(&self) -> Result<()>;
    /// Ends the page's process. The sink hears of the crash.
    async fn crash(&self) -> Result<()>;

    /// Sends a batch of input, in order, without waiting in between.
    async fn input(&self, steps: &[Input]) -> Result<()>;
    /// A picture of the page, encoded.
    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>>;
    /// The document's title, as the browser shows it; answered even by a page that hangs.
    async fn title(&self) -> Result<String>;
    /// The size of the whole document, in CSS pixels.
    async fn content_size(&self) -> Result<Size>;
    /// Puts files into a file field.
    async fn attach_files(&self, field: &NodeHandle, paths: &[std::path::PathBuf]) -> Result<()>;
    /// Answers the open dialog.
    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()>;
    /// Sets the viewport.
    async fn resize(&self, size: Size) -> Result<()>;
    /// Brings the page to the front.
    async fn activate(&self) -> Result<()>;
    /// Closes the page; the sink hears of it.
    async fn close(&self) -> Result<()>;

    /// Sends these headers with every request from now on, in place of those that were set before.
    async fn extra_headers(&self, _headers: &[(String, String)]) -> Result<()> {
        Err(DriverError::Unsupported("send extra headers"))
    }

    /// Prints the page, where the browser can.
    fn printing(&self) -> Option<&dyn Printing> {
        None
    }
    /// Streams pictures of the page, where the browser can.
    fn screencast(&self) -> Option<&dyn Screencast> {
        None
    }
    /// Runs scripts in a world of their own, where the browser can.
    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        None
    }
    /// Fetches beside the page, where the browser can.
    fn fetching(&self) -> Option<&dyn Fetching> {
        None
    }
    /// Has the page believe something else, where the browser can.
    fn emulation(&self) -> Option<&dyn Emulation> {
        None
    }
    /// Reads what was sent and came back, where the browser can.
    fn bodies(&self) -> Option<&dyn Bodies> {
        None
    }
    /// Steps in between the page and the network, where the browser can.
    fn interception(&self) -> Option<&dyn Interception> {
        None
    }
    /// Reports the page's network traffic in detail, where the browser can.
    fn network_capture(&self) -> Option<&dyn NetworkCapture> {
        None
    }
    /// Records performance traces, where the browser can.
    fn tracing(&self) -> Option<&dyn Tracing> {
        None
    }
}

/// The power to fetch something as the page's browser would, with its cookies, beside the page.
#[async_trait]
pub trait Fetching: Send + Sync {
    /// What is under a URL, unless it is larger than this.
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched>;
}

/// What came of fetching something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It is there.
    Content {
        /// Its media type, as it was sent.
        mime: Option<String>,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// The server refused with this status.
    Status(u16),
    /// It is larger than it may be.
    TooLarge,
    /// It failed, in the browser's words.
    Failed(String),
}

/// The power to print a page.
#[async_trait]
pub trait Printing: Send + Sync {
    /// The page as a PDF.
    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>>;
    /// Whether it can take the paper size from the page's CSS. What cannot ignores that it is preferred.
    fn knows_css_page_size(&self) -> bool {
        true
    }
}

/// What a page is printed on, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// The width in inches.
    pub width: f64,
    /// The height in inches.
    pub height: f64,
    /// Whether it lies on its side.
    pub landscape: bool,
    /// Whether backgrounds are printed.
    pub backgrounds: bool,
    /// The scale of the page's content.
    pub scale: f64,
    /// The space around the content.
    pub margin: Margin,
    /// What is printed above and below the content of each page.
    pub header_footer: Option<HeaderFooter>,
    /// Whether an `@page` size of the document's CSS is used instead of width and height.
    pub prefer_css_page_size: bool,
}

impl Paper {
    /// A sheet in portrait orientation, with backgrounds and the usual margin.
    pub const fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            landscape: false,
            backgrounds: true,
            scale: 1.0,
            margin: Margin::USUAL,
            header_footer: None,
            prefer_css_page_size: false,
        }
    }
}

/// The space between the edges of a sheet and what is printed on it, in inches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// At the top.
    pub top: f64,
    /// At the bottom.
    pub bottom: f64,
    /// On the left.
    pub left: f64,
    /// On the right.
    pub right: f64,
}

impl Margin {
    /// What browsers leave unless told: 1 cm.
    pub const USUAL: Self = Self { top: 0.4, bottom: 0.4, left: 0.4, right: 0.4 };
}

/// HTML for the top and bottom margins of each printed page; the browser's own where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderFooter {
    /// For the top.
    pub header: Option<String>,
    /// For the bottom.
    pub footer: Option<String>,
}

/// What came of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Navigation {
    /// Another document is there.
    Document(DocumentId),
    /// The same document, at another URL.
    SameDocument,
    /// It became a download.
    Download,
    /// It failed, in the browser's words.
    Failed(String),
}

/// A width and a height in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

/// What picture is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// The encoding.
    pub format: ImageFormat,
    /// A part instead of the viewport.
    pub clip: Option<Clip>,
    /// How much smaller (or larger) than CSS pixels.
    pub scale: f64,
    /// Leaves out the white that the browser draws behind the page. Only PNG and WebP have transparency.
    pub omit_background: bool,
}

/// A part of a page, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// Where its coordinates begin.
    pub origin: Origin,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// Where coordinates begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// In the corner of what is seen now.
    Viewport,
    /// In the corner of the whole document.
    Document,
}

/// How a picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// Without loss.
    Png,
    /// With loss, at this quality of 100.
    Jpeg(u8),
    /// The same, in fewer bytes.
    WebP(u8),
}
