use std::path::Path;

use cicerone_engine::{SiteDataError, StorageError, VaultError, snapshot::quoted};

use super::{ErrorName, Message, seconds};

pub(super) fn site_data_message(error: &SiteDataError) -> Message {
    match error {
        SiteDataError::NoCookie(name) => Message::new(
            ErrorName::NotFound,
            format!("cookie {} not found", quoted(name, 100)),
            "list all cookies, or give the url that it is for",
        ),
        SiteDataError::CookieDropped(name) => Message::new(
            ErrorName::CookieDropped,
            format!("the browser did not keep the cookie {}", quoted(name, 100)),
            "check its name, domain and path; SameSite=None needs secure, and secure needs https",
        ),
        SiteDataError::NothingToKeep => Message::new(
            ErrorName::NothingToKeep,
            "the page has no origin, so there is nothing to save",
            "open a page of the site first, or name its origin",
        ),
        SiteDataError::WebStorage(reason) => {
            Message::new(ErrorName::StorageError, reason, "open a page of a site first, or store less")
        }
    }
}

const SHAPE: &str = "give a file that was saved as a storage state: {\"cookies\": […], \"origins\": […]}";
const ORIGIN: &str = "remove that origin from the file, or some of its data";

pub(super) fn message(path: &Path, error: &StorageError) -> Message {
    let (reason, hint) = match error {
        StorageError::Malformed(error) => (format!("not a storage state: {error}"), SHAPE),
        StorageError::Foreign => ("not a storage state: it has neither cookies nor origins".into(), SHAPE),
        StorageError::BadOrigin(origin) => {
            (format!("{origin} is not an origin such as https://example.com"), SHAPE)
        }
        StorageError::NoDomain(name) => (format!("the cookie {name} has neither a domain nor a url"), SHAPE),
        StorageError::TooLarge { size, most } => {
            (format!("it has {} MB; the limit is {} MB", size >> 20, most >> 20), SHAPE)
        }
        StorageError::Cookie { name, domain, reason } => (
            format!("the cookie {} of {} was not set: {reason}", quoted(name, 100), quoted(domain, 100)),
            "fix that cookie in the file, or remove it",
        ),
        StorageError::Origin { origin, reason } => {
            (format!("the data of {origin} was not written: {reason}"), ORIGIN)
        }
        StorageError::Late { origin, after } => {
            (format!("writing the data of {origin} timed out after {}", seconds(*after)), ORIGIN)
        }
    };
    Message::new(ErrorName::BadStorageState, format!("{}: {reason}", path.display()), hint)
}

pub(super) fn vault_message(error: &VaultError) -> Message {
    const CHECK: &str = "check the name, and the user's data directory";
    match error {
        VaultError::Unknown { name, known } => {
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Message::new(
                ErrorName::NotFound,
                format!("unknown saved state {name:?}; known: {known}"),
                "list the saved states, or save one first",
            )
        }
        VaultError::BadName(name) => Message::new(
            ErrorName::VaultError,
            format!(
                "{name:?} is not a valid name for a state: use letters, digits, dots, dashes and underscores, at most 64"
            ),
            CHECK,
        ),
        VaultError::Unreadable(name) => Message::new(
            ErrorName::VaultError,
            format!(
                "the saved state {name:?} cannot be decrypted: it was written with another key, or changed since"
            ),
            "delete it and save it again",
        ),
        VaultError::Io { path, reason } => {
            Message::new(ErrorName::VaultError, format!("{}: {reason}", path.display()), CHECK)
        }
        VaultError::NoDataDir => Message::new(
            ErrorName::VaultError,
            "there is no directory for saved states: HOME is not set",
            CHECK,
        ),
        VaultError::NoRandomness => {
            Message::new(ErrorName::VaultError, "the system provides no random numbers", CHECK)
        }
    }
}
