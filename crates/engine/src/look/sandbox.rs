//! A client's script in the sandbox: it sees the page, but no cookies, no storage and no way to run text as code.
//! `agent/src/sandbox` has the rules; what they promise is in `docs/decisions/0022-the-script-sandbox.md`.

use std::fmt::Write;

use cicerone_driver::SandboxAnswer;
use serde::Deserialize;
use serde_json::Value;

use crate::{Deadline, Error, NewsItem, Page, Result};

/// The bundle, made from `agent/src/sandbox` by `cargo xtask agent`.
const LIBRARY: &str = include_str!("../../../../agent/dist/sandbox.js");

/// What a script in the sandbox returned.
#[derive(Debug, Clone)]
pub struct Sandboxed {
    /// Its value; nothing for `undefined`.
    pub value: Option<Value>,
    /// How many characters its text has, where not all of them are there.
    pub total: Option<usize>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

/// Why a script failed in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxFailure {
    /// In words.
    pub message: String,
    /// In which line of the script, where that is known.
    pub line: Option<u32>,
    /// Whether it asked for something that is out of its reach.
    pub blocked: bool,
}

impl std::fmt::Display for SandboxFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        self.line.map_or(Ok(()), |line| write!(f, " (line {line})"))
    }
}

/// What the sandbox answers.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Answer {
    Undefined,
    Text { text: String, total: usize },
    Json { text: String },
    Thrown { message: String, stack: String, blocked: bool },
}

impl Page {
    /// Runs the body of an async function in the sandbox of the page; `args` and `arguments` are in its sight.
    pub async fn run_sandboxed(&self, source: &str, args: &[Value]) -> Result<Sandboxed> {
        let Some(sandbox) = self.driver().script_sandbox() else {
            return Err(Error::Unsupported("run scripts in a sandbox"));
        };
        let frame = self.chosen_frame()?;
        let program = Program::around(source, args)?;
        let patience = self.action_timeout() * 2;
        self.forget_downloads();
        let running = sandbox.run_in_sandbox(&frame, &program.text);
        let answer = match self.unless_endless(running, Deadline::after(patience), patience).await? {
            Ok(SandboxAnswer::Text(text)) => serde_json::from_str(&text),
            Ok(SandboxAnswer::Failed { message, line }) => {
                return Err(Error::Sandbox(program.unread(message, line)));
            }
            Err(error) => return Err(self.explain(error)),
        };
        self.frame_may_be_shown(&frame)?;
        let garbled = |error| cicerone_driver::DriverError::Garbled(std::sync::Arc::new(error));
        let (value, total) = match answer.map_err(garbled)? {
            Answer::Undefined => (None, None),
            Answer::Text { text, total } => {
                let cut = text.encode_utf16().count() < total;
                (Some(Value::String(text)), cut.then_some(total))
            }
            Answer::Json { text } => (Some(serde_json::from_str(&text).map_err(garbled)?), None),
            Answer::Thrown { message, stack, blocked } => {
                let line = program.line_in(&stack);
                return Err(Error::Sandbox(SandboxFailure { message, line, blocked }));
            }
        };
        Ok(Sandboxed { value, total, news: self.take_news().await })
    }
}

/// What is evaluated: the library, then the script as the body of a function.
struct Program {
    text: String,
    /// How many lines come before the script.
    before: u32,
    /// How many it has.
    lines: u32,
    imports: bool,
}

/// Where the browser says that errors were thrown.
const URL: &str = "browser.evaluate";

impl Program {
    /// The script must not end the function that it is put into and go on outside of it. It cannot: the function ends in a
    /// `break` to a label that the script does not know, so that whatever closes the block before is no valid program.
    fn around(source: &str, args: &[Value]) -> Result<Self> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).map_err(|_| Error::Unsupported("make random numbers"))?;
        let mut label = String::from("end");
        for byte in random {
            // Writing to a string cannot fail.
            let _ = write!(label, "{byte:02x}");
        }
        let args = Value::from(args.to_vec());
        let head = format!(
            "(function(){{{LIBRARY}}})();ciceroneSandbox.run(function(){{with(this.window)with(this.call)\
             return async function(){{\"use strict\";{label}:{{\n"
        );
        let (before, lines) = (newlines(&head), newlines(source) + 1);
        let text =
            format!("{head}{}\nbreak {label}}}}}}},{args})\n//# sourceURL={URL}", without_import(source));
        Ok(Self { text, before, lines, imports: source.contains("import") })
    }

    /// Where in the script an error was thrown, by its stack.
    fn line_in(&self, stack: &str) -> Option<u32> {
        // Chromium says the name that the program was given, Firefox that it was evaluated.
        let places = stack.lines().filter(|line| line.contains(URL) || line.contains("debugger eval code"));
        let numbers = places.filter_map(|place| {
            let mut parts = place.trim_end_matches(')').rsplit(':');
            parts.next()?;
            parts.next()?.parse::<u32>().ok()
        });
        numbers.filter_map(|line| self.own_line(line)).next()
    }

    fn own_line(&self, line: u32) -> Option<u32> {
        line.checked_sub(self.before).filter(|line| (1..=self.lines).contains(line))
    }

    fn unread(&self, message: String, line: Option<u32>) -> SandboxFailure {
        let message = match self.imports {
            true => format!("{message}; import is not available in browser.evaluate"),
            false => message,
        };
        SandboxFailure { message, line: line.and_then(|line| self.own_line(line)), blocked: false }
    }
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// Writes every `import` with an escape. In a string, a template, a regular expression and a name that means the same; as a
/// keyword, which may have no escapes, it is a syntax error. So modules are out of reach, and no word is.
fn without_import(source: &str) -> String {
    let mut escaped = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find("import") {
        let before = &rest[..at];
        escaped.push_str(before);
        // After a backslash the letter is escaped already, to itself.
        let backslashes = before.chars().rev().take_while(|c| *c == '\\').count();
        escaped.push_str(if backslashes % 2 == 0 { "\\u0069" } else { "u0069" });
        escaped.push_str("mport");
        rest = &rest[at + "import".len()..];
    }
    escaped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_escaped_and_strings_keep_their_value() {
        assert_eq!(without_import("import('x')"), r"\u0069mport('x')");
        assert_eq!(without_import(r#"return "\import\\import""#), r#"return "\u0069mport\\\u0069mport""#);
        assert_eq!(without_import("none"), "none");
    }

    #[test]
    fn lines_are_those_of_the_script() {
        let program = Program::around("a\nb", &[]).unwrap();
        let stack = format!("Error: x\n    at eval ({URL}:{}:7)", program.before + 2);
        assert_eq!(program.line_in(&stack), Some(2));
        assert_eq!(program.line_in("Error: x\n    at eval (elsewhere:2:7)"), None);
    }
}
