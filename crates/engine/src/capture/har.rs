//! HAR 1.2, as DevTools writes and reads it: <http://www.softwareishard.com/blog/har-12-spec/>.

use std::{borrow::Cow, collections::HashSet, io::Write};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Body, Timing};
use serde_json::{Value, json};
use url::Url;

use super::record::{Entry, MOST_REQUESTS, PageRecord, Record, header};
use crate::Secrets;

/// The HAR file with secrets replaced by their names. Entries are serialised one by one: all at once would
/// double the memory.
pub(super) fn write(record: &Record, secrets: &Secrets) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::new();
    let creator = json!({ "name": "cicerone", "version": env!("CARGO_PKG_VERSION") });
    let used: HashSet<usize> = record.entries.iter().map(|entry| entry.page).collect();
    let pages = record.pages.iter().enumerate().filter(|(at, _)| used.contains(at));
    let pages: Vec<Value> = pages.map(|(at, page)| page_json(at, page)).collect();
    let mut head = json!({ "version": "1.2", "creator": creator, "pages": pages });
    if record.dropped > 0 {
        let dropped = record.dropped;
        head["comment"] =
            json!(format!("{dropped} more requests were not kept, only the first {MOST_REQUESTS}"));
    }
    redact(&mut head["pages"], secrets);
    let head = head.to_string();
    // The head without its closing brace; the entries follow inside.
    let write = |out: &mut Vec<u8>, bytes: &[u8]| out.write_all(bytes).map_err(serde_json::Error::io);
    write(&mut out, br#"{"log":"#)?;
    write(&mut out, head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
    write(&mut out, br#","entries":["#)?;
    for (at, entry) in record.entries.iter().enumerate() {
        if at > 0 {
            write(&mut out, b",\n")?;
        }
        let mut entry = entry_json(entry);
        redact(&mut entry, secrets);
        serde_json::to_writer(&mut out, &entry)?;
    }
    write(&mut out, b"]}}")?;
    Ok(out)
}

/// Redacts strings only: a size that equals a secret number stays.
fn redact(value: &mut Value, secrets: &Secrets) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(redacted) = secrets.redact(text) {
                *text = redacted;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact(item, secrets)),
        Value::Object(fields) => fields.values_mut().for_each(|field| redact(field, secrets)),
        _ => {}
    }
}

fn page_json(at: usize, page: &PageRecord) -> Value {
    json!({
        "startedDateTime": date(page.started),
        "id": page_id(at),
        "title": page.url,
        "pageTimings": {
            "onContentLoad": page.content_loaded.map_or(-1.0, rounded),
            "onLoad": page.loaded.map_or(-1.0, rounded),
        },
    })
}

fn page_id(at: usize) -> String {
    format!("page_{}", at + 1)
}

fn entry_json(entry: &Entry) -> Value {
    let timings = timings(entry);
    let time: f64 = ["blocked", "dns", "connect", "send", "wait", "receive"]
        .iter()
        .filter_map(|phase| timings[*phase].as_f64().filter(|time| *time >= 0.0))
        .sum();
    let mut written = json!({
        "pageref": page_id(entry.page),
        "startedDateTime": date(entry.request.started),
        "time": rounded(time),
        "request": request(entry),
        "response": response(entry),
        "cache": {},
        "timings": timings,
        "_resourceType": entry.resource_type.as_str(),
    });
    let mut set = |name: &str, value: Value| written[name] = value;
    if let Some(response) = &entry.response {
        if let Some(address) = &response.remote_address {
            set("serverIPAddress", json!(address));
        }
        if let Some(connection) = &response.connection {
            set("connection", json!(connection));
        }
        if response.from_cache {
            set("_fromCache", json!("disk"));
        }
        if response.from_service_worker {
            set("_fetchedViaServiceWorker", json!(true));
        }
    }
    if !entry.messages.is_empty() || entry.messages_dropped > 0 {
        let message = |message: &cicerone_driver::WebSocketMessage| {
            json!({
                "type": if message.sent { "send" } else { "receive" },
                "time": message.time,
                "opcode": message.opcode,
                "data": message.data,
            })
        };
        set("_webSocketMessages", entry.messages.iter().map(message).collect());
    }
    written
}

