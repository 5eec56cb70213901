use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    Session, Transport, WireError,
    message::{Incoming, Outgoing},
    transport::{Reader, Writer},
};

/// An event of the browser.
#[derive(Debug, Clone, Copy)]
pub struct Event<'a> {
    /// Its session; `None` for the browser itself.
    pub session: Option<&'a str>,
    /// Its wire name.
    pub method: &'a str,
    /// Its parameters, not parsed yet.
    pub params: &'a RawValue,
}

impl Event<'_> {
    /// Its parameters; `None`, with a line in the log, if they are malformed.
    pub fn parse<T: DeserializeOwned>(self) -> Option<T> {
        serde_json::from_str(self.params.get())
            // Where, not what: the error's own text may quote a value of the page.
            .inspect_err(|error| {
                tracing::debug!(column = error.column(), event = self.method, "unexpected event")
            })
            .ok()
    }
}

/// Makes a transport to the same browser when one broke; nothing when the browser is gone.
pub type Reconnect = Box<dyn FnMut() -> BoxFuture<'static, Option<Transport>> + Send>;

/// How often in a row a transport may break before anything came through it.
const ATTEMPTS: u32 = 3;

/// One transport with its pending requests. Cheap to clone; the transport ends with [`Connection::close`].
#[derive(Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    next_id: AtomicU64,
    pending: Mutex<HashMap<u64, Waiter>>,
    outgoing: Mutex<Option<mpsc::UnboundedSender<Vec<u8>>>>,
    closed: watch::Sender<bool>,
}

struct Waiter {
    method: &'static str,
    session: Option<Arc<str>>,
    deliver: oneshot::Sender<Result<Box<RawValue>, WireError>>,
}

