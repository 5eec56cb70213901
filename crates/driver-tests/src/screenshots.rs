//! Pictures of a page, in every format.

use crate::{
    Driver, Trial,
    site::{Site, html},
};
use cicerone_driver::{ImageFormat, Shot};

pub async fn a_picture_is_what_was_asked_for_in_either_size(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| html("<h1 style='background: linear-gradient(red, blue)'>Picture</h1>"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let beginnings: [(ImageFormat, &[u8]); 3] = [
        (ImageFormat::Png, b"\x89PNG"),
        (ImageFormat::Jpeg(80), b"\xff\xd8\xff"),
        (ImageFormat::WebP(80), b"RIFF"),
    ];
    for scale in [1.0, 0.5] {
        let mut sizes = Vec::new();
        for (format, beginning) in beginnings {
            let picture =
                page.screenshot(&Shot { format, clip: None, scale, omit_background: false }).await.unwrap();
            assert!(picture.starts_with(beginning), "{format:?} at {scale}: {:?}", &picture[..12]);
            sizes.push(picture.len());
        }
        assert!(sizes[2] < sizes[1], "WebP is the smaller one: {sizes:?}");
    }
    trial.browser.close().await;
}