fn request(entry: &Entry) -> Value {
    let request = &entry.request;
    let query: Vec<Value> = Url::parse(&request.url)
        .map(|url| url.query_pairs().map(|(name, value)| json!({ "name": name, "value": value })).collect())
        .unwrap_or_default();
    let mut written = json!({
        "method": request.method,
        "url": request.url,
        "httpVersion": version(entry),
        "cookies": sent_cookies(&request.headers),
        "headers": headers(&request.headers),
        "queryString": query,
        "headersSize": head_size(entry, &request.headers, request.method.len() + request.url.len() + 12).map_or(-1, signed),
        "bodySize": request.body.as_deref().map_or(if request.has_body { -1 } else { 0 }, length),
    });
    if let Some(body) = &request.body {
        let mime = header(&request.headers, "content-type").unwrap_or_default();
        let text = String::from_utf8_lossy(body);
        let params: Vec<Value> = if mime.starts_with("application/x-www-form-urlencoded") {
            let pairs = url::form_urlencoded::parse(body);
            pairs.map(|(name, value)| json!({ "name": name, "value": value })).collect()
        } else {
            Vec::new()
        };
        written["postData"] = json!({ "mimeType": mime, "text": text, "params": params });
    } else if let Some(gap) = &entry.request_body_gap {
        let mime = header(&request.headers, "content-type").unwrap_or_default();
        written["postData"] =
            json!({ "mimeType": mime, "text": "", "params": [], "comment": not_captured(gap) });
    }
    written
}

fn response(entry: &Entry) -> Value {
    let Some(response) = &entry.response else {
        let mut written = json!({
            "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [], "redirectURL": "",
            "content": { "size": 0, "mimeType": "x-unknown" }, "headersSize": -1, "bodySize": -1, "_transferSize": 0,
        });
        written["_error"] = json!(entry.failure);
        return written;
    };
    let transferred = entry.end.and_then(|end| end.transferred);
    let line = response.status_text.len() + 15;
    let headers_size = response.headers_size.or_else(|| head_size(entry, &response.headers, line));
    let body_size = match (transferred, headers_size) {
        _ if response.from_cache => Some(0),
        (Some(all), Some(head)) => Some(all.saturating_sub(head)),
        _ => None,
    };
    let mut written = json!({
        "status": response.status,
        "statusText": response.status_text,
        "httpVersion": version(entry),
        "cookies": set_cookies(&response.headers),
        "headers": headers(&response.headers),
        "redirectURL": header(&response.headers, "location").unwrap_or_default(),
        "content": content(entry, body_size),
        "headersSize": headers_size.map_or(-1, signed),
        "bodySize": body_size.map_or(-1, signed),
        "_transferSize": transferred.unwrap_or_default(),
    });
    if let Some(failure) = &entry.failure {
        written["_error"] = json!(failure);
    }
    written
}

fn content(entry: &Entry, received: Option<u64>) -> Value {
    let mime = entry.response.as_ref().map(|response| response.mime_type.as_str()).unwrap_or_default();
    let size = entry.end.and_then(|end| end.body_size).unwrap_or_default();
    let mut content = json!({ "size": size, "mimeType": if mime.is_empty() { "x-unknown" } else { mime } });
    if let Some(saved) = received.and_then(|received| size.checked_sub(received)).filter(|saved| *saved > 0) {
        content["compression"] = json!(saved);
    }
    match &entry.body {
        Some(Body::Content(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => content["text"] = json!(text),
            Err(_) => {
                content["text"] = json!(STANDARD.encode(bytes));
                content["encoding"] = json!("base64");
            }
        },
        Some(gap) => content["comment"] = json!(not_captured(gap)),
        None => {}
    }
    content
}

fn not_captured(gap: &Body) -> &'static str {
    match gap {
        Body::TooLarge => "not captured: too large",
        Body::Missing | Body::Content(_) => "not captured: the browser no longer has it",
    }
}

