use std::{net::SocketAddr, sync::Arc};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivatePkcs8KeyDer};
use tokio::{
    io::{AsyncWriteExt, BufReader, copy_bidirectional},
    net::TcpStream,
};
use tokio_rustls::TlsAcceptor;

use super::{Listening, Seen, Stream, header, read_head, site};

/// `jo:pass` for Basic authentication.
pub(crate) const JO: &str = "Basic am86cGFzcw==";

/// An HTTP proxy that resolves every name to one address, and records request heads.
#[derive(Clone, Default)]
pub(crate) struct HttpProxy {
    /// The target of all tunnels; plain requests are answered as by the site.
    pub(crate) leads_to: Option<SocketAddr>,
    /// The required `Proxy-Authorization`.
    pub(crate) wants: Option<&'static str>,
    /// A fixed response to everything.
    pub(crate) always: Option<&'static str>,
}

impl HttpProxy {
    pub(crate) async fn start(self) -> Listening {
        Listening::start(move |stream, seen| self.clone().serve(Box::new(stream), seen)).await
    }

    /// Over TLS; returns its certificate too.
    pub(crate) async fn start_inside_tls(self) -> (Listening, Vec<u8>) {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![cert.der().clone()],
                PrivatePkcs8KeyDer::from(signing_key.serialize_der()).into(),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listening = Listening::start(move |stream, seen| {
            let (acceptor, proxy) = (acceptor.clone(), self.clone());
            async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    proxy.serve(Box::new(stream), seen).await;
                }
            }
        })
        .await;
        (listening, cert.der().to_vec())
    }

    async fn serve(self, stream: Box<dyn Stream>, seen: Seen) {
        let mut stream = BufReader::new(stream);
        while let Some(head) = read_head(&mut stream).await {
            seen.push(&head);
            let denied = self.wants.is_some() && header(&head, "proxy-authorization") != self.wants;
            let refusal = match self.always {
                Some(always) => Some(always),
                None => denied.then_some(
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"up\"\r\nContent-Length: 0\r\n\r\n",
                ),
            };
            if let Some(refusal) = refusal {
                stream.write_all(refusal.as_bytes()).await.ok();
                continue;
            }
            if head.starts_with("CONNECT ") {
                let mut site = TcpStream::connect(self.leads_to.unwrap()).await.unwrap();
                stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.unwrap();
                copy_bidirectional(&mut stream, &mut site).await.ok();
                return;
            }
            // Answers as the site; the body shows that the request came through.
            let body = match head.contains("/hello ") {
                true => "HTTP/1.1 200 OK\r\nX-Through: proxy\r\nContent-Length: 5\r\n\r\nhello",
                false => return site::serve(Box::new(stream), seen).await,
            };
            stream.write_all(body.as_bytes()).await.ok();
        }
    }
}
