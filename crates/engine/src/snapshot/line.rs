//! One node as one line: the part before its ref and the part after.

use std::{borrow::Cow, fmt::Write};

use serde::Deserialize;

use super::{
    html::Markup,
    text::{in_lines, plain, quoted, truncated, truncation_mark},
};

/// A node as the injected script reports it: depth, number, role, name, and more.
#[derive(Deserialize)]
pub(crate) struct Told<'a>(
    pub(crate) u32,
    pub(crate) u32,
    #[serde(borrow)] pub(crate) Cow<'a, str>,
    #[serde(borrow)] pub(crate) Cow<'a, str>,
    #[serde(default)] pub(crate) Props,
);

/// The optional part of a node.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Props {
    checked: Option<Tristate>,
    disabled: bool,
    expanded: Option<bool>,
    level: Option<u32>,
    pressed: Option<Tristate>,
    selected: bool,
    pub(crate) active: bool,
    required: bool,
    invalid: bool,
    readonly: bool,
    multiline: bool,
    modal: bool,
    current: Option<Loose>,
    sorted: Option<String>,
    pub(super) value: Option<String>,
    pub(super) placeholder: Option<String>,
    pub(super) url: Option<String>,
    pub(super) description: Option<String>,
    pub(crate) clickable: bool,
    pub(crate) draggable: bool,
    pub(crate) scrollable: bool,
    pub(crate) frame: bool,
    hidden: bool,
    pub(super) files: Option<Loose>,
    pub(super) valuemin: Option<Loose>,
    pub(super) valuemax: Option<Loose>,
    pub(crate) native: bool,
    /// The number of characters of a text of which the injected script left some out.
    truncated: Option<usize>,
    /// A text that was asked for in full.
    full: bool,
    /// Not actionable although its role is.
    idle: bool,
    /// A name from the markup of an unnamed element.
    pub(super) hint: Option<String>,
    /// Visible text that is hidden from assistive technology.
    #[serde(rename = "ariaHidden")]
    pub(super) aria_hidden: bool,
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Its box in the frame, if requested.
    #[serde(rename = "box")]
    pub(super) area: Option<Area>,
    /// Its markup, if requested.
    pub(crate) markup: Option<Markup>,
}

/// A box in a frame.
#[derive(Deserialize, Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Tristate {
    Sure(bool),
    Other(String),
}

/// A state: `disabled`, or `level` with its value.
pub(super) struct State {
    pub(super) name: Cow<'static, str>,
    pub(super) value: Option<String>,
}

/// A value of any type.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Loose {
    Yes(bool),
    Number(f64),
    Text(String),
    List(Vec<String>),
}

/// Interactive roles. Elements with them show their ref, like everything else that is clickable.
const ACTED_ON: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "link",
    "doc-backlink",
    "doc-biblioref",
    "doc-glossref",
    "doc-noteref",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "scrollbar",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
    "gridcell",
    "heading",
    "img",
    "image",
    "iframe",
    "dialog",
    "alertdialog",
    "canvas",
    "video",
    "audio",
    "menu",
    "tabpanel",
    "date",
    "time",
    "datetime",
    "color",
    "file",
];

/// Maximum length of a text, a name, a value, a URL.
pub(super) const TEXT: usize = 4_000;
pub(super) const NAME: usize = 1_000;
pub(super) const URL: usize = 300;
const HINT: usize = 60;

