use std::{
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Connection, Reply, WireError};

/// One request of a protocol: a documented struct that serialises to the parameters.
pub trait Command: Serialize {
    /// The wire name.
    const METHOD: &'static str;
    /// What the browser answers.
    type Reply: DeserializeOwned + Send;
}

/// Gives commands their wire names and replies: `commands! { Command => "Domain.command", Reply; }`.
#[macro_export]
macro_rules! commands {
    ($($command:ty => $method:literal, $reply:ty;)*) => {$(
        impl $crate::Command for $command {
            const METHOD: &'static str = $method;
            type Reply = $reply;
        }
    )*};
}

/// The reply of commands that answer nothing of interest.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Empty {}

/// An address on a connection.
#[derive(Clone)]
pub struct Session {
    connection: Connection,
    id: Option<Arc<str>>,
}

impl Session {
    pub(crate) fn new(connection: Connection, id: Option<Arc<str>>) -> Self {
        Self { connection, id }
    }

    /// The id that events carry; none for the browser itself.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The connection that it is an address on.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Sends a command. It is on its way when this returns, so that several can be sent without waiting
    /// in between; what is returned is only for the answer.
    pub fn send<C: Command>(&self, command: &C) -> PendingReply<C::Reply> {
        let reply = self.connection.post(self.id.as_ref(), C::METHOD, command);
        PendingReply { reply, method: C::METHOD, kind: PhantomData }
    }

    /// Sends a command whose answer nobody needs.
    pub fn tell<C: Command>(&self, command: &C) {
        drop(self.send(command));
    }
}

/// A command's answer, on its way.
#[must_use = "the command is sent; await its answer, or use `tell`"]
pub struct PendingReply<R> {
    reply: Reply,
    method: &'static str,
    kind: PhantomData<fn() -> R>,
}

impl<R: DeserializeOwned> Future for PendingReply<R> {
    type Output = Result<R, WireError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let raw = ready!(Pin::new(&mut self.reply).poll(cx))?;
        let method = self.method;
        Poll::Ready(
            serde_json::from_str(raw.get())
                .map_err(|source| WireError::Malformed { method, source: Arc::new(source) }),
        )
    }
}
