//! Whole messages, in and out.

use std::io;

use async_trait::async_trait;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

pub use crate::websocket::websocket;

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
    Transport {
        reader: Box::new(NulReader(BufReader::with_capacity(1 << 16, reader))),
        writer: Box::new(NulWriter(writer)),
    }
}

struct NulReader<R>(BufReader<R>);

#[async_trait]
impl<R: AsyncRead + Send + Unpin> Reader for NulReader<R> {
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool> {
        self.0.read_until(0, message).await?;
        // A message without its NUL was cut off by the browser's end.
        Ok(message.pop() == Some(0))
    }
}

struct NulWriter<W>(W);

#[async_trait]
impl<W: AsyncWrite + Send + Unpin> Writer for NulWriter<W> {
    async fn write(&mut self, mut message: Vec<u8>) -> io::Result<()> {
        message.push(0);
        self.0.write_all(&message).await?;
        self.0.flush().await
    }
}
