//! The `agent` dialect's words for looking for elements, shared by the tools that do.

use cicerone_engine::{Exact, Filter, Query, States};
use serde_json::Value;

use crate::argument::{Argument, object};

/// A way to look for elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    Role,
    Text,
    Label,
    Placeholder,
    Alt,
    Title,
    TestId,
    Css,
    XPath,
}

/// What narrows a search down.
#[derive(Debug, Default)]
pub(crate) struct Narrowing {
    exact: Option<bool>,
    name: Option<String>,
    level: Option<u32>,
    checked: Option<bool>,
    pressed: Option<bool>,
    expanded: Option<bool>,
    include_hidden: Option<bool>,
}

object! {
    Narrowing {
        "exact" => exact: bool = false,
        "name" => name: String,
        "level" => level: u32,
        "checked" => checked: bool,
        "pressed" => pressed: bool,
        "expanded" => expanded: bool,
        "include_hidden" => include_hidden: bool = false,
    }
}

impl Means {
    /// The query for this value.
    pub(crate) fn query(self, value: String, by: &Narrowing) -> Query {
        let exact = by.exact.unwrap_or_default();
        match self {
            Self::Role => Query::Role {
                role: value,
                name: by.name.clone(),
                exact: if exact { Exact::Letter } else { Exact::No },
                states: States {
                    checked: by.checked,
                    expanded: by.expanded,
                    level: by.level,
                    pressed: by.pressed,
                    include_hidden: by.include_hidden.unwrap_or_default(),
                    ..States::default()
                },
            },
            Self::Text => Query::Text { text: value, exact },
            Self::Label => Query::Label { label: value, exact },
            Self::Placeholder => Query::Placeholder { placeholder: value, exact },
            Self::Alt => Query::Alt { alt: value, exact },
            Self::Title => Query::Title { title: value, exact },
            Self::TestId => Query::TestId { testid: value },
            Self::Css => Query::Css { css: value },
            Self::XPath => Query::XPath { xpath: value },
        }
    }

    /// The same, of what can be seen, unless the narrowing says otherwise. Roles look at that by themselves.
    pub(crate) fn visible_query(self, value: String, by: &Narrowing) -> Query {
        let query = self.query(value, by);
        match (self, by.include_hidden) {
            (Self::Role, _) | (_, Some(true)) => query,
            _ => query.filter(Filter { visible: Some(true), ..Filter::default() }),
        }
    }
}
