use cicerone_engine::{EvaluateError, SandboxFailure};

use super::{ErrorName, Message, seconds};

pub(super) fn message(error: &EvaluateError) -> Message {
    match error {
        EvaluateError::Thrown(error) => Message::new(
            ErrorName::ScriptError,
            format!("the script failed: {error}"),
            if error.syntax {
                "give a function such as () => document.title, or an expression"
            } else {
                "fix the script; the page is unaffected"
            },
        ),
        EvaluateError::Sandbox(failure) => {
            let line = failure.line.map(|line| format!(" (line {line})")).unwrap_or_default();
            let why = match failure {
                SandboxFailure { blocked: true, .. } => " in browser.evaluate",
                SandboxFailure { imports: true, .. } => "; import is not available in browser.evaluate",
                SandboxFailure { .. } => "",
            };
            let text = format!("the script failed: {}{why}{line}", failure.message);
            if failure.blocked {
                let hint = "scripts read and change the document; eval, Function, cookies, storage, other windows and \
                            injected code are blocked";
                Message::new(ErrorName::Forbidden, text, hint)
            } else {
                let hint = "fix the script: it is the body of a strict async function, and cannot see the page's own \
                            variables";
                Message::new(ErrorName::ScriptError, text, hint)
            }
        }
        EvaluateError::Timeout(after) => Message::new(
            ErrorName::Timeout,
            format!("the script timed out after {} and was stopped", seconds(*after)),
            "the page can be used again; do less in one script",
        ),
        EvaluateError::BadValue(reason) => Message::new(
            ErrorName::ScriptError,
            format!("the script's value cannot be returned: {reason}"),
            "return plain data: strings, numbers, lists, objects without cycles",
        ),
    }
}
