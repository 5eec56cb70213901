//! A byte stream of which only so much is read until the other end has proved who it is.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Any number of bytes.
const ALL: usize = usize::MAX;

/// How many bytes are still read from a stream.
#[derive(Debug, Clone)]
pub struct ReadLimit(Arc<AtomicUsize>);

impl ReadLimit {
    pub(crate) fn of(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    /// So many from now on.
    pub(crate) fn set(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// Everything is read from now on.
    pub fn lift(&self) {
        self.set(ALL);
    }
}

/// A stream with a limit. Reading beyond it is an error.
pub(crate) struct LimitedStream<S> {
    stream: S,
    read_limit: ReadLimit,
}

impl<S> LimitedStream<S> {
    pub(crate) fn new(stream: S, read_limit: ReadLimit) -> Self {
        Self { stream, read_limit }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let left = match self.read_limit.0.load(Ordering::Relaxed) {
            ALL => return Pin::new(&mut self.stream).poll_read(context, buffer),
            0 => return Poll::Ready(Err(io::ErrorKind::InvalidData.into())),
            left => left,
        };
        let most = left.min(buffer.remaining());
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
        let read = Pin::new(&mut self.stream).poll_read(context, &mut part);
        let bytes = part.filled().len();
        buffer.advance(bytes);
        self.read_limit.set(left - bytes);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
