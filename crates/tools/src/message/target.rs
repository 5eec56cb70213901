//! Texts that are not targets.

use cicerone_engine::BadTarget;

/// Why a text is not a target, for the error of an argument.
pub(crate) fn bad_target(bad: BadTarget) -> &'static str {
    match bad {
        BadTarget::Empty => "a target must not be empty",
        BadTarget::Role => "a role target has the form role:button or role:button[name=\"Save\"]",
    }
}
