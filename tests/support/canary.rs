use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream, UdpSocket},
    sync::{Arc, Mutex},
    time::Duration,
};

/// A server that nobody may reach: it remembers every connection, request and datagram on its port of loopback, and
/// answers with what any page may read.
pub struct Canary {
    port: u16,
    hits: Arc<Mutex<Vec<String>>>,
}

impl Canary {
    pub fn start() -> Self {
        let (listener, datagrams) = loop {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            // The same port, if nobody has it.
            if let Ok(datagrams) = UdpSocket::bind(listener.local_addr().unwrap()) {
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

    /// `tcp` for each connection, `udp` for each datagram, and the paths of requests.
    pub fn hits(&self) -> Vec<String> {
        self.hits.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, hits: &Mutex<Vec<String>>) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    loop {
        let first = lines.next()?.ok()?;
        let path = first.split(' ').nth(1)?.split('?').next()?.to_owned();
        hits.lock().unwrap().push(path);
        while lines.next()?.ok().is_some_and(|line| !line.is_empty()) {}
        stream
            .write_all(
                b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\ncanary",
            )
            .ok()?;
    }
}
