//! The requests of a page: those in flight, and all since it loaded.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use cicerone_driver::{FrameId, Request, RequestId};

use crate::{
    polling::MethodAndUrl,
    state::{KEPT, PageStatus, State, push},
};

/// Repeats without an action that make a request the page's own.
const OWN_REPEATS: u32 = 2;

/// How long the end of a request of a script is waited for after the last data, if all announced data has arrived.
const COMPLETE_QUIET: Duration = Duration::from_millis(50);

/// The same for a body that may go on.
const QUIET: Duration = Duration::from_secs(1);

/// A request in flight.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) key: MethodAndUrl,
    /// The frame that made it, unless a worker did.
    frame: Option<FrameId>,
    /// Whether it fetches a document for its frame.
    navigation: bool,
    pub(crate) since: u64,
    pub(crate) endless: bool,
    /// Whether a script of the page sent it.
    pub(crate) by_script: bool,
    /// The announced bytes of the body that have not arrived.
    pub(crate) remaining: Option<u64>,
    /// When a part of the body last arrived.
    pub(crate) data_at: Option<Instant>,
}

impl Flight {
    /// When to stop waiting for its end if nothing more arrives. A script that does not read the body of a response leaves
    /// the request open: the browser reports its end when the response is garbage-collected.
    pub(crate) fn unread_at(&self) -> Option<Instant> {
        let quiet = if self.remaining == Some(0) { COMPLETE_QUIET } else { QUIET };
        self.data_at.filter(|_| self.by_script).map(|at| at + quiet)
    }

    /// Whether its end is worth waiting for.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.endless && self.unread_at().is_none_or(|at| Instant::now() < at)
    }
}

/// A request since the page loaded.
#[derive(Debug, Clone)]
pub struct NetworkEntry {
    pub(crate) id: RequestId,
    /// The HTTP method.
    pub method: String,
    pub url: String,
    /// Its resource type: document, script, fetch ….
    pub kind: String,
    /// The HTTP status and its text, once there is a response.
    pub status: Option<(u16, String)>,
    /// The network error.
    pub failure: Option<String>,
}

/// Requests since the page loaded, at most 1000.
#[derive(Debug, Clone, Default)]
pub struct NetworkLog {
    /// The requests, oldest first.
    pub entries: VecDeque<NetworkEntry>,
    /// Older requests that were dropped.
    pub dropped: usize,
}

impl NetworkLog {
    pub(crate) fn add(&mut self, entry: NetworkEntry) {
        if self.entries.len() == KEPT {
            self.dropped += 1;
        }
        push(&mut self.entries, entry);
    }

    /// The request of the document.
    pub(crate) fn document(&self) -> Option<&NetworkEntry> {
        self.entries.iter().find(|entry| entry.kind == "document")
    }
}

impl State {
    /// Requests that started at or after a moment and whose end is worth waiting for.
    pub(crate) fn begun_since(&self, since: u64) -> impl Iterator<Item = (&RequestId, &Flight)> {
        self.in_flight.iter().filter(move |(_, flight)| flight.since >= since && flight.is_awaited())
    }

    /// When the next open request is no longer waited for, if nothing more arrives.
    pub(crate) fn next_unread(&self) -> Option<Instant> {
        let now = Instant::now();
        self.in_flight.values().filter_map(Flight::unread_at).filter(|at| *at > now).min()
    }

    pub(crate) fn under_way_since(&self, since: u64) -> usize {
        self.begun_since(since).count()
    }

    /// All requests in flight.
    pub(crate) fn under_way(&self) -> Vec<(RequestId, MethodAndUrl)> {
        self.begun_since(0).map(|(id, flight)| (id.clone(), flight.key.clone())).collect()
    }

    /// Whether a browser event occurred after a moment that an action may have caused.
    pub(crate) fn happened_since(&self, moment: u64) -> bool {
        let ended = self.dialog.is_some() || self.status != PageStatus::Alive;
        let navigated = self.main().is_some_and(|main| main.navigated > moment);
        let asked = self.last_request > moment || self.download_asked > moment;
        ended || navigated || asked || self.loads_since(moment)
    }

    /// Whether the page makes this request by itself. Counts requests without an action.
    pub(crate) fn is_own(&mut self, asked: &MethodAndUrl) -> bool {
        let key = asked.without_query();
        if self.acting {
            return self.own_requests.get(&key).is_some_and(|times| *times >= OWN_REPEATS);
        }
        if self.own_requests.len() < KEPT || self.own_requests.contains_key(&key) {
            *self.own_requests.entry(key).or_default() += 1;
        }
        true
    }

    /// The URLs in flight.
    pub(crate) fn awaited_urls(&self) -> impl Iterator<Item = &str> {
        let in_flight = |entry: &&NetworkEntry| self.in_flight.get(&entry.id).is_some_and(Flight::is_awaited);
        self.network.entries.iter().filter(in_flight).map(|entry| entry.url.as_str())
    }

    pub(crate) fn request_began(&mut self, request: Request) {
        self.stirred = Instant::now();
        let key = MethodAndUrl { method: request.method.clone(), url: request.url.clone() };
        if !request.endless && !self.is_own(&key) {
            self.last_request = self.now;
        }
        self.in_flight.entry(request.id.clone()).or_insert(Flight {
            key,
            frame: request.frame.clone(),
            navigation: request.navigation,
            since: self.now,
            endless: request.endless,
            by_script: ["fetch", "xhr"].contains(&request.kind.as_str()),
            remaining: None,
            data_at: None,
        });
        if request.navigation && request.frame.as_ref() == self.main().map(|main| &main.id) {
            // The request of a new document starts a new list.
            self.network = NetworkLog::default();
            self.documents_asked = (self.documents_asked + 1).min(2);
        }
        let (id, method, url, kind) = (request.id, request.method, request.url, request.kind);
        self.network.add(NetworkEntry { id, method, url, kind, status: None, failure: None });
    }

    pub(crate) fn request_answered(&mut self, id: &RequestId, mime: &str, length: Option<u64>) {
        if let Some(flight) = self.in_flight.get_mut(id) {
            flight.endless |= mime == "text/event-stream";
            flight.remaining = length;
        }
    }

    pub(crate) fn data_arrived(&mut self, id: &RequestId, bytes: u64) {
        if let Some(flight) = self.in_flight.get_mut(id) {
            flight.remaining = flight.remaining.map(|left| left.saturating_sub(bytes));
            flight.data_at = Some(Instant::now());
        }
    }

    pub(crate) fn request_over(&mut self, id: &RequestId) {
        self.in_flight.remove(id);
        self.stirred = Instant::now();
    }

    /// Forgets the requests of a frame that is gone: the browser may not report their end.
    pub(crate) fn forget_requests(&mut self, frame: &FrameId) {
        self.in_flight.retain(|_, flight| flight.frame.as_ref() != Some(frame));
        self.stirred = Instant::now();
    }

    /// Forgets the requests of the document that a frame has left. That of its next document is not among them.
    pub(crate) fn forget_requests_of_document(&mut self, frame: &FrameId, is_main: bool) {
        // Nobody waits for those of workers of an earlier document.
        let left = |of: Option<&FrameId>| of == Some(frame) || (is_main && of.is_none());
        self.in_flight.retain(|_, flight| flight.navigation || !left(flight.frame.as_ref()));
    }

    pub(crate) fn entry(&mut self, id: &RequestId) -> Option<&mut NetworkEntry> {
        self.network.entries.iter_mut().rev().find(|entry| entry.id == *id)
    }
}
