//! A TCP stream whose arrivals are acknowledged at once.
//!
//! Firefox writes a long message in pieces, and its system holds back each piece until the one before is acknowledged.
//! Ours takes up to 40 ms for that, in the hope of having something to send along: every long answer would be as late.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

pub(crate) struct QuickAck(pub(crate) TcpStream);

impl QuickAck {
    /// Asks for it once more: the system falls back to its habit after each arrival. Where it cannot be had, things are
    /// slow and work.
    #[cfg(target_os = "linux")]
    fn acknowledge(&self) {
        if let Err(error) = rustix::net::sockopt::set_tcp_quickack(&self.0, true) {
            tracing::debug!(%error, "arrivals are acknowledged late");
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn acknowledge(&self) {}
}

impl AsyncRead for QuickAck {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.0).poll_read(context, buffer);
        self.acknowledge();
        read
    }
}

impl AsyncWrite for QuickAck {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
