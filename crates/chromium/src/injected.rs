//! The injected script: its source, and calls of its functions.

use cicerone_driver::{DriverError, FrameId, PageDriver, Result};
use cicerone_wire::Session;

use crate::{
    frames::World,
    page::{ChromiumPage, failed_in_document},
    protocol::{
        emulation::SetFocusEmulationEnabled,
        page::AddScriptToEvaluateOnNewDocument,
        runtime::{CallArgument, CallFunctionOn, Evaluate, Evaluated},
    },
};

/// The bundle of `injected/`, built by `cargo xtask injected`.
const SOURCE: &str = include_str!("../../../injected/dist/injected.js");

/// The name of the injected script's world, which the page cannot see or enter. In a browser that others may
/// drive too, a random suffix follows.
pub(crate) const WORLD: &str = "cicerone";

/// The object group of objects that live as long as their document.
pub(crate) const GROUP: &str = "cicerone";

/// The command that evaluates the injected script in every document of a session.
pub(crate) fn settle_in(world_name: &str) -> AddScriptToEvaluateOnNewDocument<'_> {
    AddScriptToEvaluateOnNewDocument { source: SOURCE, world_name, run_immediately: true }
}

impl ChromiumPage {
    /// Resolves when the first document is set up. Chromium crashes pages that navigate while focus
    /// emulation is being applied, unless a feature is disabled, which only browsers that we launch have
    /// disabled (decision 0007).
    pub(crate) async fn settled_in(&self) -> Result<()> {
        self.send(&SetFocusEmulationEnabled { enabled: true }).await?;
        self.injected_world(&self.main_frame()).await.map(drop)
    }

    /// Calls a function in the injected script's world. Its value is returned, or stays in the page in an
    /// object group. Arguments are always valid, so a refusal means that the document went away.
    pub(crate) async fn in_injected_world(
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
        session.send(&call).await.map_err(failed_in_document)
    }

    /// Calls one of the injected script's JSON functions.
    pub(crate) async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let place = self.injected_world(frame).await?;
        let arguments = [CallArgument::Value(function), CallArgument::Value(args)];
        let call =
            || self.in_injected_world(&place, "function(f,a){return cicerone.call(f,a)}", &arguments, None);
        let mut answer = call().await?;
        if answer.exception_details.is_some() {
            // An interruption of the page's scripts can hit the injected script while it starts.
            let (session, world) = &place;
            let settle_in =
                Evaluate { expression: SOURCE, unique_context_id: &world.unique_id, ..Evaluate::default() };
            session.send(&settle_in).await.map_err(failed_in_document)?;
            answer = call().await?;
        }
        match answer.result.value {
            Some(serde_json::Value::String(json)) => Ok(json),
            _ => Err(DriverError::Gone),
        }
    }
}
