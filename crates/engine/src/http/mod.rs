//! API requests outside the page, with the context's cookies, proxy and user agent.

mod cookies;
mod identity;
mod redirect;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use cicerone_driver::{FulfilledResponse, InterceptedRequest};
use cicerone_http::{HttpError, Part, ProxyAccess, Response, Way, is_connection_header, multipart, send};
use cicerone_relay::Trouble;
use serde_json::Value;
use url::Url;

use crate::{
    BadUrl, Content, Context, Deadline, Error, Files, NavigationError, Page, RequestError, Result,
    Unsupported, UploadError, UploadFile,
};
use identity::Identity;

/// The most bytes read of a response; the rest is truncated and reported so.
const MAX_BODY: usize = 20 << 20;

/// Redirects followed, as in browsers.
const MAX_REDIRECTS: usize = 20;

/// Time limit for a request sent in place of the browser.
const PROXIED_TIMEOUT: Duration = Duration::from_secs(30);

/// A request.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    pub method: String,
    /// The URL; a path starting with a slash is resolved against the page.
    pub url: String,
    /// Headers; they override the browser's defaults.
    pub headers: Vec<(String, String)>,
    pub body: HttpBody,
    /// Time limit, including redirects.
    pub timeout: Duration,
    /// Whether to follow redirects.
    pub follow_redirects: bool,
}

/// The body of a request.
#[derive(Debug, Clone, Default)]
pub enum HttpBody {
    /// None.
    #[default]
    Empty,
    /// A text, unchanged.
    Text(String),
    /// A JSON value.
    Json(Value),
    /// A multipart form.
    Form(Vec<(String, FormValue)>),
}

/// The value of a form field.
#[derive(Debug, Clone)]
pub enum FormValue {
    Text(String),
    File(UploadFile),
}

/// A response.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// The URL after redirects.
    pub url: String,
    pub status: u16,
    /// The reason phrase.
    pub reason: String,
    /// The headers, in order.
    pub headers: Vec<(String, String)>,
    /// The body, up to the limit.
    pub body: Vec<u8>,
    /// Whether the body is complete.
    pub complete: bool,
    /// The length of the body, if known.
    pub total: Option<u64>,
    /// Cookies that the browser rejected.
    pub dropped_cookies: Vec<String>,
}

impl Context {
    /// Makes a request with the browser's identity. Sends and stores the context's cookies.
    pub async fn request(&self, request: HttpRequest, page: Option<&Page>) -> Result<HttpResponse> {
        let url = self.request_url(&request.url, page)?;
        self.check_policy(url.as_str())?;
        let (content_type, body) = encode_body(request.body, self.session()?.files())?;
        // Starting the browser does not count as the server's delay.
        self.make().await?;
        let mut headers = Identity::of(self, page).await?.headers();
        headers.extend(content_type.map(|kind| ("content-type".to_owned(), kind)));
        let overridden = |name: &str| request.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        headers.retain(|(name, _)| !overridden(name));
        headers.extend(request.headers);
        let outgoing =
            cicerone_http::Request { method: request.method, url, headers, body: body.map(Into::into) };
        let max_redirects = if request.follow_redirects { MAX_REDIRECTS } else { 0 };
        self.send_with_redirects(outgoing, max_redirects, request.follow_redirects, request.timeout).await
    }

    /// Sends an intercepted request that the browser cannot redirect to another URL itself.
    pub(crate) async fn send_instead(&self, request: InterceptedRequest) -> Result<FulfilledResponse> {
        let url = self.request_url(&request.url, None)?;
        let is_recomputed = |name: &str| {
            ["host", "cookie", "accept-encoding"].iter().any(|own| name.eq_ignore_ascii_case(own))
                || is_connection_header(name)
        };
        let headers = request.headers.into_iter().filter(|(name, _)| !is_recomputed(name)).collect();
        let outgoing = cicerone_http::Request {
            method: request.method,
            url,
            headers,
            body: request.body.map(Into::into),
        };
        let HttpResponse { status, headers, body, .. } =
            self.send_with_redirects(outgoing, MAX_REDIRECTS, true, PROXIED_TIMEOUT).await?;
        // Headers of the connection, or already applied.
        let done = |name: &str| {
            ["content-encoding", "set-cookie"].iter().any(|own| name.eq_ignore_ascii_case(own))
                || is_connection_header(name)
        };
        let headers = headers.into_iter().filter(|(name, _)| !done(name)).collect();
        Ok(FulfilledResponse { status, headers, body })
    }

    fn request_url(&self, text: &str, page: Option<&Page>) -> Result<Url> {
        let bad =
            |reason| Error::Navigation(NavigationError::BadUrl { url: text.to_owned(), reason, meant: None });
        let text = text.trim();
        let url = match page.and_then(|page| Url::parse(&page.url()).ok()) {
            Some(base) if text.starts_with('/') && is_web(&base) => {
                base.join(text).map_err(|_| bad(BadUrl::Unparsable))?
            }
            _ => {
                let address = crate::Address::read(text, self.session()?.files())?;
                Url::parse(address.as_str()).map_err(|_| bad(BadUrl::Unparsable))?
            }
        };
        if is_web(&url) { Ok(url) } else { Err(bad(BadUrl::NotRequestable)) }
    }

