//! Whole messages, in and out.

use std::io;

use async_trait::async_trait;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

pub use crate::read_limit::ReadLimit;
pub use crate::websocket::{
    HandshakeError, Limits, Upgrade, accept_websocket, from_websocket, websocket, websocket_over,
    websocket_over_tcp,
};

/// A way to a browser: one half that reads messages, one that writes them.
pub struct Transport {
    /// Where messages come from.
    pub reader: Box<dyn Reader>,
    /// Where messages go.
    pub writer: Box<dyn Writer>,
}

/// The reading half of a transport.
#[async_trait]
pub trait Reader: Send {
    /// The next message into `message` (which is empty); false at the end.
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool>;
}

/// The writing half of a transport.
#[async_trait]
pub trait Writer: Send {
    /// Sends one message.
    async fn write(&mut self, message: Vec<u8>) -> io::Result<()>;
}

/// Messages that end in a NUL byte on two byte streams, as on Chromium's debugging pipe.
pub fn nul_terminated<R, W>(reader: R, writer: W) -> Transport
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    terminated(0, reader, writer)
}

/// Messages that end in a newline on two byte streams, as JSON on standard input and output.
pub fn newline_terminated<R, W>(reader: R, writer: W) -> Transport
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    terminated(b'\n', reader, writer)
}

fn terminated<R, W>(terminator: u8, reader: R, writer: W) -> Transport
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let reader = BufReader::with_capacity(1 << 16, reader);
    Transport {
        reader: Box::new(TerminatedReader { reader, terminator }),
        writer: Box::new(TerminatedWriter { writer, terminator }),
    }
}

struct TerminatedReader<R> {
    reader: BufReader<R>,
    terminator: u8,
}

#[async_trait]
impl<R: AsyncRead + Send + Unpin> Reader for TerminatedReader<R> {
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool> {
        self.reader.read_until(self.terminator, message).await?;
        // A message without its terminator was cut off by the browser's end.
        Ok(message.pop() == Some(self.terminator))
    }
}

struct TerminatedWriter<W> {
    writer: W,
    terminator: u8,
}

#[async_trait]
impl<W: AsyncWrite + Send + Unpin> Writer for TerminatedWriter<W> {
    async fn write(&mut self, mut message: Vec<u8>) -> io::Result<()> {
        message.push(self.terminator);
        self.writer.write_all(&message).await?;
        self.writer.flush().await
    }
}
