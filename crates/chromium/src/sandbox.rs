//! Scripts in a separate world. A new name creates a new world with fresh prototypes; the same name refers to
//! the same world while the document exists.

use async_trait::async_trait;
use cicerone_driver::{DriverError, FrameId, Result, SandboxAnswer, ScriptSandbox};
use serde_json::Value;

use crate::{
    evaluate::thrown,
    page::{ChromiumPage, failed_in_document},
    protocol::{page::CreateIsolatedWorld, runtime::EvaluateInContext},
};

/// The name of the scripts' world. It contains neither the page nor the injected script.
const WORLD: &str = "cicerone-sandbox";

#[async_trait]
impl ScriptSandbox for ChromiumPage {
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer> {
        let (session, _) = self.main_world(frame).await?;
        let world = CreateIsolatedWorld { frame_id: frame.as_str(), world_name: WORLD };
        // Refused only if the document went away, as below.
        let world = session.send(&world).await.map_err(failed_in_document)?;
        let command = EvaluateInContext {
            expression: program,
            context_id: world.execution_context_id,
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
        };
        let evaluated = session.send(&command).await.map_err(failed_in_document)?;
        match (evaluated.exception_details, evaluated.result.value) {
            (None, Some(Value::String(text))) => Ok(SandboxAnswer::Text(text)),
            (Some(details), _) => Ok(SandboxAnswer::Failed {
                message: thrown(&details).message,
                line: u32::try_from(details.line_number + 1).ok(),
            }),
            (None, _) => Err(DriverError::Gone),
        }
    }
}
