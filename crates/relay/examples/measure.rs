//! Measures the cost of a relay: `cargo run --release -p cicerone-relay --example measure`, on an idle machine.
//!
//! A client and a site on loopback communicate directly and through the relay, alternating, in one run. The results are
//! the difference per request and the ratio per download. With `serve [UPSTREAM]` it starts a relay to try with a
//! browser, until standard input ends.

#![allow(clippy::print_stdout, reason = "this is what it is for")]

use std::{
    error::Error,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use cicerone_relay::{Relay, Route};

const DOWNLOAD: usize = 100 << 20;
const ROUNDS: usize = 9;
const REQUESTS: usize = 300;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let serve = arguments.next().as_deref() == Some("serve");
    let upstream = arguments.next().map(|upstream| upstream.parse()).transpose()?;
    let relay = Relay::start(Route { upstream, ..Route::direct() })?;
    if serve {
        println!("{} {} {}", relay.address(), relay.user(), relay.password());
        io::copy(&mut io::stdin(), &mut io::sink())?;
        return Ok(());
    }
    let site = site()?;
    let ways = [("direct", Way::Direct), ("request", Way::Request(&relay)), ("tunnel", Way::Tunnel(&relay))];
    let mut requests = [vec![], vec![], vec![]];
    let mut openings = [vec![], vec![], vec![]];
    let mut downloads = [vec![], vec![], vec![]];
    for _ in 0..ROUNDS {
        for (index, (_, way)) in ways.iter().enumerate() {
            let mut line = way.open(site)?;
            way.get(&mut line, site, 10)?;
            for _ in 0..REQUESTS {
                requests[index].push(timed(|| way.get(&mut line, site, 10))?);
            }
            for _ in 0..REQUESTS / 10 {
                openings[index].push(timed(|| way.get(&mut way.open(site)?, site, 10))?);
            }
            downloads[index].push(timed(|| way.get(&mut line, site, DOWNLOAD))?);
        }
    }
    println!("| way | request on an open connection | on a new one | 100 MB |");
    println!("| --- | --- | --- | --- |");
    let [requests, openings, downloads] = [requests, openings, downloads].map(|all| all.map(median));
    for (index, (name, _)) in ways.iter().enumerate() {
        let more = |all: &[Duration]| (all[index].as_secs_f64() - all[0].as_secs_f64()) * 1e3;
        println!(
            "| {name} | {:?} ({:+.3} ms) | {:?} ({:+.3} ms) | {:?} ({:.0} % of direct throughput) |",
            requests[index],
            more(&requests),
            openings[index],
            more(&openings),
            downloads[index],
            100.0 * downloads[0].as_secs_f64() / downloads[index].as_secs_f64()
        );
    }
    Ok(())
}

fn timed(work: impl FnOnce() -> Outcome<()>) -> Outcome<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// How the site is reached.
enum Way<'a> {
    Direct,
    Request(&'a Relay),
    Tunnel(&'a Relay),
}

impl Way<'_> {
    fn open(&self, site: SocketAddr) -> Outcome<BufReader<TcpStream>> {
        let address = match self {
            Self::Direct => site,
            Self::Request(relay) | Self::Tunnel(relay) => relay.address(),
        };
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut stream = BufReader::with_capacity(64 << 10, stream);
        if let Self::Tunnel(relay) = self {
            write!(stream.get_mut(), "CONNECT {site} HTTP/1.1\r\n{}\r\n", authorization(relay))?;
            length(&mut stream)?;
        }
        Ok(stream)
    }

    fn get(&self, line: &mut BufReader<TcpStream>, site: SocketAddr, size: usize) -> Outcome<()> {
        let head = match self {
            Self::Request(relay) => {
                format!("GET http://{site}/{size} HTTP/1.1\r\n{}\r\n", authorization(relay))
            }
            _ => format!("GET /{size} HTTP/1.1\r\nHost: {site}\r\n\r\n"),
        };
        line.get_mut().write_all(head.as_bytes())?;
        let length = length(line)?;
        let read = io::copy(&mut line.take(length), &mut io::sink())?;
        if read == size as u64 { Ok(()) } else { Err(format!("{read} bytes of {size}").into()) }
    }
}

fn authorization(relay: &Relay) -> String {
    let token = BASE64.encode(format!("{}:{}", relay.user(), relay.password()));
    format!("Proxy-Authorization: Basic {token}\r\n")
}

/// Reads a message head and returns its content length.
fn length(stream: &mut impl BufRead) -> Outcome<u64> {
    let mut length = 0;
    let mut line = String::new();
    while stream.read_line(&mut line)? > 2 {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
        line.clear();
    }
    Ok(length)
}

/// Serves as many bytes as the path says.
fn site() -> Outcome<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A disconnected client ends its own thread only.
            thread::spawn(move || answer(stream).ok());
        }
    });
    Ok(address)
}

fn answer(stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let block = vec![b'x'; 256 << 10];
    loop {
        let mut first = String::new();
        if stream.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut line = String::new();
        while stream.read_line(&mut line)? > 2 {
            line.clear();
        }
        let size: usize = first.split(['/', ' ']).nth(2).and_then(|size| size.parse().ok()).unwrap_or(0);
        let mut message = format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n").into_bytes();
        message.extend(&block[..size.min(1000)]);
        stream.get_mut().write_all(&message)?;
        let mut left = size - size.min(1000);
        while left > 0 {
            let part = left.min(block.len());
            stream.get_mut().write_all(&block[..part])?;
            left -= part;
        }
    }
}
