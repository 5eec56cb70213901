//! Moving the pointer over an element.

use cicerone_engine::{Acted, PointerTarget, Spot, Target};

use crate::{
    Capability, Effect, Face,
    dialect::{
        AGENT, BROWSER, COMPANION,
        agent::{AIM, Aimed, spotted},
        companion::{ELEMENT, REF, TAB},
    },
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Hover {
    aim: PointerTarget,
}

impl Capability for Hover {
    type On = OnPage;
    type Output = Acted<Spot>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Spot>, Failure> {
        Ok(on.page.mouse().hover(&self.aim).await?)
    }
}

pub(super) fn faces() -> [Face<Hover>; 3] {
    let over = |target: Target| Hover { aim: target.into() };
    [
        BROWSER
            .tool("browser_hover", "Move the pointer over an element")
            .takes(must("ref", ""), over)
            .example(r#"{"ref": "text:Card"}"#)
            .described("element")
            .alias("target", "ref")
            .says(|out| format!("Hovering over {}", out.done)),
        COMPANION
            .tool("browser_hover", "Hover over element on page")
            .takes(must("ref", REF), over)
            .example(r#"{"element": "Card", "ref": ".card"}"#)
            .described_as("element", ELEMENT)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, _| format!("Successfully hovered over element: {target}")),
        AGENT
            .tool("hover", "Hover over an element or a point")
            .takes(Aimed { about: "", ..AIM }, |aim| Hover { aim })
            .example(r#"{"selector": "text:Card"}"#)
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .says(|out| format!("Hovering over {}", spotted(&out.done))),
    ]
}
