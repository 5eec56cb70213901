use cicerone_engine::{ContextError, TabError, WindowId, snapshot::quoted};

use super::{ErrorName, Message, joined};

pub(super) fn message(error: &TabError) -> Message {
    match error {
        TabError::NoTab { index, count } => {
            let known = match *count {
                0 => "none".to_owned(),
                1 => "0".to_owned(),
                more => format!("0 to {}", more - 1),
            };
            let text = format!("unknown tab {index}; known: {known}");
            Message::new(ErrorName::NoTab, text, "list the tabs to see their indices")
        }
        TabError::NoTabId { id, open } => {
            let known = if open.is_empty() { "none".to_owned() } else { joined(open) };
            Message::new(
                ErrorName::NoTab,
                format!("unknown tab id {id}; known: {known}"),
                "use the id of an open tab, or leave it out for the active one",
            )
        }
        TabError::NoWindow { id: WindowId(id), open } => {
            let open: Vec<u32> = open.iter().map(|window| window.0).collect();
            Message::new(
                ErrorName::NoWindow,
                format!("unknown window id {id}; known: {}", joined(&open)),
                "use the id of an open window, or leave it out",
            )
        }
        TabError::NoFrame { number, known } => Message::new(
            ErrorName::NoFrame,
            format!("unknown frame {number}; known: {}", joined(known)),
            "take a snapshot: the frame of f2e5 is 2, and 0 is the page itself",
        ),
    }
}

pub(super) fn context_message(error: &ContextError) -> Message {
    match error {
        ContextError::Unknown { name, known } => Message::new(
            ErrorName::NoContext,
            format!("unknown context {}; known: {}", quoted(name, 100), known.join(", ")),
            "use one of these names, or create it",
        ),
        ContextError::Exists(name) => Message::new(
            ErrorName::ContextExists,
            format!("the context {} already exists", quoted(name, 100)),
            "switch to it, or choose another name",
        ),
        // The published sentence.
        ContextError::Last => Message::new(
            ErrorName::LastContext,
            "Cannot close the only remaining context",
            "create another context first",
        ),
    }
}
