//! Messages of a stream, with timeouts.

use std::{
    io::{BufRead, BufReader, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    time::Instant,
};

/// Maximum number of queued messages before the writer blocks.
const WAITING: usize = 256;

/// The messages of a stream. A thread reads them, because blocking reads have no timeout.
pub struct Messages {
    messages: Receiver<Vec<u8>>,
}

/// Why there is no next message.
pub(crate) enum NoMessage {
    Ended,
    TooLate,
}

impl Messages {
    /// Reads messages that end in `terminator`, until the end of the stream.
    pub fn read(stream: impl Read + Send + 'static, terminator: u8) -> Self {
        let (deliver, messages) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let mut stream = BufReader::with_capacity(1 << 16, stream);
            loop {
                let mut message = Vec::new();
                let read = stream.read_until(terminator, &mut message);
                // Without a terminator it was cut off by the end.
                if read.is_err() || message.pop() != Some(terminator) || deliver.send(message).is_err() {
                    return;
                }
            }
        });
        Self { messages }
    }

    /// The next message, if it arrives before `until`.
    pub fn next(&self, until: Instant) -> Option<Vec<u8>> {
        self.wait(until).ok()
    }

    pub(crate) fn wait(&self, until: Instant) -> Result<Vec<u8>, NoMessage> {
        let left = until.saturating_duration_since(Instant::now());
        self.messages.recv_timeout(left).map_err(|none| match none {
            RecvTimeoutError::Timeout => NoMessage::TooLate,
            RecvTimeoutError::Disconnected => NoMessage::Ended,
        })
    }
}
