//! Log lines for the client, beside those on standard error.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use cicerone_engine::Secrets;
use tokio::sync::mpsc;
use tracing::{Event, Level, Subscriber, field};
use tracing_subscriber::{Layer, layer::Context};

/// A line for the client.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) target: &'static str,
    pub(crate) text: String,
}

/// Where lines come from, and how loud they must be.
pub struct ClientLog {
    pub(crate) lines: mpsc::Receiver<Line>,
    pub(crate) loudness: Loudness,
}

/// The least important level that is sent.
#[derive(Clone)]
pub(crate) struct Loudness(Arc<AtomicU8>);

impl Loudness {
    pub(crate) fn set(&self, level: Level) {
        self.0.store(rank(level), Ordering::Relaxed);
    }
}

/// A layer that keeps lines for the client, with the secrets hidden, and the end where they come out. Lines are dropped
/// when the client does not take them: a log must not hold anything up.
pub fn client_log<S: Subscriber>(secrets: Arc<Secrets>) -> (impl Layer<S>, ClientLog) {
    let (send, lines) = mpsc::channel(64);
    let loudness = Loudness(Arc::new(AtomicU8::new(rank(Level::WARN))));
    (ToClient { send, secrets, loudness: loudness.clone() }, ClientLog { lines, loudness })
}

struct ToClient {
    send: mpsc::Sender<Line>,
    secrets: Arc<Secrets>,
    loudness: Loudness,
}

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        // Only our own words: the SDK logs what it sends, which would be sent again.
        let ours = metadata.target().starts_with("cicerone");
        if ours && rank(*metadata.level()) <= self.loudness.0.load(Ordering::Relaxed) {
            let mut text = String::new();
            event.record(&mut Words(&mut text));
            let text = self.secrets.redact(&text).into_owned();
            let line = Line { level: *metadata.level(), target: metadata.target(), text };
            let _ = self.send.try_send(line);
        }
    }
}

struct Words<'a>(&'a mut String);

impl field::Visit for Words<'_> {
    fn record_debug(&mut self, field: &field::Field, value: &dyn fmt::Debug) {
        use fmt::Write;
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

fn rank(level: Level) -> u8 {
    match level {
        Level::ERROR => 1,
        Level::WARN => 2,
        Level::INFO => 3,
        Level::DEBUG => 4,
        Level::TRACE => 5,
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn lines_for_the_client_hide_secrets() {
        let secrets = Arc::new(Secrets::new([("TOKEN".to_owned(), "s3cr3t".to_owned())]));
        let (layer, mut log) = client_log(secrets);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            tracing::warn!(target: "cicerone", value = "s3cr3t", "typed s3cr3t");
        });
        assert_eq!(log.lines.try_recv().unwrap().text, "typed <secret TOKEN> value=\"<secret TOKEN>\"");
    }
}
