//! The in-page agent: its source, and how its functions are called.

use cicerone_driver::{DriverError, FrameId, Result};
use cicerone_wire::Session;

use crate::{
    frames::World,
    page::{ChromiumPage, failed},
    protocol::{
        page::AddScriptToEvaluateOnNewDocument,
        runtime::{CallArgument, CallFunctionOn, Evaluate, Evaluated},
    },
};

/// The bundle, made from `agent/` by `cargo xtask agent`.
const SOURCE: &str = include_str!("../../../agent/dist/agent.js");

/// The name of the agent's world. The page can neither see nor enter it.
pub(crate) const WORLD: &str = "cicerone";

/// Objects that were asked for one by one live in this group for as long as their document.
pub(crate) const GROUP: &str = "cicerone";

/// The command that puts the agent into every document of a session.
pub(crate) fn settle_in() -> AddScriptToEvaluateOnNewDocument<'static> {
    AddScriptToEvaluateOnNewDocument { source: SOURCE, world_name: WORLD, run_immediately: true }
}

impl ChromiumPage {
    /// Calls a function in the agent's world. Its value comes back whole, or stays in the page in a group of
    /// objects. Arguments are always well formed, so a refusal means that the document went away meanwhile.
    pub(crate) async fn in_agent_world(
        &self,
        (session, world): &(Session, World),
        function: &str,
        arguments: &[CallArgument<'_>],
        group: Option<&str>,
    ) -> Result<Evaluated> {
        let call = CallFunctionOn {
            function_declaration: function,
            unique_context_id: &world.unique_id,
            arguments,
            return_by_value: group.is_none(),
            await_promise: true,
            user_gesture: false,
            object_group: group,
        };
        match session.send(&call).await {
            Ok(evaluated) => Ok(evaluated),
            Err(cicerone_wire::WireError::Refused { .. }) => Err(DriverError::Gone),
            Err(error) => Err(failed(error)),
        }
    }

    /// Calls one of the agent's JSON functions.
    pub(crate) async fn call_agent(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let place = self.agent_world(frame).await?;
        let arguments = [CallArgument::Value(function), CallArgument::Value(args)];
        let call =
            || self.in_agent_world(&place, "function(f,a){return cicerone.call(f,a)}", &arguments, None);
        let mut answer = call().await?;
        if answer.exception_details.is_some() {
            // An interruption that was meant for the page's scripts can hit the agent while it settles in.
            let (session, world) = &place;
            let settle_in =
                Evaluate { expression: SOURCE, unique_context_id: &world.unique_id, ..Evaluate::default() };
            session.send(&settle_in).await.map_err(|_| DriverError::Gone)?;
            answer = call().await?;
        }
        match answer.result.value {
            Some(serde_json::Value::String(json)) => Ok(json),
            _ => Err(DriverError::Gone),
        }
    }
}
