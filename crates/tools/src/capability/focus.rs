//! Giving the focus to an element.

use cicerone_engine::{Acted, Spot, Target};

use crate::{
    Capability, Effect, Face,
    dialect::{AGENT, agent::spotted},
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Focus {
    target: Target,
}

impl Capability for Focus {
    type On = OnPage;
    type Output = Acted<Spot>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Spot>, Failure> {
        Ok(on.page.keyboard().focus(&self.target).await?)
    }
}

pub(super) fn faces() -> [Face<Focus>; 1] {
    [AGENT
        .tool("focus", "Focus an element")
        .takes(must("selector", ""), |target| Focus { target })
        .example(r#"{"selector": "label:Email"}"#)
        .within("timeout", "", 5000)
        .on_tab("tabId", "")
        .in_frame("frameId")
        .says(|out| format!("Focused {}", spotted(&out.done)))]
}
