//! The simulated browser, site and proxies.

pub(crate) mod browser;
pub(crate) mod http_proxy;
pub(crate) mod site;
pub(crate) mod socks;

use std::{future::Future, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

/// Maximum wait of a test.
pub(crate) const LONGEST: Duration = Duration::from_secs(20);

/// Awaits with the maximum wait; fails the test on timeout.
pub(crate) async fn soon<T>(wait: impl Future<Output = T>) -> T {
    timeout(LONGEST, wait).await.expect("it takes too long")
}

pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// What a part has recorded, for assertions.
#[derive(Clone)]
pub(crate) struct Seen {
    all: watch::Sender<Vec<String>>,
}

impl Seen {
    pub(crate) fn push(&self, event: &str) {
        self.all.send_modify(|all| all.push(event.to_owned()));
    }
}

/// A listening part; stops when dropped.
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    seen: Seen,
    task: JoinHandle<()>,
}

impl Listening {
    /// Serves each connection with its own call.
    pub(crate) async fn start<F>(serve: impl Fn(TcpStream, Seen) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener: TcpListener = socket.listen(4096).unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Seen { all: watch::Sender::default() };
        let shown = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).unwrap();
                tokio::spawn(serve(stream, shown.clone()));
            }
        });
        Self { address, seen, task }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.all.borrow().clone()
    }

    /// Resolves when the records satisfy the predicate.
    pub(crate) async fn until(&self, wanted: impl Fn(&[String]) -> bool) {
        self.seen.all.subscribe().wait_for(|all| wanted(all)).await.unwrap();
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A port without a listener, which no system assigns as an ephemeral port.
pub(crate) const DEAD_PORT: u16 = 1;

/// The head of an HTTP message, without the empty line; none at the end.
pub(crate) async fn read_head(stream: &mut (impl AsyncBufRead + Unpin)) -> Option<String> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        match stream.read_line(&mut line).await {
            Ok(0) | Err(_) => return None,
            Ok(_) if line == "\r\n" => return Some(head),
            Ok(_) => head.push_str(&line),
        }
    }
}

/// The value of a header.
pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut headers = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// The body with the announced length.
pub(crate) async fn read_body(stream: &mut (impl AsyncBufRead + Unpin), head: &str) -> Vec<u8> {
    let mut body = Vec::new();
    if let Some(length) = header(head, "content-length") {
        body.resize(length.parse().unwrap(), 0);
        stream.read_exact(&mut body).await.unwrap();
    } else if header(head, "transfer-encoding") == Some("chunked") {
        loop {
            let mut size = String::new();
            stream.read_line(&mut size).await.unwrap();
            let mut chunk = vec![0; usize::from_str_radix(size.trim(), 16).unwrap() + 2];
            stream.read_exact(&mut chunk).await.unwrap();
            if chunk.len() == 2 {
                break;
            }
            body.extend(&chunk[..chunk.len() - 2]);
        }
    }
    body
}
