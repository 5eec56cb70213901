//! The `companion` dialect: a sentence, as published.

use cicerone_engine::{ActionSnapshot, Error};

use super::{Dialect, Failed, plainly, terse};

/// `browser_go_back` and its like.
pub(crate) static COMPANION: Dialect =
    Dialect { name: "companion", voice: terse, failure, shows: Some(ActionSnapshot::None), images_first: true };

fn failure(failed: &Failed<'_>) -> String {
    let (message, hint) = (&failed.failure.message, &failed.failure.hint);
    let begin = match (&failed.failure.error, failed.failing) {
        (Some(Error::NoMatch { .. } | Error::Stale { .. } | Error::UnknownRef(_)), Some((_, target))) => {
            format!("Element not found: {target}")
        }
        (Some(Error::Navigation { reason, .. }), _) => format!("Navigation failed: {reason}"),
        (Some(Error::NavigationTimeout { .. }), _) => "Navigation failed: timeout".into(),
        _ => return plainly(failed),
    };
    format!("{begin}\n{message}\nHint: {hint}")
}
