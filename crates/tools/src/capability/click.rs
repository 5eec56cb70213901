//! Clicking an element.

use cicerone_engine::{Acted, Button, Click, Clicked, Modifier};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, Milliseconds, object},
    dialect::{
        BROWSER, COMPANION, LAUNCH,
        companion::{ELEMENT, REF, TAB},
        launch::{Manner, Selected},
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

pub(super) fn faces() -> [Face<Click>; 3] {
    [
        BROWSER
            .tool("browser_click", "Click an element")
            .takes(must("ref", "Element ref from the snapshot, or a selector"), Click::on)
            .example(r#"{"ref": "role:button[name=\"Save\"]", "element": "Save button"}"#)
            .described("element")
            .opt("button", "", |click, button: Button| click.button = button)
            .opt("doubleClick", "", |click, double: bool| click.count = if double { 2 } else { 1 })
            .opt("modifiers", "Keys to hold", |click, keys: Vec<Modifier>| click.modifiers = keys)
            .says(|out| format!("Clicked {}{}", out.done.element, healed(out.done.healed))),
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
            .says_of("selector", |selector, _| format!("Successfully clicked element: {selector}")),
        COMPANION
            .tool("browser_click", "Perform click on a web page")
            .takes(must("ref", REF), Click::on)
            .example(r#"{"element": "Save button", "ref": "button#save"}"#)
            .described_as("element", ELEMENT)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, out| {
                format!("Successfully clicked element: {target}{}", healed(out.done.healed))
            }),
    ]
}
