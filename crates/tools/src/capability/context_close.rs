//! Closing a context.

use cicerone_engine::snapshot::quoted;
use serde_json::{Map, Value};

use super::context_create::Name;
use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct ContextClose {
    name: Name,
}

/// The context that was closed, and the one that is active now.
pub(super) struct Closed {
    closed: String,
    active: String,
}

impl Capability for ContextClose {
    type On = OnSession;
    type Output = Closed;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Closed, Failure> {
        let active = on.call.session.close_context(&self.name.0).await?;
        Ok(Closed { closed: self.name.0, active: active.name().to_owned() })
    }
}

impl Output for Closed {
    fn facts(&self) -> Map<String, Value> {
        facts! { "closed" => self.closed.clone(), "active" => self.active.clone() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "closed" => of("string"), "active" => of("string") }
    }
}

pub(super) fn faces() -> [Face<ContextClose>; 1] {
    [BROWSER
        .tool("browser_context_close", "Close a context and its tabs")
        .takes(must("name", ""), |name| ContextClose { name })
        .example(r#"{"name": "alice"}"#)
        .says(|out| {
            format!("Closed context {}; {} is active", quoted(&out.closed, 100), quoted(&out.active, 100))
        })]
}
