//! Which requests a capture keeps.

use cicerone_driver::NetworkRequest;

use crate::Pattern;

/// Which requests a capture keeps: all that fit every part that is given.
#[derive(Debug, Clone, Default)]
pub struct CaptureFilter {
    /// Where to.
    pub url: Option<Pattern>,
    /// What for.
    pub resource_types: Option<Vec<ResourceType>>,
    /// By which methods.
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

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResourceType {
    /// A page, or what a frame shows.
    Document,
    /// CSS.
    Stylesheet,
    /// A picture.
    Image,
    /// Sound or video.
    Media,
    /// A font.
    Font,
    /// A script, also that of a worker.
    Script,
    /// An `XMLHttpRequest`.
    Xhr,
    /// A `fetch()`.
    Fetch,
    /// A WebSocket.
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

    /// The word for it.
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

    /// What a word of a browser's means.
    pub(super) fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.as_str() == word).unwrap_or(Self::Other)
    }
}
