use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use super::{Listening, Seen, Stream, header, read_body, read_head};

/// A site that records the heads of all requests.
pub(crate) async fn start() -> Listening {
    Listening::start(|stream, seen| serve(Box::new(stream), seen)).await
}

/// An echo server that ends when the other side does.
pub(crate) async fn echo() -> Listening {
    Listening::start(|mut stream: TcpStream, _| async move {
        let (mut from, mut to) = stream.split();
        tokio::io::copy(&mut from, &mut to).await.ok();
        to.write_all(b"bye").await.ok();
    })
    .await
}

/// A server that accepts connections and never answers. It records connects and disconnects.
pub(crate) async fn silent() -> Listening {
    Listening::start(|mut stream: TcpStream, seen: Seen| async move {
        seen.push("came");
        while !matches!(stream.read(&mut [0; 1024]).await, Ok(0) | Err(_)) {}
        seen.push("left");
    })
    .await
}

/// A server that delays its responses.
pub(crate) async fn slow(thinks: Duration) -> Listening {
    Listening::start(move |stream: TcpStream, _| async move {
        let mut stream = BufReader::new(stream);
        read_head(&mut stream).await;
        tokio::time::sleep(thinks).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell").await.ok();
    })
    .await
}

/// Serves one connection as the site. Accepts absolute URLs too, so that proxies can use it.
pub(crate) async fn serve(stream: Box<dyn Stream>, seen: Seen) {
    let mut stream = BufReader::new(stream);
    while let Some(head) = read_head(&mut stream).await {
        seen.push(&head);
        let target = head.split(' ').nth(1).unwrap();
        let path = match target.strip_prefix("http://") {
            Some(rest) => &rest[rest.find('/').unwrap()..],
            None => target,
        };
        if header(&head, "upgrade") == Some("websocket") {
            stream
                .write_all(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
                .await
                .unwrap();
            let (mut from, mut to) = tokio::io::split(stream);
            tokio::io::copy(&mut from, &mut to).await.ok();
            return;
        }
        if header(&head, "expect").is_some() {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.unwrap();
        }
        let body = read_body(&mut stream, &head).await;
        let answer = match path {
            "/hello" => "HTTP/1.1 200 Fine\r\nX-Mixed-Case: 1\r\nConnection: X-Hop\r\nX-Hop: 1\r\nContent-Length: 5\r\n\r\nhello".to_owned(),
            "/head" => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".to_owned(),
            "/chunked" => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n".to_owned(),
            "/none" => "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
            "/same" => "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\n".to_owned(),
            "/echo" => {
                let body = String::from_utf8(body).unwrap();
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
            }
            "/old" => "HTTP/1.0 200 OK\r\n\r\nuntil the end".to_owned(),
            "/last" => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned(),
            "/half" => "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal".to_owned(),
            "/who" => "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n".to_owned(),
            "/cut" => return,
            _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        };
        stream.write_all(answer.as_bytes()).await.ok();
        if matches!(path, "/old" | "/half" | "/last") {
            return;
        }
    }
}
