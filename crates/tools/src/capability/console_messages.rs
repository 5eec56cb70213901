//! What the page wrote to its console.

use std::fmt::Write;

use cicerone_engine::{ConsoleLevel, ConsoleLog, snapshot::plain};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{BROWSER, COMPANION, companion::TAB},
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
        let mut log = on.page.console();
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

/// How many characters of console messages a reply holds, at most. When they do not fit, the newest are kept.
const MOST: usize = 50_000;

/// The newest lines that fit, oldest first, each as `written` writes it.
fn newest(log: &ConsoleLog, written: impl Fn(ConsoleLevel) -> &'static str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut width = 0;
    for line in log.lines.iter().rev() {
        let place = line.place.as_ref().map(|place| format!(" @ {}", plain(place, 200))).unwrap_or_default();
        let shown = format!("[{}] {}{place}", written(line.level), plain(&line.text, 1_000));
        width += shown.chars().count() + 1;
        if width > MOST {
            break;
        }
        lines.push(shown);
    }
    lines.reverse();
    lines
}

fn told(log: &ConsoleLog) -> String {
    let lines = newest(log, |level| match level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Log | ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warning",
        ConsoleLevel::Error | ConsoleLevel::Exception => "error",
    });
    let mut text = match log.lines.len() {
        0 => "No console messages".to_owned(),
        1 => "1 console message".to_owned(),
        count => format!("{count} console messages"),
    };
    if log.dropped > 0 {
        let _ = write!(text, " ({} older ones were dropped)", log.dropped);
    }
    if log.lines.len() > lines.len() {
        let left_out = log.lines.len() - lines.len();
        let _ = write!(text, ", truncated to the newest {}: {left_out} left out", lines.len());
    }
    for line in lines {
        let _ = write!(text, "\n{line}");
    }
    text
}

/// Under a heading, with levels in capitals.
fn logs(log: &ConsoleLog) -> String {
    let lines = newest(log, |level| match level {
        ConsoleLevel::Debug => "DEBUG",
        ConsoleLevel::Log | ConsoleLevel::Info => "INFO",
        ConsoleLevel::Warning => "WARNING",
        ConsoleLevel::Error | ConsoleLevel::Exception => "ERROR",
    });
    let older = log.dropped + log.lines.len() - lines.len();
    let older = if older > 0 { format!(" ({older} older ones are left out)") } else { String::new() };
    let lines = if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") };
    format!("Console logs:{older}\n\n{lines}")
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
            .quietly("onlyErrors", |console, only: bool| {
                if only {
                    console.level = ConsoleLevel::Error;
                }
            })
            .says(told),
        COMPANION
            .tool("browser_get_console_logs", "Get the console logs from the browser")
            .takes((), |()| ConsoleMessages { level: ConsoleLevel::Debug })
            .example("{}")
            .on_tab("tabId", TAB)
            .says(logs),
    ]
}
