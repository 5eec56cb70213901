//! The spare context: it works like any other, and no event reports it.
#![allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]

mod support;

use cicerone_driver::{BrowserEvent, PageId};
use cicerone_driver_tests::{Site, Trial, VIEWPORT, value};
use support::start;

fn pages_told(trial: &Trial) -> usize {
    trial.record.count(|told| matches!(told, BrowserEvent::PageOpened { .. }))
}

fn is_reported(trial: &Trial, page: &PageId) -> bool {
    trial
        .record
        .count(|told| matches!(told, BrowserEvent::PageOpened { page: told, .. } if told.id() == *page))
        == 1
}

#[tokio::test]
async fn a_context_in_store_is_told_when_it_is_used_and_is_like_any_other() {
    let (trial, site) = (start().await, Site::blank());
    let first = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*first, "document.cookie = 'who=first'").await;
    let mut contexts = Vec::new();
    for number in 1..4 {
        // Once for the one that was taken before, once for the next.
        trial.browser.prewarm();
        trial.browser.prewarm();
        let told = pages_told(&trial);
        let context = trial.new_context().await;
        assert_eq!(pages_told(&trial), told, "nobody has opened a page in it");
        let page = context.open(VIEWPORT).await.unwrap();
        assert!(is_reported(&trial, &page.id()));
        assert_eq!(value(&*page, "innerWidth + ' ' + location").await, "800 about:blank");
        trial.go(&*page, &site.url("/")).await;
        assert_eq!(value(&*page, "document.cookie").await, "", "it has nothing of another one");
        value(&*page, &format!("document.cookie = 'who={number}'")).await;
        let beside = context.open(VIEWPORT).await.unwrap();
        assert_ne!(beside.id(), page.id());
        contexts.push((context, page));
    }
    for (number, (context, page)) in contexts.iter().enumerate() {
        assert_eq!(value(&**page, "document.cookie").await, format!("who={}", number + 1));
        context.close().await.unwrap();
        assert!(trial.record.is_closed(&page.id()));
    }
    trial.browser.close().await;
}
