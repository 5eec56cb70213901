//! Why something is not emulated.

use cicerone_driver::{Kind, Permission};

use crate::{Error, snapshot::quoted};

/// Why something is not emulated.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum EmulationError {
    /// No time zone has this name.
    #[error("unknown time zone {}", quoted(.0, 100))]
    UnknownTimeZone(String),
    /// This is no tag of a language.
    #[error("{} is not a valid locale", quoted(.0, 100))]
    BadLocale(String),
    /// Another tab in the same process has another one.
    #[error(
        "the {0} cannot be set: the tab shares a browser process with another tab that has a different {0}"
    )]
    SharedProcess(&'static str),
    /// The page does not see what was set.
    #[error("the page sees {what} {}, not {}: nothing was changed", quoted(.seen, 200), quoted(.wanted, 200))]
    NotEmulated {
        /// What of it.
        what: &'static str,
        /// What was set.
        wanted: String,
        /// What it sees.
        seen: String,
    },
    /// The page is of no site.
    #[error("the page has no origin")]
    NoOrigin,
    /// The browser does not let anybody decide that.
    #[error("this browser cannot set the permission {0}")]
    PermissionUnsupported(Permission),
    /// The browser does not let anybody decide that for this origin.
    #[error("the permission {permission} cannot be set for {origin}: {reason}")]
    PermissionRefused {
        /// Which one.
        permission: Permission,
        /// For whom.
        origin: String,
        /// The browser's words.
        reason: String,
    },
}

impl EmulationError {
    /// A short name that does not change with the wording.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::UnknownTimeZone(_) => "UnknownTimeZone",
            Self::BadLocale(_) => "BadLocale",
            Self::SharedProcess(_) => "SharedProcess",
            Self::NotEmulated { .. } => "NotEmulated",
            Self::NoOrigin => "NoOrigin",
            Self::PermissionUnsupported(_) => "Unsupported",
            Self::PermissionRefused { .. } => "PermissionRefused",
        }
    }

    /// What to do next.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::UnknownTimeZone(_) => {
                "use an IANA name, such as America/New_York, Asia/Tokyo or UTC".into()
            }
            Self::BadLocale(_) => "use a language tag, such as en-US, de-CH or ja".into(),
            Self::SharedProcess(_) => {
                "set it in the other tab, or open the URL in a new tab that no page opened".into()
            }
            Self::NotEmulated { .. } => "try again when the page has loaded".into(),
            Self::NoOrigin => "open a page of the site first, or give its origin".into(),
            Self::PermissionUnsupported(_) => format!("use another engine (--browser {})", Kind::default()),
            Self::PermissionRefused { .. } => "use the https: origin of the site".into(),
        }
    }
}

impl From<EmulationError> for Error {
    fn from(error: EmulationError) -> Self {
        Self::Emulation(error)
    }
}
