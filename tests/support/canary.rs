use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{IpAddr, Ipv4Addr, TcpListener, TcpStream, UdpSocket},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// A server that nobody may reach: it remembers every connection and request on its port of loopback, and every datagram on
/// the same port of any address, and answers with what any page may read.
pub struct Canary {
    port: u16,
    hits: Arc<Mutex<Vec<String>>>,
}

impl Canary {
    pub fn start() -> Self {
        let (listener, datagrams) = loop {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            // The same port, if nobody has it.
            if let Ok(datagrams) = UdpSocket::bind(("0.0.0.0", listener.local_addr().unwrap().port())) {
                break (listener, datagrams);
            }
        };
        let canary = Self { port: listener.local_addr().unwrap().port(), hits: Arc::default() };
        let hits = Arc::clone(&canary.hits);
        std::thread::spawn(move || {
            while let Ok((_, _)) = datagrams.recv_from(&mut [0; 2048]) {
                hits.lock().unwrap().push("udp".into());
            }
        });
        let hits = Arc::clone(&canary.hits);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let hits = Arc::clone(&hits);
                hits.lock().unwrap().push("tcp".into());
                std::thread::spawn(move || serve(stream, &hits));
            }
        });
        canary
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// This machine's own address, else loopback.
    pub fn own_address(&self) -> IpAddr {
        own_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    /// What came, once it is enough or nothing more is to be expected.
    pub fn hits_until(&self, enough: impl Fn(&[String]) -> bool) -> Vec<String> {
        let timeout = Instant::now() + Duration::from_secs(10);
        loop {
            let hits = self.hits();
            if enough(&hits) || Instant::now() > timeout {
                return hits;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// `tcp` for each connection, `udp` for each datagram, and the paths of requests.
    pub fn hits(&self) -> Vec<String> {
        self.hits.lock().unwrap().clone()
    }
}

/// The address that this machine's traffic to others comes from, if it has any. Nothing is sent.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}

fn serve(mut stream: TcpStream, hits: &Mutex<Vec<String>>) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let head: Vec<String> =
            reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let path = head.first()?.split(' ').nth(1)?.split('?').next()?.to_owned();
        hits.lock().unwrap().push(path);
        let length = head.iter().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok()).flatten()
        });
        std::io::copy(&mut reader.by_ref().take(length.unwrap_or(0)), &mut std::io::sink()).ok()?;
        stream
            .write_all(
                b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\ncanary",
            )
            .ok()?;
    }
}
