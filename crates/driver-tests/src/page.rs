//! What every page can do: move, be asked, be shown.

use std::sync::{Arc, Condvar, Mutex};

use crate::{
    Driver, Trial, VIEWPORT, find, navigate,
    site::{Site, html},
    until, value,
};
use cicerone_driver::{
    BrowserEvent, DriverError, FrameId, LoadStage, Navigation, PageDriver, PageEvent, PageId, Size,
};
use serde_json::json;

/// Whether it tells that the page shows what is under this path.
fn navigated(told: &BrowserEvent, page: &PageId, path: &str) -> bool {
    matches!(told, BrowserEvent::Page(id, PageEvent::Navigated { url, .. }) if id == page && url.ends_with(path))
}

/// The page's script runs where this path is shown.
async fn shows(page: &dyn PageDriver, path: &str) {
    until(page, &format!("location.pathname === '{path}' && document.readyState === 'complete'")).await;
}

pub async fn a_page_moves_in_its_history(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/one")).await;
    trial.go(&*page, &site.url("/two")).await;

    for (steps, path) in [(-1, "/one"), (1, "/two")] {
        assert!(page.traverse(steps).await.unwrap());
        trial.record.wait_for_times(2, path, |told| navigated(told, &page.id(), path)).await;
        shows(&*page, path).await;
    }
    assert!(!page.traverse(7).await.unwrap());
    assert_eq!(value(&*page, "location.pathname").await, "/two");
    trial.browser.close().await;
}

pub async fn a_page_is_loaded_again(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/one")).await;
    value(&*page, "void (window.first = true)").await;

    page.reload().await.unwrap();

    trial.record.wait_for_times(2, "the document", |told| navigated(told, &page.id(), "/one")).await;
    shows(&*page, "/one").await;
    assert_eq!(value(&*page, "typeof first").await, "undefined");
    assert_eq!(site.asked().iter().filter(|head| head.target == "/one").count(), 2);
    trial.browser.close().await;
}

pub async fn loading_is_stopped(driver: &Driver) {
    // An image that does not come before the end of the test.
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let held = Arc::clone(&gate);
    let site = Site::serve(move |head| {
        if head.target == "/slow" {
            let (is_open, opened) = &*held;
            drop(opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
        }
        html("<link rel=icon href='data:,'><img src=/slow>")
    });
    let trial = Trial::start(driver).await;
    let page = trial.browser.default_context().open(VIEWPORT).await.unwrap();
    let came = navigate(&*page, &site.url("/")).await;
    let Navigation::Document(document) = came else { panic!("{came:?}") };
    let parsed = |told: &BrowserEvent| match told {
        BrowserEvent::Page(_, PageEvent::Loaded { document: loaded, stage: LoadStage::Parsed, .. }) => {
            (*loaded == document).then_some(())
        }
        _ => None,
    };
    trial.record.wait_for("parsed", parsed).await;
    assert_ne!(value(&*page, "document.readyState").await, "complete");

    let ended = |told: &BrowserEvent| match told {
        BrowserEvent::Page(id, PageEvent::LoadingEnded(frame)) => {
            *id == page.id() && *frame == page.main_frame()
        }
        _ => false,
    };
    let before = trial.record.count(ended);

    page.stop().await.unwrap();

    trial.record.wait_for_times(before + 1, "loading ended", ended).await;
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    trial.browser.close().await;
}

pub async fn a_title_is_the_one_that_the_page_has_now(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "void (document.title = 'ü & 1')").await;
    // The browser's window may learn it a moment later.
    let told = tokio::time::timeout(crate::TIMEOUT, async {
        while page.title().await.unwrap() != "ü & 1" {
            value(&*page, "1").await;
        }
    });
    told.await.unwrap();
    trial.browser.close().await;
}

pub async fn the_element_of_a_frame_is_known_by_its_number(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/page" => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            html(&format!(
                "<link rel=icon href='data:,'><iframe src=/near></iframe><iframe id=far src='http://{host}/far'></iframe>"
            ))
        }
        _ => html("frame"),
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/page")).await;
    for (path, css) in [("/near", "iframe[src='/near']"), ("/far", "#far")] {
        let frame = trial.record.frame_at(&page.id(), path).await;
        let number = page.owner(&frame, &page.main_frame()).await.unwrap();
        assert_eq!(number, find(&*page, css).await, "{path}");
    }
    trial.browser.close().await;
}

pub async fn an_element_is_the_argument_of_a_script(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| html("<link rel=icon href='data:,'><p>one<p id=two>two"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let (main, number) = (page.main_frame(), find(&*page, "#two").await);
    let node = page.node(&main, number).await.unwrap();

    let id = page.evaluate(&main, "element => element.id", Some(&node)).await.unwrap();
    assert_eq!(id, Some(json!("two")));
    page.node(&main, number + 1_000).await.expect_err("no element has this number");
    trial.browser.close().await;
}

pub async fn a_script_has_a_value_none_or_an_error(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let main = page.main_frame();
    assert_eq!(page.evaluate(&main, "undefined", None).await.unwrap(), None);
    assert_eq!(page.evaluate(&main, "[1, null]", None).await.unwrap(), Some(json!([1, null])));
    for (script, syntax) in [("() => { throw new Error('oh no') }", false), ("() => {{", true)] {
        match page.evaluate(&main, script, None).await {
            Err(DriverError::Script(error)) => {
                assert_eq!(error.syntax, syntax, "{error}");
                assert!(syntax || error.message.contains("oh no"), "{error}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
    page.evaluate(&FrameId::from("nothing"), "1", None).await.expect_err("there is no such frame");
    trial.browser.close().await;
}

pub async fn a_page_is_resized(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    for (width, height) in [(640, 400), (1000, 700)] {
        page.resize(Size { width, height }).await.unwrap();
        until(&*page, &format!("innerWidth === {width} && innerHeight === {height}")).await;
    }
    trial.browser.close().await;
}

pub async fn a_page_that_is_activated_is_visible(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.browser.default_context();
    let one = trial.page_at(&*context, &site.url("/one")).await;
    let two = trial.page_at(&*context, &site.url("/two")).await;
    for page in [&one, &two, &one] {
        page.activate().await.unwrap();
        until(&**page, "document.visibilityState === 'visible'").await;
    }
    trial.browser.close().await;
}

pub async fn calls_of_a_closed_page_fail(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    trial.close(&*page).await;
    let main = page.main_frame();
    for refused in [
        page.title().await.map(drop),
        page.evaluate(&main, "1", None).await.map(drop),
        page.call(&main, "snapshot", "{}").await.map(drop),
        page.navigate(&site.url("/")).await.map(drop),
        page.traverse(-1).await.map(drop),
    ] {
        assert!(matches!(refused, Err(DriverError::Closed)), "{refused:?}");
    }
    assert!(trial.record.is_closed(&page.id()));
    trial.browser.close().await;
}
