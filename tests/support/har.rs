//! The rules of HAR 1.2 that a file must keep: required fields, and their types.

use serde_json::Value;

/// The entries of a file that keeps the rules.
#[track_caller]
pub fn entries(har: &Value) -> Vec<Value> {
    let log = &har["log"];
    assert_eq!(log["version"], "1.2");
    texts(&log["creator"], &["name", "version"]);
    let pages: Vec<&str> = list(log, "pages").iter().map(|page| page_id(page)).collect();
    for entry in list(log, "entries") {
        assert!(pages.contains(&entry["pageref"].as_str().unwrap()), "{entry}");
        follows_the_rules(entry);
    }
    let begun: Vec<&str> =
        list(log, "entries").iter().map(|entry| entry["startedDateTime"].as_str().unwrap()).collect();
    assert!(begun.is_sorted(), "{begun:?}");
    list(log, "entries").clone()
}

#[track_caller]
fn page_id(page: &Value) -> &str {
    is_date(&page["startedDateTime"]);
    texts(page, &["id", "title"]);
    numbers(&page["pageTimings"], &["onContentLoad", "onLoad"]);
    page["id"].as_str().unwrap()
}

#[track_caller]
fn follows_the_rules(entry: &Value) {
    is_date(&entry["startedDateTime"]);
    numbers(entry, &["time"]);
    assert!(entry["cache"].is_object(), "{entry}");
    let request = &entry["request"];
    texts(request, &["method", "url", "httpVersion"]);
    numbers(request, &["headersSize", "bodySize"]);
    pairs(request, "headers");
    pairs(request, "cookies");
    pairs(request, "queryString");
    if let Some(posted) = request.get("postData") {
        texts(posted, &["mimeType", "text"]);
        pairs(posted, "params");
    }
    let response = &entry["response"];
    texts(response, &["statusText", "httpVersion", "redirectURL"]);
    numbers(response, &["status", "headersSize", "bodySize"]);
    pairs(response, "headers");
    pairs(response, "cookies");
    for cookie in list(response, "cookies") {
        cookie_fields(cookie);
    }
    // A redirect says where to.
    let is_redirect = matches!(response["status"].as_u64(), Some(301 | 302 | 303 | 307 | 308));
    assert_eq!(is_redirect, response["redirectURL"] != "", "{entry}");
    content(&response["content"]);
    for part in [request, response] {
        for size in ["headersSize", "bodySize"] {
            assert!(part[size].as_f64().unwrap() >= -1.0, "{entry}");
        }
    }
    timings(entry);
}

#[track_caller]
fn cookie_fields(cookie: &Value) {
    for name in ["path", "domain", "expires", "comment"] {
        assert!(cookie.get(name).is_none_or(Value::is_string), "{name}: {cookie}");
    }
    for name in ["httpOnly", "secure"] {
        assert!(cookie.get(name).is_none_or(Value::is_boolean), "{name}: {cookie}");
    }
}

/// A body is as long as is said, unless a comment says that it is not all of it.
#[track_caller]
fn content(content: &Value) {
    numbers(content, &["size"]);
    texts(content, &["mimeType"]);
    let Some(text) = content.get("text").filter(|_| content.get("comment").is_none()) else { return };
    let text = text.as_str().unwrap();
    let bytes = match content.get("encoding") {
        Some(encoding) => {
            assert_eq!(encoding, "base64");
            base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap().len()
        }
        None => text.len(),
    };
    assert_eq!(content["size"], bytes, "{content}");
}

/// The phases are numbers, -1 for those that there were not, and make the time.
#[track_caller]
fn timings(entry: &Value) {
    let of = |phase: &str| entry["timings"][phase].as_f64().unwrap_or_else(|| panic!("{phase}: {entry}"));
    for phase in ["send", "wait", "receive"] {
        assert!(of(phase) >= 0.0, "{entry}");
    }
    for phase in ["blocked", "dns", "connect", "ssl"] {
        assert!(of(phase) >= 0.0 || (of(phase) + 1.0).abs() < 1e-9, "{entry}");
    }
    let sum: f64 =
        ["blocked", "dns", "connect", "send", "wait", "receive"].map(|phase| of(phase).max(0.0)).iter().sum();
    assert!((sum - entry["time"].as_f64().unwrap()).abs() < 1.0, "{entry}");
}

#[track_caller]
fn list<'v>(value: &'v Value, name: &str) -> &'v Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("{name} is not a list: {value}"))
}

#[track_caller]
fn pairs(value: &Value, name: &str) {
    for pair in list(value, name) {
        texts(pair, &["name", "value"]);
    }
}

#[track_caller]
fn texts(value: &Value, names: &[&str]) {
    for name in names {
        assert!(value[*name].is_string(), "{name} is not a text: {value}");
    }
}

#[track_caller]
fn numbers(value: &Value, names: &[&str]) {
    for name in names {
        assert!(value[*name].is_number(), "{name} is not a number: {value}");
    }
}

#[track_caller]
fn is_date(value: &Value) {
    let date = value.as_str().unwrap();
    let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000Z");
}
