//! One context in store, with a page that is set up. To make one takes a window and a process, about a tenth of a
//! second; so it is made while nobody waits, and whoever wants a context next has it at once.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{ContextId, PageDriver, Result};

use crate::{
    contexts::Place,
    page::{ChromiumPage, failed, lock},
    protocol::target::{CreateTarget, DisposeBrowserContext},
};

/// Nobody waits for it, but something that takes longer than this does not work here.
const PATIENCE: Duration = Duration::from_secs(30);

/// What there is in store.
#[derive(Default)]
pub(crate) enum Store {
    /// Nothing.
    #[default]
    Empty,
    /// Nothing: whoever took it last comes first, and the next one is made after that.
    Taken,
    /// One is being made. What it is called and its page are here as soon as they are known.
    Making(Option<Spare>),
    Ready(Spare),
    /// Nothing, for good: somebody would see its window, or it cannot be made.
    Closed,
}

/// A context that nobody uses yet.
pub(crate) struct Spare {
    pub(crate) context: String,
    pub(crate) page: Option<Arc<ChromiumPage>>,
}

impl Store {
    /// Takes in a page that appeared, if it is the one that is being made.
    pub(crate) fn receive(&mut self, context: &str, page: &Arc<ChromiumPage>) -> bool {
        match self {
            Self::Making(Some(spare)) if spare.context == context => {
                spare.page = Some(Arc::clone(page));
                true
            }
            _ => false,
        }
    }
}

/// Makes one, where there is none.
pub(crate) fn fill(place: &Place, proxy_server: Option<&'static str>) {
    let mut store = lock(&place.shared.store);
    match *store {
        Store::Taken => *store = Store::Empty,
        Store::Empty if place.shared.has_pages() => {
            *store = Store::Making(None);
            drop(store);
            let place = place.clone();
            tokio::spawn(async move {
                let filled = match tokio::time::timeout(PATIENCE, make(&place, proxy_server)).await {
                    Ok(Ok(spare)) => Store::Ready(spare),
                    Ok(Err(error)) => give_up(&place, &error.to_string()),
                    Err(_) => give_up(&place, "it took too long"),
                };
                *lock(&place.shared.store) = filled;
                place.shared.stored.notify_waiters();
            });
        }
        Store::Empty | Store::Making(_) | Store::Ready(_) | Store::Closed => {}
    }
}

async fn make(place: &Place, proxy_server: Option<&str>) -> Result<Spare> {
    let Place { shared, root, .. } = place;
    let context = place.create_beside(proxy_server).await?;
    *lock(&shared.store) = Store::Making(Some(Spare { context: context.clone(), page: None }));
    let command =
        CreateTarget { url: "about:blank", browser_context_id: Some(&context), ..CreateTarget::default() };
    root.send(&command).await.map_err(failed)?;
    let page = match &*lock(&shared.store) {
        Store::Making(Some(spare)) => spare.page.clone(),
        _ => None,
    };
    if let Some(page) = &page {
        let frame = page.main_frame();
        page.agent_world(&frame).await?;
        page.main_world(&frame).await?;
    }
    Ok(Spare { context, page })
}

/// What was made so far is thrown away. Nobody asked for it, so nobody is told.
fn give_up(place: &Place, reason: &str) -> Store {
    tracing::debug!(reason, "no context can be kept in store");
    if let Store::Making(Some(Spare { context, .. })) = &*lock(&place.shared.store) {
        place.root.tell(&DisposeBrowserContext { browser_context_id: context });
        place.shared.context_gone(&ContextId::from(context.as_str()));
    }
    Store::Closed
}

/// The one in store. One that is being made is there sooner than another.
pub(crate) async fn take(place: &Place) -> Option<Spare> {
    loop {
        let stored = place.shared.stored.notified();
        {
            let mut store = lock(&place.shared.store);
            match &*store {
                Store::Making(_) => {}
                Store::Ready(_) => {
                    let Store::Ready(spare) = std::mem::replace(&mut *store, Store::Taken) else {
                        return None;
                    };
                    return Some(spare);
                }
                Store::Empty | Store::Taken | Store::Closed => return None,
            }
        }
        stored.await;
    }
}
