//! Requests that are made beside the page, as its context would: with its cookies, by its proxy, as its browser.

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

use crate::{Content, Context, Deadline, Error, Files, Given, Page, RequestError, Result};
use identity::Identity;

/// How much of a response is read. Larger ones are cut, and that is said.
const MOST: usize = 20 << 20;

/// How many redirects are followed, as browsers do.
const MOST_REDIRECTS: usize = 20;

/// How long a request for a page whose browser cannot send it itself may take.
const INSTEAD: Duration = Duration::from_secs(30);

/// A request to make.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// The method.
    pub method: String,
    /// Where to; one that begins with a slash is a path of the page's host.
    pub url: String,
    /// Its headers, in place of those that a browser would send.
    pub headers: Vec<(String, String)>,
    /// What it sends.
    pub body: HttpBody,
    /// How long it may take, redirects included.
    pub timeout: Duration,
    /// Whether redirects are followed.
    pub follow_redirects: bool,
}

/// What a request sends.
#[derive(Debug, Clone, Default)]
pub enum HttpBody {
    /// Nothing.
    #[default]
    Empty,
    /// A text, as it is.
    Text(String),
    /// A value, as JSON.
    Json(Value),
    /// A form.
    Form(Vec<(String, FormValue)>),
}

/// The value of a field.
#[derive(Debug, Clone)]
pub enum FormValue {
    /// A text.
    Text(String),
    /// A file.
    File(Given),
}

/// A response.
#[derive(Debug, Clone)]
pub struct HttpResponse {
    /// Where it came from, after redirects.
    pub url: String,
    /// The status.
    pub status: u16,
    /// Its words.
    pub reason: String,
    /// The headers, in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// The body, as far as it was read.
    pub body: Vec<u8>,
    /// Whether that is all.
    pub complete: bool,
    /// How long the body is, where that is known.
    pub total: Option<u64>,
    /// Cookies that the browser did not keep.
    pub dropped_cookies: Vec<String>,
}

impl Context {
    /// Makes a request as the page's browser would; its cookies are sent, and those that come are kept.
    pub async fn request(&self, request: HttpRequest, page: Option<&Page>) -> Result<HttpResponse> {
        let url = self.request_url(&request.url, page)?;
        self.check_policy(url.as_str())?;
        let (content_type, body) = encoded(request.body, self.session()?.files())?;
        // A browser that must be started first is not the server's delay.
        self.make().await?;
        let mut headers = Identity::of(self, page).await?.headers();
        headers.extend(content_type.map(|kind| ("content-type".to_owned(), kind)));
        let given = |name: &str| request.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        headers.retain(|(name, _)| !given(name));
        headers.extend(request.headers);
        let outgoing =
            cicerone_http::Request { method: request.method, url, headers, body: body.map(Into::into) };
        let followed = if request.follow_redirects { MOST_REDIRECTS } else { 0 };
        self.exchanged(outgoing, followed, request.follow_redirects, request.timeout).await
    }

    /// Makes a request for a page whose browser cannot send it to another URL itself.
    pub(crate) async fn send_instead(&self, request: InterceptedRequest) -> Result<FulfilledResponse> {
        let url = self.request_url(&request.url, None)?;
        let theirs = |name: &str| {
            ["host", "cookie", "accept-encoding"].iter().any(|own| name.eq_ignore_ascii_case(own))
                || is_connection_header(name)
        };
        let headers = request.headers.into_iter().filter(|(name, _)| !theirs(name)).collect();
        let outgoing = cicerone_http::Request {
            method: request.method,
            url,
            headers,
            body: request.body.map(Into::into),
        };
        let HttpResponse { status, headers, body, .. } =
            self.exchanged(outgoing, MOST_REDIRECTS, true, INSTEAD).await?;
        // What was about the connection, or was done already.
        let done = |name: &str| {
            ["content-encoding", "set-cookie"].iter().any(|own| name.eq_ignore_ascii_case(own))
                || is_connection_header(name)
        };
        let headers = headers.into_iter().filter(|(name, _)| !done(name)).collect();
        Ok(FulfilledResponse { status, headers, body })
    }

