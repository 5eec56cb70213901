//! What was sent to one client lately, for a client that lost its connection and asks for the rest (`Last-Event-ID`).
//!
//! A [`Replay`] belongs to one session and ends with it, so no client can ask for what was sent to another. Stream 0 is
//! the one that no request opened; each request has a stream of its own, numbered from 1. An event's id is
//! `stream-number`, counted from 1.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    io,
    sync::{Arc, Mutex},
};

use rmcp::{
    model::{JsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        EventStore, EventStoreError, EventStream, ServerSseMessage,
    },
};
use tokio::sync::watch;

use crate::sync::lock;

/// The stream that no request opened.
const COMMON: u64 = 0;
/// How what the SDK calls that stream ends.
const COMMON_SUFFIX: &str = ":common";
/// How many bytes of complete streams are kept, beside the last one.
const MOST_BYTES: usize = 1 << 20;
/// How many complete streams are kept.
const MOST_STREAMS: usize = 16;
/// How many streams are kept at all.
const MOST_OPEN: usize = 256;
/// How many events of one stream are kept.
const MOST_EVENTS: usize = 64;

/// The events of one session's streams.
#[derive(Default)]
pub(crate) struct Replay {
    streams: Arc<Mutex<Streams>>,
}

#[derive(Default)]
struct Streams {
    numbers: HashMap<String, u64>,
    last: u64,
    logs: BTreeMap<u64, Log>,
    bytes: usize,
}

struct Log {
    /// What the SDK calls it.
    name: String,
    events: VecDeque<Kept>,
    last: u64,
    complete: bool,
    changed: watch::Sender<()>,
}

struct Kept {
    number: u64,
    event: ServerSseMessage,
    bytes: usize,
}

/// No event has this id.
#[derive(Debug, thiserror::Error)]
#[error("unknown event {0:?}")]
struct UnknownEvent(String);

#[async_trait::async_trait]
impl EventStore for Replay {
    async fn store_event(&self, stream: &str, event: &ServerSseMessage) -> Result<String, EventStoreError> {
        Ok(lock(&self.streams).keep(stream, event))
    }

    async fn replay_events_after(&self, last: &str) -> Result<EventStream, EventStoreError> {
        let unknown = || UnknownEvent(last.to_owned());
        let (stream, number) = parse(last).ok_or_else(unknown)?;
        // The stream that no request opened may have had no event yet.
        let changed = match lock(&self.streams).logs.get(&stream) {
            Some(log) => log.changed.subscribe(),
            None if stream == COMMON => lock(&self.streams).open(COMMON, COMMON_SUFFIX).changed.subscribe(),
            None => return Err(unknown().into()),
        };
        let follow = Follow { streams: Arc::clone(&self.streams), stream, number, changed };
        Ok(Box::pin(futures::stream::unfold(follow, |mut follow| async move {
            follow.next().await.map(|event| (event, follow))
        })))
    }
}

impl Streams {
    fn open(&mut self, number: u64, name: &str) -> &mut Log {
        self.logs.entry(number).or_insert_with(|| Log {
            name: name.to_owned(),
            events: VecDeque::new(),
            last: 0,
            complete: false,
            changed: watch::Sender::new(()),
        })
    }

    fn number(&mut self, name: &str) -> u64 {
        if name.ends_with(COMMON_SUFFIX) {
            return COMMON;
        }
        *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.last += 1;
            self.last
        })
    }

    fn keep(&mut self, name: &str, event: &ServerSseMessage) -> String {
        let stream = self.number(name);
        let bytes = event.message.as_deref().map_or(0, size);
        let log = self.open(stream, name);
        log.last += 1;
        let number = log.last;
        let id = format!("{stream}-{number}");
        let mut event = event.clone();
        event.event_id = Some(id.clone());
        log.complete = stream != COMMON && event.message.as_deref().is_some_and(is_answer);
        log.events.push_back(Kept { number, event, bytes });
        let dropped = if log.events.len() > MOST_EVENTS { log.events.pop_front() } else { None };
        log.changed.send_replace(());
        self.bytes = self.bytes + bytes - dropped.map_or(0, |dropped| dropped.bytes);
        self.forget();
        id
    }

    /// Forgets the oldest complete streams, but never the one that was completed last. Streams of cancelled requests are
    /// never complete; they go when there are too many streams at all.
    fn forget(&mut self) {
        if self.logs.len() > MOST_OPEN
            && let Some(&oldest) = self.logs.keys().find(|number| **number != COMMON)
        {
            self.remove(oldest);
        }
        loop {
            let mut complete = self.logs.iter().filter(|(_, log)| log.complete);
            let Some((&oldest, _)) = complete.next() else { return };
            let others = complete.count();
            if others == 0 || (self.bytes <= MOST_BYTES && others < MOST_STREAMS) {
                return;
            }
            self.remove(oldest);
        }
    }

    fn remove(&mut self, stream: u64) {
        if let Some(log) = self.logs.remove(&stream) {
            self.numbers.remove(&log.name);
            self.bytes -= log.events.iter().map(|kept| kept.bytes).sum::<usize>();
        }
    }
}

