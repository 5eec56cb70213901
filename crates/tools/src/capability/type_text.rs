//! Typing into a field.

use std::fmt::Write;

use cicerone_engine::{
    Acted, Field, Filled, Target,
    snapshot::{quoted, quoted_value},
};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{
        AGENT, BROWSER, COMPANION, LAUNCH, VISION,
        agent::named,
        companion::{ELEMENT, REF, TAB},
        launch::Selected,
        vision::SESSION,
    },
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct TypeText {
    field: Field,
    slowly: bool,
    submit: bool,
}

impl Capability for TypeText {
    type On = OnPage;
    type Output = Acted<Filled>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(mut self, on: OnPage) -> Result<Acted<Filled>, Failure> {
        self.field.value = on.call.revealed(self.field.value, &on.page, Some(&self.field.target)).await?;
        Ok(on.page.forms().type_text(&self.field, self.slowly, self.submit).await?)
    }
}

impl Output for Filled {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.element.facts();
        let asked = self.asked.as_ref().filter(|_| !self.unread);
        if let Some(value) = self.value.as_ref().or(self.holds.as_ref()).or(asked) {
            facts.insert("value".into(), value.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "value" => of("string") }
    }
}

/// What a field holds now, in words.
pub(super) fn sentence(filled: &Filled) -> String {
    sentence_for(&filled.element.to_string(), filled.asked.as_deref(), filled)
}

/// The same in the words of the `agent` dialect, with the field's whole value.
fn told_at(filled: &Filled) -> String {
    sentence_for(&named(&filled.element), filled.value.as_deref(), filled)
}

fn sentence_for(element: &str, value: Option<&str>, filled: &Filled) -> String {
    match (value, &filled.holds) {
        _ if filled.unread => format!("{element} was typed into, and is not there any more to be read back"),
        (_, Some(holds)) => {
            format!("{element} now holds {}, which the page made of it", quoted_value(holds, 100))
        }
        (Some(value), None) => format!("{element} now holds {}", quoted_value(value, 100)),
        (None, None) => format!("{element} is filled"),
    }
}

/// What was typed, for dialects that repeat it; a password is not.
fn repeated(filled: &Filled) -> String {
    let asked = filled.asked.as_ref().map(|asked| format!("\nText: {asked}")).unwrap_or_default();
    let holds = match &filled.holds {
        Some(holds) => {
            format!("\nNote: the field now holds {}, which the page made of it", quoted_value(holds, 100))
        }
        None if filled.unread => "\nNote: the field is not there any more to be read back".into(),
        None => String::new(),
    };
    format!("{asked}{holds}")
}

/// `Filled input#user with "ada"`; a password is not repeated.
fn filled_with(selector: &str, filled: &Filled) -> String {
    let mut text = format!("Filled {selector}");
    if let Some(asked) = &filled.asked {
        let _ = write!(text, " with {}", quoted(asked, 1_000));
    }
    if let Some(holds) = &filled.holds {
        let _ = write!(
            text,
            "\nNote: the field now holds {}, which the page made of it",
            quoted_value(holds, 100)
        );
    } else if filled.unread {
        text.push_str("\nNote: the field is not there any more to be read back");
    }
    text
}

fn into((target, value): (Target, String)) -> TypeText {
    TypeText { field: Field { target, value, append: false, force: false }, slowly: false, submit: false }
}

fn by_force(filled: &Filled) -> &'static str {
    if filled.forced { "; it was set, not typed" } else { "" }
}

pub(super) fn faces() -> [Face<TypeText>; 6] {
    [
        BROWSER
            .tool("browser_type", "Replace what a field holds with a text")
            .takes((must("ref", ""), must("text", "")), into).example(r#"{"ref": "label:Email", "text": "ada@example.com"}"#)
            .described("element")
            .alias("target", "ref")
            .types_secrets()
            .opt("submit", "Press Enter after it", |type_text, submit| type_text.submit = submit)
            .opt("slowly", "One key at a time", |type_text, slowly| type_text.slowly = slowly)
            .says(|out| format!("Typed: {}", sentence(&out.done))),
        VISION
            .tool("browser.fill", "Fill an input field with text")
            .takes(
                (must("selector", "CSS selector or @ref for input element"), must("value", "Value to fill")),
                into,
            )
            .example(r#"{"selector": "input[type=email]", "value": "ada@example.com"}"#)
            .types_secrets()
            .opt("clearFirst", "Clear existing value before filling", |fill, clear: bool| {
                fill.field.append = !clear;
            })
            .default(true)
            .in_context("sessionId", SESSION)
            .says_of("selector", |selector, out| filled_with(selector, &out.done)),
        LAUNCH
            .tool("browser_type", "Type text into an element (input, textarea)")
            .takes(
                (
                    Selected { about: "Selector for the input element", labels: true },
                    must("text", "Text to type"),
                ),
                into,
            ).example(r#"{"selector": "Email", "selectorType": "label", "text": "ada@example.com"}"#)
            .types_secrets()
            .opt("clear", "Clear existing text before typing", |type_text, clear: bool| {
                type_text.field.append = !clear;
            })
            .default(true)
            .error_context("typing into element")
            .says_of("selector", |selector, out| {
                format!("Successfully typed into element: {selector}{}", repeated(&out.done))
            }),
        COMPANION
            .tool("browser_type", "Type text into editable element")
            .takes((must("ref", REF), must("text", "Text to type into the element")), into).example(r#"{"element": "Email input", "ref": "input[type='email']", "text": "ada@example.com", "submit": false}"#)
            .described_as("element", ELEMENT)
            .types_secrets()
            .opt("submit", "Whether to submit entered text (press Enter after)", |type_text, submit| {
                type_text.submit = submit;
            })
            .default(false)
            .on_tab("tabId", TAB)
            .says_of("ref", |target, out| {
                format!("Successfully typed into element: {target}{}", repeated(&out.done))
            }),
        AGENT
            .tool("fill", "Fill a field")
            .takes((must("selector", ""), must("value", "")), into)
            .example(r#"{"selector": "label:Email", "value": "ada@example.com"}"#)
            .types_secrets()
            .opt("clear", "false appends", |fill, clear: bool| fill.field.append = !clear)
            .default(true)
            .opt("force", "Though not shown or editable", |fill, force| fill.field.force = force)
            .default(false)
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .fact("forced", "boolean", |out| out.done.forced.then_some(true.into()))
            .says(|out| format!("Filled: {}{}", told_at(&out.done), by_force(&out.done))),
        AGENT
            .tool("clear", "Clear a field")
            .takes(must("selector", ""), |target| into((target, String::new())))
            .example(r#"{"selector": "label:Email"}"#)
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .says(|out| format!("Cleared: {}", told_at(&out.done))),
    ]
}
