use bytes::Bytes;
use url::Url;

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// The target URL.
    pub url: Url,
    /// All headers except `Host`, `Content-Length` and connection headers.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Bytes>,
}

/// One response.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    /// The reason phrase.
    pub reason: String,
    /// The headers in received order.
    pub headers: Vec<(String, String)>,
    /// The decompressed body, as far as it was read.
    pub body: Vec<u8>,
    /// Whether the body is complete.
    pub complete: bool,
    /// The full length of the body, if known.
    pub total: Option<u64>,
}

impl Response {
    /// The first value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.all(name).first().copied()
    }

    /// All values of a header.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let is = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.headers.iter().filter(is).map(|(_, value)| value.as_str()).collect()
    }
}

/// Whether a header belongs to the connection or message framing, and clients may not set it.
pub fn is_connection_header(name: &str) -> bool {
    const THEIRS: [&str; 9] = [
        "connection",
        "content-length",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    THEIRS.iter().any(|theirs| name.eq_ignore_ascii_case(theirs))
}
