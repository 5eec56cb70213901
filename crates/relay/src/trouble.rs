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

/// How many incidents a relay remembers.
const REMEMBERED: usize = 64;

/// Why a request could not be carried. Proxies are named without credentials.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Trouble {
    /// No connection to the proxy could be made.
    #[error("the proxy {proxy} cannot be reached: {reason}")]
    ProxyUnreachable {
        /// The proxy.
        proxy: String,
        /// The system's words for it.
        reason: String,
    },
    /// The proxy did not answer in time, or has not yet.
    #[error("the proxy {proxy} has not answered for {} s", waited.as_secs_f32())]
    ProxySilent {
        /// The proxy.
        proxy: String,
        /// How long it was given.
        waited: Duration,
    },
    /// The proxy does not accept the user name and password.
    #[error("the proxy {proxy} refused the user name or password")]
    CredentialsRefused {
        /// The proxy.
        proxy: String,
    },
    /// The proxy wants a user name and password, and we have none for it.
    #[error("the proxy {proxy} asks for a user name and a password, and none were given")]
    CredentialsMissing {
        /// The proxy.
        proxy: String,
    },
    /// The proxy answered, but would not or could not connect to the host.
    #[error("the proxy {proxy} did not connect to {destination}: {reason}")]
    ProxyRefused {
        /// The proxy.
        proxy: String,
        /// The host and port that were asked for.
        destination: String,
        /// The proxy's words for it.
        reason: String,
    },
    /// What answered is no proxy of this scheme, or ended the connection in the middle of its answer.
    #[error("what answers at {proxy} is no such proxy: {reason}")]
    ProxyUnintelligible {
        /// The proxy.
        proxy: String,
        /// What was wrong with its answer.
        reason: String,
    },
    /// The encryption to the proxy could not be set up: most often a certificate that is not trusted.
    #[error("no secure connection to the proxy {proxy}: {reason}")]
    ProxyInsecure {
        /// The proxy.
        proxy: String,
        /// What was wrong with its certificate or its TLS.
        reason: String,
    },
    /// The host's name has no address.
    #[error("the host name {host} cannot be resolved: {reason}")]
    NameUnknown {
        /// The name.
        host: String,
        /// The system's words for it.
        reason: String,
    },
    /// No connection to the host could be made.
    #[error("{destination} cannot be reached: {reason}")]
    HostUnreachable {
        /// The host and port that were asked for.
        destination: String,
        /// The system's words for it.
        reason: String,
    },
    /// The host did not take the connection in time.
    #[error("{destination} did not take the connection within {} s", waited.as_secs_f32())]
    HostSilent {
        /// The host and port that were asked for.
        destination: String,
        /// How long it was given.
        waited: Duration,
    },
    /// The connection ended before there was an answer.
    #[error("the connection to {via} ended before it answered: {reason}")]
    Cut {
        /// The host, or the proxy on the way to it.
        via: String,
        /// What ended it.
        reason: String,
    },
    /// The host answered as only a proxy may. Passed on, it would make the browser forget the credentials for us.
    #[error("{destination} asks for proxy credentials, but is no proxy")]
    HostAsksAsProxy {
        /// The host and port that were asked for.
        destination: String,
    },
    /// The policy does not allow the host, or the address that it resolves to.
    #[error(transparent)]
    Refused(Refusal),
    /// The process may open no more connections.
    #[error("too many connections are open")]
    Crowded,
}

/// A trouble, with what was asked for and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// The host that was asked for, as URLs have it.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What went wrong.
    pub trouble: Trouble,
    /// When it did.
    pub at: Instant,
}

impl Trouble {
    /// What the browser is told. Never 407: a browser would ask a person for credentials.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::ProxySilent { .. } | Self::HostSilent { .. } => StatusCode::GATEWAY_TIMEOUT,
            Self::Crowded => StatusCode::SERVICE_UNAVAILABLE,
            Self::Refused(_) => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_GATEWAY,
        }
    }
}

/// Whether an error of the system means that there are no more file descriptors.
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

/// The last incidents of one relay.
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
        // A page that asks for the same thousands of times must not push out the rest.
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
