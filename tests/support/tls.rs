//! TLS on loopback: a site, and a relay to something plain.

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;

/// A certificate for `localhost`, which only those trust who are told to.
struct Certificate {
    config: Arc<ServerConfig>,
    directory: TempDir,
}

impl Certificate {
    fn new() -> Self {
        let rcgen::CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let pem = format!(
            "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
            STANDARD.encode(cert.der())
        );
        std::fs::write(directory.path().join("certificate.pem"), pem).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        Self { config: Arc::new(config), directory }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("certificate.pem")
    }
}

/// A site that answers every request with its first line.
pub struct SecureSite {
    port: u16,
    certificate: Certificate,
}

impl SecureSite {
    pub fn start() -> Self {
        let certificate = Certificate::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let config = Arc::clone(&certificate.config);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let config = Arc::clone(&config);
                std::thread::spawn(move || {
                    let connection = ServerConnection::new(config).unwrap();
                    serve(StreamOwned::new(connection, stream))
                });
            }
        });
        Self { port, certificate }
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    /// What has to be trusted.
    pub fn certificate(&self) -> PathBuf {
        self.certificate.path()
    }
}

/// TLS in front of a plain address.
pub struct SecureRelay {
    port: u16,
    certificate: Certificate,
}

impl SecureRelay {
    pub fn to(target: SocketAddr) -> Self {
        let certificate = Certificate::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let acceptor = TlsAcceptor::from(Arc::clone(&certificate.config));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                while let Ok((near, _)) = listener.accept().await {
                    tokio::spawn(relay(acceptor.clone(), near, target));
                }
            });
        });
        Self { port, certificate }
    }

    /// The host and the port that it is for.
    pub fn authority(&self) -> String {
        format!("localhost:{}", self.port)
    }

    /// What has to be trusted.
    pub fn certificate(&self) -> PathBuf {
        self.certificate.path()
    }
}

/// Ends with either side; a client that does not trust the certificate leaves first.
async fn relay(
    acceptor: TlsAcceptor,
    near: tokio::net::TcpStream,
    target: SocketAddr,
) -> std::io::Result<()> {
    let mut near = acceptor.accept(near).await?;
    let mut far = tokio::net::TcpStream::connect(target).await?;
    tokio::io::copy_bidirectional(&mut near, &mut far).await.map(drop)
}

fn serve(stream: StreamOwned<ServerConnection, std::net::TcpStream>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        line.clear();
    }
    let first = first.trim_end();
    let answer =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{first}", first.len());
    let mut stream = reader.into_inner();
    stream.write_all(answer.as_bytes()).ok()?;
    stream.conn.send_close_notify();
    stream.flush().ok()
}
