//! Emulation: overrides of what a page observes.

use crate::{
    Driver, Trial, VIEWPORT, navigate,
    site::{Site, html},
    value, value_in,
};
use cicerone_driver::{
    Coordinates, DeviceMetrics, DriverError, FrameId, ImageFormat, Navigation, PageDriver, Permission,
    Setting, Shot, Size, UserAgent,
};
use serde_json::Value;

const LANGUAGE: &str = "[navigator.language, Intl.NumberFormat().resolvedOptions().locale].join()";
const ZONE: &str = "Intl.DateTimeFormat().resolvedOptions().timeZone + new Date(0).getHours()";
const AGENT: &str = "navigator.userAgent";
const ONLINE: &str = "navigator.onLine";
const PLACE: &str = "new Promise(done => navigator.geolocation.getCurrentPosition(
    at => done([at.coords.latitude, at.coords.longitude, at.coords.accuracy].join()), () => done('nowhere'),
    { timeout: 3000 }))";

/// A site with pages (`/page?1`) that have a frame of another site (`/frame?1`), which is in another process.
fn with_frames() -> Site {
    Site::serve(|head| match head.target.strip_prefix("/page") {
        Some(number) => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            html(&format!("<link rel=icon href='data:,'><iframe src='http://{host}/frame{number}'></iframe>"))
        }
        None => html("<link rel=icon href='data:,'>"),
    })
}

/// Loads one of these pages; its frame.
async fn go(trial: &Trial, page: &dyn PageDriver, site: &Site, number: u32) -> FrameId {
    trial.go(page, &site.url(&format!("/page?{number}"))).await;
    trial.record.frame_at(&page.id(), &format!("/frame?{number}")).await
}

fn agent() -> UserAgent {
    UserAgent { text: "Cicerone/1 (test)".into(), platform: None, hints: None }
}

/// What a script says in the page and in its frame.
async fn both(page: &dyn PageDriver, frame: &FrameId, script: &str) -> [Value; 2] {
    [value(page, script).await, value_in(page, frame, script).await]
}

fn twice(value: &str) -> [Value; 2] {
    [value.into(), value.into()]
}

/// The header that was sent with a page and with its frame.
fn sent(site: &Site, number: u32, header: &str) -> [String; 2] {
    let asked = site.asked();
    ["page", "frame"].map(|what| {
        let target = format!("/{what}?{number}");
        let head = asked.iter().find(|head| head.target == target).expect("it was asked for");
        head.header(header).unwrap_or_default().to_owned()
    })
}

pub async fn a_language_holds_in_all_frames_until_it_is_taken_back(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_frames());
    let page = trial.new_context().await.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, 1).await;
    let truth = both(&*page, &frame, LANGUAGE).await;

    emulation.locale(Some("de-CH")).await.unwrap();
    assert_eq!(both(&*page, &frame, LANGUAGE).await, twice("de-CH,de-CH"));
    emulation.locale(Some("fr-CA")).await.unwrap();
    let refused = emulation.locale(Some("no language")).await;
    assert!(matches!(refused, Err(DriverError::Refused { .. })), "{refused:?}");
    let frame = go(&trial, &*page, &site, 2).await;
    assert_eq!(both(&*page, &frame, LANGUAGE).await, twice("fr-CA,fr-CA"));
    let asked = sent(&site, 2, "accept-language");
    assert!(asked.iter().all(|sent| sent.starts_with("fr-CA")), "{asked:?}");

    emulation.locale(None).await.unwrap();
    assert_eq!(both(&*page, &frame, LANGUAGE).await, truth);
    go(&trial, &*page, &site, 3).await;
    assert_eq!(sent(&site, 3, "accept-language"), sent(&site, 1, "accept-language"));
    trial.browser.close().await;
}

