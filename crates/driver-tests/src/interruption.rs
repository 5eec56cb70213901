//! Scripts that do not end by themselves.

use std::{pin::pin, time::Duration};

use crate::{Driver, Trial, site::Site, value};

/// How long a script is waited for between two tries: the first may come before the script runs.
const BETWEEN: Duration = Duration::from_millis(200);

pub async fn a_script_that_does_not_end_is_interrupted_and_its_page_lives(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(interruption) = page.interruption() else { return trial.browser.close().await };
    let (main, mut tries) = (page.main_frame(), 0);
    let mut endless = pin!(page.evaluate(&main, "() => { for (;;) {} }", None));
    let answer = loop {
        match tokio::time::timeout(BETWEEN, &mut endless).await {
            Ok(answer) => break answer,
            Err(_) => interruption.interrupt().await.unwrap(),
        }
        tries += 1;
        assert!(tries < 100, "the script runs on");
    };
    answer.expect_err("it has no value");
    assert_eq!(value(&*page, "1 + 1").await, 2);
    trial.browser.close().await;
}
