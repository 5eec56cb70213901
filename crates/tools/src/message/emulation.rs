use cicerone_engine::{EmulationError, Engine, snapshot::quoted};

use super::{ErrorName, Message};

pub(super) fn message(error: &EmulationError) -> Message {
    match error {
        EmulationError::UnknownTimeZone(name) => Message::new(
            ErrorName::UnknownTimeZone,
            format!("unknown time zone {}", quoted(name, 100)),
            "use an IANA name, such as America/New_York, Asia/Tokyo or UTC",
        ),
        EmulationError::BadLocale(locale) => Message::new(
            ErrorName::BadLocale,
            format!("{} is not a valid locale", quoted(locale, 100)),
            "use a language tag, such as en-US, de-CH or ja",
        ),
        EmulationError::SharedProcess(what) => Message::new(
            ErrorName::SharedProcess,
            format!(
                "the {what} cannot be set: the tab shares a browser process with another tab that has a different {what}"
            ),
            "set it in the other tab, or open the URL in a new tab without an opener",
        ),
        EmulationError::NotEmulated { what, requested, observed } => Message::new(
            ErrorName::NotEmulated,
            format!(
                "the page sees {what} {}, not {}: nothing was changed",
                quoted(observed, 200),
                quoted(requested, 200)
            ),
            "retry after the page has loaded",
        ),
        EmulationError::NoOrigin => Message::new(
            ErrorName::NoOrigin,
            "the page has no origin",
            "open a page of the site first, or pass its origin",
        ),
        EmulationError::PermissionUnsupported(permission) => Message::new(
            ErrorName::Unsupported,
            format!("this browser cannot set the permission {permission}"),
            format!("use another engine (--browser {})", Engine::default()),
        ),
        EmulationError::PermissionRefused { permission, origin, reason } => Message::new(
            ErrorName::PermissionRefused,
            format!("the permission {permission} cannot be set for {origin}: {reason}"),
            "use the https: origin of the site",
        ),
    }
}
