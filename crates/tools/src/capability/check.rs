//! Switching what is on or off.

use cicerone_engine::{Acted, Switched, Target};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{AGENT, agent::named},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Check {
    target: Target,
    on: bool,
    force: bool,
}

impl Capability for Check {
    type On = OnPage;
    type Output = Acted<Switched>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Switched>, Failure> {
        Ok(on.page.forms().check(&self.target, self.on, self.force).await?)
    }
}

impl Output for Switched {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.element.facts();
        if !self.unread {
            facts.insert("checked".into(), self.on.into());
        }
        if self.forced {
            facts.insert("forced".into(), true.into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "checked" => of("boolean"), "forced" => of("boolean") }
    }
}

fn sentence(switched: &Switched) -> String {
    let element = named(&switched.element);
    let on = if switched.on { "checked" } else { "unchecked" };
    match switched {
        Switched { unread: true, .. } => {
            format!("Clicked {element}, which is not there any more to be read back")
        }
        Switched { already: true, .. } => format!("{element} was {on} already"),
        Switched { forced: true, .. } => format!("{element} is {on}, by events on the element itself"),
        _ => format!("{element} is {on}"),
    }
}

pub(super) fn faces() -> [Face<Check>; 2] {
    [
        AGENT.tool("check", "Check a checkbox or radio button").takes(must("selector", ""), |target| Check {
            target,
            on: true,
            force: false,
        }),
        AGENT.tool("uncheck", "Uncheck a checkbox").takes(must("selector", ""), |target| Check {
            target,
            on: false,
            force: false,
        }),
    ]
    .map(|face| {
        face.example(r#"{"selector": "label:News"}"#)
            .opt("force", "", |check, force| check.force = force)
            .default(false)
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .says(|out| sentence(&out.done))
    })
}
