//! A small site on loopback: enough HTTP for a browser.

use std::{
    borrow::Cow,
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::{TrialError, error::io};

/// Concurrent connections. A browser opens six per host and context, and benchmarks have fifty contexts.
const AT_ONCE: usize = 512;

/// Idle timeout of a connection.
const SILENCE: Duration = Duration::from_secs(30);

/// Bytes of the body sent together with the head.
const AT_A_TIME: usize = 64 << 10;

/// Maximum bytes of a request.
const LONGEST_REQUEST: u64 = 64 << 10;

/// A response.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its media type.
    pub kind: &'static str,
    /// Its content.
    pub body: Cow<'static, str>,
}

impl Page {
    /// A page of HTML.
    pub fn html(body: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: "text/html; charset=utf-8", body: body.into() }
    }
}

/// A site that is served until the program ends.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    address: SocketAddr,
}

impl Site {
    /// Serves what `find` returns for a path (without its query).
    pub fn serve(find: impl Fn(&str) -> Option<Page> + Send + Sync + 'static) -> Result<Self, TrialError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(io("serving on loopback"))?;
        let address = listener.local_addr().map_err(io("serving on loopback"))?;
        let find = Arc::new(find);
        let open = Arc::new(AtomicUsize::new(0));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if open.load(Ordering::Acquire) >= AT_ONCE {
                    continue;
                }
                open.fetch_add(1, Ordering::AcqRel);
                let (find, open) = (Arc::clone(&find), Arc::clone(&open));
                std::thread::spawn(move || {
                    // A browser that disconnects early is not an error.
                    let _ = converse(&stream, &*find);
                    open.fetch_sub(1, Ordering::AcqRel);
                });
            }
        });
        Ok(Self { address })
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

/// Answers the requests of one connection in order.
fn converse(stream: &TcpStream, find: &dyn Fn(&str) -> Option<Page>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_nodelay(true)?;
    loop {
        let mut reader = BufReader::new(stream).take(LONGEST_REQUEST);
        let mut request = String::new();
        reader.read_line(&mut request)?;
        let Some(path) = request.split(' ').nth(1) else { return Ok(()) };
        let path = path.split(['?', '#']).next().unwrap_or(path);
        if !skip_headers(&mut reader)? {
            return Ok(());
        }
        respond(stream, find(path))?;
    }
}

/// Skips to the empty line after the headers; false if it is missing.
fn skip_headers(reader: &mut impl BufRead) -> std::io::Result<bool> {
    loop {
        let mut header = String::new();
        match reader.read_line(&mut header)? {
            0 => return Ok(false),
            _ if header.trim().is_empty() => return Ok(true),
            _ => {}
        }
    }
}

fn respond(mut stream: &TcpStream, page: Option<Page>) -> std::io::Result<()> {
    let (status, page) = match page {
        Some(page) => ("200 OK", page),
        None => ("404 Not Found", Page { kind: "text/plain", body: "nothing here".into() }),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\r\n",
        page.kind,
        page.body.len()
    );
    // In one write: a separate head costs the browser a second read.
    let (first, rest) = page.body.as_bytes().split_at(page.body.len().min(AT_A_TIME));
    stream.write_all(&[head.as_bytes(), first].concat())?;
    stream.write_all(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_without_its_query_and_the_connection_stays() {
        let site = Site::serve(|path| (path == "/a").then(|| Page::html("<p>hello"))).unwrap();
        let mut stream = TcpStream::connect(site.address).unwrap();
        for (path, expected) in [("/a?b=c", "200 OK"), ("/b", "404 Not Found")] {
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = [0; 1024];
            let length = stream.read(&mut answer).unwrap();
            assert!(String::from_utf8_lossy(&answer[..length]).contains(expected), "{path}");
        }
    }
}
