//! Connections to a host: direct, or through an HTTP or SOCKS5 proxy.

mod direct;
mod http;
mod socks;
pub(crate) mod tls;

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};
use tokio_rustls::TlsConnector;
use url::Host;

use self::direct::Missed;
pub(crate) use self::http::{authorization, credentials};
use crate::{
    HostPolicy, Resolve, Scheme, SystemResolver, Trouble, Upstream, destination::Destination,
    trouble::is_crowded,
};

/// A byte stream of any transport.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// Connects directly to a host, for requests outside the browser. The same rules for hosts and addresses apply as in a
/// relay without a proxy.
pub async fn dial(
    host: Host<String>,
    port: u16,
    timeout: Duration,
    policy: &Arc<HostPolicy>,
) -> Result<Box<dyn Stream>, Trouble> {
    policy.check_host(&host).map_err(Trouble::Refused)?;
    let policy = Arc::clone(policy);
    let dialer =
        Dialer { timeout, tls: None, policy, resolver: Arc::new(SystemResolver), trusts_upstream: false };
    dialer.direct(&Destination { host, port }).await
}

/// Opens connections for one relay.
pub(crate) struct Dialer {
    /// Connect timeout, handshakes included.
    pub(crate) timeout: Duration,
    /// For an HTTPS proxy.
    pub(crate) tls: Option<TlsConnector>,
    /// Which addresses may be dialled.
    pub(crate) policy: Arc<HostPolicy>,
    pub(crate) resolver: Arc<dyn Resolve>,
    /// Whether the proxy itself is exempt from the policy.
    pub(crate) trusts_upstream: bool,
}

impl Dialer {
    /// Connects directly to the host.
    pub(crate) async fn direct(&self, destination: &Destination) -> Result<Box<dyn Stream>, Trouble> {
        let silent = || Trouble::HostSilent { destination: destination.to_string(), waited: self.timeout };
        let connect =
            direct::connect(&destination.host, destination.port, &*self.resolver, Some(&self.policy));
        let stream = timeout(self.timeout, connect).await.map_err(|_| silent())?;
        let stream = stream.map_err(|missed| match missed {
            Missed::Name(error) => {
                Trouble::NameUnknown { host: destination.host_text(), reason: error.to_string() }
            }
            Missed::Refused(refusal) => Trouble::Refused(refusal),
            Missed::Connection(error) if is_crowded(&error) => Trouble::Crowded,
            Missed::Connection(error) => {
                Trouble::HostUnreachable { destination: destination.to_string(), reason: error.to_string() }
            }
        })?;
        Ok(Box::new(stream))
    }

    /// Connects to the host through a proxy tunnel.
    pub(crate) async fn tunnel(
        &self,
        upstream: &Upstream,
        destination: &Destination,
    ) -> Result<Box<dyn Stream>, Trouble> {
        self.in_time(upstream, async {
            let stream = self.reach(upstream).await?;
            match upstream.scheme() {
                Scheme::Http | Scheme::Https => http::connect(stream, upstream, destination).await,
                Scheme::Socks5 => socks::connect(stream, upstream, destination).await,
            }
        })
        .await
    }

    /// Connects to the proxy itself, to forward complete requests.
    pub(crate) async fn to_proxy(&self, upstream: &Upstream) -> Result<Box<dyn Stream>, Trouble> {
        self.in_time(upstream, self.reach(upstream)).await
    }

    async fn reach(&self, upstream: &Upstream) -> Result<Box<dyn Stream>, Trouble> {
        let policy = (!self.trusts_upstream).then_some(&*self.policy);
        if let Some(policy) = policy {
            policy.check_host(upstream.host()).map_err(Trouble::Refused)?;
        }
        let connected = direct::connect(upstream.host(), upstream.port(), &*self.resolver, policy).await;
        let stream = connected.map_err(|missed| match missed {
            Missed::Refused(refusal) => Trouble::Refused(refusal),
            Missed::Connection(error) if is_crowded(&error) => Trouble::Crowded,
            Missed::Name(error) | Missed::Connection(error) => {
                Trouble::ProxyUnreachable { proxy: upstream.to_string(), reason: error.to_string() }
            }
        })?;
        match (&self.tls, upstream.scheme()) {
            (Some(tls), Scheme::Https) => tls::secure(tls, stream, upstream).await,
            _ => Ok(Box::new(stream)),
        }
    }

    async fn in_time<T>(
        &self,
        upstream: &Upstream,
        dial: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, Trouble> {
        let silent = |_| Trouble::ProxySilent { proxy: upstream.to_string(), waited: self.timeout };
        timeout(self.timeout, dial).await.map_err(silent)?
    }
}
