use cicerone_driver::Feature;

/// What a browser does not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsupported {
    Bookmarks,
    /// Browsing history.
    History,
    /// A file from a URL in a form.
    FileFromUrl,
    /// Setting cookies.
    SetCookies,
    /// Reading cookies.
    ReadCookies,
    /// Removing cookies.
    RemoveCookies,
    /// Requests in the name of a page.
    Fetch,
    /// PDFs.
    Print,
    /// Paper sizes from the page's CSS.
    CssPageSize,
    /// Sandboxed scripts.
    ScriptSandbox,
    RandomNumbers,
    /// Request interception.
    Interception,
    /// Performance traces.
    Traces,
    NetworkCapture,
    ExtraHeaders,
    DeviceEmulation,
    /// Any emulation.
    Emulation,
    /// A feature that the driver reports.
    Driver(Feature),
}
