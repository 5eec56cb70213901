//! The requests of a page: those that are under way, and a list of all since it loaded.

use std::time::Instant;

use cicerone_driver::RequestId;

use crate::{
    rounds::Asked,
    state::{Fate, KEPT, State},
};

/// How often the same must be asked for while nobody acts to be the page's own business.
const OWN: u32 = 2;

/// A request that is under way.
#[derive(Debug, Clone)]
pub(crate) struct Flight {
    pub(crate) asked: Asked,
    pub(crate) since: u64,
    pub(crate) endless: bool,
}

/// A request since the page loaded.
#[derive(Debug, Clone)]
pub struct NetworkEntry {
    pub(crate) id: RequestId,
    /// The HTTP method.
    pub method: String,
    /// Where to.
    pub url: String,
    /// What for: document, script, fetch ….
    pub kind: String,
    /// The HTTP status and its words, when an answer came.
    pub status: Option<(u16, String)>,
    /// How it failed.
    pub failure: Option<String>,
}

impl State {
    /// Requests that began at or after a moment, and that somebody may wait for.
    pub(crate) fn begun_since(&self, since: u64) -> impl Iterator<Item = (&RequestId, &Flight)> {
        self.in_flight.iter().filter(move |(_, flight)| flight.since >= since && !flight.endless)
    }

    /// How many of them there are.
    pub(crate) fn under_way_since(&self, since: u64) -> usize {
        self.begun_since(since).count()
    }

    /// All of them, now.
    pub(crate) fn under_way(&self) -> Vec<(RequestId, Asked)> {
        self.begun_since(0).map(|(id, flight)| (id.clone(), flight.asked.clone())).collect()
    }

    /// Whether something happened after a moment that an action may have led to, and that only the browser tells.
    pub(crate) fn happened_since(&self, moment: u64) -> bool {
        let over = self.dialog.is_some() || self.fate != Fate::Alive;
        let navigated = self.main().is_some_and(|main| main.navigated > moment);
        let asked = self.last_request > moment || self.download_asked > moment;
        over || navigated || asked || self.loads_since(moment)
    }

    /// Whether a page asks for something by itself; counts what it asks for while nobody acts.
    pub(crate) fn is_own(&mut self, asked: &Asked) -> bool {
        let place = asked.without_query();
        if self.acting {
            return self.own_requests.get(&place).is_some_and(|times| *times >= OWN);
        }
        if self.own_requests.len() < KEPT || self.own_requests.contains_key(&place) {
            *self.own_requests.entry(place).or_default() += 1;
        }
        true
    }

    /// What is asked for and has not come.
    pub(crate) fn awaited_urls(&self) -> impl Iterator<Item = &str> {
        let coming =
            |entry: &&NetworkEntry| self.in_flight.get(&entry.id).is_some_and(|flight| !flight.endless);
        self.network.iter().filter(coming).map(|entry| entry.url.as_str())
    }

    /// Nobody waits for it any more.
    pub(crate) fn request_over(&mut self, id: &RequestId) {
        self.in_flight.remove(id);
        self.stirred = Instant::now();
    }

    pub(crate) fn entry(&mut self, id: &RequestId) -> Option<&mut NetworkEntry> {
        self.network.iter_mut().rev().find(|entry| entry.id == *id)
    }
}
