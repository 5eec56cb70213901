//! What a capture has caught: requests with their responses, within bounds.

use std::{collections::HashMap, time::Instant};

use cicerone_driver::{
    Body, FrameId, LoadStage, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, RequestKey,
    WebSocketMessage,
};

use super::filter::{CaptureFilter, ResourceType};

/// How many requests a capture keeps.
pub const MOST_REQUESTS: usize = 10_000;
/// The largest body that it keeps.
pub const LARGEST_BODY: usize = 10 << 20;
/// How many bytes all bodies and messages have together that it keeps.
pub const MOST_BODY_BYTES: usize = 50 << 20;

/// A request with all that came of it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) request: NetworkRequest,
    pub(super) resource_type: ResourceType,
    pub(super) response: Option<NetworkResponse>,
    pub(super) end: Option<NetworkEnd>,
    pub(super) failure: Option<String>,
    pub(super) body: Option<Body>,
    pub(super) messages: Vec<WebSocketMessage>,
    pub(super) messages_dropped: usize,
    /// The place of its page in the list.
    pub(super) page: usize,
}

impl Entry {
    /// How long it took, in milliseconds, if it is over.
    pub(super) fn time(&self) -> Option<f64> {
        self.end.map(|end| ((end.time - self.request.started) * 1_000.0).max(0.0))
    }

    pub(super) fn redirects_to(&self) -> Option<&str> {
        let response = self.response.as_ref().filter(|it| (300..400).contains(&it.status))?;
        header(&response.headers, "location")
    }
}

/// A document of the main frame.
#[derive(Debug, Clone)]
pub(super) struct PageRecord {
    pub(super) url: String,
    pub(super) started: f64,
    pub(super) content_loaded: Option<f64>,
    pub(super) loaded: Option<f64>,
}

/// What was caught.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) entries: Vec<Entry>,
    by_key: HashMap<RequestKey, usize>,
    /// How many requests there were beyond those that are kept.
    pub(super) dropped: usize,
    pub(super) pages: Vec<PageRecord>,
    main_frame: FrameId,
    kept_bytes: usize,
    /// When something was last caught.
    pub(super) stirred: Instant,
}

/// Bodies of a request that are to be read now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted {
    pub(super) request: bool,
    pub(super) response: bool,
}

impl Record {
    pub(super) fn new(main_frame: FrameId, url: String, now: f64) -> Self {
        let first = PageRecord { url, started: now, content_loaded: None, loaded: None };
        Self {
            entries: Vec::new(),
            by_key: HashMap::new(),
            dropped: 0,
            pages: vec![first],
            main_frame,
            kept_bytes: 0,
            stirred: Instant::now(),
        }
    }

    /// Adds what an event says; the bodies that should be read then.
    pub(super) fn add(
        &mut self,
        event: NetworkEvent,
        filter: &CaptureFilter,
    ) -> Option<(RequestKey, Wanted)> {
        match event {
            NetworkEvent::Request(key, request) => {
                self.request(key, *request, filter);
                None
            }
            NetworkEvent::RequestHeaders(key, headers) => {
                let entry = self.entry(&key)?;
                entry.request.headers = headers;
                None
            }
            NetworkEvent::Response(key, response) => {
                self.entry(&key)?.response = Some(*response);
                None
            }
            NetworkEvent::ResponseHeaders(key, status, headers) => {
                let response = self.entry(&key)?.response.as_mut()?;
                (response.status, response.headers) = (status, headers);
                None
            }
            NetworkEvent::Finished(key, end) => {
                let entry = self.entry(&key)?;
                entry.end = Some(end);
                let wanted = Wanted {
                    request: entry.request.has_body && entry.request.body.is_none(),
                    // What a page finds on disk is not for those who capture its traffic.
                    response: entry.redirects_to().is_none()
                        && entry.resource_type != ResourceType::WebSocket
                        && !entry.request.url.starts_with("file:"),
                };
                Some((key, wanted))
            }
            NetworkEvent::Failed { key, time, error } => {
                let entry = self.entry(&key)?;
                entry.end = Some(NetworkEnd { time, ..NetworkEnd::default() });
                entry.failure = Some(error);
                let request = entry.request.has_body && entry.request.body.is_none();
                Some((key, Wanted { request, response: false }))
            }
            NetworkEvent::WebSocketMessage(key, message) => {
                self.message(&key, message);
                None
            }
            _ => None,
        }
    }

    fn request(&mut self, key: RequestKey, request: NetworkRequest, filter: &CaptureFilter) {
        self.stirred = Instant::now();
        if let Some(known) = self.entry(&key) {
            known.request.started = request.started;
            return;
        }
        if request.navigation && request.frame.as_ref() == Some(&self.main_frame) && key.redirects == 0 {
            let (url, started) = (request.url.clone(), request.started);
            self.begin_page(PageRecord { url, started, content_loaded: None, loaded: None });
        }
        let resource_type = ResourceType::of(&request.resource_type);
        if !filter.matches(&request, resource_type) {
            return;
        }
        if self.entries.len() >= MOST_REQUESTS {
            self.dropped += 1;
            return;
        }
        self.by_key.insert(key, self.entries.len());
        let mut request = request;
        request.body = request.body.filter(|body| self.keeps(body.len()));
        self.kept_bytes += request.body.as_ref().map_or(0, Vec::len);
        self.entries.push(Entry {
            request,
            resource_type,
            response: None,
            end: None,
            failure: None,
            body: None,
            messages: Vec::new(),
            messages_dropped: 0,
            page: self.pages.len() - 1,
        });
    }

