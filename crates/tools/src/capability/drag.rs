//! Dragging one element onto another.

use cicerone_engine::{Acted, Drag, Dragged, Spot, Target};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    dialect::{
        AGENT, BROWSER, COMPANION,
        agent::{Aimed, spotted},
        companion::TAB,
    },
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

impl Capability for Drag {
    type On = OnPage;
    type Output = Acted<Dragged>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Dragged>, Failure> {
        Ok(on.page.mouse().drag(&self).await?)
    }
}

impl Output for Dragged {
    fn facts(&self) -> Map<String, Value> {
        let reference = |spot: &Spot| Some(Value::from(spot.element()?.reference.to_string()));
        let facts = [("from", reference(&self.from)), ("to", reference(&self.to))];
        facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?))).collect()
    }

    fn schema() -> Map<String, Value> {
        facts! { "from" => of("string"), "to" => of("string") }
    }
}

const SOURCE: Aimed = Aimed {
    element: "source",
    about: "",
    point: "source_coordinates",
    missing: "Missing required argument: source or source_coordinates",
};

const TARGET: Aimed = Aimed {
    element: "target",
    about: "",
    point: "target_coordinates",
    missing: "Missing required argument: target or target_coordinates",
};

pub(super) fn faces() -> [Face<Drag>; 3] {
    let drag = |(from, to): (Target, Target)| Drag::between(from, to);
    [
        BROWSER
            .tool("browser_drag", "Drag one element onto another")
            .takes((must("startRef", ""), must("endRef", "")), drag).example(r#"{"startRef": "text:Card", "endRef": ".done"}"#)
            .described("startElement")
            .described("endElement")
            .alias("startTarget", "startRef")
            .alias("endTarget", "endRef")
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
        AGENT
            .tool("drag", "Drag an element or point to another")
            .takes((SOURCE, TARGET), |(from, to)| Drag::between(from, to))
            .example(r#"{"source": ".card", "target": ".done"}"#)
            .opt("steps", "", |drag, steps| drag.steps = steps)
            .default(10)
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .validate(|drag| match drag.steps {
                1..=1000 => Ok(()),
                _ => Err(BadArguments::Together("Invalid argument steps: it must be 1 to 1000")),
            })
            .rename_fact("from", "source")
            .rename_fact("to", "target")
            .says(|out| format!("Dragged {} to {}", spotted(&out.done.from), spotted(&out.done.to))),
    ]
}
