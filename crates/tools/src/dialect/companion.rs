//! The `companion` dialect: a sentence, as published.

use cicerone_engine::{ActionSnapshot, Error};

use super::{Dialect, Envelope, Failed, Family, Numbers, UNDERSCORED, Verdict, plainly, terse};

/// `browser_go_back` and its like.
pub(crate) static COMPANION: Dialect = Dialect {
    name: "companion",
    voice: |sentence, output| terse(sentence, output, "browser_handle_dialog"),
    failure,
    shows: Some(ActionSnapshot::None),
    ref_sign: "",
    images_first: true,
    envelope: Envelope::Bare,
    counts_in: Numbers::Whole,
    instructions: UNDERSCORED,
    verdict: Verdict::of,
    family: Family::Underscored,
    renamed: &[],
};

fn failure(failed: &Failed<'_>) -> String {
    let (message, hint) = (&failed.failure.message, &failed.failure.hint);
    let words = match failed.failure.error.as_deref() {
        Some(Error::NoMatch { target }) => format!("Element not found: {target}"),
        Some(Error::UnknownRef(reference)) => format!("Element not found: {reference}\n{message}"),
        Some(Error::Stale { reference, .. } | Error::ForeignRef { reference, .. }) => {
            format!("Element not found: {reference}\n{message}")
        }
        Some(Error::Navigation { reason, .. }) => format!("Navigation failed: {reason}"),
        Some(
            Error::NavigationTimeout { .. }
            | Error::OnTheWay { .. }
            | Error::BadUrl { .. }
            | Error::Stayed { .. }
            | Error::NoHistory(_),
        ) => format!("Navigation failed: {message}"),
        _ => return plainly(failed),
    };
    format!("{words}\nHint: {hint}")
}

/// What the listing says of elements.
pub(crate) const ELEMENT: &str =
    "Human-readable element description used to obtain permission to interact with the element";
pub(crate) const REF: &str = "Exact target element reference from the page snapshot";
pub(crate) const TAB: &str = "Tab ID (optional, uses active tab if not provided)";
