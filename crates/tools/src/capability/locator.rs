//! Looking for an element step by step, and acting on it.

use cicerone_engine::{
    Acted, Click, Element, ElementError, Error, Field, Filter, Outcome, Page, PointerTarget, Query, Target,
};
use serde_json::{Map, Value, json};

use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    argument::{choices, unknown_field},
    bad_arguments::suggestion,
    dialect::{
        AGENT,
        locators::{Means, Narrowing},
    },
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

/// A search, and what is done with what it finds.
pub(super) struct Locator {
    query: Query,
    action: LocatorAction,
    value: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LocatorAction {
    GetRef,
    Click,
    Fill,
    Check,
    Hover,
}

/// What one step does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Find(Means),
    Nth,
    First,
    Last,
    Filter,
    Within,
}

choices! {
    LocatorAction {
        "get_ref" => LocatorAction::GetRef,
        "click" => LocatorAction::Click,
        "fill" => LocatorAction::Fill,
        "check" => LocatorAction::Check,
        "hover" => LocatorAction::Hover,
    }
    Method {
        "role" => Method::Find(Means::Role),
        "text" => Method::Find(Means::Text),
        "label" => Method::Find(Means::Label),
        "placeholder" => Method::Find(Means::Placeholder),
        "testid" => Method::Find(Means::TestId),
        "css" => Method::Find(Means::Css),
        "xpath" => Method::Find(Means::XPath),
        "nth" => Method::Nth,
        "first" => Method::First,
        "last" => Method::Last,
        "filter" => Method::Filter,
        "within" => Method::Within,
    } | {
        "alt" => Method::Find(Means::Alt),
        "title" => Method::Find(Means::Title),
    }
}

/// All steps, as one search.
struct Chain(Query);

impl Argument for Chain {
    fn schema() -> Value {
        json!({ "type": "array", "items": {
            "type": "object",
            "properties": {
                "method": Method::schema(),
                "value": { "type": "string" },
                "options": { "type": "object" },
            },
            "required": ["method"],
        } })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let steps = value.as_array().filter(|steps| !steps.is_empty()).ok_or("a list of steps")?;
        let mut found = None;
        for (at, step) in steps.iter().enumerate() {
            let last = at + 1 == steps.len();
            found = follow(found, step, last).map_err(|expected| format!("a list; step {at} {expected}"))?;
        }
        found.map(Self).ok_or_else(|| "a list with a step that finds elements".into())
    }
}

/// What a step has.
const STEP: [&str; 3] = ["method", "value", "options"];

/// An error if a step has anything else: left out, it would find other elements.
fn check_fields(step: &Value) -> Result<(), String> {
    let fields = step.as_object().ok_or("must be an object")?;
    match fields.keys().find(|name| !STEP.contains(&name.as_str())) {
        Some(option) if Narrowing::FIELDS.contains(&option.as_str()) => {
            Err(format!("must be an object with {}; write {option} inside options", STEP.join(", ")))
        }
        Some(unknown) => Err(format!("must be {}", unknown_field(unknown, &STEP))),
        None => Ok(()),
    }
}

/// One more step.
fn follow(found: Option<Query>, step: &Value, last: bool) -> Result<Option<Query>, String> {
    check_fields(step)?;
    let part = |name: &str| step.get(name).filter(|part| !part.is_null());
    let method = Method::parse(part("method").ok_or("must have a method")?)
        .map_err(|expected| format!("must have a method, {expected}"))?;
    let value = part("value");
    let options = part("options");
    let takes_options = matches!(method, Method::Find(_) | Method::Filter);
    if !takes_options && options.is_some_and(|options| *options != json!({})) {
        return Err("takes no options".into());
    }
    let before = |found: Option<Query>| found.ok_or("must come after one that finds elements");
    Ok(Some(match method {
        Method::Find(means) => {
            let narrowing = options.map_or(Ok(Narrowing::default()), Narrowing::parse);
            let narrowing = narrowing.map_err(|expected| format!("has options that must be {expected}"))?;
            let value = value.map_or(Err("must have a value".to_owned()), String::parse)?;
            let one = means.query(value, &narrowing);
            found.map_or(one.clone(), |found| one.within(found))
        }
        Method::Nth => {
            let nth = value.and_then(number).ok_or("must have a value, a whole number")?;
            before(found)?.nth(nth)
        }
        Method::First => before(found)?.nth(0),
        Method::Last => before(found)?.nth(-1),
        Method::Filter => {
            let options =
                options.ok_or("must have options with hasText, hasNotText, has, hasNot or visible")?;
            before(found)?.filter(filter(options)?)
        }
        // Steps find inside what those before them found; the word says so. With a selector it says where those are.
        Method::Within => match value {
            Some(value) => {
                let outer = selected(value)?;
                found.map_or(outer.clone(), |found| found.within(outer))
            }
            None if last => return Err("must come before one that finds elements".into()),
            None => before(found)?,
        },
    }))
}

/// Numbers are published as texts.
fn number(value: &Value) -> Option<i32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => i64::parse(other).ok()?.try_into().ok(),
    }
}

/// What a filter looks at.
const FILTERS: [&str; 5] = ["hasText", "hasNotText", "has", "hasNot", "visible"];

