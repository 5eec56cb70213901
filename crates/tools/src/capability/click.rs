//! Clicking an element.

use cicerone_engine::{Acted, Button, Click, Clicked, Modifier, Target};
use serde_json::{Map, Value};

use crate::{Capability, Effect, Face, Output, dialect::BROWSER, face::must, reply::Failure, scope::OnPage};

impl Capability for Click {
    type On = OnPage;
    type Output = Acted<Clicked>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Clicked>, Failure> {
        Ok(on.page.click(&self).await?)
    }
}

impl Output for Clicked {
    fn facts(&self) -> Map<String, Value> {
        self.element.facts()
    }

    fn schema() -> Map<String, Value> {
        cicerone_engine::Element::schema()
    }
}

/// What a reply says of a ref that followed a replaced element.
pub(super) fn healed(healed: bool) -> &'static str {
    if healed { " (the element was replaced; its ref follows the new one)" } else { "" }
}

pub(super) fn faces() -> [Face<Click>; 1] {
    let at = |target: Target| Click { target, button: Button::Left, count: 1, modifiers: Vec::new() };
    [BROWSER
        .tool("browser_click", "Click an element")
        .takes(must("ref", "Element ref from the snapshot, or a selector"), at)
        .described("element")
        .opt("button", "", |click, button: Button| click.button = button)
        .opt("doubleClick", "", |click, double: bool| click.count = if double { 2 } else { 1 })
        .opt("modifiers", "Keys to hold", |click, keys: Vec<Modifier>| click.modifiers = keys)
        .says(|out| format!("Clicked {}{}", out.done.element, healed(out.done.healed)))]
}
