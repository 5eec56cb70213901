//! Looking for elements by what they are and say, or letting a person pick one.

use std::{fmt::Write, time::Duration};

use cicerone_engine::{
    Bounds, Checked, ElementError, ElementInfo, Error, Property, Query, Target,
    snapshot::{plain, quoted},
};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::{
        AGENT,
        locators::{Means, Narrowing},
    },
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

/// What is looked for, and what of it is wanted.
pub(super) struct QueryElements {
    by: By,
    value: Option<String>,
    options: Narrowing,
    nth: Option<i64>,
    wanted: Wanted,
    attribute: Option<String>,
    timeout: Duration,
}

/// How it is looked for.
#[derive(Clone, Copy)]
enum By {
    Means(Means),
    Picker,
}

choices! {
    By {
        "role" => By::Means(Means::Role),
        "text" => By::Means(Means::Text),
        "label" => By::Means(Means::Label),
        "placeholder" => By::Means(Means::Placeholder),
        "alt" => By::Means(Means::Alt),
        "title" => By::Means(Means::Title),
        "testid" => By::Means(Means::TestId),
        "picker" => By::Picker,
    }
    Wanted {
        "ref" => Wanted::Ref,
        "count" => Wanted::Count,
        "text" => Wanted::Text,
        "attribute" => Wanted::Attribute,
        "bounds" => Wanted::Bounds,
        "all" => Wanted::All,
    }
}

/// What is wanted of what is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Ref,
    Count,
    Text,
    Attribute,
    Bounds,
    All,
}

/// What was found.
pub(super) struct QueryResult {
    wanted: Wanted,
    attribute: Option<String>,
    /// How many match.
    count: usize,
    /// The one that is meant.
    element: Option<ElementInfo>,
}

/// The default timeout of the element picker.
const TIMEOUT: Duration = Duration::from_secs(120);

impl Capability for QueryElements {
    /// In its turn, unless a person is waited for.
    type On = BesidePage;
    type Output = QueryResult;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<QueryResult, Failure> {
        let target = match self.by {
            By::Means(means) => Target::Query(self.query(means)),
            By::Picker => {
                // Calls before it are done then; others go on while the person picks.
                drop(on.in_turn().await?);
                on.call.progress.tell(0.0, None, "waiting for a person to pick an element");
                let picked = on.page.inspector().pick(self.timeout).await?;
                Target::Ref(picked.reference)
            }
        };
        let _turn = on.in_turn().await?;
        let matches = on.page.inspector().element_info(&target, &self.properties()).await?;
        let Self { wanted, attribute, .. } = self;
        match matches.elements.into_iter().next() {
            None if wanted != Wanted::Count => Err(Error::Element(ElementError::NoMatch { target }).into()),
            element => Ok(QueryResult { wanted, attribute, count: matches.count, element }),
        }
    }
}

impl QueryElements {
    fn by(by: By) -> Self {
        let options = Narrowing::default();
        Self { by, value: None, options, nth: None, wanted: Wanted::Ref, attribute: None, timeout: TIMEOUT }
    }

    /// The elements; where they are only counted, all of them.
    fn query(&self, means: Means) -> Query {
        let query = means.visible_query(self.value.clone().unwrap_or_default(), &self.options);
        match self.nth {
            // No page has more elements.
            Some(nth) if self.wanted != Wanted::Count => query.nth(i32::try_from(nth).unwrap_or(i32::MAX)),
            _ => query,
        }
    }

    fn properties(&self) -> Vec<Property> {
        match self.wanted {
            Wanted::Ref | Wanted::Count => Vec::new(),
            Wanted::Text => vec![Property::Text],
            Wanted::Attribute => self.attribute.clone().map(Property::Attribute).into_iter().collect(),
            Wanted::Bounds => vec![Property::Bounds],
            Wanted::All => vec![
                Property::Text,
                Property::Value,
                Property::Bounds,
                Property::Tag,
                Property::Visible,
                Property::Enabled,
                Property::Checked,
                Property::Attributes,
            ],
        }
    }
}