/// The rest of one stream: what was kept, then what comes.
struct Follow {
    streams: Arc<Mutex<Streams>>,
    stream: u64,
    /// The last event that the client has.
    number: u64,
    changed: watch::Receiver<()>,
}

impl Follow {
    async fn next(&mut self) -> Option<ServerSseMessage> {
        loop {
            {
                let streams = lock(&self.streams);
                let log = streams.logs.get(&self.stream)?;
                if let Some(kept) = log.events.iter().find(|kept| kept.number > self.number) {
                    self.number = kept.number;
                    return Some(kept.event.clone());
                }
                if log.complete {
                    return None;
                }
            }
            self.changed.changed().await.ok()?;
        }
    }
}

/// Whether an event with this id belongs to the stream of a request, which ends with its answer.
pub(crate) fn is_of_request(id: &str) -> bool {
    parse(id).is_some_and(|(stream, _)| stream != COMMON)
}

/// The stream and the number of an event. The SDK opens streams with an event `0` of its own.
fn parse(id: &str) -> Option<(u64, u64)> {
    let (stream, number) = id.split_once('-').unwrap_or((id, "0"));
    Some((stream.parse().ok()?, number.parse().ok()?))
}

fn is_answer(message: &ServerJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_))
}

/// How long a message is as JSON.
fn size(message: &ServerJsonRpcMessage) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // What cannot be written as JSON cannot be sent either.
    let _ = serde_json::to_writer(&mut count, message);
    count.0
}

#[cfg(test)]
mod tests {
    use futures::StreamExt as _;
    use rmcp::model::{ErrorData, RequestId};

    use super::*;

    fn answer(text: &str) -> ServerSseMessage {
        let error = ErrorData::internal_error(text.to_owned(), None);
        ServerSseMessage::from_message(JsonRpcMessage::error(error, Some(RequestId::Number(1))))
    }

    fn ids(events: &[ServerSseMessage]) -> Vec<&str> {
        events.iter().filter_map(|event| event.event_id.as_deref()).collect()
    }

    #[tokio::test]
    async fn the_rest_of_a_stream_is_sent_again_and_followed_to_its_end() {
        let replay = Replay::default();
        let retry = ServerSseMessage::retry(std::time::Duration::from_secs(1));
        assert_eq!(replay.store_event("a", &retry).await.unwrap(), "1-1");
        assert_eq!(replay.store_event("b", &retry).await.unwrap(), "2-1");
        let rest = replay.replay_events_after("1-1").await.unwrap();
        replay.store_event("b", &answer("of another")).await.unwrap();
        replay.store_event("a", &answer("mine")).await.unwrap();
        assert_eq!(ids(&rest.collect::<Vec<_>>().await), ["1-2"]);
        let again = replay.replay_events_after("1-0").await.unwrap();
        assert_eq!(ids(&again.collect::<Vec<_>>().await), ["1-1", "1-2"]);
        for unknown in ["7-1", "", "x", "1-x", "-"] {
            assert!(replay.replay_events_after(unknown).await.is_err(), "{unknown}");
        }
    }

    #[tokio::test]
    async fn large_answers_are_forgotten_but_for_the_last() {
        let replay = Replay::default();
        let large = "x".repeat(MOST_BYTES);
        for name in ["a", "b", "c"] {
            replay.store_event(name, &answer(&large)).await.unwrap();
        }
        assert!(replay.replay_events_after("2-0").await.is_err());
        let last = replay.replay_events_after("3-0").await.unwrap();
        assert_eq!(last.collect::<Vec<_>>().await.len(), 1);
        assert!(lock(&replay.streams).bytes < 2 * MOST_BYTES);
    }
}
