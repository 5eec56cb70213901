//! Which requests a capture keeps.

use cicerone_driver::NetworkRequest;

use crate::Pattern;

/// Selects the requests a capture keeps; every given part must match.
#[derive(Debug, Clone, Default)]
pub struct CaptureFilter {
    /// URL pattern.
    pub url: Option<Pattern>,
    pub resource_types: Option<Vec<ResourceType>>,
    /// HTTP methods.
    pub methods: Option<Vec<String>>,
}

impl CaptureFilter {
    pub(super) fn matches(&self, request: &NetworkRequest, resource_type: ResourceType) -> bool {
        let is_method = |method: &String| method.eq_ignore_ascii_case(&request.method);
        self.url.as_ref().is_none_or(|pattern| pattern.matches(&request.url))
            && self.resource_types.as_ref().is_none_or(|types| types.contains(&resource_type))
            && self.methods.as_ref().is_none_or(|methods| methods.iter().any(is_method))
    }
}

/// The resource type of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResourceType {
    /// A page or the document of a frame.
    Document,
    /// CSS.
    Stylesheet,
    Image,
    /// Audio or video.
    Media,
    Font,
    /// A script, including worker scripts.
    Script,
    /// An `XMLHttpRequest`.
    Xhr,
    /// A `fetch()`.
    Fetch,
    WebSocket,
    /// Anything else.
    Other,
}

impl ResourceType {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Document,
        Self::Stylesheet,
        Self::Image,
        Self::Media,
        Self::Font,
        Self::Script,
        Self::Xhr,
        Self::Fetch,
        Self::WebSocket,
        Self::Other,
    ];

    /// Its name in CDP, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Stylesheet => "stylesheet",
            Self::Image => "image",
            Self::Media => "media",
            Self::Font => "font",
            Self::Script => "script",
            Self::Xhr => "xhr",
            Self::Fetch => "fetch",
            Self::WebSocket => "websocket",
            Self::Other => "other",
        }
    }

    /// Parses a driver's resource type; unknown ones are `Other`.
    pub(super) fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.as_str() == word).unwrap_or(Self::Other)
    }
}
