//! All clients of the server, and their maximum number.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

use cicerone_engine::Session;
use rmcp::ServerHandler;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::{answer::Refusal, client::Client, token::Owner};
use crate::sync::lock;

/// Creates the handler and the session of a new client.
pub type ClientFactory<H> = Box<dyn Fn() -> (H, Session) + Send + Sync>;

/// The identity of a client without a session id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Caller {
    pub(crate) owner: Owner,
    /// The name that it sends.
    pub(crate) name: String,
    /// The session that it names, if it has several.
    pub(crate) session: String,
}

/// The clients, with and without session ids.
pub(crate) struct Clients<H> {
    factory: ClientFactory<H>,
    places: Arc<Semaphore>,
    limit: usize,
    timeout: Duration,
    known: Mutex<Known<H>>,
    /// Answers what needs no session.
    nobody: OnceLock<Arc<Client<H>>>,
    /// Notified when a client has gone, and when a call has ended.
    changed: Arc<Notify>,
}

struct Known<H> {
    by_id: HashMap<Arc<str>, Arc<Client<H>>>,
    by_caller: HashMap<Caller, Arc<Client<H>>>,
    /// Closed, but not gone yet.
    closing: usize,
}

impl<H: ServerHandler> Clients<H> {
    pub(crate) fn new(factory: ClientFactory<H>, limit: usize, timeout: Duration) -> Self {
        Self {
            factory,
            places: Arc::new(Semaphore::new(limit)),
            limit,
            timeout,
            known: Mutex::new(Known { by_id: HashMap::new(), by_caller: HashMap::new(), closing: 0 }),
            nobody: OnceLock::new(),
            changed: Arc::new(Notify::new()),
        }
    }

    /// A new client, if there is a place for one. Nothing is made before that is clear.
    pub(crate) fn admit(&self, owner: Owner) -> Result<Arc<Client<H>>, Refusal> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| Refusal::TooManySessions { limit: self.limit })?;
        Ok(self.create(owner, Some(place)))
    }

    fn create(&self, owner: Owner, place: Option<OwnedSemaphorePermit>) -> Arc<Client<H>> {
        let (handler, session) = (self.factory)();
        Arc::new(Client::new(handler, session, owner, place, Arc::clone(&self.changed)))
    }

    /// Refuses when no further client can be admitted.
    pub(crate) fn check_place(&self) -> Result<(), Refusal> {
        match self.places.available_permits() {
            0 => Err(Refusal::TooManySessions { limit: self.limit }),
            _ => Ok(()),
        }
    }

    /// Who answers a question about the server itself. It takes no place, and its session opens nothing.
    pub(crate) fn nobody(&self) -> Arc<Client<H>> {
        Arc::clone(self.nobody.get_or_init(|| self.create(Owner::Anyone, None)))
    }

    /// Gives a client the id that it is found by from now on.
    pub(crate) fn register(self: &Arc<Self>, id: Arc<str>, client: Arc<Client<H>>) {
        self.known().by_id.insert(Arc::clone(&id), Arc::clone(&client));
        let clients = Arc::clone(self);
        self.when_idle(client, move || clients.close(&id));
    }

    /// The client with this session id, if it is this owner's.
    pub(crate) fn find(&self, id: &str, owner: Owner) -> Option<Arc<Client<H>>> {
        self.known().by_id.get(id).filter(|client| client.owner == owner).cloned()
    }

    /// The client with this session id, whoever asks.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Client<H>>> {
        self.known().by_id.get(id).cloned()
    }

    /// The client that calls without a session id.
    pub(crate) fn of_caller(self: &Arc<Self>, caller: Caller) -> Result<Arc<Client<H>>, Refusal> {
        if let Some(client) = self.known().by_caller.get(&caller) {
            return Ok(Arc::clone(client));
        }
        let client = self.admit(caller.owner)?;
        self.known().by_caller.insert(caller.clone(), Arc::clone(&client));
        let clients = Arc::clone(self);
        self.when_idle(Arc::clone(&client), move || {
            let gone = clients.known().by_caller.remove(&caller);
            clients.end(gone);
        });
        Ok(client)
    }

    /// Closes a session; its browser ends in the background.
    pub(crate) fn close(self: &Arc<Self>, id: &str) {
        let gone = self.known().by_id.remove(id);
        self.end(gone);
    }

    fn when_idle(self: &Arc<Self>, client: Arc<Client<H>>, close: impl FnOnce() + Send + 'static) {
        let timeout = self.timeout;
        tokio::spawn(async move {
            tokio::select! {
                () = client.idle(timeout) => {
                    drop(client);
                    close();
                }
                () = client.closed.cancelled() => {}
            }
        });
    }

    fn end(self: &Arc<Self>, client: Option<Arc<Client<H>>>) {
        let Some(client) = client else { return };
        self.known().closing += 1;
        let clients = Arc::clone(self);
        tokio::spawn(async move {
            client.close().await;
            drop(client);
            clients.known().closing -= 1;
            clients.changed.notify_waiters();
        });
    }

    /// How many sessions there are.
    pub(crate) fn count(&self) -> usize {
        let known = self.known();
        known.by_id.len() + known.by_caller.len()
    }

    /// Resolves when no call is under way, and no answer on its way.
    pub(crate) async fn calls_ended(&self) {
        loop {
            let ended = self.changed.notified();
            let busy = {
                let known = self.known();
                known.by_id.values().chain(known.by_caller.values()).any(|client| client.is_busy())
            };
            if !busy {
                return;
            }
            ended.await;
        }
    }

    /// Closes all sessions, and waits until their browsers are gone.
    pub(crate) async fn close_all(self: &Arc<Self>) {
        let all: Vec<_> = {
            let mut known = self.known();
            let by_id: Vec<_> = known.by_id.drain().map(|(_, client)| client).collect();
            by_id.into_iter().chain(known.by_caller.drain().map(|(_, client)| client)).collect()
        };
        for client in all.into_iter().chain(self.nobody.get().cloned()) {
            self.end(Some(client));
        }
        loop {
            let gone = self.changed.notified();
            if self.known().closing == 0 {
                return;
            }
            gone.await;
        }
    }

    fn known(&self) -> MutexGuard<'_, Known<H>> {
        lock(&self.known)
    }
}
