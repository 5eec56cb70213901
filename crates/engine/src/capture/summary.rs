//! What is said of a capture: counts, and the requests that stand out.

use std::{cmp::Reverse, collections::BTreeMap};

use cicerone_driver::Body;

use super::record::{Entry, Record};

/// How many requests are listed.
const LISTED: usize = 100;
/// How many of those that stand out.
const OUTSTANDING: usize = 5;
/// How many characters of a body are shown.
const SHOWN_OF_BODY: usize = 2_000;
/// How many characters of all bodies.
const SHOWN_OF_BODIES: usize = 20_000;

/// What was caught, in short.
#[derive(Debug, Clone, Default)]
pub struct NetworkSummary {
    /// How many requests there were.
    pub total: usize,
    /// How many of them are not kept.
    pub dropped: usize,
    /// How many failed.
    pub failed: usize,
    /// How many are under way.
    pub pending: usize,
    /// How many bytes arrived.
    pub transferred: u64,
    /// How many there were of each resource type.
    pub by_type: BTreeMap<&'static str, usize>,
    /// How many there were of each status; `failed` and `pending` are among them.
    pub by_status: BTreeMap<String, usize>,
    /// Those that failed, and those with an error as their status.
    pub failures: Vec<RequestSummary>,
    /// Those that took longest.
    pub slowest: Vec<RequestSummary>,
    /// Those that were largest.
    pub largest: Vec<RequestSummary>,
    /// The first ones.
    pub requests: Vec<RequestSummary>,
    /// How many bodies were too large to be kept.
    pub bodies_too_large: usize,
}

/// A request, in short.
#[derive(Debug, Clone)]
pub struct RequestSummary {
    /// The HTTP method.
    pub method: String,
    /// Where to.
    pub url: String,
    /// The HTTP status, when a response came.
    pub status: Option<u16>,
    /// What for.
    pub resource_type: &'static str,
    /// How many bytes arrived, where that is known.
    pub size: Option<u64>,
    /// How long it took, in milliseconds, if it is over.
    pub time: Option<f64>,
    /// How it failed.
    pub failure: Option<String>,
    /// Whether it came from a cache.
    pub from_cache: bool,
    /// Where it was redirected to.
    pub redirected_to: Option<String>,
    /// What was sent with it, as much as is shown.
    pub post_data: Option<String>,
    /// What came back, as much as is shown.
    pub body: Option<ShownBody>,
    /// How many messages went through a WebSocket.
    pub messages: usize,
}

/// As much of a body as is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownBody {
    /// Its begin, and how many characters it has in total.
    Text(String, usize),
    /// It is binary, of so many bytes.
    Binary(usize),
    /// It was too large to be kept.
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
        summary.failures =
            entries.iter().filter(is_failure).take(OUTSTANDING * 2).map(|it| short(&it)).collect();
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
        self.bodies_too_large += usize::from(entry.body == Some(Body::TooLarge));
    }
}

/// The few with the most of something.
fn most(entries: &[Entry], of: impl Fn(&Entry) -> Option<u64>) -> Vec<RequestSummary> {
    let mut sorted: Vec<(u64, &Entry)> =
        entries.iter().filter_map(|entry| Some((of(entry).filter(|much| *much > 0)?, entry))).collect();
    sorted.sort_by_key(|(much, _)| Reverse(*much));
    sorted.into_iter().take(OUTSTANDING).map(|(_, entry)| RequestSummary::of(entry)).collect()
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

    /// The same with bodies, as long as there is room for them.
    fn with_bodies(mut self, entry: &Entry, room: &mut usize) -> Self {
        if let Some(sent) = &entry.request.body
            && let ShownBody::Text(text, _) = shown(sent, room)
        {
            self.post_data = Some(text).filter(|text| !text.is_empty());
        }
        self.body = entry.body.as_ref().map(|body| match body {
            Body::Content(bytes) => shown(bytes, room),
            Body::TooLarge => ShownBody::TooLarge,
            Body::Missing => ShownBody::Missing,
        });
        self
    }
}

fn shown(bytes: &[u8], room: &mut usize) -> ShownBody {
    let Ok(text) = std::str::from_utf8(bytes) else { return ShownBody::Binary(bytes.len()) };
    let shown: String = text.chars().take(SHOWN_OF_BODY.min(*room)).collect();
    *room = room.saturating_sub(shown.chars().count());
    ShownBody::Text(shown, text.chars().count())
}