impl Output for QueryResult {
    fn facts(&self) -> Map<String, Value> {
        let Some(found) = &self.element else { return facts! { "count" => self.count } };
        if self.wanted == Wanted::Count {
            return facts! { "count" => self.count };
        }
        let mut facts = facts! { "ref" => format!("@{}", found.element.reference), "count" => self.count };
        if matches!(self.wanted, Wanted::Ref | Wanted::All) {
            facts.insert("role".into(), found.element.role.clone().into());
            facts.insert("name".into(), found.accessible_name().into());
        }
        let mut add_fact = |name: &str, value: Option<Value>| {
            facts.extend(value.map(|value| (name.to_owned(), value)));
        };
        add_fact("text", found.text.clone().map(Value::from));
        add_fact("bounds", found.bounds.map(bounds));
        match &self.attribute {
            Some(name) if self.wanted == Wanted::Attribute => {
                add_fact("value", Some(found.attribute(name).map_or(Value::Null, Value::from)));
            }
            _ => add_fact("value", found.value.clone().map(Value::from)),
        }
        if self.wanted == Wanted::All {
            add_fact("tag", found.tag.clone().map(Value::from));
            add_fact("visible", found.visible.map(Value::from));
            add_fact("enabled", found.enabled.map(Value::from));
            add_fact("checked", found.checked.map(checked));
            let attributes =
                found.attributes.iter().map(|(name, value)| (name.clone(), value.clone().into()));
            add_fact("attributes", Some(Value::Object(attributes.collect())));
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "ref" => of("string"), "count" => of("integer"), "role" => of("string"), "name" => of("string"),
            "text" => of("string"), "value" => json!({}), "bounds" => of("object"), "tag" => of("string"),
            "attributes" => of("object"), "visible" => of("boolean"), "enabled" => of("boolean"), "checked" => json!({}),
        }
    }
}

/// As the facts of a reply have it.
fn bounds(Bounds { x, y, width, height }: Bounds) -> Value {
    json!({ "x": x, "y": y, "width": width, "height": height })
}

fn checked(checked: Checked) -> Value {
    match checked {
        Checked::Yes => true.into(),
        Checked::No => false.into(),
        Checked::Mixed => "mixed".into(),
    }
}

/// How much of a text is said; the facts have all of it.
const SAID: usize = 2_000;

fn sentence(found: &QueryResult) -> String {
    let Some(info) = found.element.as_ref().filter(|_| found.wanted != Wanted::Count) else {
        return format!(
            "{} found",
            if found.count == 1 { "1 element".into() } else { format!("{} elements", found.count) }
        );
    };
    let element = &info.element;
    let text = || plain(info.text.as_deref().unwrap_or_default(), SAID);
    let place = || {
        let Bounds { x, y, width, height } = info.bounds.unwrap_or_default();
        format!("{width}x{height} at {x},{y}")
    };
    match found.wanted {
        Wanted::Count | Wanted::Ref => {
            let others = match found.count {
                0 | 1 => String::new(),
                count => format!(", the first of {count}"),
            };
            format!("@{} {}{others}", element.reference, element.kind())
        }
        Wanted::Text => text(),
        Wanted::Attribute => {
            let name = found.attribute.as_deref().unwrap_or_default();
            let value = info.attribute(name).map(|value| plain(value, SAID));
            value.unwrap_or_else(|| format!("{} has no attribute {}", element.kind(), quoted(name, 100)))
        }
        Wanted::Bounds => place(),
        Wanted::All => {
            let mut all = format!("@{} {}, {}", element.reference, element.kind(), place());
            // Writing to a string cannot fail.
            let _ = write!(all, "\nText: {}", text());
            for (name, value) in &info.attributes {
                let _ = write!(all, "\n{}={}", plain(name, 100), quoted(value, 300));
            }
            all
        }
    }
}

pub(super) fn faces() -> [Face<QueryElements>; 1] {
    [AGENT
        .tool("query", "Find elements; picker: a person clicks one")
        .takes(must("by", ""), QueryElements::by)
        .example(r#"{"by": "role", "value": "button", "options": {"name": "Save"}}"#)
        .opt("value", "", |query, value| query.value = Some(value))
        .required()
        .opt("options", "", |query, options| query.options = options)
        .opt("nth", "-1: last", |query, nth| query.nth = Some(nth))
        .opt("return", "", |query, wanted| query.wanted = wanted)
        .default("ref")
        .opt("attribute", "", |query, name| query.attribute = Some(name))
        .unlisted("timeout", |query, timeout: crate::argument::Milliseconds| query.timeout = timeout.into())
        .on_tab("tabId", "")
        .in_frame("frameId")
        .validate(|query| match query {
            QueryElements { by: By::Means(_), value: None, .. } => Err(BadArguments::Missing("value")),
            QueryElements { wanted: Wanted::Attribute, attribute: None, .. } => {
                Err(BadArguments::Missing("attribute"))
            }
            _ => Ok(()),
        })
        .says(sentence)]
}
