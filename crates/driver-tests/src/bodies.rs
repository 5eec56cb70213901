//! What was sent with requests, and what came back.

use std::sync::Arc;

use crate::{
    Driver, Trial,
    site::{Site, html},
    value, value_in,
};
use cicerone_driver::{
    Action, Body, BrowserEvent, FulfilledResponse, Interceptor, PageDriver, PageEvent, RequestChanges,
    RequestId,
};

/// More than fits into any one buffer.
const LARGE: usize = 3_000_000;

/// Enough for all.
const MOST: usize = 10_000_000;

/// Pages with a frame of another site, and data.
fn site() -> Site {
    Site::serve(|head| match head.target.as_str() {
        "/page" => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            html(&format!("<link rel=icon href='data:,'><iframe src='http://{host}/frame'></iframe>"))
        }
        "/large" => (200, vec![("content-type", "text/plain".into())], "x".repeat(LARGE)),
        "/odd" => (200, vec![("content-type", "application/octet-stream".into())], "ü\u{0}\u{1F600}".into()),
        "/empty" => (200, Vec::new(), String::new()),
        target => html(&format!("this is {target}")),
    })
}

/// A page of it, from whose beginning bodies are kept.
async fn page(trial: &Trial, site: &Site) -> Arc<dyn PageDriver> {
    let page = trial.page_at(&*trial.new_context().await, &site.url("/start")).await;
    page.bodies().unwrap().keep().await.unwrap();
    trial.go(&*page, &site.url("/page")).await;
    page
}

/// The last request for this path, when it has ended.
async fn ended(trial: &Trial, path: &str) -> RequestId {
    let begun = |told: &BrowserEvent| match told {
        BrowserEvent::Page(_, PageEvent::RequestBegan(request)) => {
            request.url.ends_with(path).then(|| request.id.clone())
        }
        _ => None,
    };
    let id = trial.record.wait_for(path, begun).await;
    let over = |told: &BrowserEvent| match told {
        BrowserEvent::Page(_, PageEvent::RequestEnded { id: over, .. }) => (*over == id).then_some(()),
        _ => None,
    };
    trial.record.wait_for(path, over).await;
    id
}

fn content(text: &str) -> Body {
    Body::Content(text.as_bytes().to_vec())
}

pub async fn answers_are_read_in_the_page_and_in_its_frames(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = page(&trial, &site).await;
    let frame = trial.record.frame_at(&page.id(), "/frame").await;
    value(&*page, "fetch('/data').then(it => it.text())").await;
    value(&*page, "fetch('/odd').then(it => it.text())").await;
    value_in(&*page, &frame, "fetch('/inner').then(it => it.text())").await;

    let bodies = page.bodies().unwrap();
    for (path, expected) in [
        ("/frame", "this is /frame"),
        ("/data", "this is /data"),
        ("/inner", "this is /inner"),
        ("/odd", "ü\u{0}\u{1F600}"),
    ] {
        let id = ended(&trial, path).await;
        assert_eq!(bodies.response(&id, MOST).await.unwrap(), content(expected), "{path}");
        // It can be read again.
        assert_eq!(bodies.response(&id, MOST).await.unwrap(), content(expected), "{path}");
    }
    trial.browser.close().await;
}

pub async fn what_was_sent_is_read_in_the_page_and_in_its_frames(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = page(&trial, &site).await;
    let frame = trial.record.frame_at(&page.id(), "/frame").await;
    value(&*page, "fetch('/form', { method: 'POST', body: new URLSearchParams({ a: 'ü' }) }).then(() => 1)")
        .await;
    value(&*page, "fetch('/text', { method: 'PUT', body: 'ü😀' }).then(() => 1)").await;
    value_in(&*page, &frame, "fetch('/inner', { method: 'POST', body: 'from within' }).then(() => 1)").await;
    value(&*page, "fetch('/none').then(() => 1)").await;

    let bodies = page.bodies().unwrap();
    for (path, expected) in [("/form", "a=%C3%BC"), ("/text", "ü😀"), ("/inner", "from within")] {
        let id = ended(&trial, path).await;
        assert_eq!(bodies.request(&id, MOST).await.unwrap(), content(expected), "{path}");
        assert_eq!(bodies.request(&id, 2).await.unwrap(), Body::TooLarge, "{path}");
    }
    let id = ended(&trial, "/none").await;
    assert_eq!(bodies.request(&id, MOST).await.unwrap(), Body::Missing);
    trial.browser.close().await;
}

pub async fn bodies_are_bounded_and_those_that_are_not_there_are_missing(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = page(&trial, &site).await;
    value(&*page, "fetch('/large').then(it => it.text()).then(() => 1)").await;
    value(&*page, "fetch('/empty').then(it => it.text())").await;

    let bodies = page.bodies().unwrap();
    let large = ended(&trial, "/large").await;
    assert_eq!(bodies.response(&large, LARGE - 1).await.unwrap(), Body::TooLarge);
    assert_eq!(bodies.response(&large, LARGE).await.unwrap(), content(&"x".repeat(LARGE)));
    let empty = ended(&trial, "/empty").await;
    assert_eq!(bodies.response(&empty, 0).await.unwrap(), content(""));

    let unknown = RequestId::from("nothing");
    assert_eq!(bodies.response(&unknown, MOST).await.unwrap(), Body::Missing);
    assert_eq!(bodies.request(&unknown, MOST).await.unwrap(), Body::Missing);
    trial.close(&*page).await;
    bodies.response(&large, MOST).await.expect_err("a page that is closed has none");
    trial.browser.close().await;
}

pub async fn bytes_that_are_no_text_are_read_as_they_are(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = page(&trial, &site).await;
    let bytes = vec![0, 255, 254, 65, 200];
    let headers = vec![("content-type".into(), "image/png".into())];
    let answer = FulfilledResponse { status: 200, headers, body: bytes.clone() };
    let interceptor = Interceptor {
        urls: vec!["*/bytes".into()],
        changes_urls: false,
        resolve: Arc::new(move |request| match request.url.ends_with("/bytes") {
            true => Action::Fulfill(answer.clone()),
            false => Action::Continue(RequestChanges::default()),
        }),
        fetch: Arc::new(|_| Box::pin(async { None })),
    };
    page.interception().unwrap().intercept(Some(interceptor)).await.unwrap();
    let fetch = "fetch('/bytes', { method: 'POST', body: new Uint8Array([0, 255, 254, 65, 200]) })
        .then(async it => Array.from(new Uint8Array(await it.arrayBuffer())))";
    assert_eq!(value(&*page, fetch).await, serde_json::json!(bytes));

    let (bodies, id) = (page.bodies().unwrap(), ended(&trial, "/bytes").await);
    assert_eq!(bodies.request(&id, MOST).await.unwrap(), Body::Content(bytes.clone()));
    assert_eq!(bodies.response(&id, MOST).await.unwrap(), Body::Content(bytes));
    trial.browser.close().await;
}
