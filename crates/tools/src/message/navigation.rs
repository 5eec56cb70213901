use cicerone_engine::{BadUrl, HistoryDirection, NavigationError, Refusal, snapshot::quoted};

use super::{ErrorName, Message, seconds};

const CHECK_URL: &str = "check the URL, and that the server can be reached from here";

pub(super) fn message(error: &NavigationError) -> Message {
    match error {
        NavigationError::BadUrl { url, reason, meant } => {
            let url = quoted(url, 200);
            let text = match reason {
                BadUrl::NoScheme => format!("{url} is not a valid URL: it has no scheme"),
                BadUrl::Unparsable => format!("{url} is not a valid URL: it cannot be parsed"),
                BadUrl::NoHost => format!("{url} is not a valid URL: it has no host"),
                BadUrl::NoFilePath => format!("{url} is not a valid URL: it is not a file path"),
                BadUrl::NotFetchable => {
                    format!("{url} cannot be fetched: its scheme is not allowed; give the content as base64")
                }
                BadUrl::NotRequestable => {
                    format!("{url} is not a valid URL: only http: and https: URLs can be requested")
                }
                BadUrl::DownloadTooLarge { most } => format!(
                    "{url} cannot be opened: a downloaded document is opened only up to {} KB",
                    most >> 10
                ),
                BadUrl::SchemeRefused => format!("{url} cannot be opened: its scheme is not allowed"),
            };
            let hint = match meant {
                Some(meant) => format!("did you mean {meant} ?"),
                None => "give an absolute http: or https: URL".into(),
            };
            Message::new(ErrorName::BadUrl, text, hint)
        }
        NavigationError::Failed { url, reason } => Message::new(
            ErrorName::NavigationFailed,
            format!("{url} could not be loaded: {reason}"),
            CHECK_URL,
        ),
        NavigationError::Relay { url, trouble } => {
            let text = format!("{url} could not be loaded: {trouble}");
            match trouble.is_of_proxy() {
                true => Message::new(
                    ErrorName::ProxyFailed,
                    text,
                    "check the proxy's address, user name and password, and that it runs",
                ),
                false => Message::new(ErrorName::NavigationFailed, text, CHECK_URL),
            }
        }
        NavigationError::HostRefused(refusal) => {
            Message::new(ErrorName::Forbidden, refusal.to_string(), refusal_hint(refusal))
        }
        NavigationError::NoRelay(error) => Message::new(
            ErrorName::ProxyFailed,
            format!("the local relay to the proxy could not be started: {error}"),
            "try again; the system refused to listen on loopback",
        ),
        NavigationError::Timeout { url, after } => Message::new(
            ErrorName::Timeout,
            format!("loading {url} timed out after {}", seconds(*after)),
            "take a snapshot to see what has loaded; or try again, or raise --navigation-timeout",
        ),
        NavigationError::Stayed { url } => Message::new(
            ErrorName::Stayed,
            format!("navigation to {url} was cancelled: the page's beforeunload dialog was dismissed"),
            "navigate again to leave the page: the next such dialog is accepted",
        ),
        NavigationError::NoHistory(direction) => {
            let direction = match direction {
                HistoryDirection::Back => "back",
                HistoryDirection::Forward => "forward",
            };
            let text = format!("there is no page to go {direction} to");
            Message::new(ErrorName::NoHistory, text, "navigate to a URL instead")
        }
    }
}

/// Only the operator of the server can change the policy.
fn refusal_hint(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotAllowed { .. } => {
            "use a host that is allowed; the server's owner sets them with --allowed-hosts"
        }
        Refusal::Blocked { .. } | Refusal::BlockedAddress { .. } => {
            "use another host; the server's owner blocks this one with --blocked-hosts"
        }
        _ => "use another host; the server's owner can allow this address with --allowed-hosts",
    }
}
