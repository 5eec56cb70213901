//! A network that is slow, or not there. WebKit has neither, so requests and responses are held: a response for as long as its
//! bytes would take, by the length that its server says.

use std::{
    num::NonZeroU64,
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::{FrameId, Result, Throttle};
use tokio::time::Instant;

use crate::{
    frames::WorldKind,
    interception,
    page::{WebKitPage, lock},
    protocol::{page::SetBootstrapScript, runtime::Evaluate},
};

/// What scripts see of it: in documents to come, and in one that is there.
const NOT_ON_LINE: &str =
    "Object.defineProperty(navigator,'onLine',{get:()=>false,configurable:true,enumerable:true});";
const GOES_OFF: &str = "dispatchEvent(new Event('offline'));0";
const COMES_BACK: &str = "delete navigator.onLine;dispatchEvent(new Event('online'));0";

/// What the network of a page is like.
#[derive(Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) offline: bool,
    pub(crate) throttle: Option<Throttle>,
    /// When what was sent, and what came, has gone through.
    uploaded: Arc<Mutex<Option<Instant>>>,
    downloaded: Arc<Mutex<Option<Instant>>>,
}

impl Conditions {
    pub(crate) fn delays_or_fails_requests(&self) -> bool {
        let delays = |throttle: &Throttle| !throttle.latency.is_zero() || throttle.upload.is_some();
        self.offline || self.throttle.as_ref().is_some_and(delays)
    }

    pub(crate) fn delays_responses(&self) -> bool {
        self.throttle.is_some_and(|throttle| throttle.download.is_some())
    }

    /// Until when a request waits that sends so many bytes.
    pub(crate) fn delay_of_request(&self, bytes: usize) -> Option<Instant> {
        let throttle = self.throttle?;
        let sent = through(&self.uploaded, throttle.upload, bytes as u64);
        (!throttle.latency.is_zero() || sent.is_some())
            .then(|| sent.unwrap_or_else(Instant::now) + throttle.latency)
    }

    /// Until when a response waits that has so many bytes.
    pub(crate) fn delay_of_response(&self, bytes: u64) -> Option<Instant> {
        through(&self.downloaded, self.throttle?.download, bytes)
    }
}

/// When so many more bytes have gone through.
fn through(free: &Mutex<Option<Instant>>, speed: Option<NonZeroU64>, bytes: u64) -> Option<Instant> {
    let speed = speed?;
    let mut free = lock(free);
    let begins = free.map_or_else(Instant::now, |free| free.max(Instant::now()));
    let takes = Duration::from_micros(bytes.saturating_mul(1_000_000) / speed.get());
    *free = Some(begins + takes);
    *free
}

impl WebKitPage {
    /// Has documents to come, in a process that is new, see that they are offline.
    pub(crate) async fn begin_offline(&self) -> Result<()> {
        if !lock(&self.filter).conditions.offline {
            return Ok(());
        }
        self.send(&SetBootstrapScript { source: Some(NOT_ON_LINE) }).await.map(drop)
    }

    pub(crate) async fn offline(&self, offline: bool) -> Result<()> {
        let mut was = false;
        interception::change(self, |filter| {
            was = std::mem::replace(&mut filter.conditions.offline, offline);
        })
        .await?;
        if was == offline {
            return Ok(());
        }
        self.send(&SetBootstrapScript { source: offline.then_some(NOT_ON_LINE) }).await?;
        let script = if offline { format!("{NOT_ON_LINE}{GOES_OFF}") } else { COMES_BACK.to_owned() };
        let frames: Vec<FrameId> = lock(&self.frames).all();
        // Worlds do not share what is defined in one of them.
        let worlds = frames
            .into_iter()
            .flat_map(|frame| [WorldKind::Main, WorldKind::Injected].map(|kind| (frame.clone(), kind)));
        for (frame, kind) in worlds {
            let world = lock(&self.frames).world(&frame, kind).cloned();
            let Some(world) = world else { continue };
            let evaluate = Evaluate {
                expression: &script,
                context_id: world.id,
                return_by_value: true,
                do_not_pause_on_exceptions_and_mute_console: true,
                ..Evaluate::default()
            };
            // A document that goes meanwhile is followed by one that begins with it.
            let _ = self.while_there(&frame, world.id, self.session.send(&evaluate)).await;
        }
        self.lifecycle.alive()
    }

    pub(crate) async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        interception::change(self, |filter| filter.conditions.throttle = throttle.copied()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_through_one_after_the_other() {
        let slow = Throttle { upload: NonZeroU64::new(1000), ..Throttle::default() };
        let conditions = Conditions { throttle: Some(slow), ..Conditions::default() };
        let began = Instant::now();
        let first = conditions.delay_of_request(500).unwrap();
        let second = conditions.delay_of_request(500).unwrap();
        assert!(first >= began + Duration::from_millis(500));
        assert_eq!(second, first + Duration::from_millis(500));
        assert_eq!(conditions.delay_of_response(500), None);
    }
}