pub async fn a_time_zone_holds_in_all_frames_until_it_is_taken_back(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_frames());
    let page = trial.new_context().await.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, 1).await;
    let truth = both(&*page, &frame, ZONE).await;

    emulation.time_zone(Some("Asia/Tokyo")).await.unwrap();
    assert_eq!(both(&*page, &frame, ZONE).await, twice("Asia/Tokyo9"));
    emulation.time_zone(Some("America/New_York")).await.unwrap();
    let refused = emulation.time_zone(Some("Nowhere/City")).await;
    assert!(matches!(refused, Err(DriverError::Refused { .. })), "{refused:?}");
    let frame = go(&trial, &*page, &site, 2).await;
    assert_eq!(both(&*page, &frame, ZONE).await, twice("America/New_York19"));

    emulation.time_zone(None).await.unwrap();
    assert_eq!(both(&*page, &frame, ZONE).await, truth);
    trial.browser.close().await;
}

pub async fn a_user_agent_is_seen_and_sent_with_the_language_that_was_set(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_frames());
    let context = trial.new_context().await;
    let page = context.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, 1).await;
    let truth = both(&*page, &frame, AGENT).await;

    emulation.locale(Some("de-CH")).await.unwrap();
    emulation.user_agent(Some(&agent())).await.unwrap();
    assert_eq!(both(&*page, &frame, AGENT).await, twice("Cicerone/1 (test)"));
    let frame = go(&trial, &*page, &site, 2).await;
    assert_eq!(both(&*page, &frame, AGENT).await, twice("Cicerone/1 (test)"));
    assert_eq!(sent(&site, 2, "user-agent"), ["Cicerone/1 (test)", "Cicerone/1 (test)"]);
    assert_eq!(both(&*page, &frame, LANGUAGE).await, twice("de-CH,de-CH"));

    emulation.user_agent(None).await.unwrap();
    assert_eq!(both(&*page, &frame, AGENT).await, truth);
    go(&trial, &*page, &site, 3).await;
    assert_eq!(sent(&site, 3, "user-agent"), sent(&site, 1, "user-agent"));
    let asked = sent(&site, 3, "accept-language");
    assert!(asked.iter().all(|sent| sent.starts_with("de-CH")), "{asked:?}");

    // Other pages are as they are.
    let other = context.open(VIEWPORT).await.unwrap();
    emulation.user_agent(Some(&agent())).await.unwrap();
    assert_eq!(value(&*other, AGENT).await, truth[0]);
    trial.browser.close().await;
}

pub async fn a_place_is_told_to_those_who_may_know(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.new_context().await;
    let page = trial.page_at(&*context, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    let bern = Coordinates { latitude: 46.95, longitude: 7.45, accuracy: 20.0 };
    let permissions = context.permissions().unwrap();
    emulation.geolocation(Some(&bern)).await.unwrap();
    permissions.set(&site.origin(), Permission::Geolocation, Setting::Denied).await.unwrap();
    assert_eq!(value(&*page, PLACE).await, "nowhere");
    permissions.set(&site.origin(), Permission::Geolocation, Setting::Granted).await.unwrap();
    assert_eq!(value(&*page, PLACE).await, "46.95,7.45,20");

    let rome = Coordinates { latitude: 41.9, longitude: 12.5, ..bern };
    emulation.geolocation(Some(&rome)).await.unwrap();
    trial.go(&*page, &site.url("/next")).await;
    assert_eq!(value(&*page, PLACE).await, "41.9,12.5,20");
    emulation.geolocation(None).await.unwrap();
    assert_ne!(value(&*page, PLACE).await, "41.9,12.5,20");
    trial.browser.close().await;
}

pub async fn a_page_without_a_network_gets_nothing_until_it_is_back(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_frames());
    let context = trial.new_context().await;
    let page = context.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, 1).await;
    let fetch = "fetch('/data').then(() => 'there', () => 'not there')";

    emulation.offline(true).await.unwrap();
    assert_eq!(both(&*page, &frame, fetch).await, twice("not there"));
    assert_eq!(both(&*page, &frame, ONLINE).await, [Value::Bool(false), Value::Bool(false)]);
    let came = navigate(&*page, &site.url("/away")).await;
    assert!(matches!(came, Navigation::Failed(_)), "{came:?}");
    assert!(!site.asked().iter().any(|head| ["/data", "/away"].contains(&head.target.as_str())));
    let other = trial.page_at(&*context, &site.url("/other")).await;
    assert_eq!(value(&*other, fetch).await, "there");

    emulation.offline(false).await.unwrap();
    let frame = go(&trial, &*page, &site, 2).await;
    assert_eq!(both(&*page, &frame, fetch).await, twice("there"));
    assert_eq!(both(&*page, &frame, ONLINE).await, [Value::Bool(true), Value::Bool(true)]);
    trial.browser.close().await;
}

