//! Log messages for clients, in addition to standard error. Each client gets only those of its session.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
    },
};

use cicerone_engine::{Secrets, Session};
use tokio::sync::mpsc;
use tracing::{Event, Level, Span, Subscriber, field, span};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use crate::sync::lock;

/// How many messages wait for a slow client. Further ones are dropped: logging must not block.
const WAITING: usize = 64;

/// A message for a client.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) target: &'static str,
    pub(crate) text: String,
}

/// The log of this process, for its clients. Cheap to clone.
#[derive(Clone)]
pub struct ClientLogs(Arc<Clients>);

#[derive(Default)]
struct Clients {
    /// The recipients by session span.
    of_sessions: Mutex<HashMap<span::Id, Recipient>>,
    /// The recipient of all messages.
    of_all: Mutex<Option<Recipient>>,
    /// At least as loud as the loudest recipient.
    loudest: AtomicU8,
}

#[derive(Clone)]
struct Recipient {
    send: mpsc::Sender<Line>,
    log_level: LogLevel,
}

/// Where the lines of one client come from, and how loud they must be. No more lines are kept for it once it is dropped.
pub struct ClientLog {
    pub(crate) lines: mpsc::Receiver<Line>,
    pub(crate) log_level: LogLevel,
    clients: Arc<Clients>,
    /// Keeps the number of the span from being given to another one; nothing for the client that gets all lines.
    span: Option<Span>,
}

/// The least important level that is sent.
#[derive(Clone)]
pub(crate) struct LogLevel {
    rank: Arc<AtomicU8>,
    clients: Arc<Clients>,
}

impl LogLevel {
    pub(crate) fn set(&self, level: Level) {
        self.rank.store(rank(level), Ordering::Relaxed);
        self.clients.loudest.fetch_max(rank(level), Ordering::Relaxed);
    }

    fn takes(&self, level: Level) -> bool {
        rank(level) <= self.rank.load(Ordering::Relaxed)
    }
}

/// A layer that keeps lines for clients, with the secrets hidden, and where clients get them from.
pub fn client_logs<S>(secrets: Arc<Secrets>) -> (impl Layer<S>, ClientLogs)
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let clients = Arc::new(Clients::default());
    (ToClients { clients: Arc::clone(&clients), secrets }, ClientLogs(clients))
}

/// The same for a process with one client, which gets all lines.
pub fn client_log<S>(secrets: Arc<Secrets>) -> (impl Layer<S>, ClientLog)
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let (layer, logs) = client_logs(secrets);
    (layer, logs.all())
}

impl ClientLogs {
    /// The lines that are logged for this session.
    pub fn of(&self, session: &Session) -> ClientLog {
        self.of_span(session.span())
    }

    fn of_span(&self, span: &Span) -> ClientLog {
        let (recipient, log) = self.recipient(Some(span.clone()));
        // Without an id nobody logs in it.
        if let Some(id) = span.id() {
            lock(&self.0.of_sessions).insert(id, recipient);
        }
        log
    }

    /// All lines, also those that belong to no session.
    pub fn all(&self) -> ClientLog {
        let (recipient, log) = self.recipient(None);
        *lock(&self.0.of_all) = Some(recipient);
        log
    }

    fn recipient(&self, span: Option<Span>) -> (Recipient, ClientLog) {
        let (send, lines) = mpsc::channel(WAITING);
        let log_level = LogLevel { rank: Arc::default(), clients: Arc::clone(&self.0) };
        log_level.set(Level::WARN);
        let log = ClientLog { lines, log_level: log_level.clone(), clients: Arc::clone(&self.0), span };
        (Recipient { send, log_level }, log)
    }
}

impl Drop for ClientLog {
    fn drop(&mut self) {
        match self.span.as_ref().map(Span::id) {
            Some(Some(id)) => drop(lock(&self.clients.of_sessions).remove(&id)),
            Some(None) => {}
            None => *lock(&self.clients.of_all) = None,
        }
    }
}

struct ToClients {
    clients: Arc<Clients>,
    secrets: Arc<Secrets>,
}

impl ToClients {
    /// Who gets a line that is logged here.
    fn recipient<S>(&self, event: &Event<'_>, context: &Context<'_, S>) -> Option<Recipient>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let all = lock(&self.clients.of_all).clone();
        all.or_else(|| {
            let of_sessions = lock(&self.clients.of_sessions);
            context.event_scope(event)?.find_map(|span| of_sessions.get(&span.id()).cloned())
        })
    }
}

impl<S> Layer<S> for ToClients
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        // Only our own words: the SDK logs what it sends, which would be sent again.
        if !target.starts_with("cicerone") || rank(level) > self.clients.loudest.load(Ordering::Relaxed) {
            return;
        }
        let Some(recipient) = self.recipient(event, &context).filter(|it| it.log_level.takes(level)) else {
            return;
        };
        let mut text = String::new();
        event.record(&mut Words(&mut text));
        let text = self.secrets.redact(&text).into_owned();
        let _ = recipient.send.try_send(Line { level, target, text });
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

    #[test]
    fn each_client_gets_the_lines_of_its_own_session() {
        let (layer, logs) = client_logs(Arc::new(Secrets::default()));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let (one, two) = (tracing::info_span!("session"), tracing::info_span!("session"));
            let (mut of_one, mut of_two) = (logs.of_span(&one), logs.of_span(&two));
            of_two.log_level.set(Level::DEBUG);
            let within = |span: &Span, text: &str| {
                span.in_scope(|| {
                    tracing::info_span!("deeper").in_scope(|| tracing::warn!(target: "cicerone", "{text}"));
                    tracing::debug!(target: "cicerone", "{text} in detail");
                })
            };
            within(&one, "one");
            within(&two, "two");
            tracing::warn!(target: "cicerone", "nobody's");
            assert_eq!(texts(&mut of_one), ["one"]);
            assert_eq!(texts(&mut of_two), ["two", "two in detail"]);

            drop(of_one);
            within(&one, "late");
            assert!(lock(&logs.0.of_sessions).len() == 1 && texts(&mut of_two).is_empty());
            let mut all = logs.all();
            tracing::warn!(target: "cicerone", "nobody's");
            assert_eq!(texts(&mut all), ["nobody's"]);
        });
    }

    fn texts(log: &mut ClientLog) -> Vec<String> {
        std::iter::from_fn(|| log.lines.try_recv().ok()).map(|line| line.text).collect()
    }
}
