//! Slow networks. No test says how long something may take: what is slow takes as long as it was made to at least, and what
//! is not is much faster in one of several tries.

use std::{
    num::NonZeroU64,
    time::{Duration, Instant},
};

use crate::{
    Driver, Trial, VIEWPORT, navigate,
    site::{Site, html},
    value, value_in,
};
use cicerone_driver::{FrameId, Navigation, PageDriver, Throttle};

const LATENCY: Duration = Duration::from_millis(1500);

const LATE: Throttle = Throttle { latency: LATENCY, download: None, upload: None };

/// What takes two seconds at this speed. A browser may let the bytes of the first second through at once.
const BYTES: usize = 400_000;
const SPEED: Option<NonZeroU64> = NonZeroU64::new(200_000);
const AT_LEAST: Duration = Duration::from_secs(1);

const FETCH: &str = "fetch('/data?' + Math.random())";
const LOAD: &str = "fetch('/large?' + Math.random()).then(came => came.text())";
const SEND: &str = "fetch('/data?' + Math.random(), { method: 'POST', body: 'x'.repeat(400000) })";

/// Pages (`/page?1`) with a frame of another site (`/frame?1`), which can have workers; something large, something small.
fn site() -> Site {
    Site::serve(|head| match head.target.split('?').next().unwrap_or_default() {
        "/large" => (200, Vec::new(), "x".repeat(BYTES)),
        "/data" => (200, Vec::new(), String::new()),
        "/worker.js" => {
            let script = "onmessage = async () => {
                const began = performance.now();
                await fetch('/data?' + Math.random());
                postMessage(performance.now() - began) }";
            (200, vec![("content-type", "text/javascript".into())], script.into())
        }
        "/page" => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            let frame = head.target.replace("/page", "/frame");
            html(&format!(
                "<link rel=icon href='data:,'><iframe src='http://{host}{frame}'></iframe><script>
                    const hire = () => new Worker('/worker.js');
                    const ask = worker => new Promise(done => {{
                        worker.onmessage = told => done(told.data);
                        worker.postMessage('') }});
                    var known = hire()</script>"
            ))
        }
        _ => html("<link rel=icon href='data:,'>"),
    })
}

/// Loads one of these pages; its frame.
async fn go(trial: &Trial, page: &dyn PageDriver, site: &Site, number: u32) -> FrameId {
    trial.go(page, &site.url(&format!("/page?{number}"))).await;
    trial.record.frame_at(&page.id(), &format!("/frame?{number}")).await
}

fn milliseconds(told: &serde_json::Value) -> Duration {
    Duration::from_secs_f64(told.as_f64().unwrap() / 1000.0)
}

/// How long something takes in a frame.
async fn time_in(page: &dyn PageDriver, frame: &FrameId, promise: &str) -> Duration {
    let script = format!(
        "(async began => {{ await {promise}; return performance.now() - began }})(performance.now())"
    );
    milliseconds(&value_in(page, frame, &script).await)
}

async fn time(page: &dyn PageDriver, promise: &str) -> Duration {
    time_in(page, &page.main_frame(), promise).await
}

/// The shortest time of several.
async fn shortest(page: &dyn PageDriver, promise: &str) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        shortest = shortest.min(time(page, promise).await);
    }
    shortest
}

/// Whether something took as long as it had to. Clocks of pages are not exact.
#[track_caller]
fn assert_slow(took: Duration, least: Duration) {
    assert!(took + Duration::from_millis(20) >= least, "{took:?} of {least:?}");
}

#[track_caller]
fn assert_much_faster(fast: Duration, slow: Duration) {
    assert!(fast * 2 < slow, "{fast:?} and {slow:?}");
}

pub async fn answers_come_later_in_all_frames_and_workers_of_a_page_and_in_no_other(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let context = trial.new_context().await;
    let other = trial.page_at(&*context, &site.url("/page?0")).await;
    let page = context.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, 1).await;
    value(&*page, "ask(known)").await;

    emulation.throttle(Some(&LATE)).await.unwrap();
    assert_slow(time(&*page, FETCH).await, LATENCY);
    assert_slow(time_in(&*page, &frame, FETCH).await, LATENCY);
    assert_slow(milliseconds(&value(&*page, "ask(known)").await), LATENCY);
    assert_slow(milliseconds(&value(&*page, "ask(hire())").await), LATENCY);
    assert_much_faster(shortest(&*other, FETCH).await, LATENCY);

    let began = Instant::now();
    let frame = go(&trial, &*page, &site, 2).await;
    // The page, then its frame.
    assert_slow(began.elapsed(), LATENCY * 2);
    assert_slow(time_in(&*page, &frame, FETCH).await, LATENCY);
    emulation.throttle(None).await.unwrap();
    assert_much_faster(shortest(&*page, FETCH).await, LATENCY);
    trial.browser.close().await;
}

pub async fn bytes_come_and_go_as_slowly_as_is_wanted(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    emulation.throttle(Some(&Throttle { download: SPEED, ..Throttle::default() })).await.unwrap();
    let loaded = time(&*page, LOAD).await;
    assert_slow(loaded, AT_LEAST);
    assert_much_faster(shortest(&*page, SEND).await, loaded);

    emulation.throttle(Some(&Throttle { upload: SPEED, ..Throttle::default() })).await.unwrap();
    let sent = time(&*page, SEND).await;
    assert_slow(sent, AT_LEAST);
    assert_much_faster(shortest(&*page, LOAD).await, sent);
    assert_eq!(value(&*page, &format!("{LOAD}.then(text => text.length)")).await, BYTES);
    trial.browser.close().await;
}

pub async fn a_network_that_is_slow_can_be_lost_and_is_slow_when_it_is_back(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    let fetch = format!("{FETCH}.then(() => 'there', () => 'not there')");
    emulation.throttle(Some(&LATE)).await.unwrap();
    emulation.offline(true).await.unwrap();
    assert_eq!(value(&*page, &fetch).await, "not there");
    emulation.offline(false).await.unwrap();
    assert_slow(time(&*page, FETCH).await, LATENCY);

    emulation.offline(true).await.unwrap();
    emulation.throttle(None).await.unwrap();
    assert_eq!(value(&*page, &fetch).await, "not there");
    let came = navigate(&*page, &site.url("/away")).await;
    assert!(matches!(came, Navigation::Failed(_)), "{came:?}");
    trial.browser.close().await;
}
