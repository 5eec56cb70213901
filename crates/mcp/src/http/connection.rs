//! Connections: accepted, limited in number and time, and closed.

use std::{
    future::Future,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{Request, Response};
use hyper::{body::Incoming, rt::ReadBufCursor, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServerHandler;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::Sleep,
};
use tokio_util::sync::CancellationToken;

use super::{body::TrackedBody, router::Router};

/// Maximum number of connections. Further ones are closed at once.
const MOST_CONNECTIONS: usize = 4096;

/// How slow a client may be.
const TIMEOUTS: Timeouts = Timeouts { head: Duration::from_secs(60), stall: Duration::from_secs(30) };

/// How long to wait when file descriptors run out.
const BACKOFF: Duration = Duration::from_millis(100);

/// Time limits of a connection.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    /// For a request head, and for an idle connection.
    head: Duration,
    /// How long a client may read nothing while data waits for it.
    stall: Duration,
}

/// Accepts connections until `stop` is cancelled; they stay open then.
pub(crate) async fn accept<H: ServerHandler>(
    listener: &TcpListener,
    router: &Arc<Router<H>>,
    connections: &mut JoinSet<()>,
    stop: &CancellationToken,
    end: &CancellationToken,
) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => {
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
                let (router, end) = (Arc::clone(router), end.clone());
                connections.spawn(async move {
                    serve(stream, TIMEOUTS, end, |request| router.answer(request)).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection cannot be accepted");
                tokio::time::sleep(BACKOFF).await;
            }
        }
    }
}

/// Serves one connection until the client closes it, or `end` is cancelled and it is idle.
async fn serve<A, F>(stream: TcpStream, timeouts: Timeouts, end: CancellationToken, answer: A)
where
    A: Fn(Request<Incoming>) -> F,
    F: Future<Output = Response<TrackedBody>>,
{
    // Events are small: without TCP_NODELAY each waits for the acknowledgement of the last.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection is gone already");
        return;
    }
    let answer = service_fn(|request| {
        let answered = answer(request);
        async move { Ok::<_, std::convert::Infallible>(answered.await) }
    });
    let io = Patient { inner: TokioIo::new(stream), stall: timeouts.stall, stalled: None };
    let mut builder = http1::Builder::new();
    let connection =
        builder.timer(TokioTimer::new()).header_read_timeout(timeouts.head).serve_connection(io, answer);
    let mut connection = pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = end.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection broke");
    }
}

/// A stream that fails if the peer reads nothing for too long.
struct Patient {
    inner: TokioIo<TcpStream>,
    stall: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// Waits for the peer, with a time limit.
    fn waiting<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let stall = self.stall;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(stall)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl hyper::rt::Read for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl hyper::rt::Write for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.waiting(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write_vectored(context, pieces);
        self.waiting(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_flush(context);
        self.waiting(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use bytes::Bytes;
    use http_body_util::{BodyExt as _, Full};
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        time::{Instant, timeout},
    };

    use super::*;

    const SHORT: Duration = Duration::from_millis(200);
    const LONG: Duration = Duration::from_secs(60);

    /// What is sent to somebody who reads nothing does not fit into the buffers of both sockets.
    const LARGE: usize = 64 << 20;

    /// A connection with these limits that answers with so many bytes: the client's end, and the server's work.
    async fn connect(timeouts: Timeouts, length: usize) -> (TcpStream, impl Future<Output = ()>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let answer = move |_| async move {
            Response::new(TrackedBody::new(Full::new(Bytes::from(vec![b'x'; length])).boxed(), None))
        };
        (client, serve(stream, timeouts, CancellationToken::new(), answer))
    }

    /// How long the server keeps a connection on which the client sends this and then neither writes nor reads.
    async fn kept(timeouts: Timeouts, sent: &str) -> Duration {
        let (mut client, served) = connect(timeouts, LARGE).await;
        let began = Instant::now();
        client.write_all(sent.as_bytes()).await.unwrap();
        timeout(LONG / 2, served).await.unwrap();
        drop(client);
        began.elapsed()
    }

    #[tokio::test]
    async fn a_client_that_does_not_send_its_request_is_left() {
        for sent in ["", "GET / HTTP/1.1\r\nHost: a\r\n"] {
            assert!(kept(Timeouts { head: SHORT, stall: LONG }, sent).await >= SHORT, "{sent:?}");
        }
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_its_answer_is_left() {
        let timeouts = Timeouts { head: LONG, stall: SHORT };
        assert!(kept(timeouts, "GET / HTTP/1.1\r\nHost: a\r\n\r\n").await >= SHORT);
    }

    #[tokio::test]
    async fn a_client_that_reads_gets_all_of_a_large_answer() {
        let (mut client, served) = connect(Timeouts { head: LONG, stall: LONG }, LARGE).await;
        let read = async {
            let request = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            client.write_all(request).await.unwrap();
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).await.unwrap();
            answer.len()
        };
        let (length, ()) = tokio::join!(read, served);
        assert!(length > LARGE, "{length}");
    }
}
