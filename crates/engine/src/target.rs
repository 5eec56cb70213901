//! The one language in which an element is named.

use std::{fmt, str::FromStr};

use crate::{
    query::{Exact, Query, States},
    refs::RefName,
};

/// Which element is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An element of a snapshot.
    Ref(RefName),
    /// A search, as the injected script takes it.
    Query(Query),
}

/// A text that is not a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadTarget {
    /// The text is empty.
    Empty,
    /// A role without its form, `role:button` or `role:button[name="Save"]`.
    Role,
}

impl FromStr for Target {
    type Err = BadTarget;

    fn from_str(text: &str) -> Result<Self, BadTarget> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadTarget::Empty);
        }
        if let Some(name) = RefName::parse(text) {
            return Ok(Self::Ref(name));
        }
        let query = match text.split_once(':') {
            Some(("role", rest)) => role(rest)?,
            Some(("text", rest)) => quoted(rest, |text, exact| Query::Text { text, exact }),
            Some(("label", rest)) => quoted(rest, |label, exact| Query::Label { label, exact }),
            Some(("placeholder", rest)) => {
                quoted(rest, |placeholder, exact| Query::Placeholder { placeholder, exact })
            }
            Some(("alt", rest)) => quoted(rest, |alt, exact| Query::Alt { alt, exact }),
            Some(("title", rest)) => quoted(rest, |title, exact| Query::Title { title, exact }),
            Some(("testid", rest)) => Query::TestId { testid: rest.trim().trim_matches('"').to_owned() },
            _ => match text.strip_prefix("xpath=") {
                Some(xpath) => Query::XPath { xpath: xpath.to_owned() },
                None if text.starts_with("//") || text.starts_with("(//") => {
                    Query::XPath { xpath: text.to_owned() }
                }
                None => Query::Css { css: text.strip_prefix("css=").unwrap_or(text).to_owned() },
            },
        };
        Ok(Self::Query(query))
    }
}

/// `"text"` in quotes is meant whole; bare text is a part.
fn quoted(rest: &str, query: impl Fn(String, bool) -> Query) -> Query {
    let rest = rest.trim();
    match rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(whole) => query(whole.to_owned(), true),
        None => query(rest.to_owned(), false),
    }
}

/// `button`, `button[name="Save"]`.
fn role(rest: &str) -> Result<Query, BadTarget> {
    let rest = rest.trim();
    let Some((role, condition)) = rest.split_once('[') else {
        return match rest {
            "" => Err(BadTarget::Role),
            role => Ok(named(role, None)),
        };
    };
    let name = condition
        .strip_suffix(']')
        .and_then(|condition| condition.trim().strip_prefix("name"))
        .and_then(|condition| condition.trim_start().strip_prefix('='))
        .map(|name| name.trim().trim_matches(['"', '\'']).replace("\\\"", "\""))
        .ok_or(BadTarget::Role)?;
    Ok(named(role.trim(), Some(name)))
}

/// The whole name, in any case.
fn named(role: &str, name: Option<String>) -> Query {
    Query::Role { role: role.to_owned(), name, exact: Exact::Whole, states: States::default() }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ref(name) => name.fmt(f),
            Self::Query(query) => query.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_json(text: &str) -> String {
        match text.parse().unwrap() {
            Target::Ref(name) => format!("ref {name}"),
            Target::Query(query) => serde_json::to_string(&query).unwrap(),
        }
    }

    #[test]
    fn every_form_of_the_language() {
        for (text, meant) in [
            ("e12", "ref e12"),
            ("@e12", "ref e12"),
            ("f2e12", "ref f2e12"),
            ("role:button", r#"{"role":"button","exact":true}"#),
            (r#"role:button[name="Save"]"#, r#"{"role":"button","name":"Save","exact":true}"#),
            ("text:Log in", r#"{"text":"Log in","exact":false}"#),
            (r#"text:"Log in""#, r#"{"text":"Log in","exact":true}"#),
            ("label:Email", r#"{"label":"Email","exact":false}"#),
            ("testid:save", r#"{"testid":"save"}"#),
            ("//button", r#"{"xpath":"//button"}"#),
            ("xpath=id('x')", r#"{"xpath":"id('x')"}"#),
            ("a:hover", r#"{"css":"a:hover"}"#),
            ("#save", r##"{"css":"#save"}"##),
            ("e12 > a", r#"{"css":"e12 > a"}"#),
        ] {
            assert_eq!(as_json(text), meant, "{text}");
        }
        assert!("".parse::<Target>().is_err());
        assert!("role:".parse::<Target>().is_err());
        assert!("role:button[x=1]".parse::<Target>().is_err());
    }
}
