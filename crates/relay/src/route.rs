use std::{sync::Arc, time::Duration};

use crate::{Bypass, HostPolicy, Refusal, Resolve, SystemResolver, Upstream, destination::Destination};

/// How a relay forwards requests.
#[derive(Debug, Clone)]
pub struct Route {
    /// The upstream proxy; `None` to connect directly.
    pub upstream: Option<Upstream>,
    /// Hosts that bypass the upstream proxy.
    pub bypass: Bypass,
    /// Connect timeout, all handshakes included.
    pub timeout: Duration,
    /// Additional trusted certificates (DER) for an `https` upstream.
    pub authorities: Vec<Vec<u8>>,
    /// Which hosts and addresses may be reached.
    pub policy: Arc<HostPolicy>,
    /// Whether the upstream itself is exempt from the policy: the owner of the policy chose it.
    pub trusts_upstream: bool,
    /// Resolves names.
    pub resolver: Arc<dyn Resolve>,
}

/// What to do with a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision<'a> {
    Direct,
    Through(&'a Upstream),
}

impl Route {
    /// Direct connections to every host.
    pub fn direct() -> Self {
        Self {
            upstream: None,
            bypass: Bypass::default(),
            timeout: Duration::from_secs(15),
            authorities: Vec::new(),
            policy: Arc::default(),
            trusts_upstream: false,
            resolver: Arc::new(SystemResolver),
        }
    }

    /// Everything through this proxy.
    pub fn through(upstream: Upstream) -> Self {
        Self { upstream: Some(upstream), ..Self::direct() }
    }

    /// Decides about every request; there is no other place.
    pub(crate) fn decide(&self, destination: &Destination) -> Result<Decision<'_>, Refusal> {
        self.policy.check_host(&destination.host)?;
        Ok(match &self.upstream {
            Some(upstream) if !self.bypass.covers(destination) => Decision::Through(upstream),
            _ => Decision::Direct,
        })
    }
}

impl Default for Route {
    fn default() -> Self {
        Self::direct()
    }
}
