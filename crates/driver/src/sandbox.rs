use async_trait::async_trait;

use crate::{FrameId, Result};

/// Runs scripts in an isolated world that neither the page nor the injected script uses.
#[async_trait]
pub trait ScriptSandbox: Send + Sync {
    /// Evaluates a program there, with user activation. Its value must be a promise of a string.
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer>;

    /// Whether a line of a stack is in the evaluated program, which has this `sourceURL`.
    fn is_in_program(&self, stack_line: &str, source_url: &str) -> bool {
        stack_line.contains(source_url)
    }
}

/// The result of a sandboxed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxAnswer {
    /// The string that its promise resolved to.
    Text(String),
    /// It was terminated, or failed to parse (then nothing ran).
    Failed {
        /// The browser's message.
        message: String,
        /// The line in the program, counted from 1, if the browser reports it.
        line: Option<u32>,
    },
}
