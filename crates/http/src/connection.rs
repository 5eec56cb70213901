//! The connection to a host: the same route as the browser context's traffic.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use cicerone_relay::{HostPolicy, Stream, dial, tls_connector};
use http_body_util::Empty;
use hyper::{Method, Request, Uri, client::conn::http1, header, upgrade};
use hyper_util::rt::TokioIo;
use rustls::pki_types::{IpAddr, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_util::task::AbortOnDropHandle;
use url::{Host, Url};

use crate::{HttpError, error::broken};

/// The route of a request.
#[derive(Debug, Clone)]
pub enum Way {
    /// Direct, if the policy allows it.
    Direct(Arc<HostPolicy>),
    /// Through a proxy on loopback.
    Through(ProxyAccess),
}

/// An HTTP proxy on loopback with its credentials.
#[derive(Clone)]
pub struct ProxyAccess {
    /// The address that it listens on.
    pub address: SocketAddr,
    /// The user name.
    pub user: String,
    pub password: String,
}

impl fmt::Debug for ProxyAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProxyAccess({})", self.address)
    }
}

impl ProxyAccess {
    /// The value of `Proxy-Authorization`.
    pub(crate) fn authorization(&self) -> String {
        format!("Basic {}", STANDARD.encode(format!("{}:{}", self.user, self.password)))
    }

    async fn connect(&self) -> Result<TcpStream, HttpError> {
        let stream = TcpStream::connect(self.address).await.map_err(HttpError::NoProxy)?;
        stream.set_nodelay(true).map_err(HttpError::NoProxy)?;
        Ok(stream)
    }

    /// Opens a tunnel to a host and port.
    async fn tunnel(&self, place: &str) -> Result<Box<dyn Stream>, HttpError> {
        let uri = Uri::builder().authority(place).build().map_err(|_| HttpError::Url(place.to_owned()))?;
        let request = Request::builder()
            .method(Method::CONNECT)
            .uri(uri)
            .header(header::HOST, place)
            .header(header::PROXY_AUTHORIZATION, self.authorization())
            .body(Empty::<Bytes>::new())
            .map_err(|error| broken(&error))?;
        let stream = TokioIo::new(self.connect().await?);
        let (mut sender, connection) = http1::handshake(stream).await.map_err(|error| broken(&error))?;
        // The connection must be driven until it becomes a tunnel.
        let _driver = AbortOnDropHandle::new(tokio::spawn(connection.with_upgrades()));
        let response = sender.send_request(request).await.map_err(|error| broken(&error))?;
        if !response.status().is_success() {
            return Err(HttpError::Proxy(response.status().as_u16()));
        }
        let tunnel = upgrade::on(response).await.map_err(|error| broken(&error))?;
        Ok(Box::new(TokioIo::new(tunnel)))
    }
}

/// Opens a connection for requests to a URL. This is the one place that decides whom to connect to: the host policy is
/// enforced by the relay (with a proxy) or its dialler (without).
pub(crate) async fn connect(url: &Url, way: &Way, timeout: Duration) -> Result<Box<dyn Stream>, HttpError> {
    let bad = || HttpError::Url(url.to_string());
    let host = url.host().ok_or_else(bad)?.to_owned();
    let port = url.port_or_known_default().ok_or_else(bad)?;
    let secure = url.scheme() == "https";
    let stream = match way {
        Way::Direct(policy) => {
            dial(host.clone(), port, timeout, policy).await.map_err(HttpError::Unreachable)?
        }
        Way::Through(proxy) if secure => proxy.tunnel(&format!("{host}:{port}")).await?,
        Way::Through(proxy) => Box::new(proxy.connect().await?),
    };
    if secure { protected(stream, &host).await } else { Ok(stream) }
}

/// TLS handshake with a host.
async fn protected(stream: Box<dyn Stream>, host: &Host) -> Result<Box<dyn Stream>, HttpError> {
    let insecure = |reason: String| HttpError::Tls { host: host.to_string(), reason };
    let name = match host {
        Host::Domain(name) => {
            ServerName::try_from(name.clone()).map_err(|error| insecure(error.to_string()))?
        }
        Host::Ipv4(address) => ServerName::IpAddress(IpAddr::V4((*address).into())),
        Host::Ipv6(address) => ServerName::IpAddress(IpAddr::V6((*address).into())),
    };
    let tls = tls().map_err(|error| insecure(error.to_string()))?;
    let stream = tls.connect(name, stream).await.map_err(|error| insecure(reason(&error)))?;
    Ok(Box::new(stream))
}

/// The TLS error, if there is one.
fn reason(error: &io::Error) -> String {
    error.get_ref().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Loading the system's certificates is slow: do it once.
fn tls() -> Result<&'static TlsConnector, rustls::Error> {
    static TLS: OnceLock<TlsConnector> = OnceLock::new();
    if let Some(tls) = TLS.get() {
        return Ok(tls);
    }
    let made = tls_connector(&[])?;
    Ok(TLS.get_or_init(|| made))
}
