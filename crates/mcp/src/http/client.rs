//! One client: its engine session, its calls, and when it was last active.

use std::{
    any::Any,
    sync::{Arc, Mutex, MutexGuard, Weak},
};

use cicerone_engine::Session;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use tokio::{
    sync::{Notify, OwnedSemaphorePermit},
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

use super::{replay::Replay, token::Owner};
use crate::sync::lock;

/// How many calls of one client may run. More are refused.
pub(crate) const MOST_CALLS: usize = 64;

tokio::task_local! {
    /// The client whose request is being answered by this task. The SDK asks for sessions and handlers without saying
    /// whose.
    static CURRENT: Arc<dyn Any + Send + Sync>;
}

/// A client of the server.
pub(crate) struct Client<H> {
    pub(crate) handler: Arc<H>,
    pub(crate) owner: Owner,
    /// The SDK's side of its session, with no other session in it.
    pub(crate) streams: LocalSessionManager,
    /// Cancelled when the session is closed.
    pub(crate) closed: CancellationToken,
    session: Session,
    usage: Mutex<Usage>,
    used: Notify,
    /// Tells all clients' owner that a call has ended.
    call_ended: Arc<Notify>,
    /// Its place among the sessions that there may be. Who has none answers for many clients.
    place: Option<OwnedSemaphorePermit>,
}

struct Usage {
    calls: usize,
    /// Streams of calls that the client lost and has asked for again.
    resumed: usize,
    /// When the last message came, or the last call ended.
    since: Instant,
}

impl<H> Client<H> {
    pub(crate) fn new(
        handler: H,
        session: Session,
        owner: Owner,
        place: Option<OwnedSemaphorePermit>,
        call_ended: Arc<Notify>,
    ) -> Self {
        let mut streams = LocalSessionManager::default().with_event_store(Arc::new(Replay::default()));
        let mut config = SessionConfig::default();
        // Its life is ours to end: the SDK would end it while a call is under way.
        config.keep_alive = None;
        streams.session_config = config;
        Self {
            handler: Arc::new(handler),
            owner,
            streams,
            closed: CancellationToken::new(),
            session,
            usage: Mutex::new(Usage { calls: 0, resumed: 0, since: Instant::now() }),
            used: Notify::new(),
            call_ended,
            place,
        }
    }

    /// Answers a request of this client.
    pub(crate) async fn answering<F: Future>(self: &Arc<Self>, answer: F) -> F::Output
    where
        H: Send + Sync + 'static,
    {
        CURRENT.scope(Arc::clone(self) as Arc<dyn Any + Send + Sync>, answer).await
    }

    /// The client whose request is being answered.
    pub(crate) fn current() -> Option<Arc<Self>>
    where
        H: Send + Sync + 'static,
    {
        CURRENT.try_with(Arc::clone).ok()?.downcast().ok()
    }

    /// Begins a call, unless too many are under way.
    pub(crate) fn begin(self: &Arc<Self>) -> Option<InUse>
    where
        H: Send + Sync + 'static,
    {
        let mut usage = self.usage();
        if usage.calls >= MOST_CALLS && self.place.is_some() {
            return None;
        }
        usage.calls += 1;
        drop(usage);
        self.used.notify_one();
        Some(self.until_dropped(|usage| usage.calls = usage.calls.saturating_sub(1)))
    }

    /// Begins to send the rest of a lost stream. The server waits for it when it stops; the session may expire.
    pub(crate) fn resume(self: &Arc<Self>) -> InUse
    where
        H: Send + Sync + 'static,
    {
        self.usage().resumed += 1;
        self.until_dropped(|usage| usage.resumed = usage.resumed.saturating_sub(1))
    }

    /// A message arrived that is not a call.
    pub(crate) fn heard(&self) {
        self.usage().since = Instant::now();
        self.used.notify_one();
    }

    /// The guard has no share in the client: what still runs when a session is closed does not keep its place.
    fn until_dropped(self: &Arc<Self>, end: fn(&mut Usage)) -> InUse
    where
        H: Send + Sync + 'static,
    {
        let client = Arc::downgrade(self);
        InUse(Some(Box::new(move || {
            if let Some(client) = Weak::upgrade(&client) {
                client.ended(end);
            }
        })))
    }

    fn ended(&self, end: fn(&mut Usage)) {
        let mut usage = self.usage();
        end(&mut usage);
        usage.since = Instant::now();
        drop(usage);
        self.used.notify_one();
        self.call_ended.notify_waiters();
    }

    /// Whether a call is under way, or the answer to one on its way.
    pub(crate) fn is_busy(&self) -> bool {
        let usage = self.usage();
        usage.calls > 0 || usage.resumed > 0
    }

    /// Resolves when the client has made no call for this long.
    pub(crate) async fn idle(&self, timeout: Duration) {
        loop {
            let until = {
                let usage = self.usage();
                (usage.calls == 0).then(|| usage.since + timeout)
            };
            match until {
                None => self.used.notified().await,
                Some(until) => tokio::select! {
                    () = tokio::time::sleep_until(until) => return,
                    () = self.used.notified() => {}
                },
            }
        }
    }

    /// Ends its streams, and its browser or its part of one.
    pub(crate) async fn close(&self) {
        self.closed.cancel();
        self.session.end().await;
    }

    fn usage(&self) -> MutexGuard<'_, Usage> {
        lock(&self.usage)
    }
}

/// A call, or the rest of a stream, that is under way until this is dropped.
pub(crate) struct InUse(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Drop for InUse {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}
