use bytes::Bytes;
use url::Url;

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: String,
    /// Where to.
    pub url: Url,
    /// All headers but `Host`, `Content-Length` and those of the connection.
    pub headers: Vec<(String, String)>,
    /// What it sends; no body at all where there is none.
    pub body: Option<Bytes>,
}

/// One response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Its words.
    pub reason: String,
    /// The headers, in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed, as far as it was read.
    pub body: Vec<u8>,
    /// Whether that is all.
    pub complete: bool,
    /// How long the body is, where that is known.
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

/// Whether a header is about the connection or the framing of a message, and thus not for a client to choose.
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
