//! Network errors. Firefox has its own names; clients get Chromium's, whichever browser runs.

/// Firefox's names of error pages, and the reported names.
const NAMES: &[(&str, &str)] = &[
    ("connectionFailure", "ERR_CONNECTION_REFUSED"),
    ("NS_ERROR_CONNECTION_REFUSED", "ERR_CONNECTION_REFUSED"),
    ("deniedPortAccess", "ERR_UNSAFE_PORT"),
    ("NS_ERROR_PORT_ACCESS_NOT_ALLOWED", "ERR_UNSAFE_PORT"),
    ("dnsNotFound", "ERR_NAME_NOT_RESOLVED"),
    ("NS_ERROR_UNKNOWN_HOST", "ERR_NAME_NOT_RESOLVED"),
    ("redirectLoop", "ERR_TOO_MANY_REDIRECTS"),
    ("NS_ERROR_REDIRECT_LOOP", "ERR_TOO_MANY_REDIRECTS"),
    ("netReset", "ERR_CONNECTION_RESET"),
    ("NS_ERROR_NET_RESET", "ERR_CONNECTION_RESET"),
    ("netInterrupt", "ERR_EMPTY_RESPONSE"),
    ("NS_ERROR_NET_INTERRUPT", "ERR_EMPTY_RESPONSE"),
    ("netTimeout", "ERR_TIMED_OUT"),
    ("NS_ERROR_NET_TIMEOUT", "ERR_TIMED_OUT"),
    ("netOffline", "ERR_INTERNET_DISCONNECTED"),
    ("NS_ERROR_OFFLINE", "ERR_INTERNET_DISCONNECTED"),
    ("proxyConnectFailure", "ERR_PROXY_CONNECTION_FAILED"),
    ("NS_ERROR_PROXY_CONNECTION_REFUSED", "ERR_PROXY_CONNECTION_FAILED"),
    ("proxyResolveFailure", "ERR_PROXY_CONNECTION_FAILED"),
    ("NS_ERROR_UNKNOWN_PROXY_HOST", "ERR_PROXY_CONNECTION_FAILED"),
    ("fileNotFound", "ERR_FILE_NOT_FOUND"),
    ("NS_ERROR_FILE_NOT_FOUND", "ERR_FILE_NOT_FOUND"),
    ("fileAccessDenied", "ERR_ACCESS_DENIED"),
    ("unknownProtocolFound", "ERR_UNKNOWN_URL_SCHEME"),
    ("malformedURI", "ERR_INVALID_URL"),
    ("contentEncodingError", "ERR_CONTENT_DECODING_FAILED"),
    ("corruptedContentErrorv2", "ERR_INVALID_RESPONSE"),
    ("nssFailure2", "ERR_SSL_PROTOCOL_ERROR"),
    ("nssBadCert", "ERR_CERT_INVALID"),
    ("blockedByPolicy", "ERR_BLOCKED_BY_ADMINISTRATOR"),
    ("NS_BINDING_ABORTED", "ERR_ABORTED"),
    ("NS_ERROR_ABORT", "ERR_ABORTED"),
];

/// The reported name.
pub(crate) fn chromium_name(theirs: &str) -> String {
    let theirs = theirs.trim_start_matches("Error: ");
    match NAMES.iter().find(|(name, _)| *name == theirs) {
        Some((_, name)) => {
            tracing::debug!(theirs, name, "a failure");
            format!("net::{name}")
        }
        None => theirs.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_names_that_clients_know() {
        assert_eq!(chromium_name("Error: deniedPortAccess"), "net::ERR_UNSAFE_PORT");
        assert_eq!(chromium_name("Error: something new"), "something new");
    }
}
