//! Connections: accepted, limited in number and time, and closed.

use std::{
    future::Future as _,
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use hyper::{rt::ReadBufCursor, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServerHandler;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{Instant, Sleep},
};
use tokio_util::sync::CancellationToken;

use super::router::Router;

/// Maximum number of connections. Further ones are closed at once.
const MOST_CONNECTIONS: usize = 4096;

/// Time limit for a request head, and for an idle connection.
const HEAD: Duration = Duration::from_secs(60);

/// How long a client may read nothing while data waits for it.
const STALL: Duration = Duration::from_secs(30);

/// How long to wait when file descriptors run out.
const BACKOFF: Duration = Duration::from_millis(100);

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
                    serve(stream, router, end).await;
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
async fn serve<H: ServerHandler>(stream: TcpStream, router: Arc<Router<H>>, end: CancellationToken) {
    // Events are small: without TCP_NODELAY each waits for the acknowledgement of the last.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection is gone already");
        return;
    }
    let answer = service_fn(move |request| {
        let router = Arc::clone(&router);
        async move { Ok::<_, std::convert::Infallible>(router.answer(request).await) }
    });
    let io = Patient { inner: TokioIo::new(stream), stalled: None };
    let connection =
        http1::Builder::new().timer(TokioTimer::new()).header_read_timeout(HEAD).serve_connection(io, answer);
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
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// Waits for the peer, with a time limit.
    fn waiting<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let stalled =
            self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + STALL)));
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
