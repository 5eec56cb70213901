//! Events of pages.

use crate::{
    Driver, Trial,
    site::{Site, html},
    value, value_in,
};
use cicerone_driver::{
    BrowserEvent, ConsoleLevel, DriverError, LoadStage, PageDriver, PageEvent, Request, RequestEnd, RequestId,
};

/// The event, if it is one of this page.
fn of<'a>(told: &'a BrowserEvent, page: &dyn PageDriver) -> Option<&'a PageEvent> {
    match told {
        BrowserEvent::Page(id, event) if *id == page.id() => Some(event),
        _ => None,
    }
}

pub async fn a_navigation_is_told_in_its_stages(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/stages")).await;
    let (main, url) = (page.main_frame(), site.url("/stages"));
    let ended = |told: &BrowserEvent| match of(told, &*page)? {
        PageEvent::LoadingEnded(frame) => (*frame == main).then_some(()),
        _ => None,
    };
    trial.record.wait_for("loading ended", ended).await;

    let shown = |told: &BrowserEvent| match of(told, &*page)? {
        PageEvent::Navigated { frame, document, url: shown, same_document: false } => {
            (*frame == main && *shown == url).then(|| document.clone())
        }
        _ => None,
    };
    let document = trial.record.wait_for("the document", shown).await;
    let began = |told: &BrowserEvent| matches!(of(told, &*page), Some(PageEvent::LoadingBegan(frame)) if *frame == main);
    let reached = |told: &BrowserEvent, wanted: LoadStage| match of(told, &*page) {
        Some(PageEvent::Loaded { document: loaded, stage, .. }) => *loaded == document && *stage == wanted,
        _ => false,
    };
    let steps = [
        trial.record.position("loading began", began),
        trial.record.position("the document", |told| shown(told).is_some()),
        trial.record.position("parsed", |told| reached(told, LoadStage::Parsed)),
        trial.record.position("complete", |told| reached(told, LoadStage::Complete)),
    ];
    assert!(steps.is_sorted(), "{steps:?}");

    for (script, path) in
        [("location.hash = 'part'", "/stages#part"), ("history.pushState(0, '', '/on')", "/on")]
    {
        value(&*page, &format!("void ({script})")).await;
        let moved = |told: &BrowserEvent| match of(told, &*page)? {
            PageEvent::Navigated { frame, url, same_document: true, .. } => {
                (*frame == main && url.ends_with(path)).then_some(())
            }
            _ => None,
        };
        trial.record.wait_for(path, moved).await;
    }
    trial.browser.close().await;
}

pub async fn frames_are_told_when_they_come_and_go(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| html("<link rel=icon href='data:,'>"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let main = page.main_frame();
    let add = "void document.body.append(Object.assign(document.createElement('iframe'), { src: '/inner' }))";
    value(&*page, add).await;
    let attached = |told: &BrowserEvent| match of(told, &*page)? {
        PageEvent::FrameAttached { frame, parent: Some(parent) } => (*parent == main).then(|| frame.clone()),
        _ => None,
    };
    let frame = trial.record.wait_for("the frame", attached).await;
    assert_eq!(trial.record.frame_at(&page.id(), "/inner").await, frame);

    // It is the same frame when it shows another site.
    let elsewhere = site.url("/elsewhere").replace("127.0.0.1", "localhost");
    value(&*page, &format!("void (document.querySelector('iframe').src = '{elsewhere}')")).await;
    assert_eq!(trial.record.frame_at(&page.id(), "/elsewhere").await, frame);
    assert_eq!(value_in(&*page, &frame, "location.href").await, elsewhere);

    value(&*page, "void document.querySelector('iframe').remove()").await;
    let detached = |told: &BrowserEvent| match of(told, &*page)? {
        PageEvent::FrameDetached(gone) => (*gone == frame).then_some(()),
        _ => None,
    };
    trial.record.wait_for("the end of the frame", detached).await;
    page.evaluate(&frame, "1", None).await.expect_err("the frame is gone");
    trial.browser.close().await;
}

pub async fn the_console_is_told_with_its_levels(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "void (console.debug('1'), console.log('2 %s', { a: 1 }.a), console.info('3'), console.warn('4'), console.error('5'))").await;
    value(&*page, "void setTimeout(() => { throw new Error('6') })").await;
    for (level, text) in [
        (ConsoleLevel::Debug, "1"),
        (ConsoleLevel::Log, "2"),
        (ConsoleLevel::Info, "3"),
        (ConsoleLevel::Warning, "4"),
        (ConsoleLevel::Error, "5"),
        (ConsoleLevel::Exception, "6"),
    ] {
        let logged = |told: &BrowserEvent| match of(told, &*page)? {
            PageEvent::Console(message) => {
                (message.level == level && message.text.contains(text)).then_some(())
            }
            _ => None,
        };
        trial.record.wait_for(text, logged).await;
    }
    trial.browser.close().await;
}

