//! Clicking an element.

use cicerone_engine::{Acted, Button, Click, Clicked, Element, Modifier, PointerTarget, Spot, Target};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, Milliseconds, object},
    dialect::{
        AGENT, BROWSER, COMPANION, LAUNCH, VISION,
        agent::{AIM, Aimed, Held, spotted},
        companion::{ELEMENT, REF, TAB},
        launch::{ElementOptions, Selected},
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
        Ok(on.page.mouse().click(&self).await?)
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

/// How `options` may say that it is clicked.
#[derive(Default)]
struct ClickOptions {
    button: Option<Button>,
    count: Option<ClickCount>,
    modifiers: Option<Vec<Modifier>>,
    force: Option<bool>,
    no_wait_after: Option<bool>,
    timeout: Option<Milliseconds>,
}

/// How many clicks there are to one gesture.
struct ClickCount(u32);

impl Argument for ClickCount {
    fn schema() -> Value {
        u32::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let count = u32::parse(value).ok().filter(|count| (1..=10).contains(count));
        count.map(Self).ok_or_else(|| "a whole number from 1 to 10".into())
    }
}

object! {
    ClickOptions {
        "button" => button: Button,
        "clickCount" => count: ClickCount,
        "modifiers" => modifiers: Vec<Modifier>,
        "force" => force: bool,
        "noWaitAfter" => no_wait_after: bool,
        "timeout" => timeout: Milliseconds,
    }
}

impl ClickOptions {
    fn apply(self, click: &mut Click) {
        let Self { button, count, modifiers, force, no_wait_after, timeout: _ } = self;
        click.button = button.unwrap_or(click.button);
        click.count = count.map_or(click.count, |ClickCount(count)| count);
        if let Some(modifiers) = modifiers {
            click.modifiers = modifiers;
        }
        click.force = force.unwrap_or(click.force);
        click.awaited = no_wait_after.map_or(click.awaited, |leave| !leave);
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

/// How it was done, where that is not by the pointer.
fn by_force(clicked: &Clicked) -> &'static str {
    if clicked.forced { ", by events on the element itself" } else { "" }
}

fn agent_says(did: &str, clicked: &Clicked) -> String {
    format!("{did} {}{}", spotted(&clicked.on), by_force(clicked))
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
            .says(|out| format!("Clicked {}", out.done.on)),
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
                |click, ElementOptions(how): ElementOptions<ClickOptions>| {
                    how.apply(click);
                },
            )
            .sets_call("options", |call, ElementOptions(how): ElementOptions<ClickOptions>| {
                call.options.timeout = how.timeout.map(Into::into);
            })
            .error_context("clicking element")
            .advises("Check if element exists and is actionable")
            .says_of("selector", |selector, out| {
                format!("Successfully clicked element: {selector}{}", by_force(&out.done))
            }),
        COMPANION
            .tool("browser_click", "Perform click on a web page")
            .takes(must::<Target>("ref", REF), Click::on)
            .example(r#"{"element": "Save button", "ref": "button#save"}"#)
            .described_as("element", ELEMENT)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, _| format!("Successfully clicked element: {target}")),
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
            .validate(|click| match click {
                Click { count: 0 | 11.., .. } => {
                    Err(BadArguments::Together("Invalid argument click_count: it must be 1 to 10"))
                }
                Click { aim: PointerTarget::Point(_), force: true, .. } => {
                    Err(BadArguments::Together("Invalid argument force: it needs a selector"))
                }
                _ => Ok(()),
            })
            .fact("forced", "boolean", |out| out.done.forced.then_some(true.into()))
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
