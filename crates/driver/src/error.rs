use crate::Feature;

/// The result of a driver call.
pub type Result<T> = std::result::Result<T, DriverError>;

/// Why a driver call failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The browser exited or cannot be reached.
    #[error("the browser has exited")]
    Disconnected,
    /// The connection to the browser broke during the call and was made again. It may have taken effect.
    #[error("the connection to the browser broke during the call, and was made again")]
    Interrupted,
    /// The page's process crashed.
    #[error("the page crashed")]
    Crashed,
    /// The page was closed.
    #[error("the page is closed")]
    Closed,
    /// The frame is detached, or navigated during the call.
    #[error("the document no longer exists")]
    Gone,
    /// A script threw.
    #[error("{0}")]
    Script(ScriptError),
    /// The browser refused a command.
    #[error("the browser refused {command}: {message}")]
    Refused {
        /// The protocol command.
        command: &'static str,
        /// The browser's message.
        message: String,
    },
    /// The person whose browser it is does not allow it, or has taken the browser over.
    #[error("{0}")]
    Withheld(String),
    /// The engine does not support this.
    #[error("not supported: {0:?}")]
    Unsupported(Feature),
    /// The engine supports this only if it was started with system access.
    #[error("not supported without system access: {0:?}")]
    NeedsSystemAccess(Feature),
    /// The injected script's answer is not valid JSON of the expected shape.
    #[error("the injected script returned an unexpected value: {0}")]
    Garbled(std::sync::Arc<serde_json::Error>),
}

/// An exception.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// The first line: class and message.
    pub message: String,
    /// Whether the source failed to parse, so that nothing ran.
    pub syntax: bool,
}
