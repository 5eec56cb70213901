use std::sync::Arc;

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, IpAddr, ServerName},
};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use url::Host;

use super::Stream;
use crate::{Trouble, Upstream};

/// TLS for HTTP/1.1. Trusts the system's certificates, or Mozilla's if the system has none, and the given ones.
pub fn connector(authorities: &[Vec<u8>]) -> Result<TlsConnector, rustls::Error> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    for error in &system.errors {
        tracing::debug!(%error, "a certificate of the system was not read");
    }
    let (added, _) = roots.add_parsable_certificates(system.certs);
    if added == 0 {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    for authority in authorities {
        roots.add(CertificateDer::from(authority.clone()))?;
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// TLS handshake with the proxy.
pub(super) async fn secure(
    tls: &TlsConnector,
    stream: TcpStream,
    upstream: &Upstream,
) -> Result<Box<dyn Stream>, Trouble> {
    let insecure = |reason: String| Trouble::ProxyInsecure { proxy: upstream.to_string(), reason };
    let name = match upstream.host() {
        Host::Domain(name) => {
            ServerName::try_from(name.clone()).map_err(|error| insecure(error.to_string()))?
        }
        Host::Ipv4(address) => ServerName::IpAddress(IpAddr::V4((*address).into())),
        Host::Ipv6(address) => ServerName::IpAddress(IpAddr::V6((*address).into())),
    };
    let stream = tls.connect(name, stream).await.map_err(|error| insecure(error.to_string()))?;
    Ok(Box::new(stream))
}
