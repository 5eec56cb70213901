use std::{
    collections::VecDeque,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hyper::StatusCode;
use thiserror::Error;

use crate::{
    Refusal,
    destination::{Destination, normal},
};

/// Number of incidents that a relay keeps.
const REMEMBERED: usize = 64;

/// Why a request failed. Proxies are named without credentials.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Connecting to the proxy failed.
    #[error("the proxy {proxy} cannot be reached: {reason}")]
    ProxyUnreachable {
        proxy: String,
        /// The system's message.
        reason: String,
    },
    /// The proxy timed out.
    #[error("the proxy {proxy} timed out after {} s", waited.as_secs_f32())]
    ProxySilent {
        proxy: String,
        /// How long we waited.
        waited: Duration,
    },
    /// The proxy refused the credentials.
    #[error("the proxy {proxy} refused the user name or password")]
    CredentialsRefused { proxy: String },
    /// The proxy requires credentials, and none are configured.
    #[error("the proxy {proxy} requires a user name and a password; none are configured")]
    CredentialsMissing { proxy: String },
    /// The proxy answered, but did not connect to the host.
    #[error("the proxy {proxy} did not connect to {destination}: {reason}")]
    ProxyRefused {
        proxy: String,
        /// Host and port.
        destination: String,
        /// The proxy's message.
        reason: String,
    },
    /// Not a proxy of this scheme, or the connection ended in the middle of its answer.
    #[error("{proxy} is not a proxy of this type: {reason}")]
    ProxyUnintelligible {
        proxy: String,
        /// What was wrong with the answer.
        reason: String,
    },
    /// TLS to the proxy failed: usually an untrusted certificate.
    #[error("TLS to the proxy {proxy} failed: {reason}")]
    ProxyInsecure {
        proxy: String,
        /// What was wrong with its certificate or TLS.
        reason: String,
    },
    /// The host name cannot be resolved.
    #[error("the host name {host} cannot be resolved: {reason}")]
    NameUnknown {
        /// The name.
        host: String,
        /// The system's message.
        reason: String,
    },
    /// Connecting to the host failed.
    #[error("{destination} cannot be reached: {reason}")]
    HostUnreachable {
        /// Host and port.
        destination: String,
        /// The system's message.
        reason: String,
    },
    /// Connecting to the host timed out.
    #[error("connecting to {destination} timed out after {} s", waited.as_secs_f32())]
    HostSilent {
        /// Host and port.
        destination: String,
        /// How long we waited.
        waited: Duration,
    },
    /// The connection ended before the response.
    #[error("the connection to {via} closed before the response: {reason}")]
    Cut {
        /// The host, or the proxy on the way to it.
        via: String,
        /// The cause.
        reason: String,
    },
    /// The host answered 407, as only a proxy may. Forwarded, it would make the browser forget our credentials.
    #[error("{destination} requests proxy credentials, but is not a proxy")]
    HostAsksAsProxy {
        /// Host and port.
        destination: String,
    },
    /// The policy refuses the host or its address.
    #[error(transparent)]
    Refused(Refusal),
    /// No more connections can be opened.
    #[error("too many connections are open")]
    Crowded,
}

/// A failure, with its destination and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The host as in URLs.
    pub host: String,
    pub port: u16,
    /// The failure.
    pub trouble: Trouble,
    /// The time.
    pub at: Instant,
}

impl Trouble {
    /// Whether the proxy failed, and not the host behind it.
    pub fn is_of_proxy(&self) -> bool {
        matches!(
            self,
            Self::ProxyUnreachable { .. }
                | Self::ProxySilent { .. }
                | Self::CredentialsRefused { .. }
                | Self::CredentialsMissing { .. }
                | Self::ProxyRefused { .. }
                | Self::ProxyUnintelligible { .. }
                | Self::ProxyInsecure { .. }
        )
    }

    /// The status for the browser. Never 407: a browser would ask the user for credentials.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::ProxySilent { .. } | Self::HostSilent { .. } => StatusCode::GATEWAY_TIMEOUT,
            Self::Crowded => StatusCode::SERVICE_UNAVAILABLE,
            Self::Refused(_) => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_GATEWAY,
        }
    }
}

/// Whether a system error means that file descriptors ran out.
pub(crate) fn is_crowded(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
    }
    #[cfg(not(unix))]
    {
        matches!(error.raw_os_error(), Some(10024))
    }
}

/// The recent incidents of one relay.
#[derive(Default)]
pub(crate) struct Troubles {
    incidents: Mutex<VecDeque<Incident>>,
}

impl Troubles {
    pub(crate) fn remember(&self, destination: &Destination, trouble: Trouble) {
        tracing::debug!(%destination, %trouble, "not carried");
        let incident =
            Incident { host: destination.host_text(), port: destination.port, trouble, at: Instant::now() };
        let mut incidents = self.lock();
        // A page that repeats a request thousands of times must not displace the rest.
        incidents.retain(|known| known.host != incident.host || known.trouble != incident.trouble);
        if incidents.len() == REMEMBERED {
            incidents.pop_front();
        }
        incidents.push_back(incident);
    }

    pub(crate) fn all(&self) -> Vec<Incident> {
        self.lock().iter().cloned().collect()
    }

    pub(crate) fn latest(&self, host: &str, since: Instant) -> Option<Trouble> {
        let host = normal(host)?.to_string();
        let incidents = self.lock();
        let mut recent = incidents.iter().rev().take_while(|incident| incident.at >= since);
        recent.find(|incident| incident.host == host).map(|incident| incident.trouble.clone())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Incident>> {
        self.incidents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use url::Host;

    use super::*;

    #[test]
    fn the_oldest_incidents_are_forgotten() {
        let troubles = Troubles::default();
        for port in 1..=100 {
            let host = Host::parse(&format!("{port}.test")).unwrap();
            troubles.remember(&Destination { host, port }, Trouble::Crowded);
        }
        let all = troubles.all();
        assert_eq!((all.len(), all[0].port), (REMEMBERED, 37));
        let host = Host::parse("100.test").unwrap();
        troubles.remember(&Destination { host, port: 80 }, Trouble::Crowded);
        let all = troubles.all();
        assert_eq!((all.len(), all[REMEMBERED - 1].port), (REMEMBERED, 80), "the same again is one incident");
    }

    #[test]
    fn a_host_is_found_by_any_spelling_and_only_since_then() {
        let troubles = Troubles::default();
        let before = Instant::now();
        troubles
            .remember(&Destination { host: Host::parse("site.test").unwrap(), port: 80 }, Trouble::Crowded);
        assert_eq!(troubles.latest("SITE.test", before), Some(Trouble::Crowded));
        assert_eq!(troubles.latest("other.test", before), None);
        assert_eq!(troubles.latest("site.test", Instant::now() + Duration::from_secs(1)), None);
    }
}
