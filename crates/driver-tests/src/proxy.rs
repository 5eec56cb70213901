//! A forward proxy on loopback that takes only who gives a name and a password.

use std::{
    io::{BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use base64::Engine as _;
use cicerone_driver::Proxy;

use crate::site::Head;

pub struct ForwardProxy {
    pub proxy: Proxy,
    log: Arc<Mutex<Vec<Head>>>,
}

impl ForwardProxy {
    pub fn serve(user: &str, password: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Proxy { address, user: user.into(), password: password.into() };
        let log = Arc::new(Mutex::default());
        let expected = basic(user, password);
        let served = Self { proxy, log: Arc::clone(&log) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, expected) = (Arc::clone(&log), expected.clone());
                std::thread::spawn(move || converse(&stream, &log, &expected));
            }
        });
        served
    }

    /// What was asked for with the right credentials.
    pub fn let_through(&self) -> Vec<String> {
        let expected = basic(&self.proxy.user, &self.proxy.password);
        self.targets(|given| given == Some(&expected))
    }

    /// What was asked for without.
    pub fn refused(&self) -> Vec<String> {
        let expected = basic(&self.proxy.user, &self.proxy.password);
        self.targets(|given| given != Some(&expected))
    }

    fn targets(&self, which: impl Fn(Option<&str>) -> bool) -> Vec<String> {
        let log = self.log.lock().unwrap();
        let heads = log.iter().filter(|head| which(head.header("proxy-authorization")));
        heads.map(|head| format!("{} {}", head.method, head.target)).collect()
    }
}

fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}")))
}

fn converse(stream: &TcpStream, log: &Mutex<Vec<Head>>, expected: &str) {
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    while let Some(head) = Head::read(&mut reader) {
        log.lock().unwrap().push(head.clone());
        if head.header("proxy-authorization") != Some(expected) {
            let refusal = "HTTP/1.1 407 Who\r\nproxy-authenticate: Basic realm=\"cicerone\"\r\ncontent-length: 0\r\n\r\n";
            writer.write_all(refusal.as_bytes()).ok();
            continue;
        }
        if head.target.starts_with("http://proxy-auth.cicerone.invalid/") {
            writer.write_all(b"HTTP/1.1 204 Known\r\n\r\n").ok();
            continue;
        }
        forward(stream, &head);
        return;
    }
}

/// Connects to where the request goes, and passes everything on until one side ends.
fn forward(client: &TcpStream, head: &Head) {
    let mut client = client.try_clone().unwrap();
    let authority = match head.target.strip_prefix("http://") {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None => &head.target,
    };
    let Ok(mut server) = TcpStream::connect(authority) else {
        client.write_all(b"HTTP/1.1 502 Nobody there\r\ncontent-length: 0\r\n\r\n").ok();
        return;
    };
    if head.method == "CONNECT" {
        client.write_all(b"HTTP/1.1 200 Through\r\n\r\n").ok();
    } else {
        let path = head.target.splitn(4, '/').nth(3).unwrap_or_default();
        let kept =
            head.headers.iter().filter(|(name, _)| !name.starts_with("proxy-") && name != "connection");
        let headers: String = kept.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        // One request a connection: the next one on it may go elsewhere.
        let request = format!("{} /{path} HTTP/1.1\r\n{headers}connection: close\r\n\r\n", head.method);
        server.write_all(request.as_bytes()).ok();
    }
    let (mut back, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    std::thread::spawn(move || {
        std::io::copy(&mut back, &mut to_client).ok();
        to_client.shutdown(std::net::Shutdown::Both).ok();
    });
    std::io::copy(&mut client, &mut server).ok();
    server.shutdown(std::net::Shutdown::Both).ok();
}
