/// What a driver answers.
pub type Result<T> = std::result::Result<T, DriverError>;

/// Why a browser did not do as it was told.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The browser ended or cannot be reached.
    #[error("the browser has ended")]
    Disconnected,
    /// The page's process died.
    #[error("the page crashed")]
    Crashed,
    /// The page was closed.
    #[error("the page is closed")]
    Closed,
    /// The frame is gone, or shows another document than when the call began.
    #[error("the document is gone")]
    Gone,
    /// A script threw.
    #[error("{0}")]
    Script(ScriptError),
    /// The browser refused a command.
    #[error("the browser refused {command}: {message}")]
    Refused {
        /// The command, in the protocol's words.
        command: &'static str,
        /// The browser's words.
        message: String,
    },
    /// This browser cannot do that.
    #[error("this browser cannot {0}")]
    Unsupported(&'static str),
    /// This browser can do that only when it was started with system access.
    #[error("this browser cannot {0} without system access")]
    NeedsSystemAccess(&'static str),
    /// The agent's answer could not be understood.
    #[error("the page agent's answer could not be understood: {0}")]
    Garbled(std::sync::Arc<serde_json::Error>),
}

/// What a script threw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    /// The first line: class and message.
    pub message: String,
    /// Whether the text was no valid program, so that nothing of it ran.
    pub syntax: bool,
}
