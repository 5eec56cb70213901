//! Tells the requests of an action from the page's own polling: a polling page never settles, and its next
//! request starts when the last one ends, as if caused by it.

use std::collections::{HashMap, HashSet};

use cicerone_driver::RequestId;

use crate::state::State;

/// How often a request may repeat in sequence before it counts as polling.
const REPEATS: u32 = 3;

/// What a request fetches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MethodAndUrl {
    pub(crate) method: String,
    pub(crate) url: String,
}

impl MethodAndUrl {
    /// Whether another fetches the same path; polling may change the query.
    fn is_like(&self, other: &Self) -> bool {
        self.method == other.method && self.place() == other.place()
    }

    /// The key without its query.
    pub(crate) fn without_query(&self) -> Self {
        Self { method: self.method.clone(), url: self.place().to_owned() }
    }

    fn place(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }
}

/// Requests caused by an action, those caused by their responses, and so on.
pub(crate) struct RequestWaves {
    /// Requests in flight before the action; the page may be polling them.
    before: Vec<(RequestId, MethodAndUrl)>,
    /// Requests waited for, and how often.
    waited: HashMap<MethodAndUrl, u32>,
    /// Requests up to this moment are in a wave already.
    since: u64,
    first: bool,
}

impl RequestWaves {
    /// The waves after a moment, with the requests in flight at that moment.
    pub(crate) fn after(at: u64, before: Vec<(RequestId, MethodAndUrl)>) -> Self {
        Self { before, waited: HashMap::new(), since: at, first: true }
    }

    /// Whether a document has started to load since the last wave.
    pub(crate) fn loading(&self, state: &State) -> bool {
        state.loads_since(self.since)
    }

    /// The requests that started since the last wave and are in flight.
    pub(crate) fn next(&mut self, state: &State) -> Vec<RequestId> {
        let first = std::mem::replace(&mut self.first, false);
        let begun = state.begun_since(std::mem::replace(&mut self.since, state.now) + 1);
        let counted: Vec<(&RequestId, &MethodAndUrl)> = begun
            .map(|(id, flight)| (id, &flight.key))
            .filter(|(_, asked)| first || !self.is_polling(asked, state))
            .collect();
        // Parallel identical requests count once.
        for asked in counted.iter().map(|(_, asked)| *asked).collect::<HashSet<_>>() {
            *self.waited.entry(asked.clone()).or_default() += 1;
        }
        counted.into_iter().map(|(id, _)| id.clone()).collect()
    }

    fn is_polling(&self, asked: &MethodAndUrl, state: &State) -> bool {
        // The next poll starts when the last one has ended.
        let is_next_poll = |(id, before): &(RequestId, MethodAndUrl)| {
            before.is_like(asked) && !state.in_flight.contains_key(id)
        };
        self.before.iter().any(is_next_poll) || self.waited.get(asked).is_some_and(|times| *times >= REPEATS)
    }
}

#[cfg(test)]
mod tests {
    use cicerone_driver::{PageEvent, Request, RequestEnd, Size};

    use super::*;
    use crate::refs::Refs;

    struct Traffic(State, Refs);

    impl Traffic {
        fn new() -> Self {
            Self(State::new(Size { width: 1, height: 1 }), Refs::default())
        }

        fn begin(&mut self, id: &str, method: &str, url: &str) {
            let request = Request {
                id: id.into(),
                frame: None,
                method: method.into(),
                url: url.into(),
                kind: "fetch".into(),
                navigation: false,
                endless: false,
            };
            self.0.apply(PageEvent::RequestBegan(request), &mut self.1);
        }

        fn end(&mut self, id: &str) {
            let ended = PageEvent::RequestEnded { id: id.into(), end: RequestEnd::Finished };
            self.0.apply(ended, &mut self.1);
        }
    }

    #[test]
    fn a_chain_is_followed() {
        let mut traffic = Traffic::new();
        let mut waves = RequestWaves::after(0, Vec::new());
        for (n, url) in
            ["/save", "/items", "/items?page=2", "/items?page=3", "/items?page=4"].iter().enumerate()
        {
            traffic.begin(&n.to_string(), "GET", url);
            assert_eq!(waves.next(&traffic.0).len(), 1, "{url}");
            traffic.end(&n.to_string());
        }
        assert!(waves.next(&traffic.0).is_empty());
    }

    #[test]
    fn the_same_again_and_again_is_a_round_of_the_page() {
        let mut traffic = Traffic::new();
        let mut waves = RequestWaves::after(0, Vec::new());
        for n in 0..5 {
            traffic.begin(&format!("a{n}"), "GET", "/poll");
            traffic.begin(&format!("b{n}"), "GET", "/poll");
            traffic.begin(&format!("c{n}"), "POST", &format!("/step/{n}"));
            let counted = if n < 3 { 3 } else { 1 };
            assert_eq!(waves.next(&traffic.0).len(), counted, "{n}");
        }
    }

    #[test]
    fn what_was_under_way_before_goes_on_by_itself() {
        let mut traffic = Traffic::new();
        traffic.begin("0", "GET", "/items");
        traffic.begin("1", "GET", "/sync?since=1");
        let mut waves = RequestWaves::after(traffic.0.now, traffic.0.under_way());
        traffic.begin("2", "POST", "/save");
        assert_eq!(waves.next(&traffic.0).len(), 1);
        traffic.end("1");
        traffic.begin("3", "GET", "/sync?since=2");
        traffic.begin("4", "POST", "/sync");
        assert_eq!(waves.next(&traffic.0), ["4".into()]);
        traffic.begin("5", "GET", "/items");
        assert_eq!(waves.next(&traffic.0), ["5".into()], "the one before has not ended");
    }
}
