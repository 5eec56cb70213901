//! What the page wrote to its console.

use cicerone_engine::{ConsoleLevel, ConsoleLog, ConsoleMessage, snapshot::plain};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{BROWSER, COMPANION, companion::TAB},
    newest::{newest, told},
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct ConsoleMessages {
    level: ConsoleLevel,
}

impl Capability for ConsoleMessages {
    type On = BesidePage;
    type Output = ConsoleLog;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<ConsoleLog, Failure> {
        let mut log = on.page.console().log();
        on.page.console().errors_are_read();
        log.lines.retain(|line| line.level >= self.level);
        Ok(log)
    }
}

impl Output for ConsoleLog {
    fn facts(&self) -> Map<String, Value> {
        facts! { "count" => self.lines.len() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "count" => of("integer") }
    }
}

/// Where not all messages fit, how many characters each has, at most.
const SHORT: usize = 1_000;

/// The newest lines that fit, oldest first, each as `written` writes it.
fn listed(log: &ConsoleLog, written: impl Fn(ConsoleLevel) -> &'static str) -> Vec<String> {
    let line = |line: &ConsoleMessage, most: usize| {
        let place = line.place.as_ref().map(|place| format!(" @ {}", plain(place, 200))).unwrap_or_default();
        let cut = match line.length > most.min(ConsoleMessage::LONGEST) {
            true => format!(" (truncated, {} characters in total)", line.length),
            false => String::new(),
        };
        format!("[{}] {}{cut}{place}", written(line.level), plain(&line.text, most))
    };
    let whole = newest(log.lines.iter().rev().map(|message| line(message, usize::MAX)));
    if whole.len() == log.lines.len() {
        return whole;
    }
    newest(log.lines.iter().rev().map(|message| line(message, SHORT)))
}

pub(crate) fn sentence(log: &ConsoleLog) -> String {
    let lines = listed(log, |level| match level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Log | ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warning",
        ConsoleLevel::Error | ConsoleLevel::Exception => "error",
    });
    told("console message", log.lines.len(), log.dropped, &lines)
}

/// Under a heading, with levels in capitals.
fn logs(log: &ConsoleLog) -> String {
    let lines = listed(log, |level| match level {
        ConsoleLevel::Debug => "DEBUG",
        ConsoleLevel::Log | ConsoleLevel::Info => "INFO",
        ConsoleLevel::Warning => "WARNING",
        ConsoleLevel::Error | ConsoleLevel::Exception => "ERROR",
    });
    let all = log.dropped + log.lines.len();
    let cut = match all > lines.len() {
        true => format!(" (truncated to the newest {} of {all})", lines.len()),
        false => String::new(),
    };
    let lines = if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") };
    format!("Console logs:{cut}\n\n{lines}")
}

pub(super) fn faces() -> [Face<ConsoleMessages>; 2] {
    [
        BROWSER
            .tool(
                "browser_console_messages",
                "Console messages since the page loaded, of this level and above",
            )
            .takes((), |()| ConsoleMessages { level: ConsoleLevel::Log })
            .example(r#"{"level": "warning"}"#)
            .opt("level", "Default: info", |console, level| console.level = level)
            .unlisted("onlyErrors", |console, only: bool| {
                if only {
                    console.level = ConsoleLevel::Error;
                }
            })
            .says(sentence),
        COMPANION
            .tool("browser_get_console_logs", "Get the console logs from the browser")
            .takes((), |()| ConsoleMessages { level: ConsoleLevel::Debug })
            .example("{}")
            .on_tab("tabId", TAB)
            .says(logs),
    ]
}
