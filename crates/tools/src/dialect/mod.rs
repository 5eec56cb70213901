//! Dialects: the published interfaces. They hold names and words, no behaviour.

pub(crate) mod agent;
mod browser;
pub(crate) mod companion;
mod envelope;
pub(crate) mod launch;
pub(crate) mod locators;
mod old_names;
pub(crate) mod vision;

pub(crate) use agent::AGENT;
pub(crate) use browser::{BROWSER, bounded, since_lines, tell_focus, tell_since, tell_view};
pub(crate) use companion::COMPANION;
pub(crate) use envelope::Envelope;
pub(crate) use launch::LAUNCH;
pub(crate) use vision::VISION;

use std::fmt::Write;

use cicerone_engine::{
    ActionSnapshot, Error, NewsItem, Outcome, Settled,
    snapshot::{After, Notation, Rest, quoted},
};

use crate::{Message, Output, face::Unstarted, message::Refs, toolbox::Renamed};

/// One published interface.
pub struct Dialect {
    /// What `--dialect` calls it.
    pub name: &'static str,
    /// The text of a reply: the sentence of the face, and what the dialect adds.
    pub(crate) voice: fn(&str, &dyn Spoken) -> String,
    /// What a reply says of something that went wrong.
    pub(crate) failure: fn(&Failed<'_>) -> String,
    /// What a reply shows of the page, where that is not for the client to say.
    pub(crate) shows: Option<ActionSnapshot>,
    /// How snapshots are written.
    pub(crate) notation: Notation,
    /// Whether pictures come before words.
    pub(crate) images_first: bool,
    /// What the typed facts stand in.
    pub(crate) envelope: Envelope,
    /// What its listing calls numbers of things.
    pub(crate) counts_in: Numbers,
    /// The instructions for clients, sent once.
    pub(crate) instructions: &'static str,
    /// How its errors are named and numbered, and which of them are errors of the protocol.
    pub(crate) verdict: fn(&Failed<'_>) -> Verdict,
    /// Those that it shares its names with.
    pub(crate) family: Family,
    /// Names of old that still answer, unlisted.
    pub(crate) renamed: &'static [(&'static str, Renamed)],
}

/// What a listing calls numbers of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Whole ones, integers.
    Whole,
    /// Just numbers.
    Any,
}

/// Snapshots take `ref` and `after`.
const BY_REF: Notation = Notation { ref_sign: "", rest: |rest| snapshot_of(rest, "ref", "") };

/// Snapshots take `selector` and `after`; refs have a sign.
const BY_SELECTOR: Notation = Notation { ref_sign: "@", rest: |rest| snapshot_of(rest, "selector", "@") };

fn snapshot_of(Rest { within, after }: Rest, argument: &str, sign: &str) -> String {
    let within = within.map(|within| format!(" {argument}={sign}{within}")).unwrap_or_default();
    let after = match after {
        Some(after @ After::Children(None, _)) => format!(" after={after}"),
        Some(after) => format!(" after={sign}{after}"),
        None => String::new(),
    };
    format!("snapshot{within}{after}")
}

/// Dialects whose names are callable in each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// `browser_click`.
    Underscored,
    /// `click`.
    Bare,
    /// `browser.click`.
    Dotted,
}

/// How a failure is reported.
pub(crate) struct Verdict {
    /// A short name that does not change with the wording.
    pub(crate) name: &'static str,
    /// A number.
    pub(crate) code: i32,
    /// Whether it is an error of the protocol instead of a result.
    pub(crate) refused: bool,
}

impl Verdict {
    /// A result, with the usual name of the error.
    pub(crate) fn of(failed: &Failed<'_>) -> Self {
        let name = failed.message.name;
        Self { name: name.as_str(), code: name.code(), refused: false }
    }
}

/// What of an output a voice may speak of.
pub(crate) trait Spoken {
    /// What came of an action.
    fn outcome(&self) -> Option<&Outcome>;
    /// What happened meanwhile.
    fn news(&self) -> &[NewsItem];
}

impl<O: Output> Spoken for O {
    fn outcome(&self) -> Option<&Outcome> {
        Output::outcome(self)
    }

    fn news(&self) -> &[NewsItem] {
        Output::news(self)
    }
}

/// Something that went wrong.
pub(crate) struct Failed<'a> {
    /// The tool's name.
    pub(crate) tool: &'static str,
    /// What the engine reported.
    pub(crate) error: Option<&'a Error>,
    /// What is said of it.
    pub(crate) message: &'a Message,
    /// What was being done.
    pub(crate) operation: Option<&'static str>,
    /// To what: the argument that says so, and what it says.
    pub(crate) subject: Option<(&'static str, &'a str)>,
    /// What the dialect's document advises whatever it was.
    pub(crate) advice: Option<&'static str>,
}

impl Dialect {
    /// All of them, the default first.
    pub const ALL: [&'static Self; 5] = [&BROWSER, &VISION, &LAUNCH, &AGENT, &COMPANION];

    /// The dialect of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name == name)
    }

    /// A row of this dialect.
    pub(crate) fn tool(&'static self, name: &'static str, about: &'static str) -> Unstarted {
        Unstarted { dialect: self, name, about }
    }

    pub(crate) fn voice(&self, sentence: &str, output: &dyn Spoken) -> String {
        (self.voice)(sentence, output)
    }
}

/// The sentence, and only the essential additions: navigation, pending requests, news.
/// The tool that answers dialogs is named as the dialect names it, and refs are written as it writes them.
fn terse(sentence: &str, output: &dyn Spoken, answering: &str, refs: Refs) -> String {
    let mut text = sentence.to_owned();
    // Writing to a string cannot fail.
    match output.outcome().and_then(|outcome| outcome.moved.as_ref()) {
        // What opens a URL has said where.
        Some(place) if !sentence.contains(&place.url) => {
            let _ = write!(text, "\nPage: {} {}", place.url, quoted(&place.title, 200));
        }
        _ => {}
    }
    tell_news(&mut text, output.outcome().map_or(output.news(), |outcome| &outcome.news), refs);
    match output.outcome().map(|outcome| outcome.settled) {
        Some(Settled::Busy(requests)) => {
            let _ = write!(text, "\nNote: still busy with {requests} request(s)");
        }
        Some(Settled::Held) => {
            let _ = write!(text, "\nHint: answer it with {answering}");
        }
        Some(Settled::Settled | Settled::Navigated | Settled::Unawaited) | None => {}
    }
    text
}

/// What happened meanwhile, a line each.
pub(crate) fn tell_news(text: &mut String, news: &[NewsItem], refs: Refs) {
    for item in news {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nNote: {}", crate::message::news(item, refs));
    }
}

/// What went wrong, and what to do.
fn plainly(failed: &Failed<'_>) -> String {
    let Message { text, hint, .. } = failed.message;
    format!("Error: {text}\nHint: {hint}")
}
