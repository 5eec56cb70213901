//! Contexts: kept apart, each with its pages and downloads.

use crate::{
    Driver, Trial, VIEWPORT,
    site::{Site, html},
    value,
};
use cicerone_driver::{BrowserEvent, ContextId, PageEvent, PageId};

fn opened(told: &BrowserEvent, wanted: &PageId) -> Option<ContextId> {
    match told {
        BrowserEvent::PageOpened { page, context, .. } if page.id() == *wanted => Some(context.clone()),
        _ => None,
    }
}

fn closed(told: &BrowserEvent, wanted: &PageId) -> Option<()> {
    matches!(told, BrowserEvent::Page(page, PageEvent::Closed) if page == wanted).then_some(())
}

pub async fn contexts_share_neither_cookies_nor_storage(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let contexts = [trial.browser.default_context(), trial.new_context().await, trial.new_context().await];
    for (number, context) in contexts.iter().enumerate() {
        let page = trial.page_at(&**context, &site.url("/")).await;
        let script = format!("document.cookie = 'who={number}', localStorage.setItem('who', {number})");
        value(&*page, &script).await;
    }
    for (number, context) in contexts.iter().enumerate() {
        let page = trial.page_at(&**context, &site.url("/")).await;
        let seen = value(&*page, "document.cookie + ' ' + localStorage.getItem('who')").await;
        assert_eq!(seen, format!("who={number} {number}"));
    }
    trial.browser.close().await;
}

pub async fn a_page_is_told_with_the_context_that_it_is_of(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let (first, second) = (trial.browser.default_context(), trial.new_context().await);
    assert_ne!(first.id(), second.id());
    assert_eq!(first.id(), trial.browser.default_context().id());
    for context in [first, second] {
        let page = trial.page_at(&*context, &site.url("/")).await;
        let told = trial.record.wait_for("the page", |told| opened(told, &page.id())).await;
        assert_eq!(told, context.id());

        value(&*page, "void window.open('/popup')").await;
        let popup = trial.record.wait_for("the popup", |told| match told {
            BrowserEvent::PageOpened { opener: Some(opener), context, .. } if *opener == page.id() => {
                Some(context.clone())
            }
            _ => None,
        });
        assert_eq!(popup.await, context.id());
    }
    trial.browser.close().await;
}

pub async fn a_context_that_is_closed_closes_its_pages_and_no_others(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let context = trial.new_context().await;
    let stays = trial.browser.default_context().open(VIEWPORT).await.unwrap();
    let (one, two) = (context.open(VIEWPORT).await.unwrap(), context.open(VIEWPORT).await.unwrap());

    context.close().await.unwrap();

    assert!(trial.record.is_closed(&one.id()) && trial.record.is_closed(&two.id()));
    assert!(!trial.record.is_closed(&stays.id()));
    assert_eq!(value(&*stays, "1 + 1").await, 2);
    assert!(context.open(VIEWPORT).await.is_err());
    assert!(trial.browser.default_context().close().await.is_err());
    trial.browser.close().await;
}

pub async fn a_browser_outlives_its_last_page(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.browser.default_context();
    let first = trial.page_at(&*context, &site.url("/")).await;
    value(&*first, "document.cookie = 'kept=1; max-age=100'").await;
    // By itself where the browser lets it, which may take the answer along; and from outside where it does not.
    let _ = first.evaluate(&first.main_frame(), "void window.close()", None).await;
    let _ = first.close().await;
    trial.record.wait_for("its end", |told| closed(told, &first.id())).await;

    let second = trial.page_at(&*context, &site.url("/")).await;
    assert_eq!(value(&*second, "document.cookie").await, "kept=1");
    second.crashing().unwrap().crash().await.unwrap();
    let third = trial.page_at(&*context, &site.url("/")).await;
    assert_eq!(value(&*third, "document.cookie").await, "kept=1");
    trial.browser.close().await;
}

pub async fn downloads_are_told_in_every_context_and_go_with_the_browser(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/file" => {
            (200, vec![("content-disposition", "attachment; filename=a.txt".into())], "content".into())
        }
        _ => html("<a href=/file download>file</a>"),
    });
    for context in [trial.browser.default_context(), trial.new_context().await, trial.new_context().await] {
        let page = trial.page_at(&*context, &site.url("/")).await;
        value(&*page, "void document.querySelector('a').click()").await;
        let (download, path) = trial
            .record
            .wait_for("the download", |told| match told {
                BrowserEvent::DownloadBegan { id, frame: Some(frame), name, path }
                    if *frame == page.main_frame() =>
                {
                    assert_eq!(name, "a.txt");
                    Some((id.clone(), path.clone()))
                }
                _ => None,
            })
            .await;
        let complete = trial.record.wait_for("its end", |told| match told {
            BrowserEvent::DownloadEnded { id, complete } if *id == download => Some(*complete),
            _ => None,
        });
        assert!(complete.await);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "content");
    }
    let path = trial
        .record
        .wait_for("a download", |told| match told {
            BrowserEvent::DownloadBegan { path, .. } => Some(path.clone()),
            _ => None,
        })
        .await;
    trial.browser.close().await;
    assert!(!path.parent().and_then(std::path::Path::parent).unwrap().exists());
}
