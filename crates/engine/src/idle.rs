//! What nobody uses goes: contexts after a while, and the browser when all of it rests.

use std::{
    sync::{Arc, Weak},
    time::Instant,
};

use cicerone_driver::Browser;

use crate::{NewsItem, Session, news};

/// Watches a browser that was just started, until it ends.
pub(crate) fn watch(session: &Session, browser: &Arc<dyn Browser>) {
    let patience = session.options().session_timeout;
    let (weak, browser) = (session.downgrade(), Arc::downgrade(browser));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(patience / 2).await;
            let Some(session) = weak.upgrade().filter(|_| Weak::strong_count(&browser) > 0) else { return };
            let Some(then) = Instant::now().checked_sub(patience) else { continue };
            let (unused, all) = session.unused_since(then);
            if all {
                session.rest().await;
                return;
            }
            for context in unused {
                let name = context.name().to_owned();
                if session.close_context(&name).await.is_ok() {
                    news::add(&mut session.context().tabs().news, NewsItem::ContextClosed(name));
                }
            }
        }
    });
}