/// The conditions of a filter.
fn filter(options: &Value) -> Result<Filter, String> {
    let mut filter = Filter::default();
    let text = |value: &Value| String::parse(value);
    for (name, value) in options.as_object().ok_or("has options that must be an object")? {
        match name.as_str() {
            "hasText" | "has_text" => filter.has_text = Some(text(value)?),
            "hasNotText" | "has_not_text" => filter.has_not_text = Some(text(value)?),
            "has" => filter.has = Some(Box::new(inside(value)?)),
            "hasNot" | "has_not" => filter.has_not = Some(Box::new(inside(value)?)),
            "visible" => filter.visible = Some(bool::parse(value)?),
            other => {
                return Err(format!(
                    "filters by {}; not by {other}{}",
                    FILTERS.join(", "),
                    suggestion(other, &FILTERS)
                ));
            }
        }
    }
    Ok(filter)
}

/// What must be inside: a selector, a step, or several.
fn inside(value: &Value) -> Result<Query, String> {
    match value {
        Value::String(_) => selected(value),
        Value::Object(_) => Chain::parse(&json!([value])).map(|Chain(query)| query),
        other => Chain::parse(other).map(|Chain(query)| query),
    }
}

fn selected(value: &Value) -> Result<Query, String> {
    match Target::parse(value)? {
        Target::Query(query) => Ok(query),
        Target::Ref(_) => Err("must be a selector, not a ref".into()),
    }
}

/// What was found, and what came of acting on it.
pub(super) struct Located {
    /// Nothing for a point.
    element: Option<Element>,
    /// How many match.
    count: usize,
    /// What was done, as a verb.
    done: &'static str,
    /// What a field holds now.
    value: Option<Value>,
    /// Whether a box is checked now.
    checked: Option<bool>,
    came: Option<Acted<()>>,
}

impl Capability for Locator {
    type On = OnPage;
    type Output = Located;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Located, Failure> {
        let page = &on.page;
        let target = Target::Query(self.query);
        Ok(match self.action {
            LocatorAction::GetRef => found(page, target).await?,
            LocatorAction::Click => {
                let Acted { done, outcome } = page.mouse().click(&Click::on(target)).await?;
                Located::after("Clicked", done.on.element().cloned(), outcome)
            }
            LocatorAction::Hover => {
                let Acted { done, outcome } = page.mouse().hover(&PointerTarget::Element(target)).await?;
                Located::after("Hovered over", done.element().cloned(), outcome)
            }
            LocatorAction::Fill => {
                let value = on.call.revealed(self.value.unwrap_or_default(), page, Some(&target)).await?;
                let field = Field { target, value, append: false, force: false };
                let Acted { done, outcome } = page.forms().type_text(&field, false, false).await?;
                let value = done.facts().remove("value");
                Located { value, ..Located::after("Filled", Some(done.element), outcome) }
            }
            LocatorAction::Check => {
                let Acted { done, outcome } = page.forms().check(&target, true, false).await?;
                let checked = (!done.unread).then_some(done.on);
                Located { checked, ..Located::after("Checked", Some(done.element), outcome) }
            }
        })
    }
}

impl Located {
    fn after(done: &'static str, element: Option<Element>, outcome: Outcome) -> Self {
        Self { element, count: 1, done, value: None, checked: None, came: Some(Acted { done: (), outcome }) }
    }
}

async fn found(page: &Page, target: Target) -> Result<Located, Failure> {
    let matches = page.inspector().element_info(&target, &[]).await?;
    let count = matches.count;
    let found =
        matches.elements.into_iter().next().ok_or(Error::Element(ElementError::NoMatch { target }))?;
    Ok(Located { element: Some(found.element), count, done: "Found", value: None, checked: None, came: None })
}

impl Output for Located {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.came.as_ref().map(Output::facts).unwrap_or_default();
        facts.insert("count".into(), self.count.into());
        if let Some(Element { role, name, reference }) = &self.element {
            facts.extend(facts! {
                "ref" => format!("@{reference}"), "role" => role.clone(), "name" => name.clone(),
            });
        }
        facts.extend(self.value.clone().map(|value| ("value".to_owned(), value)));
        facts.extend(self.checked.map(|checked| ("checked".to_owned(), checked.into())));
        facts
    }

    fn schema() -> Map<String, Value> {
        let mut schema = Acted::<()>::schema();
        schema.extend(Self::terse_schema());
        schema
    }

    fn terse_schema() -> Map<String, Value> {
        let mut schema = Acted::<()>::terse_schema();
        schema.extend(facts! {
            "ref" => of("string"), "role" => of("string"), "name" => of("string"), "count" => of("integer"),
            "value" => of("string"), "checked" => of("boolean"),
        });
        schema
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.came.as_ref().map(|came| &came.outcome)
    }
}

pub(super) fn faces() -> [Face<Locator>; 1] {
    [AGENT
        .tool(
            "locator",
            "Find an element in steps, each inside the last; act on it",
        )
        .takes(must("chain", ""), |Chain(query)| Locator { query, action: LocatorAction::GetRef, value: None })
        .example(
            r#"{"chain": [{"method": "role", "value": "button"}, {"method": "filter", "options": {"hasText": "Save"}}], "action": "click"}"#,
        )
        .types_secrets()
        .opt("action", "", |locator, action| locator.action = action)
        .opt("fill_value", "", |locator, value| locator.value = Some(value))
        .on_tab("tabId", "")
        .in_frame("frameId")
        .validate(|locator| match locator {
            Locator { action: LocatorAction::Fill, value: None, .. } => Err(BadArguments::Missing("fill_value")),
            _ => Ok(()),
        })
        .says(|out| {
            let Located { element, count, done, .. } = out;
            let others = if *count > 1 { format!(", the first of {count}") } else { String::new() };
            let element =
                element.as_ref().map(|element| format!(" @{} {}", element.reference, element.kind()));
            format!("{done}{}{others}", element.unwrap_or_default())
        })]
}