/// The last request whose URL ends so, when it began.
async fn began(trial: &Trial, page: &dyn PageDriver, path: &str) -> Request {
    let began = |told: &BrowserEvent| match of(told, page)? {
        PageEvent::RequestBegan(request) => request.url.ends_with(path).then(|| request.clone()),
        _ => None,
    };
    trial.record.wait_for(path, began).await
}

async fn ended(trial: &Trial, page: &dyn PageDriver, request: &RequestId) -> RequestEnd {
    let ended = |told: &BrowserEvent| match of(told, page)? {
        PageEvent::RequestEnded { id, end } => (id == request).then(|| end.clone()),
        _ => None,
    };
    trial.record.wait_for("the end of a request", ended).await
}

pub async fn a_request_is_told_from_its_beginning_to_its_end(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/moved" => (302, vec![("location", "/data".into())], String::new()),
        "/data" => (200, vec![("content-type", "text/plain".into())], "data".into()),
        "/missing" => (404, Vec::new(), String::new()),
        _ => html("<link rel=icon href='data:,'>"),
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/page")).await;
    let document = began(&trial, &*page, "/page").await;
    assert!(document.navigation && document.frame == Some(page.main_frame()), "{document:?}");

    value(&*page, "fetch('/moved').then(it => it.text()).then(() => fetch('/missing', { method: 'POST' })).then(it => it.text())").await;
    let (moved, data, missing) = (
        began(&trial, &*page, "/moved").await,
        began(&trial, &*page, "/data").await,
        began(&trial, &*page, "/missing").await,
    );
    assert_eq!(moved.id, data.id, "a redirect keeps the id");
    assert!(!data.navigation && !data.endless, "{data:?}");
    assert_eq!((data.method.as_str(), missing.method.as_str()), ("GET", "POST"));
    for (request, expected) in [(&document, 200), (&data, 200), (&missing, 404)] {
        let answered = |told: &BrowserEvent| match of(told, &*page)? {
            PageEvent::RequestAnswered { id, status, .. } => {
                (*id == request.id && *status != 302).then_some(*status)
            }
            _ => None,
        };
        assert_eq!(trial.record.wait_for(&request.url, answered).await, expected);
        assert_eq!(ended(&trial, &*page, &request.id).await, RequestEnd::Finished, "{}", request.url);
    }
    trial.browser.close().await;
}

pub async fn a_request_without_an_answer_is_told_to_have_failed(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::blank();
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    // A port that nobody listens on.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    value(&*page, &format!("fetch('http://{closed}/closed').catch(() => 1)")).await;
    let request = began(&trial, &*page, "/closed").await;
    let end = ended(&trial, &*page, &request.id).await;
    assert!(matches!(end, RequestEnd::Failed(_)), "{end:?}");
    trial.browser.close().await;
}

pub async fn a_download_is_told_once_and_after_it_was_asked_for(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/file" => (200, vec![("content-disposition", "attachment".into())], "content".into()),
        _ => html("<link rel=icon href='data:,'><a href=/file download=a.txt>file</a>"),
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "void document.querySelector('a').click()").await;
    let complete = |told: &BrowserEvent| match told {
        BrowserEvent::DownloadEnded { complete, .. } => Some(*complete),
        _ => None,
    };
    assert!(trial.record.wait_for("the download", complete).await);
    let is_begun = |told: &BrowserEvent| matches!(told, BrowserEvent::DownloadBegan { .. });
    let is_asked = |told: &BrowserEvent| matches!(of(told, &*page), Some(PageEvent::DownloadAsked));
    assert_eq!(trial.record.count(is_begun), 1);
    // Not every browser tells that it was asked for one.
    if trial.record.count(is_asked) > 0 {
        let asked = trial.record.position("asked for", is_asked);
        assert!(asked < trial.record.position("began", is_begun));
    }
    trial.browser.close().await;
}

pub async fn a_page_that_crashes_says_so_once_and_its_calls_fail(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(crashing) = page.crashing() else { return trial.browser.close().await };
    crashing.crash().await.unwrap();
    let crashed = |told: &BrowserEvent| matches!(of(told, &*page), Some(PageEvent::Crashed));
    trial.record.wait_for_times(1, "the crash", crashed).await;
    let answer = page.evaluate(&page.main_frame(), "1", None).await;
    assert!(matches!(answer, Err(DriverError::Crashed)), "{answer:?}");
    let other = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    assert_eq!(value(&*other, "1 + 1").await, 2);
    assert_eq!(trial.record.count(crashed), 1);
    trial.browser.close().await;
}
