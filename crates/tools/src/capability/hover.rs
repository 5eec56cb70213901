//! Moving the pointer over an element.

use cicerone_engine::{Acted, Clicked, Target};

use super::click::healed;
use crate::{Capability, Effect, Face, dialect::BROWSER, face::must, reply::Failure, scope::OnPage};

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

pub(super) fn faces() -> [Face<Hover>; 1] {
    [BROWSER
        .tool("browser_hover", "Move the pointer over an element")
        .takes(must("ref", ""), |target| Hover { target })
        .described("element")
        .says(|out| format!("Hovering over {}{}", out.done.element, healed(out.done.healed)))]
}
