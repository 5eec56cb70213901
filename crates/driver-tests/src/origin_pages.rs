//! Pages that nobody sees, and pages on paper.

use crate::{
    Driver, Trial, VIEWPORT,
    proxy::ForwardProxy,
    site::{Site, html},
    value,
};
use cicerone_driver::{BrowserEvent, Paper};

pub async fn a_visit_asks_nobody_and_is_not_told(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.new_context().await;
    let page = context.open(VIEWPORT).await.unwrap();
    let about_pages =
        |told: &BrowserEvent| matches!(told, BrowserEvent::PageOpened { .. } | BrowserEvent::Page(..));
    // All that is told of the page that is seen has been told when it has answered.
    value(&*page, "1").await;
    let of_page = |told: &BrowserEvent| match told {
        BrowserEvent::PageOpened { page: opened, .. } => opened.id() == page.id(),
        BrowserEvent::Page(id, _) => *id == page.id(),
        _ => false,
    };
    for _ in 0..20 {
        let visit = context.origin_page(&site.origin()).await.unwrap();
        assert_eq!(value(&*visit, "location.href").await, site.url("/"));
        assert_eq!(value(&*visit, "document.documentElement.textContent").await, "");
        let words = visit.call(&visit.main_frame(), "snapshot", "{}").await.unwrap();
        assert!(words.starts_with('{'), "{words}");
        visit.close().await.unwrap();
        assert!(visit.call(&visit.main_frame(), "snapshot", "{}").await.is_err());
    }
    assert_eq!(trial.record.count(about_pages), trial.record.count(of_page));
    assert_eq!(site.connections(), 0, "{:?}", site.asked());
    let drawn = "new Promise(resolve => requestAnimationFrame(() => resolve(document.visibilityState)))";
    assert_eq!(value(&*page, drawn).await, "visible");
    trial.browser.close().await;
}

pub async fn what_a_visit_stores_is_seen_in_its_context_only(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let (one, other) = (trial.new_context().await, trial.new_context().await);
    let visit = one.origin_page(&site.origin()).await.unwrap();
    value(&*visit, "localStorage.setItem('left', 'here')").await;
    visit.close().await.unwrap();

    let read = "localStorage.getItem('left')";
    assert_eq!(value(&*trial.page_at(&*one, &site.url("/")).await, read).await, "here");
    assert_eq!(value(&*trial.page_at(&*other, &site.url("/")).await, read).await, serde_json::Value::Null);
    let again = one.origin_page(&site.origin()).await.unwrap();
    assert_eq!(value(&*again, read).await, "here");
    trial.browser.close().await;
}

pub async fn secure_origins_are_visited_too_also_behind_a_proxy(driver: &Driver) {
    let (trial, proxy) = (Trial::start(driver).await, ForwardProxy::serve("me", "secret"));
    let proxied = trial.browser.new_context(Some(&proxy.proxy)).await.unwrap();
    for context in [trial.browser.default_context(), proxied] {
        let visit = context.origin_page("https://shop.example").await.unwrap();
        let seen = value(&*visit, "[location.origin, isSecureContext, localStorage.length].join()").await;
        assert_eq!(seen, "https://shop.example,true,0");
    }
    // Only the web has origins that can be visited.
    assert!(trial.browser.default_context().origin_page("file://").await.is_err());
    let asked = proxy.let_through();
    assert!(asked.iter().all(|asked| asked.contains("proxy-auth.cicerone.invalid")), "{asked:?}");
    trial.browser.close().await;
}

pub async fn a_service_worker_is_not_asked_in_a_visit(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/worker.js" => {
            let script = "onactivate = e => e.waitUntil(clients.claim()); onfetch = e => e.respondWith(fetch('/leak'))";
            (200, vec![("content-type", "text/javascript".into())], script.into())
        }
        _ => html("<link rel=icon href='data:,'>"),
    });
    let context = trial.new_context().await;
    let page = trial.page_at(&*context, &site.url("/")).await;
    let registered = "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => 1)";
    assert_eq!(value(&*page, registered).await, 1);

    let visit = context.origin_page(&site.origin()).await.unwrap();

    assert_eq!(value(&*visit, "location.pathname").await, "/");
    assert!(!site.asked().iter().any(|head| head.target == "/leak"));
    trial.browser.close().await;
}

pub async fn a_page_is_printed(driver: &Driver) {
    // A picture that cannot be made smaller, however a browser writes it.
    let noise = "<canvas width=800 height=800></canvas><script>
        const context = document.querySelector('canvas').getContext('2d'), noise = context.createImageData(800, 800);
        for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
        context.putImageData(noise, 0, 0)</script>";
    let (trial, site) = (Trial::start(driver).await, Site::serve(move |_| html(noise)));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let printing = page.printing().unwrap();
    let paper = Paper::new(8.27, 11.69);
    let pdf = printing.pdf(&paper).await.unwrap();
    assert!(pdf.starts_with(b"%PDF"));
    assert!(pdf.len() > 1 << 19, "several parts were meant to be read, not {} bytes", pdf.len());
    assert!(String::from_utf8_lossy(&pdf[pdf.len() - 16..]).contains("%%EOF"));
    trial.browser.close().await;
}
