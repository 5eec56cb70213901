//! Which protocol an endpoint speaks, and where: its WebSocket is found and opened.

use std::{fmt, io, sync::Arc, time::Duration};

use cicerone_driver::LaunchError;
use cicerone_http::{HttpError, Request, Way, send};
use cicerone_relay::{HostPattern, HostPolicy};
use cicerone_wire::Transport;
use serde::Deserialize;
use url::{Host, Url};

use crate::{Endpoint, dial::dial};

/// How long the answer about a browser's version may take.
const PROBE: Duration = Duration::from_secs(10);

/// How long that answer may be, in bytes.
const LONGEST: usize = 1 << 16;

/// The protocols that a browser can be driven with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The Chrome DevTools Protocol.
    Cdp,
    /// WebDriver BiDi.
    BiDi,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cdp => "CDP",
            Self::BiDi => "WebDriver BiDi",
        })
    }
}

/// A WebSocket that is open.
pub(crate) struct Reached {
    pub(crate) protocol: Protocol,
    pub(crate) socket: Url,
    pub(crate) transport: Transport,
}

/// What a browser's `/json/version` says.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    socket: String,
}

/// Finds and opens the WebSocket of an endpoint. A socket's own URL tells by its path; of a host, it is asked.
pub(crate) async fn reach(endpoint: &Endpoint, expected: Protocol) -> Result<Reached, LaunchError> {
    let url = endpoint.url();
    let open = async |protocol, socket: Url| {
        let transport = dial(endpoint, &socket).await?;
        Ok(Reached { protocol, socket, transport })
    };
    match (endpoint.is_socket(), expected) {
        (true, _) if path_of(url).contains(&SESSION) => open(Protocol::BiDi, url.clone()).await,
        (_, Protocol::BiDi) => open(Protocol::BiDi, endpoint.socket("/session")).await,
        (true, Protocol::Cdp) => match open(Protocol::Cdp, url.clone()).await {
            // A browser names its host and port; its socket is elsewhere.
            Err(LaunchError::NoBrowser { status: Some(_), .. }) if path_of(url).is_empty() => {
                let (protocol, socket) = find(endpoint).await?;
                open(protocol, socket).await
            }
            opened => opened,
        },
        (false, Protocol::Cdp) => {
            let (protocol, socket) = find(endpoint).await?;
            open(protocol, socket).await
        }
    }
}

/// Whether a URL of a WebSocket is that of a session which was begun elsewhere: `ws://host:port/session/ID`.
pub(crate) fn names_session(socket: &Url) -> bool {
    matches!(path_of(socket)[..], [.., SESSION, _])
}

/// What comes before the id of a session.
const SESSION: &str = "session";

fn path_of(url: &Url) -> Vec<&str> {
    url.path().split('/').filter(|part| !part.is_empty()).collect()
}

/// Asks a host what it speaks, and where.
async fn find(endpoint: &Endpoint) -> Result<(Protocol, Url), LaunchError> {
    match ask(endpoint).await? {
        Some(version) => Ok((Protocol::Cdp, socket_of(endpoint, &version)?)),
        None => Ok((Protocol::BiDi, endpoint.socket("/session"))),
    }
}

/// What `/json/version` says; nothing where there is no such page, as in a Firefox.
async fn ask(endpoint: &Endpoint) -> Result<Option<Version>, LaunchError> {
    let url = endpoint.http("/json/version");
    let headers = endpoint.headers().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let way = Way::Direct(Arc::new(reaches_only(&url)));
    let request = Request { method: "GET".into(), url, headers, body: None };
    let asked = send(&request, &way, PROBE, LONGEST);
    let name = endpoint.name();
    let answer = match tokio::time::timeout(PROBE, asked).await {
        Err(_) => return Err(LaunchError::Silent { endpoint: name, timeout: PROBE }),
        Ok(Err(HttpError::Unreachable(trouble))) => {
            let source = Arc::new(io::Error::new(io::ErrorKind::NotConnected, trouble));
            return Err(LaunchError::Unreachable { endpoint: name, source });
        }
        Ok(Err(error @ HttpError::Tls { .. })) => {
            let source = Arc::new(io::Error::other(error));
            return Err(LaunchError::Unreachable { endpoint: name, source });
        }
        Ok(Err(error)) => {
            tracing::debug!(%error, "no answer about the version");
            return Err(LaunchError::NoBrowser { endpoint: name, status: None });
        }
        Ok(Ok(answer)) => answer,
    };
    match answer.status {
        200 => match serde_json::from_slice(&answer.body) {
            Ok(version) => Ok(Some(version)),
            Err(_) => Err(LaunchError::NoBrowser { endpoint: name, status: Some(200) }),
        },
        404 => Ok(None),
        status @ (401 | 403) => Err(LaunchError::Unauthorized { endpoint: name, status }),
        status => Err(LaunchError::NoBrowser { endpoint: name, status: Some(status) }),
    }
}

/// Whoever starts the server names the endpoint, so it may be at any address.
fn reaches_only(url: &Url) -> HostPolicy {
    let host = url.host_str().and_then(|host| host.parse::<HostPattern>().ok());
    HostPolicy { allowed: host.into_iter().collect(), ..HostPolicy::default() }
}

/// The socket that a browser names. Behind a tunnel or a container's port it does not know its own address, so one on loopback
/// means the endpoint's host.
fn socket_of(endpoint: &Endpoint, version: &Version) -> Result<Url, LaunchError> {
    let bad = |_| LaunchError::NoBrowser { endpoint: endpoint.name(), status: Some(200) };
    let told = Url::parse(&version.socket).map_err(bad)?;
    let elsewhere = match told.host() {
        Some(Host::Domain(name)) => name != "localhost",
        Some(Host::Ipv4(address)) => !address.is_loopback() && !address.is_unspecified(),
        Some(Host::Ipv6(address)) => !address.is_loopback() && !address.is_unspecified(),
        None => false,
    };
    if elsewhere && told.host() != endpoint.url().host() {
        return Ok(told);
    }
    let mut socket = endpoint.socket("");
    socket.set_path(told.path());
    if told.query().is_some() {
        socket.set_query(told.query());
    }
    Ok(socket)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_a_url_of_its_own() {
        let names = |text: &str| names_session(&Url::parse(text).unwrap());
        assert!(names("ws://h:1/session/0a-1") && names("ws://h:1/hub/session/0a-1/"));
        assert!(!names("ws://h:1/session") && !names("ws://h:1/session/") && !names("ws://h:1/"));
    }
}
