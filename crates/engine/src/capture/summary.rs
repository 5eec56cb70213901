//! The summary of a network capture: counts and the most notable requests.

use std::{cmp::Reverse, collections::BTreeMap};

use cicerone_driver::Body;

use super::record::{Entry, Record};

/// Requests listed.
const LISTED: usize = 100;
/// Requests listed as slowest, and as largest.
const NOTABLE: usize = 5;
/// Characters shown of one body.
const SHOWN_OF_BODY: usize = 2_000;
/// Characters shown of all bodies.
const SHOWN_OF_BODIES: usize = 20_000;

/// The summary of a network capture.
#[derive(Debug, Clone, Default)]
pub struct NetworkSummary {
    /// Requests in total.
    pub total: usize,
    /// Requests not kept.
    pub dropped: usize,
    /// Failed requests.
    pub failed: usize,
    /// Unfinished requests.
    pub pending: usize,
    /// Bytes received.
    pub transferred: u64,
    /// Requests by resource type.
    pub by_type: BTreeMap<&'static str, usize>,
    /// Requests by status, including `failed` and `pending`.
    pub by_status: BTreeMap<String, usize>,
    /// Requests that failed or have an error status.
    pub failures: Vec<RequestSummary>,
    /// The slowest requests.
    pub slowest: Vec<RequestSummary>,
    /// The largest requests.
    pub largest: Vec<RequestSummary>,
    /// The first requests.
    pub requests: Vec<RequestSummary>,
    /// Bodies too large to keep.
    pub bodies_too_large: usize,
}

/// The summary of a request.
#[derive(Debug, Clone)]
pub struct RequestSummary {
    /// The HTTP method.
    pub method: String,
    pub url: String,
    /// The HTTP status, once there is a response.
    pub status: Option<u16>,
    pub resource_type: &'static str,
    /// Bytes received, if known.
    pub size: Option<u64>,
    /// Its duration in milliseconds, once finished.
    pub time: Option<f64>,
    /// The network error.
    pub failure: Option<String>,
    /// Whether it was served from a cache.
    pub from_cache: bool,
    /// The redirect target.
    pub redirected_to: Option<String>,
    /// The request body.
    pub post_data: Option<ShownBody>,
    /// The response body.
    pub body: Option<ShownBody>,
    /// WebSocket messages.
    pub messages: usize,
}

/// A body, truncated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownBody {
    /// Its beginning, and its length in characters.
    Text(String, usize),
    /// Binary, with its size in bytes.
    Binary(usize),
    /// Too large to keep.
    TooLarge,
    /// The browser no longer had it.
    Missing,
}

impl NetworkSummary {
    pub(super) fn of(record: &Record) -> Self {
        let entries = &record.entries;
        let mut summary =
            Self { total: entries.len() + record.dropped, dropped: record.dropped, ..Self::default() };
        for entry in entries {
            summary.count(entry);
        }
        let short = |entry: &&Entry| RequestSummary::of(entry);
        let is_failure = |entry: &&Entry| {
            entry.failure.is_some() || entry.response.as_ref().is_some_and(|response| response.status >= 400)
        };
        summary.failures = entries.iter().filter(is_failure).take(NOTABLE * 2).map(|it| short(&it)).collect();
        summary.slowest = most(entries, |entry| entry.time().map(microseconds));
        summary.largest = most(entries, size);
        let mut room = SHOWN_OF_BODIES;
        let listed =
            entries.iter().take(LISTED).map(|entry| RequestSummary::of(entry).with_bodies(entry, &mut room));
        summary.requests = listed.collect();
        summary
    }

    fn count(&mut self, entry: &Entry) {
        *self.by_type.entry(entry.resource_type.as_str()).or_default() += 1;
        let status = match (&entry.failure, &entry.response) {
            (Some(_), _) => "failed".to_owned(),
            (None, Some(response)) => response.status.to_string(),
            (None, None) => "pending".to_owned(),
        };
        *self.by_status.entry(status).or_default() += 1;
        self.failed += usize::from(entry.failure.is_some());
        self.pending += usize::from(entry.end.is_none());
        self.transferred += size(entry).unwrap_or_default();
        for body in [&entry.body, &entry.request_body_gap] {
            self.bodies_too_large += usize::from(*body == Some(Body::TooLarge));
        }
    }
}

/// The requests with the highest values.
fn most(entries: &[Entry], of: impl Fn(&Entry) -> Option<u64>) -> Vec<RequestSummary> {
    let mut sorted: Vec<(u64, &Entry)> =
        entries.iter().filter_map(|entry| Some((of(entry).filter(|value| *value > 0)?, entry))).collect();
    sorted.sort_by_key(|(value, _)| Reverse(*value));
    sorted.into_iter().take(NOTABLE).map(|(_, entry)| RequestSummary::of(entry)).collect()
}

fn size(entry: &Entry) -> Option<u64> {
    entry.end.and_then(|end| end.transferred)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are positive; casts saturate"
)]
fn microseconds(milliseconds: f64) -> u64 {
    (milliseconds * 1_000.0) as u64
}

impl RequestSummary {
    fn of(entry: &Entry) -> Self {
        Self {
            method: entry.request.method.clone(),
            url: entry.request.url.clone(),
            status: entry.response.as_ref().map(|response| response.status),
            resource_type: entry.resource_type.as_str(),
            size: size(entry),
            time: entry.time(),
            failure: entry.failure.clone(),
            from_cache: entry.response.as_ref().is_some_and(|response| response.from_cache),
            redirected_to: entry.redirects_to().map(str::to_owned),
            post_data: None,
            body: None,
            messages: entry.messages.len() + entry.messages_dropped,
        }
    }

    /// Adds bodies while there is room.
    fn with_bodies(mut self, entry: &Entry, room: &mut usize) -> Self {
        let sent = entry.request.body.as_ref().filter(|sent| !sent.is_empty());
        self.post_data = match sent {
            Some(sent) => Some(shown(sent, room)),
            None => entry.request_body_gap.as_ref().map(|gap| shown_body(gap, room)),
        };
        self.body = entry.body.as_ref().map(|body| shown_body(body, room));
        self
    }
}

fn shown_body(body: &Body, room: &mut usize) -> ShownBody {
    match body {
        Body::Content(bytes) => shown(bytes, room),
        Body::TooLarge => ShownBody::TooLarge,
        Body::Missing => ShownBody::Missing,
    }
}

fn shown(bytes: &[u8], room: &mut usize) -> ShownBody {
    let Ok(text) = std::str::from_utf8(bytes) else { return ShownBody::Binary(bytes.len()) };
    let shown: String = text.chars().take(SHOWN_OF_BODY.min(*room)).collect();
    *room = room.saturating_sub(shown.chars().count());
    ShownBody::Text(shown, text.chars().count())
}
