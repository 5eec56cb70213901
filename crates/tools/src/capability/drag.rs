//! Dragging one element onto another.

use cicerone_engine::{Acted, Dragged, Target};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Drag {
    from: Target,
    to: Target,
}

impl Capability for Drag {
    type On = OnPage;
    type Output = Acted<Dragged>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Dragged>, Failure> {
        Ok(on.page.drag(&self.from, &self.to).await?)
    }
}

impl Output for Dragged {
    fn facts(&self) -> Map<String, Value> {
        facts! { "from" => self.from.reference.to_string(), "to" => self.to.reference.to_string() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "from" => of("string"), "to" => of("string") }
    }
}

pub(super) fn faces() -> [Face<Drag>; 1] {
    [BROWSER
        .tool("browser_drag", "Drag one element onto another")
        .takes((must("startRef", ""), must("endRef", "")), |(from, to)| Drag { from, to })
        .described("startElement")
        .described("endElement")
        .says(|out| format!("Dragged {} to {}", out.done.from, out.done.to))]
}
