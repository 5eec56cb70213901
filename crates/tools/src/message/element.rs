use cicerone_engine::{
    Cover, ElementError, Misfit, Obstacle,
    snapshot::{plain, quoted},
};

use super::{ErrorName, Message, Refs};

const NEW_SNAPSHOT: &str = "take a new snapshot and use a ref from it";

/// A client may have refs of a server that ran before this one.
const NEW_SNAPSHOT_OF_THIS_SERVER: &str =
    "take a new snapshot and use a ref from it (refs do not outlast the server that gave them out)";

pub(super) fn message(error: &ElementError, refs: Refs) -> Message {
    match error {
        ElementError::Stale { reference, replaced } => {
            let what = if *replaced { ": its page was replaced" } else { " on the page" };
            let text = format!("{} no longer exists{what}", refs.name(reference));
            Message::new(ErrorName::StaleRef, text, NEW_SNAPSHOT)
        }
        ElementError::UnknownRef(reference) => Message::new(
            ErrorName::UnknownRef,
            format!("element not found: no snapshot ever gave out the ref {}", refs.name(reference)),
            NEW_SNAPSHOT_OF_THIS_SERVER,
        ),
        ElementError::NotInside { reference } => Message::new(
            ErrorName::NotInside,
            format!("{} is not in the requested subtree", refs.name(reference)),
            "omit the subtree: the parent of the element is used then",
        ),
        ElementError::NotShown { reference, limit } => {
            let (why, hint) = match limit {
                Some(limit) => {
                    (format!(" of the first {limit}"), "request an element that is around it as the subtree")
                }
                None => (String::new(), "use the ref of an element that the snapshot shows"),
            };
            let text = format!("{} has no line in the snapshot{why}", refs.name(reference));
            Message::new(ErrorName::NotInside, text, hint)
        }
        ElementError::ForeignRef { reference, tab, context } => {
            let (of, hint) = match context {
                Some(context) => {
                    let context = quoted(context, 100);
                    let hint = format!("switch to the context {context} first, or take a snapshot here");
                    (format!(" of the context {context}"), hint)
                }
                None => (String::new(), format!("select tab {tab} first, or take a snapshot of this one")),
            };
            let text = format!("{} belongs to tab {tab}{of}, not to this one", refs.name(reference));
            Message::new(ErrorName::ForeignRef, text, hint)
        }
        ElementError::NoMatch { target } => Message::new(
            ErrorName::NotFound,
            format!("not found: no element matches {target}"),
            "take a snapshot to see what is on the page, or wait for it to appear",
        ),
        ElementError::Ambiguous { target, count, matches } => Message::new(
            ErrorName::Ambiguous,
            format!("{target} matches {count} elements: {}", refs.elements(matches)),
            "use one of these refs, or a narrower target",
        ),
        ElementError::BadTarget { target, reason } => Message::new(
            ErrorName::BadTarget,
            format!("{target} is not a valid target: {reason}"),
            "use a ref (e12), CSS, role:button[name=\"Save\"], text:…, label:… or //xpath",
        ),
        ElementError::NotReady { element, obstacle } => {
            let (what, hint) = obstacle_words(obstacle, refs);
            let text = format!("{}: {} {what}", element.kind(), refs.name(element.reference));
            Message::new(ErrorName::NotReady, text, hint)
        }
        ElementError::Misfit { element, reason, options } => {
            let hint = match &options[..] {
                [] => "choose another element or value".into(),
                options => {
                    let known: Vec<String> = options.iter().map(|option| quoted(option, 60)).collect();
                    format!("choose one of {}", known.join(", "))
                }
            };
            let text = format!("{}: {}", refs.element(element), misfit(reason));
            Message::new(ErrorName::Misfit, text, hint)
        }
        ElementError::NotTaken { element, holds } => {
            let holds = holds.as_ref().map(|holds| format!(": it holds {}", quoted(holds, 200)));
            Message::new(
                ErrorName::NotTaken,
                format!("{} did not take the value{}", refs.element(element), holds.unwrap_or_default()),
                "try typing slowly, or click the field first",
            )
        }
        ElementError::Missed { element, by } => {
            let hit = by.as_ref().map_or_else(|| "something else".into(), |by| refs.element(by));
            let text = format!("{} moved away: the pointer hit {hit}", refs.element(element));
            Message::new(ErrorName::Missed, text, "wait until the page is quiet, then try again")
        }
        ElementError::HitAnotherFrame(element) => Message::new(
            ErrorName::Missed,
            format!("{} was not clicked: another frame covered it and took the click", refs.element(element)),
            "take a snapshot: something in that frame may have been clicked. Do not trust this page",
        ),
        ElementError::NoFieldForSecret => Message::new(
            ErrorName::Misfit,
            "no text field has the focus, so the secret was not typed",
            "click the field first, or name it",
        ),
    }
}

fn misfit(reason: &Misfit) -> &str {
    match reason {
        Misfit::NotCheckable => "it is not a check box, radio button or switch",
        Misfit::RadioStaysChecked => "a radio button cannot be cleared; choose another of its group",
        Misfit::NotFocusable => "it cannot be focused",
        Misfit::InPage(message) => message,
    }
}

fn obstacle_words(obstacle: &Obstacle, refs: Refs) -> (String, &'static str) {
    match obstacle {
        Obstacle::Hidden => ("is not visible".into(), "something must open or show it first"),
        Obstacle::Moving => ("keeps moving".into(), "wait until it stands still"),
        Obstacle::Disabled => ("is disabled".into(), "something else must be filled in or done first"),
        Obstacle::ReadOnly => ("is read-only".into(), "it cannot be typed into; a click may open a picker"),
        Obstacle::Covered(by) => {
            let by = by.as_ref().map(|by| format!(" by {}", cover(by, refs))).unwrap_or_default();
            (format!("is covered{by}"), "close or answer what covers it, then try again")
        }
        Obstacle::LetsPointerThrough(by) => {
            let hit = by.as_ref().map(|by| format!(": it would hit {}", refs.element(&by.element)));
            (
                format!("takes no pointer (pointer-events: none){}", hit.unwrap_or_default()),
                "something must enable it first; or click what is around it",
            )
        }
        Obstacle::Outside => {
            ("is outside of the viewport and cannot be scrolled into it".into(), "scroll or resize the page")
        }
    }
}

/// The cover, and what may close it.
fn cover(cover: &Cover, refs: Refs) -> String {
    let buttons = cover.has.iter().enumerate().map(|(nth, button)| {
        let before = if nth == 0 { "; it has" } else { "," };
        format!("{before} {} ({})", plain(&button.name, 60), refs.name(button.reference))
    });
    std::iter::once(refs.element(&cover.element)).chain(buttons).collect()
}

#[cfg(test)]
mod tests {
    use cicerone_engine::Target;

    use super::*;

    #[test]
    fn refs_have_the_sign_of_the_dialect_and_other_text_has_none() {
        let Ok(Target::Ref(reference)) = "e5".parse() else { panic!("e5 is a ref") };
        let context = Some("e5".to_owned());
        let tab = cicerone_engine::TabId(2);
        let error = ElementError::ForeignRef { reference, tab, context };
        let text = |sign| message(&error, Refs { sign }).text;
        assert_eq!(text(""), "e5 belongs to tab 2 of the context \"e5\", not to this one");
        assert_eq!(text("@"), "@e5 belongs to tab 2 of the context \"e5\", not to this one");
    }
}
