use std::{sync::Arc, time::Duration};

use crate::{Bypass, HostPolicy, Refusal, Resolve, SystemResolver, Upstream, destination::Destination};

/// How a relay carries what it is asked for.
#[derive(Debug, Clone)]
pub struct Route {
    /// The proxy that requests are handed to; none for straight to the host.
    pub upstream: Option<Upstream>,
    /// The hosts that are connected to directly all the same.
    pub bypass: Bypass,
    /// How long connecting may take, all handshakes included.
    pub patience: Duration,
    /// Certificates in DER form, beside those of the system, that may sign for an `https` upstream.
    pub authorities: Vec<Vec<u8>>,
    /// Which hosts and addresses may be reached.
    pub policy: Arc<HostPolicy>,
    /// Whether the policy is not asked about the upstream itself: whoever made the policy chose it.
    pub trusts_upstream: bool,
    /// What finds the addresses of names.
    pub resolver: Arc<dyn Resolve>,
}

/// What is to be done with a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision<'a> {
    Direct,
    Through(&'a Upstream),
}

impl Route {
    /// Straight to every host.
    pub fn direct() -> Self {
        Self {
            upstream: None,
            bypass: Bypass::default(),
            patience: Duration::from_secs(15),
            authorities: Vec::new(),
            policy: Arc::default(),
            trusts_upstream: false,
            resolver: Arc::new(SystemResolver),
        }
    }

    /// Through this proxy.
    pub fn through(upstream: Upstream) -> Self {
        Self { upstream: Some(upstream), ..Self::direct() }
    }

    /// The one place where it is said what becomes of a request.
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
