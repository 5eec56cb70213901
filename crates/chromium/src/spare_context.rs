//! One spare context with a page. Creating one takes a window and a process, about 100 ms, so it is created
//! in advance.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{ContextId, PageDriver, Result, lock};

use crate::{
    contexts::ContextHandle,
    page::{ChromiumPage, failed},
    protocol::target::{CreateTarget, DisposeBrowserContext},
};

/// Nobody waits for it, but after this time something does not work here.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The state of the spare context.
#[derive(Default)]
pub(crate) enum SpareContext {
    #[default]
    Empty,
    /// Taken; refilled only after the taker's first call.
    Taken,
    /// Being created. Its id and page are here as soon as they are known.
    Making(Option<Spare>),
    Ready(Spare),
    /// Disabled: its window would be visible, or it cannot be created.
    Closed,
}

/// An unused context.
pub(crate) struct Spare {
    pub(crate) context: String,
    pub(crate) page: Option<Arc<ChromiumPage>>,
}

impl SpareContext {
    /// Takes a new page, if it is the spare context's.
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

/// Creates one if there is none.
pub(crate) fn fill(place: &ContextHandle, proxy_server: Option<&'static str>) {
    let mut spare = lock(&place.shared.spare);
    match *spare {
        SpareContext::Taken => *spare = SpareContext::Empty,
        SpareContext::Empty if place.shared.has_pages() => {
            *spare = SpareContext::Making(None);
            drop(spare);
            let place = place.clone();
            tokio::spawn(async move {
                let filled = match tokio::time::timeout(TIMEOUT, make(&place, proxy_server)).await {
                    Ok(Ok(spare)) => SpareContext::Ready(spare),
                    Ok(Err(error)) => give_up(&place, &error.to_string()),
                    Err(_) => give_up(&place, "it took too long"),
                };
                *lock(&place.shared.spare) = filled;
                place.shared.spare_changed.notify_waiters();
            });
        }
        SpareContext::Empty | SpareContext::Making(_) | SpareContext::Ready(_) | SpareContext::Closed => {}
    }
}

async fn make(place: &ContextHandle, proxy_server: Option<&str>) -> Result<Spare> {
    let ContextHandle { shared, root, .. } = place;
    let context = place.create_beside(proxy_server).await?;
    *lock(&shared.spare) = SpareContext::Making(Some(Spare { context: context.clone(), page: None }));
    let command =
        CreateTarget { url: "about:blank", browser_context_id: Some(&context), ..CreateTarget::default() };
    root.send(&command).await.map_err(failed)?;
    let page = match &*lock(&shared.spare) {
        SpareContext::Making(Some(spare)) => spare.page.clone(),
        _ => None,
    };
    if let Some(page) = &page {
        let frame = page.main_frame();
        page.injected_world(&frame).await?;
        page.main_world(&frame).await?;
    }
    Ok(Spare { context, page })
}

/// Discards what was created. Errors are ignored, since nobody asked for it.
fn give_up(place: &ContextHandle, reason: &str) -> SpareContext {
    tracing::debug!(reason, "no spare context can be kept");
    if let SpareContext::Making(Some(Spare { context, .. })) = &*lock(&place.shared.spare) {
        place.root.tell(&DisposeBrowserContext { browser_context_id: context });
        place.shared.context_gone(&ContextId::from(context.as_str()));
    }
    SpareContext::Closed
}

/// Takes the spare context. One that is being created is ready sooner than a new one.
pub(crate) async fn take(place: &ContextHandle) -> Option<Spare> {
    loop {
        let changed = place.shared.spare_changed.notified();
        {
            let mut spare = lock(&place.shared.spare);
            match &*spare {
                SpareContext::Making(_) => {}
                SpareContext::Ready(_) => {
                    let SpareContext::Ready(spare) = std::mem::replace(&mut *spare, SpareContext::Taken)
                    else {
                        return None;
                    };
                    return Some(spare);
                }
                SpareContext::Empty | SpareContext::Taken | SpareContext::Closed => return None,
            }
        }
        changed.await;
    }
}
