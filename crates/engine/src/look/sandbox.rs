//! Client scripts in a sandbox: they see the page, but no cookies, no storage and no `eval`.
//! `injected/src/sandbox` has the rules, `docs/decisions/0022-the-script-sandbox.md` its guarantees.

use std::fmt::Write;

use cicerone_driver::SandboxAnswer;
use serde::Deserialize;
use serde_json::Value;

use crate::{Deadline, Error, EvaluateError, NewsItem, Result, Unsupported, page::parts::Scripts};

/// Bundled from `injected/src/sandbox` by `cargo xtask injected`.
const LIBRARY: &str = include_str!("../../../../injected/dist/sandbox.js");

/// The result of a sandboxed script.
#[derive(Debug, Clone)]
pub struct Sandboxed {
    /// Its value; `None` for `undefined`.
    pub value: Option<Value>,
    /// The full length in characters of a truncated text.
    pub total: Option<usize>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

/// Why a sandboxed script failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxFailure {
    /// The error message.
    pub message: String,
    /// The line of the script, if known.
    pub line: Option<u32>,
    /// Whether it used something the sandbox blocks.
    pub blocked: bool,
    /// Whether it failed to parse and contains `import`, which the sandbox does not have.
    pub imports: bool,
}

/// The sandbox's reply.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum SandboxValue {
    Undefined,
    Text { text: String, total: usize },
    Json { text: String },
    Thrown { message: String, stack: String, blocked: bool },
}

impl Scripts<'_> {
    /// Runs the body of an async function in the sandbox; `args` and `arguments` are in scope.
    pub async fn run_sandboxed(self, source: &str, args: &[Value]) -> Result<Sandboxed> {
        let Some(sandbox) = self.page.driver().script_sandbox() else {
            return Err(Error::Unsupported(Unsupported::ScriptSandbox));
        };
        let frame = self.page.locator().chosen_frame()?;
        let program = Program::wrap(source, args)?;
        let timeout = self.page.settings().action_timeout() * 2;
        self.page.actions().forget_downloads();
        let running = sandbox.run_in_sandbox(&frame, &program.text);
        let answer = match self.unless_endless(running, Deadline::after(timeout), timeout).await? {
            Ok(SandboxAnswer::Text(text)) => serde_json::from_str(&text),
            Ok(SandboxAnswer::Failed { message, line }) => {
                return Err(Error::Evaluate(EvaluateError::Sandbox(program.syntax_error(message, line))));
            }
            Err(error) => return Err(self.page.injected().explain(error)),
        };
        self.page.file_access().frame_may_be_shown(&frame).await?;
        let garbled = |error| cicerone_driver::DriverError::Garbled(std::sync::Arc::new(error));
        let (value, total) = match answer.map_err(garbled)? {
            SandboxValue::Undefined => (None, None),
            SandboxValue::Text { text, total } => {
                let truncated = text.encode_utf16().count() < total;
                (Some(Value::String(text)), truncated.then_some(total))
            }
            SandboxValue::Json { text } => (Some(serde_json::from_str(&text).map_err(garbled)?), None),
            SandboxValue::Thrown { message, stack, blocked } => {
                let in_program = |line: &str| sandbox.is_in_program(line, URL);
                let line = program.line_in(&stack, in_program);
                return Err(Error::Evaluate(EvaluateError::Sandbox(SandboxFailure {
                    message,
                    line,
                    blocked,
                    imports: false,
                })));
            }
        };
        Ok(Sandboxed { value, total, news: self.page.take_news().await })
    }
}

/// The evaluated program: the library, then the script as a function body.
struct Program {
    text: String,
    /// Lines before the script.
    before: u32,
    /// Lines of the script.
    lines: u32,
    imports: bool,
}

/// The `sourceURL` in stacks.
const URL: &str = "cicerone-script";

impl Program {
    /// The script cannot close its function and continue outside: the function ends in a `break` to a random
    /// label, so closing the block early is a syntax error.
    fn wrap(source: &str, args: &[Value]) -> Result<Self> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).map_err(|_| Error::Unsupported(Unsupported::RandomNumbers))?;
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

    /// The line of the script that threw, from the stack.
    fn line_in(&self, stack: &str, in_program: impl Fn(&str) -> bool) -> Option<u32> {
        let places = stack.lines().filter(|line| in_program(line));
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

    fn syntax_error(&self, message: String, line: Option<u32>) -> SandboxFailure {
        let line = line.and_then(|line| self.own_line(line));
        SandboxFailure { message, line, blocked: false, imports: self.imports }
    }
}

fn newlines(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// Escapes every `import`. In strings, templates, regular expressions and names that keeps the meaning; as a
/// keyword, which must not contain escapes, it is a syntax error. So modules are out of reach, and texts are
/// unchanged.
fn without_import(source: &str) -> String {
    let mut escaped = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find("import") {
        let before = &rest[..at];
        escaped.push_str(before);
        // After a backslash the letter is already an identity escape.
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
        let program = Program::wrap("a\nb", &[]).unwrap();
        let stack = format!("Error: x\n    at eval ({URL}:{}:7)", program.before + 2);
        let in_program = |line: &str| line.contains(URL);
        assert_eq!(program.line_in(&stack, in_program), Some(2));
        assert_eq!(program.line_in("Error: x\n    at eval (elsewhere:2:7)", in_program), None);
    }
}
