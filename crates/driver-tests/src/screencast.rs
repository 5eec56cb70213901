//! A stream of pictures of a page.

use std::sync::Arc;

use crate::{
    Driver, TIMEOUT, Trial,
    site::{Site, html},
    value,
};
use cicerone_driver::{ScreencastFrame, Size};

pub async fn a_screencast_has_a_picture_for_every_change_until_it_is_stopped(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| html("<link rel=icon href='data:,'><body style='background: red'>"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(screencast) = page.screencast() else { return trial.browser.close().await };
    let (sender, mut frames) = tokio::sync::mpsc::unbounded_channel();
    let sink = Arc::new(move |frame: ScreencastFrame| drop(sender.send(frame)));
    screencast.start_screencast(Size { width: 400, height: 300 }, sink).await.unwrap();
    let mut last = None;
    for color in ["green", "blue"] {
        value(&*page, &format!("void (document.body.style.background = '{color}')")).await;
        let frame = tokio::time::timeout(TIMEOUT, frames.recv()).await.unwrap().unwrap();
        assert!(frame.jpeg.starts_with(b"\xff\xd8\xff"), "{:?}", &frame.jpeg[..4]);
        assert!(last.is_none_or(|last| last <= frame.at));
        last = Some(frame.at);
    }
    screencast.stop_screencast().await.unwrap();
    // The sink is dropped, so that the stream ends.
    let end = async { while frames.recv().await.is_some() {} };
    tokio::time::timeout(TIMEOUT, end).await.unwrap();
    trial.browser.close().await;
}
