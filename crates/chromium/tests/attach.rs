//! Attaching to a browser that somebody else started, over its debugging port.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what goes wrong fails the test")]

mod running;
mod support;

use cicerone_chromium::{AttachOptions, FirstContext, Powers};
use cicerone_driver::{BrowserEvent, DriverError, PageEvent};
use cicerone_driver_tests::{Site, VIEWPORT, html, value, value_in};
use running::Running;

fn options(first_context: FirstContext) -> AttachOptions {
    AttachOptions { first_context, ..AttachOptions::new("the test", VIEWPORT) }
}

#[tokio::test]
async fn pages_of_others_are_left_alone_and_ours_go_when_we_leave() {
    let (site, running) = (Site::blank(), Running::start("about:blank").await);
    let before = running.pages().await;
    let trial = running.attach(options(FirstContext::Own)).await.unwrap();
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    assert_eq!(value(&*page, "innerWidth").await, 800);
    let other = trial.new_context().await;
    trial.page_at(&*other, &site.url("/")).await;
    assert_eq!(trial.record.count(|told| matches!(told, BrowserEvent::PageOpened { .. })), 2);
    assert_eq!(running.pages().await.len(), before.len() + 2);
    trial.browser.close().await;
    assert_eq!(running.pages().await, before, "the browser runs on, without our pages");
    assert!(page.title().await.is_err());
}

#[tokio::test]
async fn the_tabs_of_the_default_context_are_there_with_their_frames() {
    let site = Site::serve(|head| match head.target.as_str() {
        "/" => html("<title>Mine</title><iframe src=/inner></iframe>"),
        _ => html("<p>inner"),
    });
    let running = Running::start(&site.url("/")).await;
    let before = running.pages().await;
    let trial = running.attach(options(FirstContext::Default)).await.unwrap();
    let page = trial
        .record
        .wait_for("the tab", |told| match told {
            BrowserEvent::PageOpened { page, .. } => Some(std::sync::Arc::clone(page)),
            _ => None,
        })
        .await;
    let inner = trial.record.frame_at(&page.id(), "/inner").await;
    assert_eq!(page.title().await.unwrap(), "Mine");
    assert_eq!(value_in(&*page, &inner, "document.body.innerText").await, "inner");
    page.call(&inner, "frames", r#"{"count":1}"#).await.unwrap();
    assert_ne!(value(&*page, "innerWidth").await, 800, "it keeps its size");
    let ours = trial.page_at(&*trial.browser.default_context(), &site.url("/inner")).await;
    assert_eq!(running.pages().await.len(), before.len() + 1);
    assert_ne!(ours.id(), page.id());
    trial.browser.close().await;
    assert_eq!(running.pages().await, before);
}

#[tokio::test]
async fn what_the_other_end_cannot_do_is_a_missing_power() {
    let running = Running::start("about:blank").await;
    let powers = Powers {
        contexts: false,
        cookies: false,
        permissions: false,
        tracing: false,
        helper: false,
        ..Powers::default()
    };
    let trial = running.attach(AttachOptions { powers, ..options(FirstContext::Default) }).await.unwrap();
    let context = trial.browser.default_context();
    assert!(context.cookies().is_none() && context.permissions().is_none());
    assert!(trial.browser.history().is_none() && trial.browser.bookmarks().is_none());
    assert!(context.open(VIEWPORT).await.unwrap().tracing().is_none());
    let refused = trial.browser.new_context(None).await.map(drop);
    assert!(matches!(refused, Err(DriverError::Unsupported(_))), "{refused:?}");
    trial.browser.close().await;
}

#[tokio::test]
async fn popups_of_our_pages_are_ours() {
    let (site, running) = (Site::blank(), Running::start("about:blank").await);
    let trial = running.attach(options(FirstContext::Default)).await.unwrap();
    let before = running.pages().await;
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "void open('/popup')").await;
    let popup = trial.record.page_beside(&page.id()).await;
    let told = |told: &BrowserEvent| match told {
        BrowserEvent::Page(id, PageEvent::Navigated { url, .. }) => {
            (*id == popup.id() && url.ends_with("/popup")).then_some(())
        }
        _ => None,
    };
    trial.record.wait_for("the popup's document", told).await;
    trial.browser.close().await;
    assert_eq!(running.pages().await, before);
}