impl Told<'_> {
    /// Whether it is text, not an element.
    pub(crate) fn is_text(&self) -> bool {
        self.1 == 0
    }

    /// Whether the line has a ref.
    pub(crate) fn shows_ref(&self) -> bool {
        let Self(_, number, role, _, props) = self;
        *number != 0
            && !props.native
            && !props.idle
            && (props.clickable
                || props.draggable
                || props.scrollable
                || props.frame
                || ACTED_ON.contains(&&**role))
    }

    /// Whether its role is interactive.
    pub(super) fn has_role_to_act_on(&self) -> bool {
        ACTED_ON.contains(&&*self.2)
    }

    /// Maximum length of its text. In full, the injected script keeps to the limit.
    pub(super) fn most_text(&self) -> usize {
        if self.4.full { usize::MAX } else { TEXT }
    }

    /// What follows its text if that is truncated.
    pub(super) fn truncation_mark(&self) -> String {
        match self.4.truncated {
            Some(total) => truncated(total),
            None => truncation_mark(&self.3, self.most_text()),
        }
    }

    /// Whether its text is truncated, but was not asked for in full.
    pub(super) fn can_be_full(&self) -> bool {
        self.is_text() && !self.4.full && !self.truncation_mark().is_empty()
    }

    /// A text in quotes.
    pub(super) fn text(&self) -> String {
        let mark = if self.4.aria_hidden { " [aria-hidden]" } else { "" };
        format!("text{mark}: {}{}", quoted(&self.3, self.most_text()), self.truncation_mark())
    }

    /// Role, name and states.
    pub(crate) fn before_ref(&self) -> String {
        if self.is_text() {
            let mark = if self.4.aria_hidden { " [aria-hidden]" } else { "" };
            return format!("text{mark}: {}{}", plain(&self.3, self.most_text()), self.truncation_mark());
        }
        self.named() + &self.states()
    }

    /// Role and name.
    pub(super) fn named(&self) -> String {
        let Self(_, _, role, name, _) = self;
        let mut line = plain(role, 40);
        if !name.is_empty() {
            let _ = write!(line, " {}", quoted(name, NAME));
        }
        line
    }

    /// States, each in brackets.
    pub(super) fn states(&self) -> String {
        let mut line = String::new();
        for State { name, value } in self.state_list() {
            let _ = match value {
                Some(value) => write!(line, " [{name}={value}]"),
                None => write!(line, " [{name}]"),
            };
        }
        line
    }

    /// Its states.
    pub(super) fn state_list(&self) -> Vec<State> {
        let props = &self.4;
        let mut states = Vec::new();
        if let Some(kind) = &props.kind {
            states.push(State { name: plain(kind, 20).into(), value: None });
        }
        let mut state = |on: bool, word: &'static str| {
            if on {
                states.push(State { name: word.into(), value: None });
            }
        };
        state(props.disabled, "disabled");
        state(props.selected, "selected");
        state(props.required, "required");
        state(props.invalid, "invalid");
        state(props.readonly, "readonly");
        state(props.multiline, "multiline");
        state(props.modal, "modal");
        state(props.hidden, "hidden");
        state(props.clickable, "clickable");
        state(props.draggable, "draggable");
        state(props.scrollable, "scrollable");
        state(props.expanded == Some(true), "expanded");
        state(props.expanded == Some(false), "collapsed");
        let mut three = |value: &Option<Tristate>, word: &'static str| {
            let value = match value {
                Some(Tristate::Sure(true)) => None,
                Some(Tristate::Other(other)) => Some(plain(other, 20)),
                _ => return,
            };
            states.push(State { name: word.into(), value });
        };
        three(&props.checked, "checked");
        three(&props.pressed, "pressed");
        if let Some(sorted) = &props.sorted {
            states.push(State { name: "sorted".into(), value: Some(plain(sorted, 20)) });
        }
        if let Some(level) = props.level {
            states.push(State { name: "level".into(), value: Some(level.to_string()) });
        }
        if let Some(current) = &props.current {
            let value = Some(current.shown()).filter(|current| current != "true");
            states.push(State { name: "current".into(), value });
        }
        states
    }

    /// The name from its markup, if it has no other: ` ~trash`.
    pub(super) fn hint(&self) -> String {
        self.4.hint.as_ref().map_or_else(String::new, |hint| format!(" ~{}", plain(hint, HINT)))
    }

    /// Value, URL and the like.
    pub(crate) fn after_ref(&self) -> String {
        let Self(_, _, _, _, props) = self;
        let mut line = self.hint();
        if let (Some(least), Some(most)) = (&props.valuemin, &props.valuemax) {
            let _ = write!(line, " ({}–{})", least.shown(), most.shown());
        }
        if let Some(url) = &props.url {
            let _ = write!(line, " /url: {}", plain(url, URL));
        }
        let value = props.value.as_deref().filter(|value| !value.is_empty());
        // A placeholder is visible only without a value, and must not be taken for one.
        if let Some(placeholder) = props.placeholder.as_ref().filter(|_| value.is_none()) {
            let _ = write!(line, " /placeholder: {}", quoted(placeholder, 200));
        }
        if let Some(description) = &props.description {
            let _ = write!(line, " /description: {}", plain(description, 200));
        }
        if let Some(files) = &props.files {
            let _ = write!(line, " /files: {}", files.shown());
        }
        if let Some(value) = value {
            let _ = write!(line, ": {}", in_lines(value, NAME, false));
        }
        line
    }
}

impl Loose {
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Yes(yes) => yes.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => plain(text, 200),
            Self::List(list) => plain(&list.join(", "), 500),
        }
    }
}