/// The phases in milliseconds, -1 for phases that did not happen. Their sum is the total time.
fn timings(entry: &Entry) -> Value {
    let started = entry.request.started;
    let total = entry.time().unwrap_or_default();
    let Some(response) = &entry.response else {
        return json!({ "blocked": rounded(total), "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 0, "receive": 0 });
    };
    let until_head = ((response.time - started) * 1_000.0).max(0.0);
    let total = total.max(until_head);
    let receive = if entry.end.is_some() { total - until_head } else { 0.0 };
    let phase = |time: Option<f64>| time.map_or(-1.0, rounded);
    match &response.timing {
        Some(Timing { dns, connect, ssl, send, wait, .. }) => {
            // Time not accounted for was spent queued.
            let known = dns.unwrap_or(0.0) + connect.unwrap_or(0.0) + send + wait + receive;
            json!({
                "blocked": rounded((total - known).max(0.0)), "dns": phase(*dns), "connect": phase(*connect),
                "ssl": phase(*ssl), "send": rounded(*send), "wait": rounded(*wait), "receive": rounded(receive),
            })
        }
        None => json!({
            "blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": rounded(until_head),
            "receive": rounded(receive),
        }),
    }
}

fn version(entry: &Entry) -> String {
    let protocol = entry.response.as_ref().map(|response| response.protocol.as_str()).unwrap_or_default();
    match protocol {
        "h2" => "HTTP/2.0".into(),
        "h3" => "HTTP/3.0".into(),
        other => other.to_ascii_uppercase(),
    }
}

/// The size of the header lines in HTTP/1; later versions compress them.
fn head_size(entry: &Entry, headers: &[(String, String)], first_line: usize) -> Option<u64> {
    let plain = entry.response.as_ref().is_some_and(|response| response.protocol.starts_with("http/1"));
    let lines: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    plain.then(|| u64::try_from(first_line + lines + 2).ok()).flatten()
}

fn headers(headers: &[(String, String)]) -> Vec<Value> {
    headers.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect()
}

fn sent_cookies(headers: &[(String, String)]) -> Vec<Value> {
    let pairs =
        header(headers, "cookie").unwrap_or_default().split(';').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| json!({ "name": name.trim(), "value": value.trim() })).collect()
}

fn set_cookies(headers: &[(String, String)]) -> Vec<Value> {
    let set = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    set.filter_map(|(_, line)| set_cookie(line)).collect()
}

fn set_cookie(line: &str) -> Option<Value> {
    let mut parts = line.split(';');
    let (name, value) = parts.next()?.split_once('=')?;
    let mut cookie =
        json!({ "name": name.trim(), "value": value.trim(), "httpOnly": false, "secure": false });
    for part in parts {
        let (attribute, value) = part.trim().split_once('=').unwrap_or((part.trim(), ""));
        match attribute.to_ascii_lowercase().as_str() {
            "path" => cookie["path"] = json!(value),
            "domain" => cookie["domain"] = json!(value),
            "samesite" => cookie["sameSite"] = json!(value),
            "httponly" => cookie["httpOnly"] = json!(true),
            "secure" => cookie["secure"] = json!(true),
            "expires" => {
                if let Ok(expires) = jiff::fmt::rfc2822::parse(&value.replace('-', " ")) {
                    cookie["expires"] = json!(expires.timestamp().to_string());
                }
            }
            _ => {}
        }
    }
    Some(cookie)
}

/// Seconds since 1970 as ISO 8601 with milliseconds.
pub(super) fn date(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
    let milliseconds = (seconds * 1_000.0).round() as i64;
    let time = jiff::Timestamp::from_millisecond(milliseconds).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 1_000.0).round() / 1_000.0
}

fn length(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(-1)
}

fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(-1)
}
