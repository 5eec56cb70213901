//! A site on loopback that remembers what it was asked for.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The head of a request.
#[derive(Debug, Clone, Default)]
pub struct Head {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
}

impl Head {
    pub fn read(reader: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let mut head = Self { method: words.next()?, target: words.next()?, headers: Vec::new() };
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { return Some(head) };
            head.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What is answered: the status, more header lines, the body.
pub type Answer = (u16, Vec<(&'static str, String)>, String);

pub fn html(body: &str) -> Answer {
    (200, vec![("content-type", "text/html".into())], body.into())
}

#[derive(Clone)]
pub struct Site {
    pub address: SocketAddr,
    log: Arc<Mutex<Vec<Head>>>,
    connections: Arc<AtomicUsize>,
}

impl Site {
    pub fn serve(answer: impl Fn(&Head) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let site = Self {
            address: listener.local_addr().unwrap(),
            log: Arc::default(),
            connections: Arc::default(),
        };
        let (log, answer) = (Arc::clone(&site.log), Arc::new(answer));
        let connections = Arc::clone(&site.connections);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::Relaxed);
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || converse(&stream, &log, &*answer));
            }
        });
        site
    }

    /// The same page everywhere.
    pub fn blank() -> Self {
        Self::serve(|_| html("<title>blank</title><link rel=icon href='data:,'>"))
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many connections it got, with or without a request.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    pub fn asked(&self) -> Vec<Head> {
        self.log.lock().unwrap().clone()
    }
}

fn converse(stream: &TcpStream, log: &Mutex<Vec<Head>>, answer: &dyn Fn(&Head) -> Answer) {
    let mut reader = BufReader::new(stream);
    while let Some(head) = Head::read(&mut reader) {
        log.lock().unwrap().push(head.clone());
        let length = head.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if io::copy(&mut (&mut reader).take(length), &mut io::sink()).is_err() {
            return;
        }
        let (status, headers, body) = answer(&head);
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (length, connection) = (body.len(), head.header("connection").unwrap_or("keep-alive"));
        let reply = format!(
            "HTTP/1.1 {status} Answer\r\ncontent-length: {length}\r\nconnection: {connection}\r\n{headers}\r\n{body}"
        );
        let mut stream = stream;
        if stream.write_all(reply.as_bytes()).is_err() || connection == "close" {
            stream.shutdown(std::net::Shutdown::Both).ok();
            return;
        }
    }
}
