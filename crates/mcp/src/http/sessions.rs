//! The SDK's session store; each session belongs to a client.

use std::{pin::Pin, sync::Arc};

use futures::Stream;
use rmcp::{
    ServerHandler,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        WorkerTransport,
        streamable_http_server::{
            SessionId, SessionManager,
            session::{
                RestoreOutcome, ServerSseMessage,
                local::{LocalSessionManagerError, LocalSessionWorker},
            },
        },
    },
};

use super::{client::Client, clients::Clients};

/// The sessions of all clients.
pub(crate) struct Sessions<H> {
    pub(crate) clients: Arc<Clients<H>>,
}

/// Events for a client.
type Events = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

/// Why a session cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    #[error("session not found")]
    NotFound,
    #[error("no client is known for this session")]
    NoClient,
    #[error("no random bits: {0}")]
    NoRandomness(getrandom::Error),
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl<H: ServerHandler> Sessions<H> {
    fn client(&self, id: &SessionId) -> Result<Arc<Client<H>>, SessionError> {
        self.clients.get(id).ok_or(SessionError::NotFound)
    }
}

/// An unguessable id: 128 random bits.
fn new_id() -> Result<SessionId, SessionError> {
    let mut bits = [0_u8; 16];
    getrandom::fill(&mut bits).map_err(SessionError::NoRandomness)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bits)).into())
}

impl<H: ServerHandler> SessionManager for Sessions<H> {
    type Error = SessionError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionError> {
        let client = Client::current().ok_or(SessionError::NoClient)?;
        let id = new_id()?;
        let RestoreOutcome::Restored(transport) = client.streams.restore_session(Arc::clone(&id)).await?
        else {
            return Err(SessionError::NoClient);
        };
        let worker = transport.cancel_token();
        let closed = client.closed.clone();
        // Not by a message to the session: it may wait for a client that does not read.
        tokio::spawn(async move {
            closed.cancelled().await;
            worker.cancel();
        });
        self.clients.register(Arc::clone(&id), client);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionError> {
        Ok(self.client(id)?.streams.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionError> {
        Ok(self.client(id).is_ok())
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionError> {
        self.clients.close(id);
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        let client = self.client(id)?;
        let stream: Events = Box::pin(client.streams.create_stream(id, message).await?);
        Ok(stream)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionError> {
        Ok(self.client(id)?.streams.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        let client = self.client(id)?;
        let stream: Events = Box::pin(client.streams.create_standalone_stream(id).await?);
        Ok(stream)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionError> {
        let client = self.client(id)?;
        let stream: Events = Box::pin(client.streams.resume(id, last_event_id).await?);
        Ok(stream)
    }
}
