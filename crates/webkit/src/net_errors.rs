//! Why a document cannot be had. Errors of GLib, libsoup and WebKit get the names that Chromium has for them, which clients
//! know.

use crate::protocol::host::LoadError;

/// Domains and numbers of errors, and the names that are told.
const NAMES: &[(&str, i32, &str)] = &[
    ("g-io-error-quark", 1, "ERR_FILE_NOT_FOUND"),
    ("g-io-error-quark", 14, "ERR_ACCESS_DENIED"),
    ("g-io-error-quark", 24, "ERR_TIMED_OUT"),
    ("g-io-error-quark", 28, "ERR_NAME_NOT_RESOLVED"),
    ("g-io-error-quark", 38, "ERR_ADDRESS_UNREACHABLE"),
    ("g-io-error-quark", 37, "ERR_ADDRESS_UNREACHABLE"),
    ("g-io-error-quark", 39, "ERR_CONNECTION_REFUSED"),
    ("g-io-error-quark", 40, "ERR_PROXY_CONNECTION_FAILED"),
    ("g-io-error-quark", 41, "ERR_PROXY_CONNECTION_FAILED"),
    ("g-io-error-quark", 42, "ERR_PROXY_CONNECTION_FAILED"),
    ("g-io-error-quark", 43, "ERR_PROXY_CONNECTION_FAILED"),
    ("g-io-error-quark", 44, "ERR_CONNECTION_RESET"),
    ("g-resolver-error-quark", 0, "ERR_NAME_NOT_RESOLVED"),
    ("g-resolver-error-quark", 1, "ERR_NAME_NOT_RESOLVED"),
    ("g-resolver-error-quark", 2, "ERR_NAME_NOT_RESOLVED"),
    ("soup-session-error-quark", 2, "ERR_TOO_MANY_REDIRECTS"),
    ("soup-session-error-quark", 3, "ERR_TOO_MANY_REDIRECTS"),
    ("WebKitPolicyError", 103, "ERR_UNSAFE_PORT"),
    ("WebKitNetworkError", 301, "ERR_UNKNOWN_URL_SCHEME"),
    ("WebKitNetworkError", 302, "ERR_ABORTED"),
    ("WebKitNetworkError", 303, "ERR_FILE_NOT_FOUND"),
];

/// The domain of what is wrong with certificates.
const TLS: &str = "g-tls-error-quark";

/// The words to tell.
pub(crate) fn chromium_name(error: &LoadError) -> String {
    let known = NAMES.iter().find(|(domain, code, _)| *domain == error.domain && *code == error.code);
    match known {
        Some((.., name)) => format!("net::{name}"),
        None if error.domain == TLS => format!("net::ERR_CERT_INVALID ({})", error.message),
        None => {
            tracing::debug!(domain = error.domain, code = error.code, "a failure");
            error.message.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_names_that_clients_know() {
        let error = |domain: &str, code| LoadError { domain: domain.into(), code, message: "words".into() };
        assert_eq!(chromium_name(&error("g-io-error-quark", 39)), "net::ERR_CONNECTION_REFUSED");
        assert_eq!(chromium_name(&error("something new", 39)), "words");
    }
}
