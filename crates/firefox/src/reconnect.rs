//! The socket broke while the browser goes on. The session is Marionette's, so it is still there with all that it has;
//! only what the browser told meanwhile is missing, and is asked for.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use cicerone_driver::FrameId;
use cicerone_wire::{Again, transport::websocket};
use futures::FutureExt;
use tokio::sync::Mutex;

use crate::{
    browser::Shared,
    dialogs,
    marionette::Marionette,
    page::FirefoxPage,
    protocol::browsing_context::{GetTree, Info},
};

/// How long a browser on this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What makes the socket again.
pub(crate) fn again(
    shared: &Arc<Shared>,
    marionette: &Arc<Mutex<Marionette>>,
    address: SocketAddr,
    path: String,
) -> Again {
    let (shared, marionette) = (Arc::downgrade(shared), Arc::downgrade(marionette));
    Box::new(move || {
        let (shared, marionette, path) = (shared.clone(), marionette.clone(), path.clone());
        async move {
            let made = tokio::time::timeout(PATIENCE, websocket(address, &path)).await.ok()?;
            let transport = made.inspect_err(|error| tracing::debug!(%error, "the session is gone")).ok()?;
            tracing::info!("the connection to the browser broke and was made again");
            let (shared, marionette) = (shared.upgrade()?, marionette.upgrade()?);
            // Before anything is asked or answered on the new socket, or a dialog would be found that is over.
            let known = shared.places().told();
            in_time(dialogs::find(&marionette, known)).await;
            tokio::spawn(in_time(async move {
                let unknown = shared.catch_up().await?;
                dialogs::find(&marionette, unknown).await
            }));
            Some(transport)
        }
        .boxed()
    })
}

/// What cannot be found out is said, and the rest goes on.
async fn in_time(asking: impl Future<Output = io::Result<()>>) {
    match tokio::time::timeout(PATIENCE, asking).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "what happened meanwhile could not be asked for"),
        Err(_) => tracing::warn!("the browser does not tell what happened meanwhile"),
    }
}

impl Shared {
    /// Sees what came, went and moved while nobody listened; the pages that came.
    async fn catch_up(&self) -> io::Result<Vec<Arc<FirefoxPage>>> {
        let Some(connection) = self.connection.get() else { return Ok(Vec::new()) };
        let there = connection.root().send(&GetTree { root: None }).await.map_err(io::Error::other)?.contexts;
        let mut all = Vec::new();
        flatten(there, &mut all);
        let missing = |context: &FrameId| !all.iter().any(|info| info.context == context.as_str());
        let gone: Vec<_> = self.places().contexts().into_iter().filter(missing).collect();
        for context in gone {
            self.destroyed(context.as_str());
        }
        let mut came = Vec::new();
        for info in all {
            let (frame, url) = (FrameId::from(info.context.as_str()), info.url.clone());
            let is_new = self.page_of(&info.context).is_none();
            if is_new {
                self.created(info);
            }
            self.found_at(&frame, &url);
            if let Some(page) = self.page_of(frame.as_str()) {
                page.forget_requests();
                came.extend(Some(page).filter(|page| is_new && page.is_main(&frame)));
            }
        }
        Ok(came)
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