/// A page with a worker that fetches what it is told to, and then says what it believes.
fn with_worker() -> Site {
    Site::serve(|head| match head.target.as_str() {
        "/worker.js" => {
            let script = "onmessage = async ({ data }) => {
                const came = await fetch(data).then(() => 'there', () => 'not there');
                const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
                postMessage({ came, zone, language: navigator.language, agent: navigator.userAgent }) }";
            (200, vec![("content-type", "text/javascript".into())], script.into())
        }
        _ => html(
            "<link rel=icon href='data:,'><script>
                const hire = () => new Worker('/worker.js');
                const ask = (worker, path) => new Promise(done => {
                    worker.onmessage = ({ data }) => done(data);
                    worker.postMessage(path) });
                var known = hire()</script>",
        ),
    })
}

pub async fn workers_have_the_language_the_time_zone_and_the_network_of_their_page(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_worker());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    assert_eq!(value(&*page, "ask(known, '/first')").await["came"], "there");
    emulation.locale(Some("de-CH")).await.unwrap();
    emulation.time_zone(Some("Asia/Tokyo")).await.unwrap();
    for worker in ["known", "hire()"] {
        let told = value(&*page, &format!("ask({worker}, '/data')")).await;
        let told = ["came", "language", "zone"].map(|what| told[what].clone());
        assert_eq!(told, ["there", "de-CH", "Asia/Tokyo"], "{worker}");
    }
    emulation.offline(true).await.unwrap();
    assert_eq!(value(&*page, "ask(known, '/away')").await["came"], "not there");
    emulation.offline(false).await.unwrap();
    assert_eq!(value(&*page, "ask(known, '/back')").await["came"], "there");
    assert!(!site.asked().iter().any(|head| head.target == "/away"));
    trial.browser.close().await;
}

pub async fn workers_send_the_user_agent_and_the_language_of_their_page(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, with_worker());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    emulation.locale(Some("de-CH")).await.unwrap();
    emulation.user_agent(Some(&agent())).await.unwrap();
    let told = value(&*page, "ask(hire(), '/data')").await;
    let sent = site.asked().into_iter().find(|head| head.target == "/data").unwrap();
    assert_eq!(told["agent"], "Cicerone/1 (test)");
    assert_eq!(sent.header("user-agent"), Some("Cicerone/1 (test)"));
    assert_eq!(sent.header("accept-language"), Some("de-CH"));
    trial.browser.close().await;
}

/// The width of a picture, as it is written at the beginning of a PNG.
async fn width_of_picture(page: &dyn PageDriver) -> u32 {
    let shot = Shot { format: ImageFormat::Png, clip: None, scale: 1.0, omit_background: false };
    let picture = page.screenshot(&shot).await.unwrap();
    u32::from_be_bytes(picture[16..20].try_into().unwrap())
}

pub async fn a_scale_factor_keeps_the_viewport_and_is_kept_when_that_changes(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    let look = "[devicePixelRatio, innerWidth, innerHeight].join()";
    assert_eq!(value(&*page, look).await, "1,800,600");

    let plain = DeviceMetrics::of(VIEWPORT);
    emulation.device_metrics(&DeviceMetrics { scale_factor: Some(2.0), ..plain }).await.unwrap();
    assert_eq!(value(&*page, look).await, "2,800,600");
    assert_eq!(width_of_picture(&*page).await, 1600);
    page.resize(Size { width: 400, height: 500 }).await.unwrap();
    assert_eq!(value(&*page, look).await, "2,400,500");
    trial.go(&*page, &site.url("/next")).await;
    assert_eq!(value(&*page, look).await, "2,400,500");

    emulation.device_metrics(&plain.resized(Size { width: 400, height: 500 })).await.unwrap();
    assert_eq!(value(&*page, look).await, "1,400,500");
    assert_eq!(width_of_picture(&*page).await, 400);
    trial.browser.close().await;
}
