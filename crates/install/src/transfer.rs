//! A [`Client`] sends requests; a [`Transfer`] is a response: its [`Head`], and its body in chunks.
//!
//! Each transfer runs on its own thread, so that a silent server cannot delay a cancellation: the thread is left to its
//! timeouts, and ends at the first chunk that nobody receives.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use ureq::Agent;
use ureq::http::{HeaderMap, HeaderName, header};

use crate::download::DownloadError;
use crate::error::InstallError;
use crate::mirror::Mirror;
use crate::progress::{Cancelled, Pulse};

/// Maximum delay of a cancellation while nothing arrives.
pub(crate) const TICK: Duration = Duration::from_millis(100);

const CHUNK: usize = 64 * 1024;
const CHUNKS_AHEAD: usize = 16;

/// Sends requests.
pub(crate) struct Client {
    agent: Agent,
}

/// A response in progress.
pub(crate) struct Transfer {
    pub(crate) head: Head,
    url: String,
    chunks: Receiver<Result<Option<Vec<u8>>, ureq::Error>>,
}

/// Facts from the response head.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Length of this body.
    pub(crate) length: Option<u64>,
    /// Offset of this body in the file.
    pub(crate) start: Option<u64>,
    /// Length of the whole file, for a partial response.
    pub(crate) whole: Option<u64>,
}

impl Client {
    /// A client that fails if a server is silent for `timeout`.
    pub(crate) fn new(mirror: &Mirror, timeout: Duration) -> Self {
        let timeout = Some(timeout);
        let config = Agent::config_builder()
            .https_only(mirror.is_https())
            .http_status_as_error(false)
            .user_agent(concat!("cicerone/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(timeout)
            .timeout_connect(timeout)
            .timeout_recv_response(timeout)
            .timeout_per_read(timeout)
            .build();
        Client { agent: config.into() }
    }

    /// Requests a file from byte `from` on, and waits for the response head.
    pub(crate) fn get(&self, url: &str, from: u64, pulse: Pulse<'_>) -> Result<Transfer, InstallError> {
        let (head_sender, heads) = sync_channel(1);
        let (chunk_sender, chunks) = sync_channel(CHUNKS_AHEAD);
        let (agent, target) = (self.agent.clone(), url.to_owned());
        let work = move || match request(&agent, &target, from) {
            Err(error) => drop(head_sender.send(Err(error))),
            Ok(response) => {
                let taken = head_sender.send(Ok(Head::of(response.status().as_u16(), response.headers())));
                if taken.is_ok() {
                    pump(response.into_body().into_reader(), &chunk_sender);
                }
            }
        };
        let thread = thread::Builder::new().name("download".to_owned());
        thread.spawn(work).map_err(|error| DownloadError::unanswered(url, error.into()))?;
        let answer = wait(&heads, pulse)?.unwrap_or_else(|| Err(vanished()));
        let head = answer.map_err(|error| DownloadError::unanswered(url, error))?;
        Ok(Transfer { head, url: url.to_owned(), chunks })
    }
}

impl Transfer {
    /// The next chunk of the body; `None` at its end.
    pub(crate) fn next_chunk(&self, pulse: Pulse<'_>) -> Result<Option<Vec<u8>>, InstallError> {
        let chunk = wait(&self.chunks, pulse)?.unwrap_or_else(|| Err(vanished()));
        Ok(chunk.map_err(|error| DownloadError::interrupted(&self.url, error))?)
    }
}

impl Head {
    fn of(status: u16, headers: &HeaderMap) -> Self {
        let text = |name: HeaderName| headers.get(name)?.to_str().ok();
        let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let range = text(header::CONTENT_RANGE).map(content_range);
        let (start, whole) = range.unwrap_or_default();
        Head { status, length, start, whole }
    }
}

/// Start and total length of `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
fn content_range(range: &str) -> (Option<u64>, Option<u64>) {
    let Some((part, whole)) = range.trim_start_matches("bytes").trim().split_once('/') else {
        return (None, None);
    };
    let start = part.split_once('-').and_then(|(start, _)| start.parse().ok());
    (start, whole.parse().ok())
}

fn request(agent: &Agent, url: &str, from: u64) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
    let request = agent.get(url);
    match from {
        0 => request.call(),
        from => request.header(header::RANGE, format!("bytes={from}-")).call(),
    }
}

/// Sends the body in chunks until its end, or until the receiver is gone.
fn pump(mut body: impl Read, chunks: &SyncSender<Result<Option<Vec<u8>>, ureq::Error>>) {
    loop {
        let mut buffer = vec![0; CHUNK];
        let chunk = match body.read(&mut buffer) {
            Ok(0) => Ok(None),
            Ok(length) => {
                buffer.truncate(length);
                Ok(Some(buffer))
            }
            Err(error) => Err(error.into()),
        };
        let more = matches!(chunk, Ok(Some(_)));
        if chunks.send(chunk).is_err() || !more {
            return;
        }
    }
}

/// Waits for a message of a thread; `None` if the thread ended without one.
fn wait<T>(receiver: &Receiver<T>, pulse: Pulse<'_>) -> Result<Option<T>, Cancelled> {
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(sent) => return Ok(Some(sent)),
            Err(RecvTimeoutError::Timeout) => pulse.beat()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

fn vanished() -> ureq::Error {
    io::Error::from(io::ErrorKind::UnexpectedEof).into()
}

#[cfg(test)]
mod tests {
    use super::content_range;

    #[test]
    fn content_ranges() {
        assert_eq!(content_range("bytes 5-9/10"), (Some(5), Some(10)));
        assert_eq!(content_range("bytes 5-9/*"), (Some(5), None));
        assert_eq!(content_range("bytes */10"), (None, Some(10)));
        assert_eq!(content_range("nonsense"), (None, None));
    }
}
