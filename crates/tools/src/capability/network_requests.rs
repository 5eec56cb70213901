//! What the page asked the network for.

use cicerone_engine::{NetworkEntry, NetworkLog, snapshot::plain};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    newest::{newest, told},
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct NetworkRequests;

impl Capability for NetworkRequests {
    type On = BesidePage;
    type Output = NetworkLog;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<NetworkLog, Failure> {
        Ok(on.page.network())
    }
}

impl Output for NetworkLog {
    fn facts(&self) -> Map<String, Value> {
        facts! { "count" => self.entries.len() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "count" => of("integer") }
    }
}

pub(crate) fn sentence(log: &NetworkLog) -> String {
    let lines = newest(log.entries.iter().rev().map(line));
    told("network request", log.entries.len(), log.dropped, &lines)
}

fn line(entry: &NetworkEntry) -> String {
    let came = match (&entry.failure, &entry.status) {
        (Some(failure), _) => format!("failed: {}", plain(failure, 100)),
        (None, Some((status, words))) => format!("{status} {}", plain(words, 60)),
        (None, None) => "pending".to_owned(),
    };
    format!("[{}] {} {} => {came}", entry.method, plain(&entry.url, 300), entry.kind)
}

pub(super) fn faces() -> [Face<NetworkRequests>; 1] {
    [BROWSER
        .tool("browser_network_requests", "Network requests since the page loaded")
        .takes((), |()| NetworkRequests)
        .example("{}")
        .unlisted("includeStatic", |_, _: bool| {})
        .alias("static", "includeStatic")
        .says(sentence)]
}
