//! Clicking an element.

use cicerone_engine::{Acted, Aim, Button, Click, Clicked, Element, Modifier, Spot, Target};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, Milliseconds, object},
    dialect::{
        AGENT, BROWSER, COMPANION, LAUNCH, VISION,
        agent::{AIM, Aimed, Held, spotted},
        companion::{ELEMENT, REF, TAB},
        launch::{Manner, Selected},
        vision::SESSION,
    },
    face::must,
    reply::Failure,
    scope::OnPage,
};

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
        self.on.facts()
    }

    fn schema() -> Map<String, Value> {
        Spot::schema()
    }
}

impl Output for Spot {
    fn facts(&self) -> Map<String, Value> {
        self.element().map(Output::facts).unwrap_or_default()
    }

    fn schema() -> Map<String, Value> {
        Element::schema()
    }
}

/// What a reply says of a ref that followed a replaced element.
pub(super) fn healed(healed: bool) -> &'static str {
    if healed { " (the element was replaced; its ref follows the new one)" } else { "" }
}

/// How `options` may say that it is clicked.
#[derive(Default)]
struct ClickOptions {
    button: Option<Button>,
    count: Option<ClickCount>,
    modifiers: Option<Vec<Modifier>>,
    timeout: Option<Milliseconds>,
}

/// How many clicks there are to one gesture.
struct ClickCount(u32);

impl Argument for ClickCount {
    fn schema() -> Value {
        u32::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let count = u32::parse(value).ok().filter(|count| (1..=3).contains(count));
        count.map(Self).ok_or_else(|| "1, 2 or 3".into())
    }
}

object! {
    ClickOptions {
        "button" => button: Button,
        "clickCount" => count: ClickCount,
        "modifiers" => modifiers: Vec<Modifier>,
        "timeout" => timeout: Milliseconds,
    }
}

impl ClickOptions {
    fn apply(self, click: &mut Click) {
        let Self { button, count, modifiers, timeout: _ } = self;
        click.button = button.unwrap_or(click.button);
        click.count = count.map_or(click.count, |ClickCount(count)| count);
        click.modifiers = modifiers.unwrap_or_default();
    }
}

/// What both clicks of the `agent` dialect take.
fn agent(face: Face<Click>) -> Face<Click> {
    face.opt("modifiers", "", |click, keys: Vec<Held>| {
        click.modifiers = keys.into_iter().map(|Held(key)| key).collect();
    })
    .within("timeout", "", 5000)
    .on_tab("tabId", "")
    .in_frame("frameId")
}

fn agent_says(did: &str, clicked: &Clicked) -> String {
    let how = if clicked.forced { ", by events on the element itself" } else { "" };
    format!("{did} {}{how}{}", spotted(&clicked.on), healed(clicked.on.healed()))
}

pub(super) fn faces() -> [Face<Click>; 6] {
    [
        BROWSER
            .tool("browser_click", "Click an element")
            .takes(
                must::<Target>(
                    "ref",
                    "A ref (e12), role:button[name=\"Save\"], text:, label: …, CSS, xpath= or :focus",
                ),
                Click::on,
            )
            .example(r#"{"ref": "role:button[name=\"Save\"]", "element": "Save button"}"#)
            .described("element")
            .alias("target", "ref")
            .opt("button", "", |click, button: Button| click.button = button)
            .opt("doubleClick", "", |click, double: bool| click.count = if double { 2 } else { 1 })
            .opt("modifiers", "Keys to hold", |click, keys: Vec<Modifier>| click.modifiers = keys)
            .says(|out| format!("Clicked {}{}", out.done.on, healed(out.done.on.healed()))),
        VISION
            .tool("browser.click", "Click an element on the page")
            .takes(must::<Target>("selector", "CSS selector or @ref from snapshot"), Click::on)
            .example(r#"{"selector": "button#save"}"#)
            .opt("waitForNavigation", "Wait for navigation after click", |click, wait| click.navigates = wait)
            .default(false)
            .within("timeout", "Click timeout in milliseconds", 5000)
            .in_context("sessionId", SESSION)
            .says_of("selector", |selector, _| format!("Clicked element: {selector}")),
        LAUNCH
            .tool("browser_click", "Click an element")
            .takes(Selected { about: "Selector for the element to click", labels: false }, Click::on)
            .example(r#"{"selector": "Save", "selectorType": "text"}"#)
            .opt(
                "options",
                "Click options (button, clickCount, etc.)",
                |click, Manner(how): Manner<ClickOptions>| {
                    how.apply(click);
                },
            )
            .also("options", |call, Manner(how): Manner<ClickOptions>| {
                call.manner.patience = how.timeout.map(Into::into);
            })
            .doing("clicking element")
            .advises("Check if element exists and is actionable")
            .says_of("selector", |selector, _| format!("Successfully clicked element: {selector}")),
        COMPANION
            .tool("browser_click", "Perform click on a web page")
            .takes(must::<Target>("ref", REF), Click::on)
            .example(r#"{"element": "Save button", "ref": "button#save"}"#)
            .described_as("element", ELEMENT)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, out| {
                format!("Successfully clicked element: {target}{}", healed(out.done.on.healed()))
            }),
        agent(AGENT.tool("click", "Click an element or a point").takes(AIM, Click::on))
            .opt("button", "", |click, button| click.button = button)
            .default("left")
            .opt("click_count", "", |click, count| click.count = count)
            .default(1)
            .opt("force", "Though covered or not displayed", |click, force| {
                click.force = force;
            })
            .default(false)
            .opt("no_wait_after", "", |click, leave: bool| click.awaited = !leave)
            .default(false)
            .provided(|click| match click {
                Click { count: 0 | 11.., .. } => {
                    Err(BadArguments::Together("Invalid argument click_count: it must be 1 to 10"))
                }
                Click { aim: Aim::Point(_), force: true, .. } => {
                    Err(BadArguments::Together("Invalid argument force: it needs a selector"))
                }
                _ => Ok(()),
            })
            .knows("forced", "boolean", |out| out.done.forced.then_some(true.into()))
            .example(r#"{"selector": "role:button[name=\"Save\"]"}"#)
            .says(|out| agent_says("Clicked", &out.done)),
        agent(
            AGENT
                .tool("dblclick", "Double-click")
                .takes(Aimed { about: "", ..AIM }, |aim| Click { count: 2, ..Click::on(aim) }),
        )
        .example(r#"{"selector": "text:Card"}"#)
        .says(|out| agent_says("Double-clicked", &out.done)),
    ]
}
