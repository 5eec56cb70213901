use cicerone_engine::BookmarkError;

use super::{ErrorName, Message};

/// Folders listed in an error.
const MOST_NAMED: usize = 20;

pub(super) fn message(error: &BookmarkError) -> Message {
    match error {
        BookmarkError::UnknownFolder { name, known } => Message::new(
            ErrorName::NotFound,
            format!("unknown bookmark folder {name:?}; known: {}", listed(known)),
            "use one of these paths, or have it created when adding",
        ),
        BookmarkError::AmbiguousFolder { name, ids } => Message::new(
            ErrorName::Ambiguous,
            format!("{name:?} is the path of {} bookmark folders: {}", ids.len(), ids.join(", ")),
            "give one of these ids",
        ),
        BookmarkError::Unknown(id) => Message::new(
            ErrorName::NotFound,
            format!("bookmark not found: {id:?}"),
            "search for the bookmark to see its id",
        ),
        BookmarkError::NotAdded(reason) => Message::new(
            ErrorName::BookmarkRefused,
            format!("the bookmark was not added: {reason}"),
            "check the URL and the folder",
        ),
        BookmarkError::NotDeleted { id, reason } => Message::new(
            ErrorName::BookmarkRefused,
            format!("{id:?} was not deleted: {reason}"),
            "delete its contents first; built-in folders cannot be deleted",
        ),
        BookmarkError::NoPage => Message::new(
            ErrorName::NoPage,
            "there is no page to bookmark",
            "give a URL, or navigate to the page first",
        ),
    }
}

fn listed(paths: &[String]) -> String {
    let mut list = paths.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if paths.len() > MOST_NAMED {
        list.push_str(&format!(", … truncated, {} in total", paths.len()));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_so_many_folders_and_no_more() {
        let known: Vec<String> = (0..25).map(|number| format!("F{number}")).collect();
        let text = message(&BookmarkError::UnknownFolder { name: "x".into(), known }).text;
        assert!(text.starts_with("unknown bookmark folder \"x\"; known: F0, F1, "), "{text}");
        assert!(text.ends_with("F19, … truncated, 25 in total"), "{text}");
    }
}
