use cicerone_engine::{HttpError, RequestError};

use super::{ErrorName, Message, seconds};

pub(super) fn message(error: &RequestError) -> Message {
    match error {
        RequestError::Failed { method, url, reason } => Message::new(
            ErrorName::RequestFailed,
            format!("{method} {url} failed: {reason}"),
            match &**reason {
                HttpError::Header(_) => "give header names and values as HTTP allows them",
                HttpError::Tls { .. } => "its certificate must be trusted by this system; or use http:",
                _ => "check the URL, and that the server can be reached from here",
            },
        ),
        RequestError::Timeout { method, url, after } => Message::new(
            ErrorName::Timeout,
            format!("{method} {url} timed out after {}", seconds(*after)),
            "check that the server answers, or allow more time",
        ),
        RequestError::TooManyRedirects { method, url, most } => Message::new(
            ErrorName::RequestFailed,
            format!("{method} {url} failed: more than {most} redirects"),
            "request it without following redirects to see where it leads",
        ),
        RequestError::Form(error) => Message::new(
            ErrorName::RequestFailed,
            format!("the form could not be encoded: {error}"),
            "try again",
        ),
    }
}
