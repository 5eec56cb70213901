//! The console: reading it, forgetting it, keeping it through navigations.

use std::fmt::Write;

use cicerone_engine::{ConsoleLevel, ConsoleLog, ConsoleMessage, Pattern, snapshot::plain};
use serde_json::{Map, Value, json};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::AGENT,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct Console {
    action: ConsoleAction,
    levels: Option<Levels>,
    pattern: Option<Wanted>,
    exceptions: bool,
    most: usize,
    clears: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ConsoleAction {
    Get,
    Clear,
    Start,
    Stop,
}

/// A level, as scripts call it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Level(&'static str);

choices! {
    ConsoleAction {
        "get" => ConsoleAction::Get,
        "clear" => ConsoleAction::Clear,
        "start_buffer" => ConsoleAction::Start,
        "stop_buffer" => ConsoleAction::Stop,
    }
    Level {
        "log" => Level("log"),
        "info" => Level("info"),
        "warn" => Level("warn"),
        "error" => Level("error"),
        "debug" => Level("debug"),
    } | {
        "warning" => Level("warn"),
    }
}

/// Some levels, or one.
struct Levels(Vec<Level>);

impl Argument for Levels {
    fn schema() -> Value {
        Vec::<Level>::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(_) => Ok(Self(vec![Level::parse(value)?])),
            list => Vec::parse(list).map(Self),
        }
    }
}

/// What lines must fit.
struct Wanted(Pattern);

impl Argument for Wanted {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("a regular expression")?;
        Pattern::for_texts(text).map(Self).map_err(|bad| format!("a regular expression: {}", bad.reason))
    }
}

fn level(level: ConsoleLevel) -> Level {
    Level(match level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Log => "log",
        ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warn",
        ConsoleLevel::Error | ConsoleLevel::Exception => "error",
    })
}

/// What was read or done.
pub(super) struct Heard {
    action: ConsoleAction,
    /// Whether a buffer had been started before.
    begun: bool,
    lines: Vec<ConsoleMessage>,
    /// How many there are beyond those.
    more: usize,
}

impl Capability for Console {
    type On = BesidePage;
    type Output = Heard;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<Heard, Failure> {
        let (page, action) = (on.page, self.action);
        let nothing = |begun| Heard { action, begun, lines: Vec::new(), more: 0 };
        match action {
            ConsoleAction::Start => Ok(nothing(page.console().begin_console())),
            ConsoleAction::Clear => {
                page.console().clear_console();
                Ok(nothing(false))
            }
            ConsoleAction::Stop => Ok(self.chosen(page.console().end_console()?)),
            ConsoleAction::Get => {
                let heard = self.chosen(page.console().buffered_console());
                if self.clears {
                    page.console().clear_console();
                }
                Ok(heard)
            }
        }
    }
}

/// How many bytes of console a reply has, at most; the newest lines are what is wanted.
const MOST: usize = 40_000;

impl Console {
    fn wants(&self, line: &ConsoleMessage) -> bool {
        let level = level(line.level);
        (self.exceptions || line.level != ConsoleLevel::Exception)
            && self.levels.as_ref().is_none_or(|levels| levels.0.contains(&level))
            && self.pattern.as_ref().is_none_or(|wanted| wanted.0.matches(&line.text))
    }

    /// The newest of those that are wanted.
    fn chosen(&self, log: ConsoleLog) -> Heard {
        let wanted: Vec<_> = log.lines.into_iter().filter(|line| self.wants(line)).collect();
        let mut room = MOST;
        let fits = |line: &&ConsoleMessage| {
            let width = line.text.len() + line.place.as_ref().map_or(0, String::len) + 20;
            let fits = width <= room;
            room = room.saturating_sub(width);
            fits
        };
        let count = wanted.iter().rev().take(self.most).take_while(fits).count();
        let more = wanted.len() - count + log.dropped;
        let lines = wanted.into_iter().rev().take(count).collect::<Vec<_>>().into_iter().rev().collect();
        Heard { action: self.action, begun: false, lines, more }
    }
}

impl Output for Heard {
    fn facts(&self) -> Map<String, Value> {
        let told = |line: &ConsoleMessage| {
            let mut told = facts! { "level" => level(line.level).0, "text" => line.text.clone() };
            if let Some(place) = &line.place {
                let (url, line) = placed(place);
                told.insert("url".into(), url.into());
                told.extend(line.map(|line| ("line".to_owned(), line.into())));
            }
            if line.level == ConsoleLevel::Exception {
                told.insert("exception".into(), true.into());
            }
            Value::Object(told)
        };
        match self.action {
            ConsoleAction::Start | ConsoleAction::Clear => facts! { "count" => 0 },
            ConsoleAction::Get | ConsoleAction::Stop => {
                let messages: Vec<Value> = self.lines.iter().map(told).collect();
                facts! { "count" => self.lines.len(), "messages" => messages, "more" => self.more }
            }
        }
    }

    fn schema() -> Map<String, Value> {
        facts! { "count" => of("integer"), "messages" => json!({ "type": "array" }), "more" => of("integer") }
    }
}

/// A URL, and the line in it.
fn placed(place: &str) -> (&str, Option<u32>) {
    match place.rsplit_once(':').map(|(url, line)| (url, line.parse().ok())) {
        Some((url, Some(line))) => (url, Some(line)),
        _ => (place, None),
    }
}

fn sentence(heard: &Heard) -> String {
    match heard.action {
        ConsoleAction::Start if heard.begun => return "The console buffer had been started already".into(),
        ConsoleAction::Start => return "Console buffer started".into(),
        ConsoleAction::Clear => return "Console cleared".into(),
        ConsoleAction::Get | ConsoleAction::Stop => {}
    }
    let mut text = match heard.lines.len() {
        0 => "No console messages".to_owned(),
        1 => "1 console message".to_owned(),
        count => format!("{count} console messages"),
    };
    if heard.more > 0 {
        let _ = write!(text, " ({} older ones are left out)", heard.more);
    }
    for line in &heard.lines {
        let place = line.place.as_ref().map(|place| format!(" @ {}", plain(place, 200))).unwrap_or_default();
        let _ = write!(text, "\n[{}] {}{place}", level(line.level).0, plain(&line.text, 1_000));
    }
    text
}

pub(super) fn faces() -> [Face<Console>; 1] {
    [AGENT
        .tool("console", "Console messages; start_buffer keeps them through navigations")
        .takes((), |()| Console {
            action: ConsoleAction::Get,
            levels: None,
            pattern: None,
            exceptions: true,
            most: 100,
            clears: false,
        })
        .example(r#"{"level": ["error", "warn"]}"#)
        .opt("action", "", |console, action| console.action = action)
        .default("get")
        .opt("level", "", |console, levels| console.levels = Some(levels))
        .opt("pattern", "", |console, pattern| console.pattern = Some(pattern))
        .opt("include_exceptions", "", |console, exceptions| console.exceptions = exceptions)
        .default(true)
        .opt("max_messages", "", |console, most: u32| {
            console.most = usize::try_from(most).unwrap_or(usize::MAX);
        })
        .default(100)
        .opt("clear_after_read", "", |console, clears| console.clears = clears)
        .default(false)
        .on_tab("tabId", "")
        .says(sentence)]
}
