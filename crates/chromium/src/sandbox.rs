//! Scripts in a world of their own. Another name makes another world, with prototypes of its own; the same name leads to
//! the same world for as long as the document is there.

use async_trait::async_trait;
use cicerone_driver::{DriverError, FrameId, Result, SandboxAnswer, ScriptSandbox};
use serde_json::Value;

use crate::{
    evaluate::thrown,
    page::{ChromiumPage, failed},
    protocol::{page::CreateIsolatedWorld, runtime::EvaluateInContext},
};

/// The name of the world of scripts. Neither the page nor the agent is in it.
const WORLD: &str = "cicerone-sandbox";

#[async_trait]
impl ScriptSandbox for ChromiumPage {
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer> {
        let (session, _) = self.main_world(frame).await?;
        let world = CreateIsolatedWorld { frame_id: frame.as_str(), world_name: WORLD };
        // Refused only where the document went away meanwhile, as below.
        let world = session.send(&world).await.map_err(gone)?;
        let command = EvaluateInContext {
            expression: program,
            context_id: world.execution_context_id,
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
        };
        let evaluated = session.send(&command).await.map_err(gone)?;
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

fn gone(error: cicerone_wire::WireError) -> DriverError {
    match error {
        cicerone_wire::WireError::Refused { .. } => DriverError::Gone,
        error => failed(error),
    }
}
