//! Scripts in a sandbox of their own.

use async_trait::async_trait;
use cicerone_driver::{DriverError, FrameId, Result, SandboxAnswer, ScriptSandbox};
use serde_json::Value;

use crate::{
    page::FirefoxPage,
    protocol::script::{Evaluate, Evaluated, SerializationOptions, Target},
};

/// The name of the scripts' sandbox. Neither the page nor the injected script uses it.
const SANDBOX: &str = "cicerone-sandbox";

#[async_trait]
impl ScriptSandbox for FirefoxPage {
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer> {
        let command = Evaluate {
            expression: program,
            target: Target { context: frame.as_str(), sandbox: Some(SANDBOX) },
            await_promise: true,
            user_activation: true,
            result_ownership: "none",
            serialization_options: SerializationOptions::default(),
        };
        match self.send_to_document(&command).await? {
            Evaluated::Success { result, .. } => match result.value {
                Some(Value::String(text)) => Ok(SandboxAnswer::Text(text)),
                _ => Err(DriverError::Gone),
            },
            // For a syntax error it reports a line of its own code.
            Evaluated::Exception { exception_details } => {
                Ok(SandboxAnswer::Failed { message: exception_details.text, line: None })
            }
        }
    }

    /// Stacks of evaluated code do not have the `sourceURL`.
    fn is_in_program(&self, stack_line: &str, source_url: &str) -> bool {
        stack_line.contains(source_url) || stack_line.contains("debugger eval code")
    }
}
