//! Messages from a stream, each waited for with a limit.

use std::{
    io::{BufRead, BufReader, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    time::Instant,
};

/// How many messages may wait to be taken before the writer is held back.
const WAITING: usize = 256;

/// The messages of a stream. A thread reads them, because a blocking read knows no limit of time.
pub struct Messages {
    messages: Receiver<Vec<u8>>,
}

/// Why there is no next message.
pub(crate) enum NoMessage {
    Ended,
    TooLate,
}

impl Messages {
    /// Reads messages that end in `terminator`, until the stream does.
    pub fn read(stream: impl Read + Send + 'static, terminator: u8) -> Self {
        let (deliver, messages) = sync_channel(WAITING);
        std::thread::spawn(move || {
            let mut stream = BufReader::with_capacity(1 << 16, stream);
            loop {
                let mut message = Vec::new();
                let read = stream.read_until(terminator, &mut message);
                // What has no terminator was cut off by the end.
                if read.is_err() || message.pop() != Some(terminator) || deliver.send(message).is_err() {
                    return;
                }
            }
        });
        Self { messages }
    }

    /// The next message, if it comes before `until`.
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
