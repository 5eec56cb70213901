//! Captured requests and responses, within limits.

use std::{collections::HashMap, time::Instant};

use cicerone_driver::{
    Body, FrameId, LoadStage, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, RequestKey,
    WebSocketMessage,
};

use super::filter::{CaptureFilter, ResourceType};

/// The most requests per capture.
pub const MOST_REQUESTS: usize = 10_000;
/// The largest body kept, in bytes.
pub const LARGEST_BODY: usize = 10 << 20;
/// The most bytes of bodies and messages kept per capture.
pub const MOST_BODY_BYTES: usize = 50 << 20;

/// A request with its response.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) request: NetworkRequest,
    pub(super) resource_type: ResourceType,
    pub(super) response: Option<NetworkResponse>,
    pub(super) end: Option<NetworkEnd>,
    pub(super) failure: Option<String>,
    pub(super) body: Option<Body>,
    /// Why `request.body` lacks the request's body: `TooLarge` or `Missing`.
    pub(super) request_body_gap: Option<Body>,
    /// Bytes reserved for the body being read.
    reserved: usize,
    pub(super) messages: Vec<WebSocketMessage>,
    pub(super) messages_dropped: usize,
    /// Index of its page in `pages`.
    pub(super) page: usize,
}

impl Entry {
    /// Its duration in milliseconds, once finished.
    pub(super) fn time(&self) -> Option<f64> {
        self.end.map(|end| ((end.time - self.request.started) * 1_000.0).max(0.0))
    }

