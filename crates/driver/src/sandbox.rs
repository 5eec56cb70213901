use async_trait::async_trait;

use crate::{FrameId, Result};

/// Runs scripts in a world of a document that neither the page nor the agent uses.
#[async_trait]
pub trait ScriptSandbox: Send + Sync {
    /// Evaluates a program there, with the privileges of a user gesture. Its value is a promise of a string.
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer>;
}

/// What came of a program in a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxAnswer {
    /// The string that its promise resolved to.
    Text(String),
    /// It was stopped, or it is not a valid program: nothing of it ran then.
    Failed {
        /// The browser's words.
        message: String,
        /// The line of the program, the first being 1, where the browser tells.
        line: Option<u32>,
    },
}
