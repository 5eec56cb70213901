//! Reconnects after the socket broke while the browser keeps running. Marionette owns the session, so it
//! still exists; only the events in between are missing, and are queried.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use cicerone_driver::FrameId;
use cicerone_wire::{Reconnect, transport::websocket};
use futures::FutureExt;
use tokio::sync::Mutex;

use crate::{
    browser::Shared,
    dialogs,
    marionette::Marionette,
    page::FirefoxPage,
    protocol::browsing_context::{GetTree, Info},
};

/// Time limit for a browser on this machine to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Creates the socket again.
pub(crate) fn again(
    shared: &Arc<Shared>,
    marionette: &Arc<Mutex<Marionette>>,
    address: SocketAddr,
    path: String,
) -> Reconnect {
    let (shared, marionette) = (Arc::downgrade(shared), Arc::downgrade(marionette));
    Box::new(move || {
        let (shared, marionette, path) = (shared.clone(), marionette.clone(), path.clone());
        async move {
            let made = tokio::time::timeout(TIMEOUT, websocket(address, &path)).await.ok()?;
            let transport = made.inspect_err(|error| tracing::debug!(%error, "the session is gone")).ok()?;
            tracing::info!("the connection to the browser broke and was made again");
            let (shared, marionette) = (shared.upgrade()?, marionette.upgrade()?);
            // Before any command on the new socket, or a dialog that is over would be found.
            let known = shared.frames().reported_pages();
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

/// Logs what cannot be queried, and continues.
async fn in_time(asking: impl Future<Output = io::Result<()>>) {
    match tokio::time::timeout(TIMEOUT, asking).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, "events from the time without a connection could not be requested")
        }
        Err(_) => tracing::warn!("the browser does not report events from the time without a connection"),
    }
}

impl Shared {
    /// Reports what opened, closed and navigated during the interruption; returns the new pages.
    pub(crate) async fn catch_up(&self) -> io::Result<Vec<Arc<FirefoxPage>>> {
        let Some(connection) = self.connection.get() else { return Ok(Vec::new()) };
        let there = connection.root().send(&GetTree { root: None }).await.map_err(io::Error::other)?.contexts;
        let mut all = Vec::new();
        flatten(there, &mut all);
        let missing = |context: &FrameId| !all.iter().any(|info| info.context == context.as_str());
        let gone: Vec<_> = self.frames().contexts().into_iter().filter(missing).collect();
        for context in gone {
            self.destroyed(context.as_str());
        }
        let mut came = Vec::new();
        for info in all {
            let (frame, url) = (FrameId::from(info.context.as_str()), info.url.clone());
            let is_new = self.page_of(&info.context).is_none();
            if is_new {
                self.created(info);
                self.is_tab(frame.as_str());
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
