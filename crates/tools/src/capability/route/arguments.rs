//! What a route is made of.

use cicerone_engine::{Address, MockBody, MockResponse, Pattern, RequestChanges};
use serde_json::{Value, json};

use crate::{
    argument::{Argument, Headers, object, with_default},
    reply::Failure,
};

/// A glob or `/regex/` for URLs.
pub(in super::super) struct UrlPattern(pub(in super::super) Pattern);

impl Argument for UrlPattern {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        const EXPECTED: &str = "a glob such as **/api/*, a URL, or /regex/";
        let text = value.as_str().filter(|text| !text.trim().is_empty()).ok_or(EXPECTED)?;
        let pattern = Pattern::for_urls(text).map_err(|bad| format!("{EXPECTED}: {}", bad.reason))?;
        if pattern.may_match_urls() {
            Ok(Self(pattern))
        } else {
            Err(format!("{EXPECTED}; {text} matches no URL, {} may", widened(text)))
        }
    }
}

/// A glob that may match URLs: a single `*` matches no slash, and every URL has some.
fn widened(glob: &str) -> String {
    match glob.strip_prefix('*') {
        None => format!("**/{glob}"),
        Some(rest) if rest.ends_with('*') && !rest.ends_with("**") => format!("**{rest}*"),
        Some(rest) => format!("**{rest}"),
    }
}

/// What requests are answered with.
#[derive(Default)]
pub(super) struct Response {
    status: Option<Status>,
    headers: Option<Headers>,
    pub(super) body: Option<String>,
    pub(super) json: Option<Json>,
}

object! {
    Response {
        "status" => status: Status,
        "headers" => headers: Headers,
        "body" => body: String,
        "json" => json: Json,
    }
}

/// The status of an answer.
struct Status(u16);

impl Argument for Status {
    fn schema() -> Value {
        with_default(f64::schema(), 200)
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let status = u32::parse(value).ok().and_then(|status| u16::try_from(status).ok());
        let status = status.filter(|status| (200..=599).contains(status));
        status.map(Self).ok_or_else(|| "a status from 200 to 599".into())
    }
}

/// An object or a list, to be written as JSON.
pub(in super::super) struct Json(pub(in super::super) Value);

impl Argument for Json {
    fn schema() -> Value {
        json!({ "type": "object" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        // JSON in a string is a mistake more often than it is meant.
        if value.is_object() || value.is_array() {
            Ok(Self(value.clone()))
        } else {
            Err("an object or a list".into())
        }
    }
}

/// What is different about requests that are sent.
#[derive(Default)]
pub(super) struct Modify {
    url: Option<String>,
    method: Option<Method>,
    headers: Option<Headers>,
    post_data: Option<String>,
}

object! {
    Modify {
        "url" => url: String,
        "method" => method: Method,
        "headers" => headers: Headers,
        "post_data" => post_data: String,
    }
}

impl Modify {
    /// Where requests are sent instead.
    pub(super) fn address(&self) -> Result<Option<Address>, Failure> {
        let address = |url: &str| Address::absolute(url, &["http", "https"]);
        Ok(self.url.as_deref().map(address).transpose()?)
    }

    pub(super) fn changes(self) -> Result<RequestChanges, Failure> {
        let url = self.address()?.map(|address| address.to_string());
        let Self { method, headers, post_data, .. } = self;
        Ok(RequestChanges {
            url,
            method: method.map(|Method(method)| method),
            headers: headers.map(|Headers(headers)| headers).unwrap_or_default(),
            body: post_data.map(String::into_bytes),
        })
    }
}

/// A method of HTTP.
struct Method(String);

impl Argument for Method {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let method = value.as_str().filter(|method| !method.is_empty());
        let method = method.filter(|method| method.chars().all(|c| c.is_ascii_alphabetic() || c == '-'));
        method
            .map(|method| Self(method.to_ascii_uppercase()))
            .ok_or_else(|| "an HTTP method such as POST".into())
    }
}

impl From<Response> for MockResponse {
    fn from(Response { status, headers, body, json }: Response) -> Self {
        let body = match (body, json) {
            (_, Some(Json(value))) => MockBody::Json(value),
            (Some(text), None) => MockBody::Text(text),
            (None, None) => MockBody::Empty,
        };
        let headers = headers.map(|Headers(headers)| headers).unwrap_or_default();
        Self { status: status.map_or(200, |Status(status)| status), headers, body }
    }
}
