//! Searching what was visited.

mod time;

use cicerone_engine::{FoundVisits, HistorySearch, News, NewsItem, Visited};
use serde_json::{Map, Value, json};

use self::time::{When, written};
use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::MaxResults,
    dialect::AGENT,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct History {
    query: String,
    start: Option<When>,
    end: Option<When>,
    most: u32,
    exclude_current_tabs: bool,
}

/// How many are found unless told.
const MOST: u32 = 100;

/// What was found.
pub(super) struct HistoryResults(FoundVisits, News);

impl Capability for History {
    type On = OnSession;
    type Output = HistoryResults;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnSession) -> Result<HistoryResults, Failure> {
        let wanted = HistorySearch {
            text: self.query,
            from: self.start.map(|when| when.begins),
            to: self.end.map(|when| when.ends),
            most: self.most,
        };
        let news = on.call.gain_system_access().await?;
        let found = on.call.session.search_history(&wanted, self.exclude_current_tabs).await?;
        Ok(HistoryResults(found, news))
    }
}

impl HistoryResults {
    /// What explains that nothing was found.
    fn note(&self) -> Option<&'static str> {
        (self.0.visits.is_empty() && self.0.unrecorded_context)
            .then_some("This browser records only the default context; the active context records no history")
    }
}

impl Output for HistoryResults {
    fn facts(&self) -> Map<String, Value> {
        let item = |Visited { url, title, last, visits }: &Visited| json!({ "url": url, "title": title, "last_visit_time": written(*last), "visit_count": visits });
        let items: Vec<Value> = self.0.visits.iter().map(item).collect();
        let mut facts = facts! { "count" => items.len(), "items" => items };
        if let Some(note) = self.note() {
            facts.extend(facts! { "note" => note });
        }
        facts
    }

    fn news(&self) -> &[NewsItem] {
        &self.1
    }

    fn schema() -> Map<String, Value> {
        facts! { "items" => of("array"), "count" => of("integer"), "note" => of("string") }
    }
}

fn words(found: &HistoryResults) -> String {
    let visits = &found.0.visits;
    let line = |Visited { url, title, last, visits }: &Visited| {
        let times = if *visits == 1 { String::new() } else { format!(", {visits} visits") };
        let title = if title.is_empty() { String::new() } else { format!("{title} ") };
        format!("\n- {title}{url} ({}{times})", written(*last))
    };
    let lines: String = visits.iter().map(line).collect();
    let note = found.note().map(|note| format!(". {note}")).unwrap_or_default();
    match visits.len() {
        0 => format!("Nothing in the history matches{note}"),
        1 => format!("1 page{lines}"),
        count => format!("{count} pages{lines}"),
    }
}

pub(super) fn faces() -> [Face<History>; 1] {
    [AGENT
        .tool("history", "Search the history")
        .takes((), |()| History {
            query: String::new(),
            start: None,
            end: None,
            most: MOST,
            exclude_current_tabs: false,
        })
        .example(r#"{"query": "rust book", "start_time": "1 week ago"}"#)
        .opt("query", "", |history, query| history.query = query)
        .opt("start_time", "ISO, today, 1 day ago", |history, when| history.start = Some(when))
        .opt("end_time", "", |history, when| history.end = Some(when))
        .opt("max_results", "", |history, MaxResults(most)| history.most = most)
        .default(MOST)
        .opt("exclude_current_tabs", "", |history, exclude| history.exclude_current_tabs = exclude)
        .default(false)
        .validate(|history| match (&history.start, &history.end) {
            (Some(start), Some(end)) if start.begins > end.ends => {
                Err(BadArguments::Together("Invalid arguments: start_time is after end_time"))
            }
            _ => Ok(()),
        })
        .says(words)]
}
