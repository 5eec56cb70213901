//! Network events as HAR files need them.

use crate::{
    Driver, Trial,
    site::{Site, html},
    value,
};
use cicerone_driver::{BrowserEvent, NetworkEvent, PageEvent};

fn network(told: &BrowserEvent) -> Option<&NetworkEvent> {
    match told {
        BrowserEvent::Page(_, PageEvent::Network(event)) => Some(event),
        _ => None,
    }
}

pub async fn a_capture_has_each_step_of_a_request_and_ends_when_it_is_stopped(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/data" => (
            200,
            vec![("content-type", "text/plain".into()), ("set-cookie", "a=1".into())],
            "some data".into(),
        ),
        _ => html("<link rel=icon href='data:,'>"),
    });
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let Some(capture) = page.network_capture() else { return trial.browser.close().await };
    value(&*page, "fetch('/before').then(() => 1)").await;
    assert_eq!(trial.record.count(|told| network(told).is_some()), 0);

    capture.start().await.unwrap();
    value(&*page, "fetch('/data', { headers: { 'x-own': 'mine' } }).then(it => it.text())").await;

    let (key, request) = trial
        .record
        .wait_for("the request", |told| match network(told)? {
            NetworkEvent::Request(key, request) if request.url.ends_with("/data") => {
                Some((key.clone(), request.clone()))
            }
            _ => None,
        })
        .await;
    assert_eq!((request.method.as_str(), request.navigation, key.redirects), ("GET", false, 0));
    assert!(
        request.headers.iter().any(|(name, value)| name.eq_ignore_ascii_case("x-own") && value == "mine")
    );
    let response = trial
        .record
        .wait_for("the response", |told| match network(told)? {
            NetworkEvent::Response(of, response) if *of == key => Some(response.clone()),
            _ => None,
        })
        .await;
    assert_eq!((response.status, response.mime_type.as_str()), (200, "text/plain"));
    assert!(response.time >= request.started, "{response:?} {request:?}");
    let end = trial
        .record
        .wait_for("the end", |told| match network(told)? {
            NetworkEvent::Finished(of, end) if *of == key => Some(*end),
            _ => None,
        })
        .await;
    assert!(end.time >= request.started, "{end:?} {request:?}");

    capture.stop().await.unwrap();
    let captured = trial.record.count(|told| network(told).is_some());
    value(&*page, "fetch('/after').then(() => 1)").await;
    assert_eq!(trial.record.count(|told| network(told).is_some()), captured);
    trial.browser.close().await;
}
