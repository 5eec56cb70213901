use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};

/// An upstream proxy that finds every name on this machine, and remembers what it is asked for.
pub struct Proxy {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

/// The user name and password that a proxy wants.
type Wants = Option<(&'static str, &'static str)>;

impl Proxy {
    /// One that speaks HTTP.
    pub fn http(wants: Wants) -> Self {
        Self::start(move |stream, seen| http(stream, seen, wants))
    }

    /// One that speaks SOCKS5.
    pub fn socks(wants: Wants) -> Self {
        Self::start(move |stream, seen| socks(stream, seen, wants))
    }

    /// One that takes connections and never answers.
    pub fn silent() -> Self {
        Self::start(|mut stream, _| {
            let mut rest = [0; 1024];
            while stream.read(&mut rest).is_ok_and(|read| read > 0) {}
            None
        })
    }

    fn start(serve: impl Fn(TcpStream, &Mutex<Vec<String>>) -> Option<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Self { port, seen: Arc::default() };
        let (serve, seen) = (Arc::new(serve), Arc::clone(&proxy.seen));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (serve, seen) = (Arc::clone(&serve), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &seen));
            }
        });
        proxy
    }

    /// Where it is: `127.0.0.1:port`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The places that it was asked for: `host:port`, in order.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }

    /// Whether it was asked for a place.
    pub fn saw(&self, place: &str) -> bool {
        self.seen().iter().any(|seen| seen == place)
    }
}

fn http(stream: TcpStream, seen: &Mutex<Vec<String>>, wants: Wants) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut head: Vec<String> = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let wanted = wants.map(|(user, password)| BASE64.encode(format!("{user}:{password}")));
        let given = head.iter().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("proxy-authorization")
                .then(|| value.trim_start_matches("Basic ").to_owned())
        });
        if wanted.is_some() && wanted != given {
            let refusal =
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"up\"\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(refusal.as_bytes()).ok()?;
            continue;
        }
        let mut words = head[0].split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        if method == "CONNECT" {
            seen.lock().unwrap().push(target.clone());
            let site = find(&target)?;
            stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").ok()?;
            return splice(reader, stream, site);
        }
        let (place, path) = target.strip_prefix("http://")?.split_once('/')?;
        seen.lock().unwrap().push(place.to_owned());
        let mut site = find(place)?;
        let kept = head[1..].iter().filter(|line| !line.to_ascii_lowercase().starts_with("proxy-"));
        let mut request = format!("{method} /{path} HTTP/1.1\r\n");
        kept.for_each(|line| request.push_str(&format!("{line}\r\n")));
        site.write_all(format!("{request}\r\n").as_bytes()).ok()?;
        // One request for each connection: what else comes is the rest of its body.
        let mut status = Vec::new();
        let mut answer = BufReader::with_capacity(1, site.try_clone().ok()?);
        answer.read_until(b'\n', &mut status).ok()?;
        stream.write_all(&status).ok()?;
        stream.write_all(b"Connection: close\r\n").ok()?;
        return splice(reader, stream, site);
    }
}

fn socks(stream: TcpStream, seen: &Mutex<Vec<String>>, wants: Wants) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    let methods = { counted(&mut reader, 1)? };
    let method = if wants.is_some() { 2 } else { 0 };
    if !methods.contains(&method) {
        return stream.write_all(&[5, 0xff]).ok();
    }
    stream.write_all(&[5, method]).ok()?;
    if let Some((user, password)) = wants {
        let given = (counted(&mut reader, 1)?, counted(&mut reader, 0)?);
        let right = given == (user.as_bytes().to_vec(), password.as_bytes().to_vec());
        stream.write_all(&[1, u8::from(!right)]).ok()?;
        if !right {
            return None;
        }
    }
    let mut request = [0; 4];
    reader.read_exact(&mut request).ok()?;
    let host = match request[3] {
        1 => {
            let mut address = [0; 4];
            reader.read_exact(&mut address).ok()?;
            std::net::Ipv4Addr::from(address).to_string()
        }
        3 => String::from_utf8(counted(&mut reader, 0)?).ok()?,
        _ => return None,
    };
    let mut port = [0; 2];
    reader.read_exact(&mut port).ok()?;
    let place = format!("{host}:{}", u16::from_be_bytes(port));
    seen.lock().unwrap().push(place.clone());
    let site = find(&place)?;
    stream.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 1]).ok()?;
    splice(reader, stream, site)
}

/// What comes after some bytes and its own length.
fn counted(reader: &mut impl Read, skipped: usize) -> Option<Vec<u8>> {
    let mut start = vec![0; skipped + 1];
    reader.read_exact(&mut start).ok()?;
    let mut bytes = vec![0; usize::from(start[skipped])];
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Every name is this machine.
fn find(place: &str) -> Option<TcpStream> {
    let (_, port) = place.rsplit_once(':')?;
    TcpStream::connect(("127.0.0.1", port.parse().ok()?)).ok()
}

/// Both ways, until both ends are done.
fn splice(mut from: BufReader<TcpStream>, mut back: TcpStream, site: TcpStream) -> Option<()> {
    let (mut to_site, mut from_site) = (site.try_clone().ok()?, site);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to_site);
        let _ = to_site.shutdown(Shutdown::Write);
    });
    let _ = std::io::copy(&mut from_site, &mut back);
    back.shutdown(Shutdown::Both).ok()
}
