//! A browser that breaks the protocol: lost replies, unknown events, errors in any order.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong fails the test")]

mod fake;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::{BrowserEvent, DriverError, LaunchError, PageDriver, PageEvent};
use cicerone_driver_tests::{Trial, VIEWPORT};
use fake::{Call, FakeBrowser, PAGE, SESSION, Says, event};
use serde_json::{Value, json};

/// How long anything may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A browser with a page.
async fn page_of(
    script: impl FnMut(&Call) -> Says + Send + 'static,
) -> (Trial, FakeBrowser, Arc<dyn PageDriver>) {
    let (trial, browser) = FakeBrowser::attached(script).await;
    let trial = trial.unwrap_or_else(|error| panic!("{error}"));
    let page = trial.browser.default_context().open(VIEWPORT).await.unwrap();
    (trial, browser, page)
}

fn as_usual(_: &Call) -> Says {
    Says::AsUsual
}

/// Follows the script for one method.
fn on(
    method: &'static str,
    mut script: impl FnMut(&Call) -> Vec<Value> + Send,
) -> impl FnMut(&Call) -> Says + Send {
    move |call| if call.method == method { Says::Messages(script(call)) } else { Says::AsUsual }
}

async fn call(page: &dyn PageDriver, args: &str) -> Result<String, DriverError> {
    let frame = page.main_frame();
    let called = page.call(&frame, "any", args);
    tokio::time::timeout(TIMEOUT, called).await.unwrap_or_else(|_| panic!("{args}: no answer"))
}

async fn disconnected(trial: &Trial) {
    let told = |told: &BrowserEvent| matches!(told, BrowserEvent::Disconnected).then_some(());
    trial.record.wait_for("the end of the connection", told).await;
}

#[tokio::test]
async fn the_fake_browser_is_good_enough_to_open_a_page() {
    let (trial, browser, page) = page_of(as_usual).await;
    assert_eq!(page.id().as_str(), PAGE);
    assert_eq!(call(&*page, "one").await.unwrap(), "one");
    let opened = trial.record.count(|told| matches!(told, BrowserEvent::PageOpened { .. }));
    assert_eq!(opened, 1);
    // It was set up before it was let run.
    let run = browser.calls("Runtime.runIfWaitingForDebugger", 1).await;
    assert_eq!(run[0].session.as_deref(), Some(SESSION));
    assert!(browser.calls("Page.addScriptToEvaluateOnNewDocument", 1).await[0].id < run[0].id);
}

#[tokio::test]
async fn unknown_and_malformed_events_are_ignored() {
    let (trial, browser, page) = page_of(as_usual).await;
    let before = trial.record.count(|_| true);
    for session in [None, Some(SESSION), Some("nobody's")] {
        browser.say(&event(session, "Future.somethingNew", json!({ "deep": [{ "er": null }] })));
        browser.say(&event(session, "Page.frameNavigated", json!({ "frame": "a text" })));
        browser.say(&event(session, "Page.lifecycleEvent", json!([])));
        browser.say(&event(session, "Network.requestWillBeSent", json!({ "requestId": 7 })));
        browser.say(&event(session, "Network.loadingFinished", json!(null)));
        browser.say(&event(session, "Runtime.executionContextCreated", json!({ "context": {} })));
        browser.say(&event(session, "Target.attachedToTarget", json!({ "sessionId": "x" })));
        browser.say(&event(session, "Target.detachedFromTarget", json!({ "sessionId": "never attached" })));
        browser.say(&json!({ "method": "Page.loadEventFired", "sessionId": session }));
    }
    browser.say(&json!({ "neither": "a reply nor an event" }));
    browser.say(&json!({ "id": 999_999, "result": {} }));
    browser.say(&json!({ "id": 999_998, "error": { "code": 1, "message": "to nobody" } }));
    browser.say(&json!([1, 2]));
    browser.say_text("not JSON");
    browser.say_text("");
    assert_eq!(call(&*page, "still there").await.unwrap(), "still there");
    assert_eq!(trial.record.count(|_| true), before, "nobody is told of any of it");
}

#[tokio::test]
async fn unknown_fields_of_known_messages_are_ignored() {
    let (trial, _, page) = page_of(|call: &Call| match call.method.as_str() {
        "Browser.getVersion" => {
            let version = json!({ "product": "Chrome/199.0", "userAgent": "f", "later": { "field": [1] } });
            Says::Messages(vec![json!({ "id": call.id, "result": version, "trace": 7 })])
        }
        _ => Says::AsUsual,
    })
    .await;
    assert_eq!(trial.browser.version(), "Chrome/199.0");
    assert!(call(&*page, "any").await.is_ok());
}