    /// Sends a request and follows redirects, with a deadline.
    async fn send_with_redirects(
        &self,
        request: cicerone_http::Request,
        redirects: usize,
        follow: bool,
        timeout: Duration,
    ) -> Result<HttpResponse> {
        let (method, url) = (request.method.clone(), request.url.to_string());
        let following = self.follow_redirects(request, redirects, follow, timeout);
        match Deadline::after(timeout).bound(following).await {
            Some(done) => done,
            None => Err(RequestError::Timeout { method, url, after: timeout }.into()),
        }
    }

    async fn follow_redirects(
        &self,
        mut request: cicerone_http::Request,
        redirects: usize,
        follow: bool,
        timeout: Duration,
    ) -> Result<HttpResponse> {
        let (method, url) = (request.method.clone(), request.url.to_string());
        let mut dropped_cookies = Vec::new();
        for _ in 0..=redirects {
            let response = self.send_once(&request, timeout).await?;
            dropped_cookies.extend(self.store_cookies(&request.url, &response).await?);
            let next = if follow { redirect::next(&request, &response)? } else { None };
            match next {
                Some(next) => request = next,
                None => return Ok(http_response(&request.url, response, dropped_cookies)),
            }
        }
        Err(RequestError::TooManyRedirects { method, url, most: redirects }.into())
    }

    /// Sends one request with its cookies.
    async fn send_once(&self, request: &cicerone_http::Request, timeout: Duration) -> Result<Response> {
        let mut request = request.clone();
        let overridden = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("cookie"));
        if !overridden && let Some(cookies) = self.cookie_header(&request.url).await? {
            request.headers.push(("cookie".to_owned(), cookies));
        }
        let way = match self.proxy()? {
            None => Way::Direct(Arc::clone(self.session()?.policy())),
            Some(proxy) => Way::Through(ProxyAccess {
                address: proxy.address,
                user: proxy.user,
                password: proxy.password,
            }),
        };
        let since = Instant::now();
        let result = send(&request, &way, timeout, MAX_BODY).await;
        // The relay answers for failures behind it and remembers their cause.
        let refused = match &result {
            Ok(response) => matches!(response.status, 403 | 502..=504),
            Err(error) => matches!(error, HttpError::Proxy(_) | HttpError::Broken(_)),
        };
        let host = request.url.host_str().unwrap_or_default();
        if refused && let Some(trouble) = self.trouble(host, since) {
            return Err(NavigationError::from_trouble(request.url.as_str(), trouble).into());
        }
        result.map_err(|error| request_failed(&request.method, &request.url, error))
    }

    /// Saves a body to the output directory; returns the path to show to the client.
    pub fn save_body(&self, extension: &str, bytes: &[u8]) -> Result<std::path::PathBuf> {
        let session = self.session()?;
        let name = crate::look::screenshot::timestamped("response", extension);
        let path = session.files().write(std::path::Path::new(&name), bytes)?;
        Ok(session.files().shown(&path))
    }

    /// The user agent of its browser.
    pub(crate) async fn user_agent(&self) -> Result<Option<String>> {
        Ok(self.session()?.browser().await?.user_agent())
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

fn request_failed(method: &str, url: &Url, error: HttpError) -> Error {
    if let HttpError::Unreachable(Trouble::Refused(refusal)) = error {
        return Error::Navigation(NavigationError::HostRefused(refusal));
    }
    RequestError::Failed { method: method.to_owned(), url: url.to_string(), reason: Arc::new(error) }.into()
}

fn http_response(url: &Url, response: Response, dropped_cookies: Vec<String>) -> HttpResponse {
    let Response { status, reason, headers, body, complete, total } = response;
    HttpResponse { url: url.to_string(), status, reason, headers, body, complete, total, dropped_cookies }
}

/// The media type and bytes of a body.
fn encode_body(body: HttpBody, files: &Files) -> Result<(Option<String>, Option<Vec<u8>>)> {
    Ok(match body {
        HttpBody::Empty => (None, None),
        HttpBody::Text(text) => (Some("text/plain; charset=utf-8".into()), Some(text.into_bytes())),
        HttpBody::Json(value) => (Some("application/json".into()), Some(value.to_string().into_bytes())),
        HttpBody::Form(fields) => {
            let mut room = MAX_BODY;
            let parts = fields.into_iter().map(|(name, value)| part(name, value, files, &mut room));
            let parts: Vec<Part> = parts.collect::<Result<_>>()?;
            let (kind, bytes) = multipart(&parts).map_err(|error| RequestError::Form(Arc::new(error)))?;
            (Some(kind), Some(bytes))
        }
    })
}

fn part(name: String, value: FormValue, files: &Files, room: &mut usize) -> Result<Part> {
    let file = match value {
        FormValue::Text(text) => return Ok(Part { name, file: None, mime: None, bytes: text.into_bytes() }),
        FormValue::File(file) => file,
    };
    let (bytes, file_name) = match file.content {
        Content::Bytes(bytes) => (bytes, None),
        Content::Path(path) => crate::act::upload_source::read_file(files, &path, *room, MAX_BODY)?,
        Content::Url(_) => return Err(Error::Unsupported(Unsupported::FileFromUrl)),
    };
    *room = room.checked_sub(bytes.len()).ok_or(Error::Upload(UploadError::TooLarge { most: MAX_BODY }))?;
    let file_name = file.name.or(file_name).unwrap_or_else(|| "file".into());
    let mime = file.mime.or_else(|| crate::act::upload_source::mime_of(&file_name).map(str::to_owned));
    Ok(Part { name, file: Some(file_name), mime, bytes })
}
