//! Navigations, and what comes of them.

use std::{sync::atomic::Ordering, time::Duration};

use cicerone_driver::{Navigation, PageDriver, Result, Size};
use serde_json::Value;

use crate::{
    frames::WorldKind,
    net_errors::chromium_name,
    page::{WebKitPage, lock},
    protocol::{
        host::{Load, Outcome},
        runtime::CallArgument,
    },
};

/// How long it may take until the inspector reports a document that the browser has.
const REPORT: Duration = Duration::from_secs(5);

/// How many redirects WebKit follows.
const REDIRECTS: u32 = 20;

/// How long it may take until the inspector reports where a page went by itself.
const ELSEWHERE: Duration = Duration::from_millis(500);

/// How often the page may come in the way of a navigation.
const INTERRUPTIONS: u32 = 50;

/// How long the page may take to notice its new size.
const RESIZED: Duration = Duration::from_secs(1);

/// What the browser loads in place of what it refuses to load.
const BLANK: &str = "about:blank";

impl WebKitPage {
    /// Loads a URL in the main frame.
    pub(crate) async fn navigate(&self, url: &str) -> Result<Navigation> {
        self.lifecycle.alive()?;
        if self.is_same_document(url) {
            let move_there = "function(u){location.href=u}";
            self.in_injected_world(&self.main_frame(), move_there, &[CallArgument::Value(url.into())], true)
                .await?;
            self.seen_at(&self.main_frame(), url);
            return Ok(Navigation::SameDocument);
        }
        for _ in 0..INTERRUPTIONS {
            let before = self.documents.load(Ordering::Relaxed);
            let ended = self.send(&Load { url }).await?;
            match ended.outcome {
                Outcome::Committed if ended.url.as_deref() == Some(BLANK) && url != BLANK => {
                    return Ok(Navigation::Failed(not_loaded(url).into()));
                }
                Outcome::Committed => return self.document_after(before).await,
                Outcome::Download => return Ok(Navigation::Download),
                // This error has neither a domain nor a number.
                Outcome::Failed if self.redirects.load(Ordering::Relaxed) >= REDIRECTS => {
                    return Ok(Navigation::Failed("net::ERR_TOO_MANY_REDIRECTS".into()));
                }
                Outcome::Failed => {
                    return Ok(Navigation::Failed(
                        ended.error.map(|error| chromium_name(&error)).unwrap_or_default(),
                    ));
                }
                // The page went elsewhere meanwhile; or there is nothing to show, and it stays as it is.
                Outcome::Cancelled if !self.document_comes_after(before).await? => break,
                Outcome::Cancelled => {}
            }
        }
        Ok(Navigation::Failed("the navigation was cancelled".into()))
    }

    /// Whether another document comes after so many others: the inspector reports it a moment after the host.
    async fn document_comes_after(&self, before: u64) -> Result<bool> {
        let came = self.lifecycle.until(|| (self.documents.load(Ordering::Relaxed) > before).then_some(()));
        match tokio::time::timeout(ELSEWHERE, came).await {
            Ok(came) => came.map(|()| true),
            Err(_) => self.lifecycle.alive().map(|()| false),
        }
    }

    /// The document that came after so many others.
    async fn document_after(&self, before: u64) -> Result<Navigation> {
        let shown = || {
            let came = self.documents.load(Ordering::Relaxed) > before;
            came.then(|| lock(&self.frames).get(&self.main_frame())?.document.clone()).flatten()
        };
        match tokio::time::timeout(REPORT, self.lifecycle.until(shown)).await {
            Ok(document) => Ok(Navigation::Document(document?)),
            Err(_) => Ok(Navigation::Failed("WebKit did not report its document".into())),
        }
    }

    /// Whether only the fragment is another one than that of the document.
    fn is_same_document(&self, url: &str) -> bool {
        let frames = lock(&self.frames);
        let Some(place) = frames.get(&self.main_frame()) else { return false };
        let before_fragment = |url: &str| url.split_once('#').map(|(before, _)| before.to_owned());
        let current = before_fragment(&place.url).unwrap_or_else(|| place.url.clone());
        before_fragment(url).is_some_and(|before| before == current) && !current.is_empty()
    }

    /// Waits until the document has this size.
    pub(crate) async fn has_size(&self, Size { width, height }: Size) -> Result<()> {
        let frame = self.main_frame();
        let has_it = "function(w,h){return innerWidth===w&&innerHeight===h||new Promise(r=>addEventListener('resize',\
                      ()=>r(true),{once:true}))}";
        let arguments = [CallArgument::Value(Value::from(width)), CallArgument::Value(Value::from(height))];
        let Ok(Ok(world)) = tokio::time::timeout(RESIZED, self.world(&frame, WorldKind::Injected)).await
        else {
            return self.lifecycle.alive();
        };
        // A page that hangs, or that is held by a dialog, has it when it goes on.
        let asked = self.call_in(&frame, &world, has_it, &arguments, true, false);
        let _ = tokio::time::timeout(RESIZED, asked).await;
        self.lifecycle.alive()
    }
}

/// Ports that no browser connects to for the web, below 1024.
const UNSAFE_PORTS: &[u16] = &[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
    109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
    526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995,
];

/// Why the browser shows a blank page in place of a URL. It does not say.
pub(crate) fn not_loaded(url: &str) -> &'static str {
    let port = url::Url::parse(url).ok().and_then(|url| url.port());
    if port.is_some_and(|port| UNSAFE_PORTS.contains(&port)) {
        "net::ERR_UNSAFE_PORT"
    } else {
        "net::ERR_FAILED"
    }
}
