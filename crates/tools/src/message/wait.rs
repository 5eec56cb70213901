use cicerone_engine::{
    ElementState, FoundElement, ScriptState, Unmet, WaitError, WaitUntil, Wording,
    snapshot::{plain, quoted},
};

use super::{
    ErrorName, Message,
    download::{failed_download_hint, why_not_saved},
    seconds,
};

pub(super) fn message(error: &WaitError) -> Message {
    match error {
        WaitError::Timeout { unmet, after } => {
            let (what, instead) = unmet_words(unmet);
            let instead = instead.map(|instead| format!("; {instead}")).unwrap_or_default();
            let text = format!("timed out after {}: {what}{instead}", seconds(*after));
            Message::new(ErrorName::Timeout, text, "take a snapshot to see what is there instead")
        }
        WaitError::BadPattern { pattern, reason } => Message::new(
            ErrorName::BadPattern,
            format!("{} is not a valid pattern: {reason}", wording(pattern)),
            "give a text, or a regular expression between slashes",
        ),
        WaitError::DownloadFailed(name, failure) => Message::new(
            ErrorName::DownloadFailed,
            format!("the download of {} failed: {}", quoted(name, 200), why_not_saved(failure)),
            failed_download_hint(failure),
        ),
        WaitError::NobodyPicked(after) => Message::new(
            ErrorName::Timeout,
            format!("element picker timed out after {}", seconds(*after)),
            PICKER,
        ),
        WaitError::PickingGivenUp => {
            Message::new(ErrorName::GivenUp, "the person cancelled picking an element", PICKER)
        }
    }
}

const PICKER: &str = "ask again with a headed browser, or find the element by role, text or a snapshot";

/// What did not happen, and what there is instead.
fn unmet_words(unmet: &Unmet) -> (String, Option<String>) {
    match unmet {
        Unmet::Element { target, state, found } => {
            let instead = found.as_ref().map_or_else(|| "nothing matches it".into(), found_words);
            (format!("{target} did not become {}", state_word(*state)), Some(instead))
        }
        Unmet::Text { text, shown, instead } => {
            let what = if *shown { "did not appear" } else { "did not go away" };
            let instead = instead.as_deref().map(|text| match text {
                "" => "the page shows nothing".into(),
                text => format!("the page shows {}", quoted(text, 300)),
            });
            (format!("{} {what}", wording(text)), instead)
        }
        Unmet::Url { pattern, url } => (
            format!("the URL did not become {}", plain(pattern, 200)),
            Some(format!("it is {}", plain(url, 500))),
        ),
        Unmet::Load { until, pending, urls } => {
            let what = match until {
                WaitUntil::DomContentLoaded => "the page was not parsed",
                WaitUntil::Load => "the page did not load",
                WaitUntil::NetworkIdle => "the network did not become idle",
            };
            let urls = urls.iter().map(|url| plain(url, 200)).collect::<Vec<_>>().join(", ");
            let instead = match pending {
                0 => None,
                1 => Some(format!("1 request is in flight: {urls}")),
                count => Some(format!("{count} requests are in flight: {urls}")),
            };
            (what.into(), instead)
        }
        Unmet::Script(last) => {
            let instead = match last {
                ScriptState::NoResult => None,
                ScriptState::Falsy => Some("it returns a falsy value".into()),
                ScriptState::Threw(message) => Some(format!("it throws {}", quoted(message, 300))),
                ScriptState::Endless => Some("it did not finish and was stopped".into()),
            };
            ("the function did not return a truthy value".into(), instead)
        }
        Unmet::ClickNavigates { url } => {
            ("the click did not navigate".into(), Some(format!("the page is still at {url}")))
        }
        Unmet::Download { running } if running.is_empty() => ("no download began".into(), None),
        Unmet::Download { running } => {
            let names: Vec<String> = running.iter().map(|name| quoted(name, 100)).collect();
            ("no download finished".into(), Some(format!("in progress: {}", names.join(", "))))
        }
    }
}

fn wording(wording: &Wording) -> String {
    match wording {
        Wording::Plain(text) => quoted(text, 200),
        Wording::Pattern { pattern, flags } => plain(&format!("/{pattern}/{flags}"), 200),
    }
}

fn state_word(state: ElementState) -> &'static str {
    match state {
        ElementState::Attached => "attached",
        ElementState::Detached => "detached",
        ElementState::Visible => "visible",
        ElementState::Hidden => "hidden",
    }
}

fn found_words(FoundElement { role, name, state }: &FoundElement) -> String {
    let role = if role.is_empty() { "element" } else { role };
    let name = if name.is_empty() { String::new() } else { format!(" {}", quoted(name, 80)) };
    format!("there is a {} {role}{name}", state_word(*state))
}