    fn lacks_request_body(&self) -> bool {
        self.request.has_body && self.request.body.is_none() && self.request_body_gap.is_none()
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

/// All that a capture has recorded.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) entries: Vec<Entry>,
    by_key: HashMap<RequestKey, usize>,
    /// Requests beyond the limit.
    pub(super) dropped: usize,
    pub(super) pages: Vec<PageRecord>,
    main_frame: FrameId,
    kept_bytes: usize,
    /// Bytes reserved for bodies being read.
    reserved_bytes: usize,
    /// The last request or message.
    pub(super) last_activity: Instant,
}

/// Bodies to read now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BodiesToRead {
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
            reserved_bytes: 0,
            last_activity: Instant::now(),
        }
    }

    /// Records an event; returns the bodies to read.
    pub(super) fn add(
        &mut self,
        event: NetworkEvent,
        filter: &CaptureFilter,
    ) -> Option<(RequestKey, BodiesToRead)> {
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
                let to_read = BodiesToRead {
                    request: entry.lacks_request_body(),
                    // Local files are not traffic: their content is not captured.
                    response: entry.redirects_to().is_none()
                        && entry.resource_type != ResourceType::WebSocket
                        && !entry.request.url.starts_with("file:"),
                };
                Some((key, to_read))
            }
            NetworkEvent::Failed { key, time, error } => {
                let entry = self.entry(&key)?;
                entry.end = Some(NetworkEnd { time, ..NetworkEnd::default() });
                entry.failure = Some(error);
                Some((key, BodiesToRead { request: entry.lacks_request_body(), response: false }))
            }
            NetworkEvent::WebSocketMessage(key, message) => {
                self.message(&key, message);
                None
            }
            _ => None,
        }
    }

    fn request(&mut self, key: RequestKey, request: NetworkRequest, filter: &CaptureFilter) {
        self.last_activity = Instant::now();
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
        let reported = request.body.is_some();
        request.body = request.body.filter(|body| self.has_room(body.len()));
        let request_body_gap = (reported && request.body.is_none()).then_some(Body::TooLarge);
        self.kept_bytes += request.body.as_ref().map_or(0, Vec::len);
        self.entries.push(Entry {
            request,
            resource_type,
            response: None,
            end: None,
            failure: None,
            body: None,
            request_body_gap,
            reserved: 0,
            messages: Vec::new(),
            messages_dropped: 0,
            page: self.pages.len() - 1,
        });
    }

    /// Keeps the list finite for a page that reloads itself for ever.
    fn begin_page(&mut self, page: PageRecord) {
        if self.pages.len() >= MOST_REQUESTS {
            self.pages.pop();
        }
        self.pages.push(page);
    }

    /// Records the load stages of the main frame's document.
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
        self.last_activity = Instant::now();
        let size = message.data.len();
        let has_room = self.has_room(size);
        let Some(entry) = self.entry(key) else { return };
        if has_room && entry.messages.len() < MOST_REQUESTS {
            entry.messages.push(message);
            self.kept_bytes += size;
        } else {
            entry.messages_dropped += 1;
        }
    }

    fn has_room(&self, size: usize) -> bool {
        size <= LARGEST_BODY && self.kept_bytes + self.reserved_bytes + size <= MOST_BODY_BYTES
    }

    /// The size of a response body; `None` if the browser does not report it.
    pub(super) fn response_size(&mut self, key: &RequestKey) -> Option<usize> {
        self.entry(key)?.end?.body_size.and_then(|size| usize::try_from(size).ok())
    }

    /// The size of a request body, by its header.
    pub(super) fn request_size(&mut self, key: &RequestKey) -> Option<usize> {
        header(&self.entry(key)?.request.headers, "content-length")?.parse().ok()
    }

    /// The largest body that may be read now; `None` if this one is known to be larger. A known size is
    /// reserved until the body is here.
    pub(super) fn room(&mut self, key: &RequestKey, size: Option<usize>) -> Option<usize> {
        let room = LARGEST_BODY.min(MOST_BODY_BYTES.saturating_sub(self.kept_bytes + self.reserved_bytes));
        if size.is_some_and(|size| size > room) {
            return None;
        }
        self.end_reservation(key);
        let entry = self.entry(key)?;
        entry.reserved = size.unwrap_or_default();
        self.reserved_bytes += size.unwrap_or_default();
        Some(room)
    }

    fn end_reservation(&mut self, key: &RequestKey) {
        let reserved = self.entry(key).map_or(0, |entry| std::mem::take(&mut entry.reserved));
        self.reserved_bytes -= reserved;
    }

    pub(super) fn response_body(&mut self, key: &RequestKey, body: Body) {
        self.end_reservation(key);
        let body = match body {
            Body::Content(bytes) if !self.has_room(bytes.len()) => Body::TooLarge,
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

    pub(super) fn request_body(&mut self, key: &RequestKey, body: Body) {
        self.end_reservation(key);
        let (kept, gap) = match body {
            Body::Content(bytes) if self.has_room(bytes.len()) => (Some(bytes), None),
            Body::Content(_) => (None, Some(Body::TooLarge)),
            gap => (None, Some(gap)),
        };
        let size = kept.as_ref().map_or(0, Vec::len);
        if let Some(entry) = self.entry(key) {
            (entry.request.body, entry.request_body_gap) = (kept, gap);
            self.kept_bytes += size;
        }
    }

    fn entry(&mut self, key: &RequestKey) -> Option<&mut Entry> {
        self.by_key.get(key).and_then(|at| self.entries.get_mut(*at))
    }
}

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
        assert_eq!(record.room(&key(9), None), Some(0));
        let large = NetworkEnd { body_size: Some(100 << 20), ..NetworkEnd::default() };
        record.add(NetworkEvent::Finished(key(9), large), &CaptureFilter::default());
        let size = record.response_size(&key(9));
        assert_eq!(record.room(&key(9), size), None, "it is not even asked for");
    }

    #[test]
    fn bodies_being_read_have_their_bytes_reserved() {
        let mut record = record();
        (0..10).for_each(|id| requested(&mut record, id));
        let read = (0..10).filter(|id| record.room(&key(*id), Some(LARGEST_BODY)).is_some()).count();
        assert_eq!(read, MOST_BODY_BYTES / LARGEST_BODY);
        assert_eq!(record.room(&key(9), Some(1)), None);
        // One that turns out to be missing leaves its bytes to another.
        record.response_body(&key(0), Body::Missing);
        assert_eq!(record.room(&key(9), Some(LARGEST_BODY)), Some(LARGEST_BODY));
        (1..5).chain([9]).for_each(|id| record.response_body(&key(id), Body::Content(vec![0; LARGEST_BODY])));
        assert_eq!(record.room(&key(0), None), Some(0));
    }

    #[test]
    fn request_bodies_that_are_not_kept_are_told() {
        let mut record = record();
        let body = Some(vec![0; LARGEST_BODY + 1]);
        let request = NetworkRequest { has_body: true, body, ..NetworkRequest::default() };
        record.add(NetworkEvent::Request(key(0), Box::new(request)), &CaptureFilter::default());
        let read =
            record.add(NetworkEvent::Finished(key(0), NetworkEnd::default()), &CaptureFilter::default());
        assert!(!read.unwrap().1.request, "it is not read again");
        assert_eq!(record.entries[0].request_body_gap, Some(Body::TooLarge));
        let headers = vec![("Content-Length".to_owned(), (LARGEST_BODY + 1).to_string())];
        let request = NetworkRequest { has_body: true, headers, ..NetworkRequest::default() };
        record.add(NetworkEvent::Request(key(1), Box::new(request)), &CaptureFilter::default());
        let read =
            record.add(NetworkEvent::Finished(key(1), NetworkEnd::default()), &CaptureFilter::default());
        assert!(read.unwrap().1.request);
        let size = record.request_size(&key(1));
        assert_eq!(record.room(&key(1), size), None, "it is not read");
        record.request_body(&key(1), Body::TooLarge);
        assert_eq!(record.entries[1].request_body_gap, Some(Body::TooLarge));
    }
}