    /// A page that asks for nothing but itself for ever has no endless list.
    fn begin_page(&mut self, page: PageRecord) {
        if self.pages.len() >= MOST_REQUESTS {
            self.pages.pop();
        }
        self.pages.push(page);
    }

    /// The main frame's document came so far.
    pub(super) fn loaded(&mut self, frame: &FrameId, stage: LoadStage, now: f64) {
        let Some(page) = self.pages.last_mut().filter(|_| *frame == self.main_frame) else { return };
        let since = (now - page.started) * 1_000.0;
        match stage {
            LoadStage::Parsed => page.content_loaded = page.content_loaded.or(Some(since)),
            LoadStage::Complete => page.loaded = page.loaded.or(Some(since)),
            LoadStage::Committed => {}
        }
    }

    fn message(&mut self, key: &RequestKey, message: WebSocketMessage) {
        self.stirred = Instant::now();
        let size = message.data.len();
        let keeps = self.keeps(size);
        let Some(entry) = self.entry(key) else { return };
        if keeps && entry.messages.len() < MOST_REQUESTS {
            entry.messages.push(message);
            self.kept_bytes += size;
        } else {
            entry.messages_dropped += 1;
        }
    }

    fn keeps(&self, size: usize) -> bool {
        size <= LARGEST_BODY && self.kept_bytes + size <= MOST_BODY_BYTES
    }

    /// How large a body may be that is read now; none is where a response is known to be larger.
    pub(super) fn room(&self, key: &RequestKey) -> Option<usize> {
        let entry = self.by_key.get(key).map(|at| &self.entries[*at])?;
        let size = entry.end.and_then(|end| end.body_size).and_then(|size| usize::try_from(size).ok());
        let room = LARGEST_BODY.min(MOST_BODY_BYTES.saturating_sub(self.kept_bytes));
        Some(room).filter(|room| size.is_none_or(|size| size <= *room))
    }

    /// The body of a response was read, or cannot be.
    pub(super) fn response_body(&mut self, key: &RequestKey, body: Body) {
        let body = match body {
            Body::Content(bytes) if !self.keeps(bytes.len()) => Body::TooLarge,
            other => other,
        };
        let size = if let Body::Content(bytes) = &body { bytes.len() } else { 0 };
        if let Some(entry) = self.entry(key) {
            if let (Some(end), Body::Content(bytes)) = (&mut entry.end, &body) {
                end.body_size = u64::try_from(bytes.len()).ok();
            }
            entry.body = Some(body);
            self.kept_bytes += size;
        }
    }

    /// The body of a request was read.
    pub(super) fn request_body(&mut self, key: &RequestKey, body: Body) {
        let Body::Content(bytes) = body else { return };
        if !self.keeps(bytes.len()) {
            return;
        }
        let size = bytes.len();
        if let Some(entry) = self.entry(key) {
            entry.request.body = Some(bytes);
            self.kept_bytes += size;
        }
    }

    fn entry(&mut self, key: &RequestKey) -> Option<&mut Entry> {
        self.by_key.get(key).and_then(|at| self.entries.get_mut(*at))
    }
}

/// The value of a header.
pub(super) fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use cicerone_driver::RequestId;

    use super::*;

    fn key(id: usize) -> RequestKey {
        RequestKey { id: RequestId::from(id.to_string().as_str()), redirects: 0 }
    }

    fn record() -> Record {
        Record::new(FrameId::from("main"), "about:blank".into(), 0.0)
    }

    fn requested(record: &mut Record, id: usize) {
        let request = NetworkRequest { method: "GET".into(), ..NetworkRequest::default() };
        record.add(NetworkEvent::Request(key(id), Box::new(request)), &CaptureFilter::default());
        record.add(NetworkEvent::Finished(key(id), NetworkEnd::default()), &CaptureFilter::default());
    }

    #[test]
    fn requests_beyond_the_bound_are_counted_and_not_kept() {
        let mut record = record();
        (0..MOST_REQUESTS + 7).for_each(|id| requested(&mut record, id));
        assert_eq!((record.entries.len(), record.dropped), (MOST_REQUESTS, 7));
    }

    #[test]
    fn bodies_are_kept_within_their_bounds() {
        let mut record = record();
        (0..10).for_each(|id| requested(&mut record, id));
        record.response_body(&key(0), Body::Content(vec![0; LARGEST_BODY + 1]));
        assert_eq!(record.entries[0].body, Some(Body::TooLarge));
        (1..10).for_each(|id| record.response_body(&key(id), Body::Content(vec![0; LARGEST_BODY])));
        let kept = record.entries.iter().filter(|entry| matches!(entry.body, Some(Body::Content(_)))).count();
        assert_eq!(kept, MOST_BODY_BYTES / LARGEST_BODY);
        assert_eq!(record.room(&key(9)), Some(0));
        let large = NetworkEnd { body_size: Some(100 << 20), ..NetworkEnd::default() };
        record.add(NetworkEvent::Finished(key(9), large), &CaptureFilter::default());
        assert_eq!(record.room(&key(9)), None, "it is not even asked for");
    }
}
