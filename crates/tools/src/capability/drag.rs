//! Dragging one element onto another.

use cicerone_engine::{Acted, Dragged, Target};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{BROWSER, COMPANION, companion::TAB},
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

pub(super) fn faces() -> [Face<Drag>; 2] {
    let drag = |(from, to)| Drag { from, to };
    [
        BROWSER
            .tool("browser_drag", "Drag one element onto another")
            .takes((must("startRef", ""), must("endRef", "")), drag).example(r#"{"startRef": "text:Card", "endRef": ".done"}"#)
            .described("startElement")
            .described("endElement")
            .says(|out| format!("Dragged {} to {}", out.done.from, out.done.to)),
        COMPANION
            .tool("browser_drag_drop", "Perform drag and drop between two elements")
            .takes(
                (
                    must("sourceRef", "Source element reference from the page snapshot"),
                    must("targetRef", "Target element reference from the page snapshot"),
                ),
                drag,
            ).example(r#"{"sourceElement": "Card", "sourceRef": ".card", "targetElement": "Done list", "targetRef": ".done"}"#)
            .described_as("sourceElement", "Human-readable description of the source element")
            .described_as("targetElement", "Human-readable description of the target element")
            .on_tab("tabId", TAB)
            .says_of("sourceRef", |source, out| {
                format!("Successfully dragged element: {source} to {}", out.done.to)
            }),
    ]
}
