use std::time::Duration;

use cicerone_driver::ScriptError;

use crate::look::sandbox::SandboxFailure;

/// Why a client's script failed.
#[derive(Debug, Clone)]
pub enum EvaluateError {
    /// It threw, or could not be parsed.
    Thrown(ScriptError),
    /// It failed in the sandbox.
    Sandbox(SandboxFailure),
    /// It did not finish in time and was terminated.
    Timeout(Duration),
    /// Its value cannot be serialised.
    BadValue(String),
}