    fn request_url(&self, text: &str, page: Option<&Page>) -> Result<Url> {
        let bad = |reason| Error::BadUrl { url: text.to_owned(), reason, meant: None, forbidden: false };
        let text = text.trim();
        let url = match page.and_then(|page| Url::parse(&page.url()).ok()) {
            Some(base) if text.starts_with('/') && is_web(&base) => {
                base.join(text).map_err(|_| bad("it cannot be parsed"))?
            }
            _ => {
                let address = crate::Address::read(text, self.session()?.files())?;
                Url::parse(address.as_str()).map_err(|_| bad("it cannot be parsed"))?
            }
        };
        if is_web(&url) { Ok(url) } else { Err(bad("only http: and https: URLs can be requested")) }
    }

    /// Sends a request and those that it is redirected to, by a deadline.
    async fn exchanged(
        &self,
        request: cicerone_http::Request,
        redirects: usize,
        follow: bool,
        timeout: Duration,
    ) -> Result<HttpResponse> {
        let (method, url) = (request.method.clone(), request.url.to_string());
        let following = self.followed(request, redirects, follow, timeout);
        match Deadline::after(timeout).bound(following).await {
            Some(done) => done,
            None => Err(RequestError::Timeout { method, url, after: timeout }.into()),
        }
    }

    async fn followed(
        &self,
        mut request: cicerone_http::Request,
        redirects: usize,
        follow: bool,
        patience: Duration,
    ) -> Result<HttpResponse> {
        let (method, url) = (request.method.clone(), request.url.to_string());
        let mut dropped_cookies = Vec::new();
        for _ in 0..=redirects {
            let response = self.sent(&request, patience).await?;
            dropped_cookies.extend(self.keep_cookies(&request.url, &response).await?);
            let next = if follow { redirect::next(&request, &response)? } else { None };
            match next {
                Some(next) => request = next,
                None => return Ok(told(&request.url, response, dropped_cookies)),
            }
        }
        Err(RequestError::TooManyRedirects { method, url, most: redirects }.into())
    }

    /// One request, with the cookies that go there.
    async fn sent(&self, request: &cicerone_http::Request, patience: Duration) -> Result<Response> {
        let mut request = request.clone();
        let given = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("cookie"));
        if !given && let Some(cookies) = self.cookie_header(&request.url).await? {
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
        let sent = send(&request, &way, patience, MOST).await;
        // The relay answers for what goes wrong behind it, and remembers what that was.
        let refused = match &sent {
            Ok(response) => matches!(response.status, 403 | 502..=504),
            Err(error) => matches!(error, HttpError::Proxy(_) | HttpError::Broken(_)),
        };
        let host = request.url.host_str().unwrap_or_default();
        if refused && let Some(trouble) = self.trouble(host, since) {
            return Err(Error::on_the_way(request.url.as_str(), trouble));
        }
        sent.map_err(|error| failed(&request.method, &request.url, error))
    }

    /// Saves a body below the output directory; its path, as a client in the working directory would write it.
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

fn failed(method: &str, url: &Url, error: HttpError) -> Error {
    if let HttpError::Unreachable(Trouble::Refused(refusal)) = error {
        return Error::HostRefused(refusal);
    }
    RequestError::Failed { method: method.to_owned(), url: url.to_string(), reason: Arc::new(error) }.into()
}

fn told(url: &Url, response: Response, dropped_cookies: Vec<String>) -> HttpResponse {
    let Response { status, reason, headers, body, complete, total } = response;
    HttpResponse { url: url.to_string(), status, reason, headers, body, complete, total, dropped_cookies }
}

/// The media type of a body, and its bytes.
fn encoded(body: HttpBody, files: &Files) -> Result<(Option<String>, Option<Vec<u8>>)> {
    Ok(match body {
        HttpBody::Empty => (None, None),
        HttpBody::Text(text) => (Some("text/plain; charset=utf-8".into()), Some(text.into_bytes())),
        HttpBody::Json(value) => (Some("application/json".into()), Some(value.to_string().into_bytes())),
        HttpBody::Form(fields) => {
            let mut room = MOST;
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
    let (bytes, called) = match file.content {
        Content::Bytes(bytes) => (bytes, None),
        Content::Path(path) => crate::act::content::read_file(files, &path, *room, MOST)?,
        Content::Url(_) => return Err(Error::Unsupported("send a file from a URL")),
    };
    *room = room.checked_sub(bytes.len()).ok_or(Error::TooLarge { most: MOST })?;
    let called = file.name.or(called).unwrap_or_else(|| "file".into());
    let mime = file.mime.or_else(|| crate::act::content::mime_of(&called).map(str::to_owned));
    Ok(Part { name, file: Some(called), mime, bytes })
}
