//! HTTP requests outside the page.

mod body;
mod form;

use std::{path::PathBuf, time::Duration};

use cicerone_engine::{FormValue, HttpBody, HttpRequest, HttpResponse};
use serde_json::{Map, Value};

use self::{
    body::{Shown, media_type, saved, shown},
    form::Form,
};
use super::{file_upload::described, route::Json};
use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, Headers, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    question::{Consent, NoAnswer},
    reply::Failure,
    scope::OnSession,
};

/// The default timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(super) struct Request {
    url: String,
    method: Method,
    headers: Vec<(String, String)>,
    body: Option<String>,
    json: Option<Json>,
    form: Option<Form>,
    follow_redirects: bool,
}

/// A method, in HTTP's words.
#[derive(Clone, Copy)]
struct Method(&'static str);

choices! {
    Method {
        "GET" => Method("GET"),
        "POST" => Method("POST"),
        "PUT" => Method("PUT"),
        "PATCH" => Method("PATCH"),
        "DELETE" => Method("DELETE"),
        "HEAD" => Method("HEAD"),
        "OPTIONS" => Method("OPTIONS"),
    }
}

impl Request {
    fn new(url: String) -> Self {
        Self {
            url,
            method: Method("GET"),
            headers: Vec::new(),
            body: None,
            json: None,
            form: None,
            follow_redirects: true,
        }
    }

    fn check(&self) -> Result<(), BadArguments> {
        let bodies =
            [self.body.is_some(), self.json.is_some(), self.form.is_some()].into_iter().filter(|is| *is);
        if bodies.count() > 1 {
            return Err(BadArguments::Together("Give only one of body, json and form_data"));
        }
        Ok(())
    }

    /// The files of the person that it sends.
    fn local_files(&self) -> Vec<String> {
        let fields = self.form.iter().flat_map(|Form(fields)| fields);
        let file = |(_, value): &(String, FormValue)| match value {
            FormValue::File(file) => Some(described(file)),
            FormValue::Text(_) => None,
        };
        fields.filter_map(file).collect()
    }

    fn outgoing(self, timeout: Duration) -> HttpRequest {
        let body = match (self.body, self.json, self.form) {
            (Some(text), ..) => HttpBody::Text(text),
            (None, Some(Json(value)), _) => HttpBody::Json(value),
            (None, None, Some(Form(fields))) => HttpBody::Form(fields),
            (None, None, None) => HttpBody::Empty,
        };
        HttpRequest {
            method: self.method.0.to_owned(),
            url: self.url,
            headers: self.headers,
            body,
            timeout,
            follow_redirects: self.follow_redirects,
        }
    }
}

/// A response as the reply shows it.
pub(super) struct Answered {
    method: &'static str,
    response: HttpResponse,
    body: Shown,
    /// Where all of the body is, where the reply has not; or why it was not saved.
    saved: Option<Result<PathBuf, NoAnswer>>,
}

impl Capability for Request {
    type On = OnSession;
    type Output = Answered;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Answered, Failure> {
        let (context, page) = match on.call.tab {
            Some(tab) => on.call.session.tab(tab).map(|(context, page)| (context, Some(page)))?,
            None => {
                let context = on.call.session.context();
                let page = context.active();
                (context, page)
            }
        };
        let files = self.local_files();
        if !files.is_empty() {
            let message = || format!("Upload {} to {}?", files.join(", "), self.url);
            on.call.consent(Consent::Uploads, message).await?;
        }
        let (method, timeout) = (self.method.0, on.call.options.timeout.unwrap_or(TIMEOUT));
        let response = context.request(self.outgoing(timeout), page.as_ref()).await?;
        let body = shown(&response);
        let saved = match body.truncated() {
            true => Some(saved(&on.call, &context, &response).await?),
            false => None,
        };
        Ok(Answered { method, response, body, saved })
    }
}

impl Answered {
    /// Header names with their values; those of several headers of one name in one, as HTTP allows it, cookies by line.
    fn headers(&self) -> Map<String, Value> {
        let mut headers: Map<String, Value> = Map::new();
        for (name, value) in &self.response.headers {
            let between = if name == "set-cookie" { "\n" } else { ", " };
            match headers.get_mut(name) {
                Some(Value::String(before)) => *before = format!("{before}{between}{value}"),
                _ => {
                    headers.insert(name.clone(), value.as_str().into());
                }
            }
        }
        headers
    }

    /// How many bytes there are, in words.
    fn size(&self) -> String {
        match self.response.total {
            Some(total) => format!("{total} bytes"),
            None => format!("more than {} bytes", self.response.body.len()),
        }
    }

    /// What is said of a body that is not whole.
    fn rest(&self) -> String {
        let where_to = match &self.saved {
            Some(Ok(path)) if self.response.complete => format!("; all of it is in {}", path.display()),
            Some(Ok(path)) => {
                format!("; the first {} bytes are in {}", self.response.body.len(), path.display())
            }
            Some(Err(none)) => format!("; the rest was not saved: {none}. Hint: {}", none.hint()),
            None => String::new(),
        };
        format!("truncated, {} in total{where_to}", self.size())
    }
}

impl Output for Answered {
    fn facts(&self) -> Map<String, Value> {
        let response = &self.response;
        let mut facts = facts! {
            "url" => response.url.clone(), "status" => response.status, "status_text" => response.reason.clone(),
            "headers" => self.headers(),
        };
        match &self.body {
            Shown::Text { text, .. } => {
                facts.insert("body".into(), text.as_str().into());
            }
            Shown::Base64(text) => {
                facts.insert("body".into(), text.as_str().into());
                facts.insert("encoding".into(), "base64".into());
            }
            Shown::Nothing => {}
        }
        facts.extend(response.total.map(|total| ("size".to_owned(), total.into())));
        if self.body.truncated() {
            facts.insert("truncated".into(), true.into());
        }
        if let Some(Ok(path)) = &self.saved {
            facts.insert("path".into(), path.display().to_string().into());
        }
        if !response.dropped_cookies.is_empty() {
            facts.insert("dropped_cookies".into(), response.dropped_cookies.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "url" => of("string"), "status" => of("number"), "status_text" => of("string"), "headers" => of("object"),
            "body" => of("string"), "encoding" => of("string"), "size" => of("number"), "truncated" => of("boolean"),
            "path" => of("string"), "dropped_cookies" => of("array"),
        }
    }
}

fn words(answered: &Answered) -> String {
    let response = &answered.response;
    let status = format!("{} {}", response.status, response.reason);
    let kind = Some(media_type(response)).filter(|kind| !kind.is_empty());
    let kind = kind.map_or_else(String::new, |kind| format!("{kind}, "));
    let head =
        format!("{} {}: {} ({kind}{})", answered.method, response.url, status.trim_end(), answered.size());
    let location = response.headers.iter().find(|(name, _)| name == "location");
    let head = location.map_or(head.clone(), |(_, location)| format!("{head}\nLocation: {location}"));
    let head = match response.dropped_cookies.as_slice() {
        [] => head,
        dropped => format!("{head}\nNote: the browser did not keep these cookies: {}", dropped.join(", ")),
    };
    match &answered.body {
        Shown::Text { text, .. } if text.is_empty() => head,
        Shown::Text { text, truncated: false } => format!("{head}\n{text}"),
        Shown::Text { text, truncated: true } => format!("{head}\n{text}…\n({})", answered.rest()),
        Shown::Base64(text) => format!("{head}\nbase64: {text}"),
        Shown::Nothing => format!("{head}\n({})", answered.rest()),
    }
}

pub(super) fn faces() -> [Face<Request>; 1] {
    [AGENT
        .tool("request", "HTTP request with the page's cookies and proxy")
        .takes(must("url", "Or a path"), Request::new)
        .example(r#"{"url": "https://example.com/api/items", "method": "POST", "json": {"name": "x"}}"#)
        .opt("method", "", |request, method| request.method = method)
        .default("GET")
        .opt("headers", "", |request, Headers(headers)| request.headers = headers)
        .opt("body", "", |request, body| request.body = Some(body))
        .opt("json", "", |request, json| request.json = Some(json))
        .opt("form_data", "A file is {path} or {name, mimeType, base64}", |request, form| {
            request.form = Some(form);
        })
        .within("timeout", "", 30_000)
        .opt("follow_redirects", "", |request, follow| request.follow_redirects = follow)
        .default(true)
        .on_tab("tabId", "")
        .validate(Request::check)
        .says(words)]
}
