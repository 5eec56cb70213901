//! Errors of emulation.

use cicerone_driver::Permission;

/// Why an override was not applied.
#[derive(Debug, Clone)]
pub enum EmulationError {
    /// No time zone has this name.
    UnknownTimeZone(String),
    /// Not a BCP 47 language tag.
    BadLocale(String),
    /// Another tab in the same process has a different value.
    SharedProcess(&'static str),
    /// The page does not observe the override.
    NotEmulated {
        /// What was overridden.
        what: &'static str,
        /// The requested value.
        requested: String,
        /// The observed value.
        observed: String,
    },
    /// The page has an opaque origin.
    NoOrigin,
    /// The browser cannot override this permission.
    PermissionUnsupported(Permission),
    /// The browser cannot override this permission for this origin.
    PermissionRefused {
        permission: Permission,
        origin: String,
        /// The browser's message.
        reason: String,
    },
}
