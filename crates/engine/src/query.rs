//! Selectors for elements: CSS, XPath, role, text and others; chained and filtered.
//!
//! A [`Query`] serialises to the format of the injected script.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::snapshot::quoted;

/// A selector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", untagged)]
pub enum Query {
    /// CSS, piercing open shadow roots.
    Css {
        /// The selector.
        css: String,
    },
    XPath {
        /// The expression.
        xpath: String,
    },
    /// By role, with optional name and states.
    Role {
        /// The ARIA role.
        role: String,
        /// The accessible name.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// How the name must match.
        exact: Exact,
        /// Required states.
        #[serde(flatten)]
        states: States,
    },
    /// By visible text.
    Text {
        text: String,
        /// Match the whole text, case-sensitively; otherwise a substring, case-insensitively.
        exact: bool,
    },
    /// By the label of a field.
    Label {
        label: String,
        /// Match the whole text, case-sensitively; otherwise a substring, case-insensitively.
        exact: bool,
    },
    /// By placeholder.
    Placeholder {
        placeholder: String,
        /// Match the whole text, case-sensitively; otherwise a substring, case-insensitively.
        exact: bool,
    },
    /// By alternative text.
    Alt {
        /// The text.
        alt: String,
        /// Match the whole text, case-sensitively; otherwise a substring, case-insensitively.
        exact: bool,
    },
    /// By title.
    Title {
        title: String,
        /// Match the whole text, case-sensitively; otherwise a substring, case-insensitively.
        exact: bool,
    },
    /// By `data-testid`.
    TestId {
        /// The id.
        testid: String,
    },
    /// A chain of steps.
    Chain {
        /// The steps.
        chain: Vec<Step>,
    },
}

/// How a name must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Exact {
    /// A substring, case-insensitively.
    #[default]
    No,
    /// The whole name, case-insensitively.
    Whole,
    /// The whole name, case-sensitively.
    Letter,
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::No => serializer.serialize_bool(false),
            Self::Whole => serializer.serialize_bool(true),
            Self::Letter => serializer.serialize_str("case"),
        }
    }
}

/// ARIA states; `None` matches any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct States {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    /// Include elements hidden from assistive technology.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_hidden: bool,
}

/// A step of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// Descendants of the matches so far; of the document in the first step.
    Find(Query),
    /// One match by index; negative counts from the end.
    Nth {
        /// The index.
        nth: i32,
    },
    /// The matches that meet a condition.
    Filter {
        /// The condition.
        filter: Filter,
    },
}

/// Conditions; all must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// Contains this text, case-insensitively.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_text: Option<String>,
    /// Does not contain this text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_not_text: Option<String>,
    /// Contains a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has: Option<Box<Query>>,
    /// Contains no match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_not: Option<Box<Query>>,
    /// Visible or hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
}

impl Query {
    /// Its nth match; negative counts from the end.
    #[must_use]
    pub fn nth(self, nth: i32) -> Self {
        self.then(Step::Nth { nth })
    }

    /// Its matches inside the matches of another.
    #[must_use]
    pub fn within(self, outer: Self) -> Self {
        match self {
            Self::Chain { chain } => chain.into_iter().fold(outer, Self::then),
            one => outer.then(Step::Find(one)),
        }
    }

