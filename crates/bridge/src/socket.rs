//! The extension's connection. It ends when another one of the same browser takes its place.

use std::io;

use async_trait::async_trait;
use cicerone_wire::{Transport, transport::Reader};
use tokio_util::sync::CancellationToken;

/// What whoever accepted a connection knows of it.
pub(crate) struct Watch {
    /// The connection ends when this is cancelled.
    pub(crate) end: CancellationToken,
    /// Cancelled when nobody reads the connection any more.
    pub(crate) ended: CancellationToken,
}

/// The same transport, watched.
pub(crate) fn watched(transport: Transport) -> (Transport, Watch) {
    let (end, ended) = (CancellationToken::new(), CancellationToken::new());
    let reader = WatchedReader { reader: transport.reader, end: end.clone(), ended: ended.clone() };
    (Transport { reader: Box::new(reader), writer: transport.writer }, Watch { end, ended })
}

struct WatchedReader {
    reader: Box<dyn Reader>,
    end: CancellationToken,
    ended: CancellationToken,
}

#[async_trait]
impl Reader for WatchedReader {
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool> {
        let read = tokio::select! {
            biased;
            () = self.end.cancelled() => Ok(false),
            read = self.reader.read(message) => read,
        };
        if !matches!(read, Ok(true)) {
            self.ended.cancel();
        }
        read
    }
}

impl Drop for WatchedReader {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}