#[tokio::test]
async fn replies_in_any_order_find_their_calls() {
    let held: Arc<Mutex<Vec<Value>>> = Arc::default();
    let hold = Arc::clone(&held);
    let (_trial, browser, page) = page_of(on("Runtime.callFunctionOn", move |call| {
        let value = call.params["arguments"][1]["value"].clone();
        let mut held = hold.lock().unwrap();
        held.push(call.result(json!({ "result": { "type": "string", "value": value } })));
        Vec::new()
    }))
    .await;
    let calls = ["one", "two", "three"].map(|args| {
        let page = Arc::clone(&page);
        tokio::spawn(async move { call(&*page, args).await.unwrap() })
    });
    browser.calls("Runtime.callFunctionOn", 3).await;
    let replies: Vec<Value> = held.lock().unwrap().drain(..).rev().collect();
    for reply in &replies {
        browser.say(reply);
        // A second reply to the same call is nobody's.
        browser.say(reply);
    }
    for (expected, answer) in ["one", "two", "three"].into_iter().zip(calls) {
        assert_eq!(answer.await.unwrap(), expected);
    }
}

#[tokio::test]
async fn a_refused_command_fails_alone_with_the_words_of_the_browser() {
    let (_trial, _, page) = page_of(on("Page.navigate", |call| vec![call.error("Cannot go")])).await;
    match page.navigate("http://a.example/").await {
        Err(DriverError::Refused { command, message }) => {
            assert_eq!((command, message.as_str()), ("Page.navigate", "Cannot go"));
        }
        other => panic!("{other:?}"),
    }
    assert!(call(&*page, "still there").await.is_ok());
}

#[tokio::test]
async fn a_page_opens_although_most_of_its_setup_is_refused() {
    let needed = [
        "Browser.getVersion",
        "Target.setAutoAttach",
        "Target.createBrowserContext",
        "Target.createTarget",
        "Page.addScriptToEvaluateOnNewDocument",
        "Runtime.enable",
        "Runtime.callFunctionOn",
        "Emulation.setFocusEmulationEnabled",
    ];
    let (_trial, browser, page) = page_of(move |call: &Call| {
        let refused = || Says::Messages(vec![call.error("'it' wasn't found")]);
        if needed.contains(&call.method.as_str()) { Says::AsUsual } else { refused() }
    })
    .await;
    assert_eq!(call(&*page, "one").await.unwrap(), "one");
    browser.calls("Network.enable", 1).await;
}

#[tokio::test]
async fn replies_that_are_not_as_expected_are_errors_of_their_call() {
    let odd = Arc::new(Mutex::new(
        vec![
            json!({ "result": { "type": "number", "value": 7 } }),
            json!({ "result": { "type": "string" } }),
            json!({ "result": "a text" }),
            json!(null),
        ]
        .into_iter(),
    ));
    let count = 4;
    let (_trial, _, page) = page_of(on("Runtime.callFunctionOn", move |call| {
        vec![
            call.result(
                odd.lock()
                    .unwrap()
                    .next()
                    .unwrap_or_else(|| json!({ "result": { "type": "string", "value": "good" } })),
            ),
        ]
    }))
    .await;
    for _ in 0..count {
        let failed = call(&*page, "x").await;
        assert!(matches!(failed, Err(DriverError::Gone | DriverError::Garbled(_))), "{failed:?}");
    }
    assert_eq!(call(&*page, "x").await.unwrap(), "good");
}

/// Deadlines are the caller's: it drops what takes too long.
#[tokio::test]
async fn a_command_without_a_reply_times_out_alone() {
    let mut first = true;
    let (_trial, browser, page) = page_of(move |call: &Call| {
        let silent = call.method == "Runtime.callFunctionOn" && std::mem::take(&mut first);
        if silent { Says::Messages(Vec::new()) } else { Says::AsUsual }
    })
    .await;
    let frame = page.main_frame();
    let timed_out = tokio::time::timeout(Duration::from_millis(200), page.call(&frame, "any", "lost")).await;
    assert!(timed_out.is_err(), "{timed_out:?}");
    assert_eq!(call(&*page, "next").await.unwrap(), "next");
    // Its reply comes after all: nobody waits for it.
    let lost = &browser.calls("Runtime.callFunctionOn", 1).await[0];
    browser.say(&lost.result(json!({ "result": { "type": "string", "value": "lost" } })));
    assert_eq!(call(&*page, "last").await.unwrap(), "last");
}

