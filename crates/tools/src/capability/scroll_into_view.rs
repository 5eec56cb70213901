//! Scrolling an element into the viewport.

use cicerone_engine::{Acted, Element, Target};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct ScrollIntoView {
    target: Target,
}

pub(super) struct Scrolled {
    element: Element,
    visible: bool,
}

impl Capability for ScrollIntoView {
    type On = OnPage;
    type Output = Acted<Scrolled>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Scrolled>, Failure> {
        let acted = on.page.mouse().scroll_into_view(&self.target).await?;
        Ok(acted.map(|(element, visible)| Scrolled { element, visible }))
    }
}

impl Output for Scrolled {
    fn facts(&self) -> Map<String, Value> {
        facts! { "ref" => self.element.reference.to_string(), "visible" => self.visible }
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "visible" => of("boolean") }
    }
}

pub(super) fn faces() -> [Face<ScrollIntoView>; 1] {
    [BROWSER
        .tool("browser_scroll_into_view", "Scroll an element into the middle of the viewport")
        .takes(must("ref", ""), |target| ScrollIntoView { target })
        .example(r#"{"ref": "text:Card"}"#)
        .described("element")
        .alias("target", "ref")
        .says(|out| {
            let seen = if out.done.visible { "" } else { ", but it is not fully visible there" };
            format!("Scrolled {} into view{seen}", out.done.element)
        })]
}