impl Connection {
    /// Takes the transport over. `observe` sees every event, synchronously and in order: it must not
    /// block, and may post requests.
    pub fn open(transport: Transport, observe: impl FnMut(Event<'_>) + Send + 'static) -> Self {
        Self::take_over(transport, None, observe)
    }

    /// The same with a transport that may break while the browser goes on: it is made again, and only what was pending
    /// then fails.
    pub fn open_lasting(
        transport: Transport,
        again: Reconnect,
        observe: impl FnMut(Event<'_>) + Send + 'static,
    ) -> Self {
        Self::take_over(transport, Some(again), observe)
    }

    fn take_over(
        transport: Transport,
        again: Option<Reconnect>,
        observe: impl FnMut(Event<'_>) + Send + 'static,
    ) -> Self {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            next_id: AtomicU64::new(1),
            pending: Mutex::default(),
            outgoing: Mutex::new(Some(outgoing)),
            closed: watch::Sender::new(false),
        });
        let connection = Self { shared };
        tokio::spawn(write_all(transport.writer, queue));
        tokio::spawn(connection.clone().read_all(transport.reader, again, observe));
        connection
    }

    /// The session of the browser itself.
    pub fn root(&self) -> Session {
        Session::new(self.clone(), None)
    }

    /// The session with this id.
    pub fn session(&self, id: &str) -> Session {
        Session::new(self.clone(), Some(id.into()))
    }

    /// Resolves when the transport has ended.
    pub async fn closed(&self) {
        let mut closed = self.shared.closed.subscribe();
        // An error means that the sender is gone, which is closed too.
        let _ = closed.wait_for(|closed| *closed).await;
    }

    /// Whether the transport has ended.
    pub fn is_closed(&self) -> bool {
        *self.shared.closed.borrow()
    }

    /// Ends the transport; everything pending fails.
    pub fn close(&self) {
        lock(&self.shared.outgoing).take();
        self.fail(|_, _| true, |_| WireError::Closed);
        self.shared.closed.send_replace(true);
    }

    /// Fails what is pending on a session whose target will never answer again.
    pub fn lose(&self, session: &str) {
        let of_it = |_, waiter: &Waiter| waiter.session.as_deref() == Some(session);
        self.fail(of_it, |method| WireError::Lost { method });
    }

    /// Sends a request at once; returns a future of the reply.
    pub(crate) fn post<P: Serialize>(
        &self,
        session: Option<&Arc<str>>,
        method: &'static str,
        params: P,
    ) -> Reply {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        // Never log the parameters: a typed text may be a password.
        tracing::trace!(method, "asked the browser");
        let (deliver, receive) = oneshot::channel();
        let reply = Reply { id, receive, shared: Arc::clone(&self.shared) };
        let message = Outgoing { id, session_id: session.map(|s| &**s), method, params };
        match serde_json::to_vec(&message) {
            Err(source) => {
                let _ = deliver.send(Err(WireError::Malformed { method, source: Arc::new(source) }));
            }
            Ok(bytes) => {
                let waiter = Waiter { method, session: session.cloned(), deliver };
                lock(&self.shared.pending).insert(id, waiter);
                let sent = lock(&self.shared.outgoing).as_ref().is_some_and(|out| out.send(bytes).is_ok());
                if !sent {
                    self.fail_one(id);
                }
            }
        }
        reply
    }

    async fn read_all(
        self,
        mut reader: Box<dyn Reader>,
        mut again: Option<Reconnect>,
        mut observe: impl FnMut(Event<'_>),
    ) {
        let mut message = Vec::new();
        let mut broken = 0;
        // Whoever closes it must not wait for the other end: a socket lives as long as it is read.
        let closed = self.closed();
        tokio::pin!(closed);
        while !self.is_closed() {
            message.clear();
            let read = tokio::select! {
                biased;
                read = reader.read(&mut message) => read,
                () = &mut closed => break,
            };
            match read {
                Ok(true) => {
                    broken = 0;
                    self.take(&message, &mut observe);
                }
                ended => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "the browser's connection broke");
                    }
                    broken += 1;
                    let again = again.as_mut().filter(|_| broken <= ATTEMPTS && !self.is_closed());
                    let Some(again) = again else { break };
                    // Of a socket that only we gave up, the other end must learn that.
                    drop(reader);
                    let Some(made) = self.renew(again).await else { break };
                    reader = made;
                }
            }
            // One huge message (a screenshot) must not hold its memory for ever.
            if message.capacity() > 1 << 22 {
                message = Vec::new();
            }
        }
        self.close();
    }

    /// A new transport in place of one that broke. What is asked for meanwhile waits for it.
    async fn renew(&self, again: &mut Reconnect) -> Option<Box<dyn Reader>> {
        let (outgoing, queue) = mpsc::unbounded_channel();
        lock(&self.shared.outgoing).as_mut().map(|current| *current = outgoing)?;
        let sent = self.shared.next_id.load(Ordering::Relaxed);
        let transport = again().await?;
        // Nothing that was sent before is answered on another transport.
        self.fail(|id, _| id < sent, |method| WireError::Interrupted { method });
        tokio::spawn(write_all(transport.writer, queue));
        Some(transport.reader)
    }

    fn take(&self, message: &[u8], observe: &mut impl FnMut(Event<'_>)) {
        let mut incoming: Incoming<'_> = match serde_json::from_slice(message) {
            Ok(incoming) => incoming,
            Err(error) => return tracing::debug!(%error, "an invalid message was ignored"),
        };
        match (incoming.id, incoming.method.take()) {
            (Some(id), _) => {
                let Some(waiter) = lock(&self.shared.pending).remove(&id) else { return };
                let outcome = match (incoming.result, incoming.refusal()) {
                    (_, Some((code, kind, message))) => {
                        Err(WireError::Refused { method: waiter.method, code, kind, message })
                    }
                    (Some(result), None) => Ok(result.to_owned()),
                    (None, None) => Ok(RawValue::NULL.to_owned()),
                };
                let _ = waiter.deliver.send(outcome);
            }
            (None, Some(method)) => {
                let params = incoming.params.unwrap_or(RawValue::NULL);
                observe(Event { session: incoming.session_id.as_deref(), method: &method, params });
            }
            (None, None) => {}
        }
    }

    fn fail_one(&self, id: u64) {
        if let Some(waiter) = lock(&self.shared.pending).remove(&id) {
            let _ = waiter.deliver.send(Err(WireError::Closed));
        }
    }

    fn fail(&self, which: impl Fn(u64, &Waiter) -> bool, error: impl Fn(&'static str) -> WireError) {
        let lost: Vec<Waiter> = lock(&self.shared.pending)
            .extract_if(|id, waiter| which(*id, waiter))
            .map(|(_, waiter)| waiter)
            .collect();
        for waiter in lost {
            let _ = waiter.deliver.send(Err(error(waiter.method)));
        }
    }
}

async fn write_all(mut writer: Box<dyn Writer>, mut queue: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(message) = queue.recv().await {
        if let Err(error) = writer.write(message).await {
            // The reader sees the same end and fails what is pending.
            tracing::debug!(%error, "the browser takes no more messages");
            break;
        }
    }
}

/// A reply that is on its way. Dropping it forgets the request.
pub struct Reply {
    id: u64,
    receive: oneshot::Receiver<Result<Box<RawValue>, WireError>>,
    shared: Arc<Shared>,
}

impl Future for Reply {
    type Output = Result<Box<RawValue>, WireError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receive).poll(cx).map(|delivered| delivered.unwrap_or(Err(WireError::Closed)))
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        lock(&self.shared.pending).remove(&self.id);
    }
}

/// No code panics while it holds these locks, so a poisoned one is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
