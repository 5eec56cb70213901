//! Looking for elements.

use cicerone_engine::{Property, Query, Target};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{
        LAUNCH,
        launch::{ElementOptions, NoElementOptions, Selected},
    },
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Find {
    target: Target,
}

/// How many of the matches are named.
const NAMED: usize = 5;

/// What was found.
pub(super) struct FoundElements {
    count: usize,
    /// The first of them, in words.
    first: Vec<String>,
    reference: Option<String>,
    visible: bool,
    enabled: bool,
    /// The name given with a role.
    named: Option<String>,
}

impl Capability for Find {
    type On = OnPage;
    type Output = FoundElements;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<FoundElements, Failure> {
        let matches =
            on.page.inspector().element_info(&self.target, &[Property::Visible, Property::Enabled]).await?;
        let first = matches.first();
        let named = match self.target {
            Target::Query(Query::Role { role, name: Some(name), .. }) => {
                Some(format!("role={role}[name=\"{name}\"]"))
            }
            _ => None,
        };
        Ok(FoundElements {
            count: matches.count,
            first: matches.elements.iter().take(NAMED).map(|found| found.element.to_string()).collect(),
            reference: first.map(|first| first.element.reference.to_string()),
            visible: first.and_then(|first| first.visible).unwrap_or_default(),
            enabled: first.and_then(|first| first.enabled).unwrap_or_default(),
            named,
        })
    }
}

impl Output for FoundElements {
    fn facts(&self) -> Map<String, Value> {
        let mut facts =
            facts! { "count" => self.count, "visible" => self.visible, "enabled" => self.enabled };
        if let Some(reference) = &self.reference {
            facts.insert("ref".into(), reference.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "count" => of("integer"), "visible" => of("boolean"), "enabled" => of("boolean"), "ref" => of("string"),
        }
    }
}

pub(super) fn faces() -> [Face<Find>; 1] {
    [LAUNCH
        .tool("browser_find", "Find elements on the page")
        .takes(Selected { about: "CSS selector, text, or role selector", labels: false }, |target| Find {
            target,
        })
        .example(r#"{"selector": "button", "selectorType": "role", "options": {"name": "Save"}}"#)
        .opt(
            "options",
            "Additional locator options (e.g., { name: 'Submit' })",
            |_, ElementOptions(_): ElementOptions<NoElementOptions>| {},
        )
        .unlisted("element", |_, _: String| {})
        .error_context("finding element")
        .says_of("selector", |selector, out| {
            let FoundElements { count, visible, enabled, named, first, .. } = out;
            let selector = named.as_deref().unwrap_or(selector);
            let more = if *count > first.len() { ", …" } else { "" };
            let first =
                if first.is_empty() { String::new() } else { format!("\n{}{more}", first.join(", ")) };
            format!(
                "Found {count} element(s) matching: {selector}\nVisible: {visible}, Enabled: {enabled}{first}"
            )
        })]
}
