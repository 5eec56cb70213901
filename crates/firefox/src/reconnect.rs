//! The socket broke while the browser goes on. The session is Marionette's, so it is still there with all that it has;
//! only what the browser told meanwhile is missing, and is asked for.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use cicerone_driver::FrameId;
use cicerone_wire::{Again, WireError, transport::websocket};
use futures::FutureExt;

use crate::{
    browser::Shared,
    protocol::browsing_context::{GetTree, Info},
};

/// How long a browser on this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What makes the socket again.
pub(crate) fn again(shared: &Arc<Shared>, address: SocketAddr, path: String) -> Again {
    let shared = Arc::downgrade(shared);
    Box::new(move || {
        let (shared, path) = (shared.clone(), path.clone());
        async move {
            let made = tokio::time::timeout(PATIENCE, websocket(address, &path)).await.ok()?;
            let transport = made.inspect_err(|error| tracing::debug!(%error, "the session is gone")).ok()?;
            tracing::info!("the connection to the browser broke and was made again");
            let shared = shared.upgrade()?;
            tokio::spawn(async move {
                match tokio::time::timeout(PATIENCE, shared.catch_up()).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "what happened meanwhile could not be asked for")
                    }
                    Err(_) => tracing::warn!("the browser does not tell what happened meanwhile"),
                }
            });
            Some(transport)
        }
        .boxed()
    })
}

impl Shared {
    /// Sees what came, went and moved while nobody listened.
    async fn catch_up(&self) -> Result<(), WireError> {
        let Some(connection) = self.connection.get() else { return Ok(()) };
        let there = connection.root().send(&GetTree { root: None }).await?.contexts;
        let mut all = Vec::new();
        flatten(there, &mut all);
        let missing = |context: &FrameId| !all.iter().any(|info| info.context == context.as_str());
        let gone: Vec<_> = self.places().contexts().into_iter().filter(missing).collect();
        for context in gone {
            self.destroyed(context.as_str());
        }
        for info in all {
            let (frame, url) = (FrameId::from(info.context.as_str()), info.url.clone());
            if self.page_of(&info.context).is_none() {
                self.created(info);
            }
            self.found_at(&frame, &url);
            if let Some(page) = self.page_of(frame.as_str()) {
                page.forget_requests();
            }
        }
        Ok(())
    }
}

/// All of them, parents before their children.
fn flatten(infos: Vec<Info>, into: &mut Vec<Info>) {
    for mut info in infos {
        let children = info.children.take().unwrap_or_default();
        into.push(info);
        flatten(children, into);
    }
}
