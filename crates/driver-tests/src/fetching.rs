//! What is fetched outside of a page.

use crate::{
    Driver, Trial,
    site::{Site, html},
    value,
};
use cicerone_driver::Fetched;

pub async fn a_url_is_fetched_with_the_cookies_of_the_context(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/file" => (200, vec![("content-type", "text/plain".into())], "content ü".into()),
        "/missing" => (404, Vec::new(), String::new()),
        _ => html("<link rel=icon href='data:,'>"),
    });
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    value(&*page, "void (document.cookie = 'who=me')").await;
    let Some(fetching) = page.fetching() else { return trial.browser.close().await };

    match fetching.fetch(&site.url("/file"), 100).await.unwrap() {
        Fetched::Content { mime, bytes } => {
            assert!(mime.is_some_and(|mime| mime.starts_with("text/plain")));
            assert_eq!(bytes, "content ü".as_bytes());
        }
        other => panic!("{other:?}"),
    }
    let sent = site.asked().into_iter().find(|head| head.target == "/file").unwrap();
    assert_eq!(sent.header("cookie"), Some("who=me"));
    assert_eq!(fetching.fetch(&site.url("/file"), 3).await.unwrap(), Fetched::TooLarge);
    assert_eq!(fetching.fetch(&site.url("/missing"), 100).await.unwrap(), Fetched::Status(404));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let failed = fetching.fetch(&format!("http://{closed}/"), 100).await.unwrap();
    assert!(matches!(failed, Fetched::Failed(_)), "{failed:?}");
    trial.browser.close().await;
}
