use cicerone_engine::{DialogKind, DialogOpened, snapshot::quoted};

/// What a call that a dialog blocks says of it.
pub(crate) fn blocked_by(dialog: &DialogOpened) -> String {
    format!("the page is blocked by an open {}: {}", dialog_name(dialog), dialog_question(dialog))
}

/// `alert dialog`, or `dialog` if the kind is unknown.
pub(super) fn dialog_name(dialog: &DialogOpened) -> String {
    match dialog.kind {
        DialogKind::Unknown => "dialog".into(),
        kind => format!("{} dialog", kind.as_str()),
    }
}

/// The message of a dialog. `beforeunload` messages are the browser's own, in some browsers empty.
pub(super) fn dialog_question(dialog: &DialogOpened) -> String {
    match dialog.kind {
        DialogKind::BeforeUnload => "accept it to leave the page, dismiss it to stay".into(),
        _ => quoted(&dialog.message, 500),
    }
}
