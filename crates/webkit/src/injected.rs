//! The injected script: its source, and how its functions are called.

use cicerone_driver::{DriverError, FrameId, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    frames::WorldKind,
    page::WebKitPage,
    protocol::runtime::{CallArgument, Evaluated},
};

/// The bundle, made from `injected/` by `cargo xtask injected`.
const SOURCE: &str = include_str!("../../../injected/dist/injected.js");

/// What is put beside it in the same world.
const BESIDE: &str = include_str!("world.js");

/// The name of the injected script's world. The page can neither see nor enter it.
pub(crate) const WORLD: &str = "cicerone";

/// The name of the world of scripts that run in a sandbox.
pub(crate) const SANDBOX: &str = "cicerone-sandbox";

/// What every document begins with, in the injected script's world.
pub(crate) fn source() -> String {
    format!("{SOURCE}\n{BESIDE}")
}

/// What a function answers, and where the document was then. Only an own property counts: an element with this id would
/// answer to the name as well.
const CALL: &str = "function(f,a){if(!Object.hasOwn(globalThis,'cicerone'))return null;\
    const at=r=>[r,location.href],r=cicerone.call(f,a);\
    return r instanceof Promise?r.then(at):at(r)}";

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum InjectedResult<T> {
    Ok(T),
    Error(Value),
}

impl WebKitPage {
    /// Calls a function in the injected script's world. Arguments are always well formed, so a refusal means that the document went
    /// away meanwhile.
    pub(crate) async fn in_injected_world(
        &self,
        frame: &FrameId,
        function: &str,
        arguments: &[CallArgument<'_>],
        by_value: bool,
    ) -> Result<Evaluated> {
        let world = self.world(frame, WorldKind::Injected).await?;
        match self.call_in(frame, &world, function, arguments, by_value, false).await {
            Err(DriverError::Refused { .. }) => {
                Err(self.lifecycle.alive().err().unwrap_or(DriverError::Gone))
            }
            answered => answered,
        }
    }

    /// Calls one of the injected script's JSON functions. That the document moved before it answered is told before the answer.
    pub(crate) async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        let arguments = || [CallArgument::Value(function.into()), CallArgument::Value(args.into())];
        let mut answer = self.in_injected_world(frame, CALL, &arguments(), true).await?;
        if answer.was_thrown || !matches!(answer.result.value, Some(Value::Array(_))) {
            // An interruption that was meant for the page's scripts can hit the injected script while it settles in.
            let settle_in = format!("function(){{{}}}", source());
            self.in_injected_world(frame, &settle_in, &[], true).await?;
            answer = self.in_injected_world(frame, CALL, &arguments(), true).await?;
        }
        match answer.result.value {
            Some(Value::Array(parts)) => match &parts[..] {
                [Value::String(json), Value::String(url)] => {
                    self.seen_at(frame, url);
                    Ok(json.clone())
                }
                _ => Err(DriverError::Gone),
            },
            _ => Err(DriverError::Gone),
        }
    }

    /// The same for the driver itself.
    pub(crate) async fn ask_injected<T: for<'a> Deserialize<'a>>(
        &self,
        function: &str,
        args: &Value,
    ) -> Result<T> {
        use cicerone_driver::PageDriver;
        let answer = self.call(&self.main_frame(), function, &args.to_string()).await?;
        match serde_json::from_str(&answer) {
            Ok(InjectedResult::Ok(value)) => Ok(value),
            Ok(InjectedResult::Error(why)) => {
                Err(DriverError::Refused { command: "the injected function", message: why.to_string() })
            }
            Err(error) => Err(DriverError::Garbled(std::sync::Arc::new(error))),
        }
    }
}
