//! Scripts in a world of their own.

use async_trait::async_trait;
use cicerone_driver::{DriverError, FrameId, Result, SandboxAnswer, ScriptSandbox};
use serde_json::Value;

use crate::{
    frames::WorldKind,
    page::WebKitPage,
    protocol::runtime::{AwaitPromise, Evaluate},
};

#[async_trait]
impl ScriptSandbox for WebKitPage {
    async fn run_in_sandbox(&self, frame: &FrameId, program: &str) -> Result<SandboxAnswer> {
        let world = self.world(frame, WorldKind::Sandbox).await?;
        let evaluate = Evaluate {
            expression: program,
            context_id: world.id,
            emulate_user_gesture: true,
            do_not_pause_on_exceptions_and_mute_console: true,
            ..Evaluate::default()
        };
        let ran = async {
            let evaluated = self.send(&evaluate).await?;
            match (&evaluated.result.object_id, evaluated.was_thrown) {
                (Some(promise), false) => {
                    self.send(&AwaitPromise { promise_object_id: promise, return_by_value: true }).await
                }
                _ => Ok(evaluated),
            }
        };
        let evaluated = self.while_there(frame, world.id, ran).await??;
        match evaluated.result.value {
            Some(Value::String(text)) if !evaluated.was_thrown => Ok(SandboxAnswer::Text(text)),
            _ if evaluated.was_thrown => Ok(SandboxAnswer::Failed {
                message: evaluated.result.description.unwrap_or_default(),
                line: None,
            }),
            _ => Err(DriverError::Gone),
        }
    }
}