    /// Its matches that meet a condition.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Self {
        self.then(Step::Filter { filter })
    }

    fn then(self, step: Step) -> Self {
        let mut chain = match self {
            Self::Chain { chain } => chain,
            one => vec![Step::Find(one)],
        };
        chain.push(step);
        Self::Chain { chain }
    }

    /// If the last step is `nth`: the query without it, and the index.
    pub(crate) fn last_choice(&self) -> Option<(Self, i32)> {
        match self {
            Self::Chain { chain } => match chain.split_last() {
                Some((Step::Nth { nth }, before)) if !before.is_empty() => {
                    Some((Self::Chain { chain: before.to_vec() }, *nth))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Css { css: text } | Self::XPath { xpath: text } => f.write_str(text),
            Self::Role { role, name, states, .. } => {
                write!(f, "role:{role}")?;
                if let Some(name) = name {
                    write!(f, "[name=\"{name}\"]")?;
                }
                states.fmt(f)
            }
            Self::Text { text, .. } => write!(f, "text:{text}"),
            Self::Label { label, .. } => write!(f, "label:{label}"),
            Self::Placeholder { placeholder, .. } => write!(f, "placeholder:{placeholder}"),
            Self::Alt { alt, .. } => write!(f, "alt:{alt}"),
            Self::Title { title, .. } => write!(f, "title:{title}"),
            Self::TestId { testid } => write!(f, "testid:{testid}"),
            Self::Chain { chain } => {
                for (at, step) in chain.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { " >> " })?;
                    step.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = [
            ("checked", self.checked),
            ("disabled", self.disabled),
            ("expanded", self.expanded),
            ("pressed", self.pressed),
            ("selected", self.selected),
            ("hidden too", self.include_hidden.then_some(true)),
        ];
        for (state, wanted) in states {
            match wanted {
                Some(true) => write!(f, "[{state}]")?,
                Some(false) => write!(f, "[{state}=false]")?,
                None => {}
            }
        }
        self.level.map_or(Ok(()), |level| write!(f, "[level={level}]"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Find(query) => query.fmt(f),
            Self::Nth { nth } => write!(f, "nth {nth}"),
            Self::Filter { filter } => filter.fmt(f),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("those")?;
        if let Some(text) = &self.has_text {
            write!(f, " with {}", quoted(text, 80))?;
        }
        if let Some(text) = &self.has_not_text {
            write!(f, " without {}", quoted(text, 80))?;
        }
        if let Some(inside) = &self.has {
            write!(f, " with ({inside})")?;
        }
        if let Some(inside) = &self.has_not {
            write!(f, " without ({inside})")?;
        }
        match self.visible {
            Some(true) => f.write_str(" visible"),
            Some(false) => f.write_str(" hidden"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn css(css: &str) -> Query {
        Query::Css { css: css.to_owned() }
    }

    fn role(role: &str, states: States) -> Query {
        Query::Role { role: role.to_owned(), name: Some("Save".to_owned()), exact: Exact::Letter, states }
    }

    #[test]
    fn options_and_steps_as_the_injected_script_takes_them() {
        let states =
            States { checked: Some(false), level: Some(2), include_hidden: true, ..States::default() };
        let filter = Filter { has_text: Some("new".to_owned()), visible: Some(true), ..Filter::default() };
        let query = role("button", states).within(css("li").filter(filter).nth(1)).nth(-1);
        assert_eq!(
            serde_json::to_value(&query).unwrap(),
            serde_json::json!({ "chain": [
                { "css": "li" },
                { "filter": { "hasText": "new", "visible": true } },
                { "nth": 1 },
                { "role": "button", "name": "Save", "exact": "case", "checked": false, "level": 2, "includeHidden": true },
                { "nth": -1 },
            ] })
        );
        assert_eq!(
            query.to_string(),
            "li >> those with \"new\" visible >> nth 1 >> role:button[name=\"Save\"][checked=false][hidden too][level=2] >> nth -1"
        );
    }

    #[test]
    fn a_chain_inside_another_keeps_its_steps_in_order() {
        let inner = css("b").nth(0).filter(Filter::default());
        let steps = inner.within(css("a")).to_string();
        assert_eq!(steps, "a >> b >> nth 0 >> those");
    }

    #[test]
    fn the_choice_that_ends_a_query_can_be_taken_off() {
        let (all, nth) = css("li").nth(2).last_choice().unwrap();
        assert_eq!((all.to_string().as_str(), nth), ("li", 2));
        assert_eq!(css("li").last_choice(), None);
    }
}