#[tokio::test]
async fn what_is_asked_of_a_page_that_goes_fails_at_once() {
    let gone = |events: Vec<Value>| async move {
        let (trial, browser, page) = page_of(on("Runtime.callFunctionOn", |_| Vec::new())).await;
        let asked = {
            let page = Arc::clone(&page);
            tokio::spawn(async move { call(&*page, "never answered").await })
        };
        browser.calls("Runtime.callFunctionOn", 1).await;
        events.iter().for_each(|event| browser.say(event));
        let failed = asked.await.unwrap().unwrap_err();
        (trial, page, failed)
    };
    let crashed = event(Some(SESSION), "Inspector.targetCrashed", json!({}));
    let detached =
        event(None, "Target.detachedFromTarget", json!({ "sessionId": SESSION, "targetId": PAGE }));

    let (trial, page, failed) = gone(vec![crashed.clone()]).await;
    assert!(matches!(failed, DriverError::Crashed), "{failed:?}");
    let again = call(&*page, "x").await;
    assert!(matches!(again, Err(DriverError::Crashed)), "{again:?}");
    let told = |told: &BrowserEvent| matches!(told, BrowserEvent::Page(_, PageEvent::Crashed)).then_some(());
    trial.record.wait_for("the crash", told).await;

    let (trial, page, failed) = gone(vec![detached.clone()]).await;
    // The command was lost with its session.
    assert!(matches!(failed, DriverError::Crashed | DriverError::Closed), "{failed:?}");
    let again = call(&*page, "x").await;
    assert!(matches!(again, Err(DriverError::Closed)), "{again:?}");
    assert!(trial.record.is_closed(&page.id()));

    // Told twice, and in the wrong order: once is enough.
    let (trial, page, _) = gone(vec![detached.clone(), crashed, detached]).await;
    assert!(call(&*page, "x").await.is_err());
    assert!(trial.record.is_closed(&page.id()));
}

#[tokio::test]
async fn all_that_is_asked_fails_when_the_connection_ends() {
    let (trial, browser, page) = page_of(on("Runtime.callFunctionOn", |_| Vec::new())).await;
    let asked = ["one", "two"].map(|args| {
        let page = Arc::clone(&page);
        tokio::spawn(async move { call(&*page, args).await })
    });
    browser.calls("Runtime.callFunctionOn", 2).await;
    // In the middle of a message.
    browser.say_text(r#"{"id": 1, "resu"#);
    browser.hang_up();
    for asked in asked {
        let failed = asked.await.unwrap();
        assert!(matches!(failed, Err(DriverError::Disconnected)), "{failed:?}");
    }
    disconnected(&trial).await;
    let again = page.title().await;
    assert!(matches!(again, Err(DriverError::Disconnected)), "{again:?}");
    assert!(trial.browser.new_context(None).await.is_err());
}

#[tokio::test]
async fn a_handshake_that_fails_says_what_the_endpoint_lacks() {
    for method in ["Browser.getVersion", "Target.setAutoAttach"] {
        let (trial, _) = FakeBrowser::attached(on(method, |call| vec![call.error("no")])).await;
        let error = trial.err();
        assert!(matches!(&error, Some(LaunchError::NoBrowser { endpoint, .. }) if endpoint == "a fake"));
    }
    let (trial, _) =
        FakeBrowser::attached(on("Target.createBrowserContext", |call| vec![call.error("no")])).await;
    assert!(matches!(trial.err(), Some(LaunchError::NoContexts { .. })));
    let old = |call: &Call| vec![call.result(json!({ "product": "Chrome/12.0" }))];
    let (trial, _) = FakeBrowser::attached(on("Browser.getVersion", old)).await;
    let error = trial.err();
    assert!(matches!(error, Some(LaunchError::TooOld { .. })), "{error:?}");
}

#[tokio::test]
async fn a_browser_that_says_nothing_is_given_up() {
    let (trial, _) = FakeBrowser::attached(|_: &Call| Says::Messages(Vec::new())).await;
    let error = trial.err();
    assert!(matches!(error, Some(LaunchError::Silent { .. })), "{error:?}");
}

#[tokio::test]
async fn a_cancelled_call_leaves_no_context_behind() {
    let (trial, browser, _page) = page_of(as_usual_until_second_context()).await;
    {
        let making = trial.browser.new_context(None);
        let asked = browser.calls("Target.createBrowserContext", 2);
        tokio::select! {
            _ = making => panic!("nobody answered"),
            _ = asked => {}
        }
    }
    let asked = browser.calls("Target.createBrowserContext", 2).await;
    browser.say(&asked[1].result(json!({ "browserContextId": "unwanted" })));
    let disposed = tokio::time::timeout(TIMEOUT, browser.calls("Target.disposeBrowserContext", 1)).await;
    assert_eq!(disposed.unwrap()[0].params["browserContextId"], "unwanted");
}

/// Leaves the second context unanswered.
fn as_usual_until_second_context() -> impl FnMut(&Call) -> Says + Send {
    let mut made = 0;
    move |call| {
        made += usize::from(call.method == "Target.createBrowserContext");
        let second = call.method == "Target.createBrowserContext" && made == 2;
        if second { Says::Messages(Vec::new()) } else { Says::AsUsual }
    }
}
