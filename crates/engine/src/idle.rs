//! Closes what is idle: contexts after a while, and the browser when all of it is idle.

use std::{
    sync::{Arc, Weak},
    time::Instant,
};

use cicerone_driver::Browser;
use tracing::Instrument;

use crate::{BrowserHost, NewsItem};

/// Watches a browser that was just started, until it ends.
pub(crate) fn watch(host: &BrowserHost, browser: &Arc<dyn Browser>) {
    let timeout = host.idle_timeout();
    let (weak, browser) = (host.downgrade(), Arc::downgrade(browser));
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(timeout / 2).await;
            let Some(host) = weak.upgrade().filter(|_| Weak::strong_count(&browser) > 0) else { return };
            let Some(then) = Instant::now().checked_sub(timeout) else { continue };
            if host.unused_since(then) {
                host.end_with(Some(NewsItem::Rested)).await;
                return;
            }
            for session in host.sessions() {
                let span = session.span().clone();
                session.expire(then).instrument(span).await;
            }
        }
    });
}
