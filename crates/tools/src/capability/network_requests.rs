//! What the page asked the network for.

use std::fmt::Write;

use cicerone_engine::{NetworkEntry, snapshot::plain};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct NetworkRequests;

pub(super) struct Requests(Vec<NetworkEntry>);

impl Capability for NetworkRequests {
    type On = BesidePage;
    type Output = Requests;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<Requests, Failure> {
        Ok(Requests(on.page.network()))
    }
}

impl Output for Requests {
    fn facts(&self) -> Map<String, Value> {
        facts! { "count" => self.0.len() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "count" => of("integer") }
    }
}

/// How many characters of requests a reply has, at most.
const MOST: usize = 20_000;

fn told(requests: &Requests) -> String {
    let mut text = match requests.0.len() {
        0 => "No network requests".to_owned(),
        1 => "1 network request".to_owned(),
        count => format!("{count} network requests"),
    };
    for (at, entry) in requests.0.iter().enumerate() {
        if text.len() > MOST {
            let _ = write!(text, "\n… {} more", requests.0.len() - at);
            break;
        }
        let _ = write!(text, "\n[{}] {} {}", entry.method, plain(&entry.url, 300), entry.kind);
        match (&entry.failure, &entry.status) {
            (Some(failure), _) => {
                let _ = write!(text, " => failed: {}", plain(failure, 100));
            }
            (None, Some((status, words))) => {
                let _ = write!(text, " => {status} {}", plain(words, 60));
            }
            (None, None) => text.push_str(" => pending"),
        }
    }
    text
}

pub(super) fn faces() -> [Face<NetworkRequests>; 1] {
    [BROWSER
        .tool("browser_network_requests", "Network requests since the page loaded")
        .takes((), |()| NetworkRequests)
        .example("{}")
        .quietly("includeStatic", |_, _: bool| {})
        .alias("static", "includeStatic")
        .says(told)]
}
