//! What style sheets are told of the medium and of the person.

use crate::{
    Driver, Trial, VIEWPORT,
    site::{Site, html},
    value, value_in,
};
use cicerone_driver::{BrowserEvent, ColorScheme, FrameId, Media, Medium, PageDriver, PageEvent};
use serde_json::Value;

/// What is told, in the page's own script before there is a body.
const EARLY: &str = "window.told";

/// What is told now.
const NOW: &str = "tell()";

/// What a person with bad eyes may want.
const EYES: Media = Media {
    medium: None,
    color_scheme: Some(ColorScheme::Dark),
    reduced_motion: Some(true),
    forced_colors: Some(false),
};

/// Paper, which is light.
const PAPER: Media = Media { medium: Some(Medium::Print), ..SCREEN };

const SCREEN: Media = Media {
    medium: Some(Medium::Screen),
    color_scheme: Some(ColorScheme::Light),
    reduced_motion: Some(false),
    forced_colors: Some(false),
};

/// A site with pages (`/page?1`) that have a frame of another site (`/frame?1`). Both ask the style sheets at once. Those at
/// `/page?alone` want to share their process with nobody, which has the browser begin anew with them.
fn site() -> Site {
    Site::serve(|head| {
        let ask = "<link rel=icon href='data:,'><script>
            const features = ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)',
                '(forced-colors: active)'];
            const tell = () => features.map(query => matchMedia(query).matches ? 'y' : 'n').join('');
            var told = tell()</script>";
        let Some(number) = head.target.strip_prefix("/page") else { return html(ask) };
        let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
        let (status, mut headers, body) =
            html(&format!("{ask}<iframe src='http://{host}/frame{number}'></iframe>"));
        if number.starts_with("?alone") {
            headers.push(("cross-origin-opener-policy", "same-origin".into()));
        }
        (status, headers, body)
    })
}

/// Loads one of these pages; its frame.
async fn go(trial: &Trial, page: &dyn PageDriver, site: &Site, number: &str) -> FrameId {
    trial.go(page, &site.url(&format!("/page?{number}"))).await;
    trial.record.frame_at(&page.id(), &format!("/frame?{number}")).await
}

/// What a script says in the page and in its frame.
async fn both(page: &dyn PageDriver, frame: &FrameId, script: &str) -> [Value; 2] {
    [value(page, script).await, value_in(page, frame, script).await]
}

/// Waits until the frame is told this. What it was told by the page around it comes a moment after the answer.
async fn until_told(page: &dyn PageDriver, frame: &FrameId, told: &Value) {
    let script = format!(
        "new Promise(done => {{ const look = () => tell() === {told} ? done() : requestAnimationFrame(look); look() }})"
    );
    value_in(page, frame, &script).await;
}

pub async fn media_hold_in_all_frames_until_they_are_taken_back(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let page = trial.new_context().await.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let mut frame = go(&trial, &*page, &site, "truth").await;
    let truth = both(&*page, &frame, NOW).await;

    for (media, told) in [(EYES, "nyyn"), (PAPER, "ynnn")] {
        emulation.media(&media).await.unwrap();
        assert_eq!(value(&*page, NOW).await, told);
        until_told(&*page, &frame, &told.into()).await;
        for number in ["next", "alone", "last"] {
            frame = go(&trial, &*page, &site, &format!("{number}-{told}")).await;
            assert_eq!(both(&*page, &frame, EARLY).await, [told, told], "{number}");
        }
    }

    emulation.media(&EYES).await.unwrap();
    emulation.media(&Media::default()).await.unwrap();
    assert_eq!(value(&*page, NOW).await, truth[0]);
    until_told(&*page, &frame, &truth[1]).await;
    let frame = go(&trial, &*page, &site, "end").await;
    assert_eq!(both(&*page, &frame, EARLY).await, truth);
    trial.browser.close().await;
}

pub async fn each_of_the_media_is_set_without_the_others(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    for (media, told) in [
        (Media { medium: PAPER.medium, ..SCREEN }, "ynnn"),
        (Media { color_scheme: EYES.color_scheme, ..SCREEN }, "nynn"),
        (Media { reduced_motion: EYES.reduced_motion, ..SCREEN }, "nnyn"),
    ] {
        emulation.media(&media).await.unwrap();
        assert_eq!(value(&*page, NOW).await, told, "{media:?}");
    }
    trial.browser.close().await;
}

pub async fn forced_colours_hold_in_all_frames_until_they_are_taken_back(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let page = trial.new_context().await.open(VIEWPORT).await.unwrap();
    let emulation = page.emulation().unwrap();
    let frame = go(&trial, &*page, &site, "first").await;
    for (forced, told) in [(true, "nnny"), (false, "nnnn")] {
        emulation.media(&Media { forced_colors: Some(forced), ..SCREEN }).await.unwrap();
        assert_eq!(value(&*page, NOW).await, told);
        until_told(&*page, &frame, &told.into()).await;
    }
    emulation.media(&Media { forced_colors: Some(true), ..EYES }).await.unwrap();
    for number in ["next", "alone", "last"] {
        let frame = go(&trial, &*page, &site, number).await;
        assert_eq!(both(&*page, &frame, EARLY).await, ["nyyy", "nyyy"], "{number}");
    }
    trial.browser.close().await;
}

pub async fn media_of_a_page_are_not_those_of_others_but_of_those_that_it_opens(driver: &Driver) {
    let (trial, site) = (Trial::with_all_powers(driver).await, site());
    let context = trial.new_context().await;
    let page = trial.page_at(&*context, &site.url("/one")).await;
    let other = trial.page_at(&*context, &site.url("/two")).await;
    let truth = value(&*other, NOW).await;
    page.emulation().unwrap().media(&EYES).await.unwrap();
    assert_eq!(value(&*page, NOW).await, "nyyn");
    assert_eq!(value(&*other, NOW).await, truth);
    trial.go(&*other, &site.url("/three")).await;
    assert_eq!(value(&*other, EARLY).await, truth);

    value(&*page, "void open('/popup')").await;
    let (popup, _) = trial
        .record
        .wait_for("the popup's document", |told| match told {
            BrowserEvent::Page(id, PageEvent::Navigated { url, document, .. }) if url.ends_with("/popup") => {
                Some((id.clone(), document.clone()))
            }
            _ => None,
        })
        .await;
    let popup = trial
        .record
        .wait_for("the popup", |told| match told {
            BrowserEvent::PageOpened { page, .. } if page.id() == popup => Some(std::sync::Arc::clone(page)),
            _ => None,
        })
        .await;
    trial.record.frame_at(&popup.id(), "/popup").await;
    // Some browsers let a page begin before it can be set to anything.
    let there = format!(
        "new Promise((done) => {{ const look = () => ({NOW}) === 'nyyn' ? done('nyyn') : setTimeout(look, 20); look(); }})"
    );
    assert_eq!(value(&*popup, &there).await, "nyyn");
    trial.browser.close().await;
}
