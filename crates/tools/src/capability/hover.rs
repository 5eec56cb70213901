//! Moving the pointer over an element.

use cicerone_engine::{Acted, Clicked, Target};

use super::click::healed;
use crate::{
    Capability, Effect, Face,
    dialect::{
        BROWSER, COMPANION,
        companion::{ELEMENT, REF, TAB},
    },
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Hover {
    target: Target,
}

impl Capability for Hover {
    type On = OnPage;
    type Output = Acted<Clicked>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Clicked>, Failure> {
        Ok(on.page.hover(&self.target).await?)
    }
}

pub(super) fn faces() -> [Face<Hover>; 2] {
    let over = |target| Hover { target };
    [
        BROWSER
            .tool("browser_hover", "Move the pointer over an element")
            .takes(must("ref", ""), over)
            .example(r#"{"ref": "text:Card"}"#)
            .described("element")
            .says(|out| format!("Hovering over {}{}", out.done.element, healed(out.done.healed))),
        COMPANION
            .tool("browser_hover", "Hover over element on page")
            .takes(must("ref", REF), over)
            .example(r#"{"element": "Card", "ref": ".card"}"#)
            .described_as("element", ELEMENT)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, out| {
                format!("Successfully hovered over element: {target}{}", healed(out.done.healed))
            }),
    ]
}
