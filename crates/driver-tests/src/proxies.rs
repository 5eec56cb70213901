//! Contexts whose traffic goes through a proxy that knows its clients.

use crate::{
    Driver, Trial, VIEWPORT, navigate,
    proxy::ForwardProxy,
    site::{Head, Site, html},
    value,
};
use cicerone_driver::{BrowserEvent, Context, Navigation, PageEvent};

/// Everything that a page can ask with, one path each.
fn everything() -> Site {
    Site::serve(|head: &Head| {
        let script = |text: &str| (200, vec![("content-type", "text/javascript".into())], text.into());
        match head.target.as_str() {
            "/" => html("<title>all</title><iframe src=/frame></iframe>"),
            "/worker.js" => script("fetch('/from-worker').then(() => postMessage('done'))"),
            "/shared.js" => {
                script("onconnect = e => fetch('/from-shared').then(() => e.ports[0].postMessage('done'))")
            }
            "/service.js" => script("oninstall = e => e.waitUntil(fetch('/from-service'))"),
            "/secret" => (401, vec![("www-authenticate", "Basic realm=site".into())], "who?".into()),
            _ => html("ok"),
        }
    })
}

const ASK_WITH_EVERYTHING: &str = "async () => {
    await fetch('/fetched');
    const done = target => new Promise(resolve => target.onmessage = resolve);
    await done(new Worker('/worker.js'));
    await done(new SharedWorker('/shared.js').port);
    await navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready);
    await new Promise(resolve => new WebSocket(`ws://${location.host}/socket`).onerror = resolve);
    return 'all';
}";

const ASKED: [&str; 9] = [
    "/",
    "/frame",
    "/fetched",
    "/worker.js",
    "/from-worker",
    "/shared.js",
    "/from-shared",
    "/service.js",
    "/from-service",
];

async fn all_is_let_through(trial: &Trial, context: &dyn Context, proxy: &ForwardProxy) {
    let site = everything();
    let page = trial.page_at(context, &site.url("/")).await;
    assert_eq!(value(&*page, ASK_WITH_EVERYTHING).await, "all");
    value(&*page, "void window.open('/popup')").await;
    let popup = |told: &BrowserEvent| match told {
        BrowserEvent::Page(_, PageEvent::Navigated { url, .. }) => (*url == site.url("/popup")).then_some(()),
        _ => None,
    };
    trial.record.wait_for("the popup", popup).await;

    let through = proxy.let_through();
    for path in ASKED.iter().chain(&["/popup"]) {
        assert!(through.contains(&format!("GET {}", site.url(path))), "{path} is not among {through:?}");
    }
    // A tunnel, or a request that becomes one.
    let socket = [format!("CONNECT {}", site.address), format!("GET ws://{}/socket", site.address)];
    assert!(socket.iter().any(|asked| through.contains(asked)), "no socket among {through:?}");
    let refused = proxy.refused();
    // The browser itself asks for things now and then, and gets nowhere.
    let ours: Vec<_> = refused.iter().filter(|asked| asked.contains("127.0.0.1")).collect();
    assert!(ours.is_empty(), "asked without credentials: {ours:?}");
}

pub async fn all_that_a_page_asks_for_carries_the_credentials_of_its_context(driver: &Driver) {
    let trial = Trial::start(driver).await;
    for user in ["one", "two"] {
        let proxy = ForwardProxy::serve(user, "p:a ss");
        let context = trial.browser.new_context(Some(&proxy.proxy)).await.unwrap();
        all_is_let_through(&trial, &*context, &proxy).await;
    }
    trial.browser.close().await;
}

pub async fn the_first_context_has_a_proxy_and_one_beside_it_none(driver: &Driver) {
    let (proxy, site) = (ForwardProxy::serve("me", "secret"), everything());
    let trial = Trial::with_proxy(driver, proxy.proxy.clone()).await;
    all_is_let_through(&trial, &*trial.browser.default_context(), &proxy).await;

    let direct = trial.new_context().await;
    trial.page_at(&*direct, &site.url("/")).await;
    assert!(!proxy.let_through().iter().any(|asked| asked.contains(&site.address.to_string())));
    trial.browser.close().await;
}

pub async fn a_proxy_is_known_without_a_word_to_the_sink(driver: &Driver) {
    let (trial, proxy) = (Trial::start(driver).await, ForwardProxy::serve("me", "secret"));
    let context = trial.browser.new_context(Some(&proxy.proxy)).await.unwrap();
    let page = context.open(VIEWPORT).await.unwrap();
    assert_eq!(value(&*page, "location.href").await, "about:blank");
    let about_others = |told: &BrowserEvent| match told {
        BrowserEvent::PageOpened { page: opened, .. } => opened.id() != page.id(),
        BrowserEvent::Page(id, _) => *id != page.id(),
        _ => false,
    };
    assert_eq!(trial.record.count(about_others), 0);
    trial.browser.close().await;
}

pub async fn a_site_that_asks_who_is_there_is_told_nothing(driver: &Driver) {
    let (trial, proxy, site) =
        (Trial::start(driver).await, ForwardProxy::serve("me", "secret"), everything());
    let proxied = trial.browser.new_context(Some(&proxy.proxy)).await.unwrap();
    let mut came = Vec::new();
    for context in [trial.new_context().await, proxied] {
        let page = context.open(VIEWPORT).await.unwrap();
        came.push(navigate(&*page, &site.url("/secret")).await);
    }
    // Some browsers show what the site says then; with a proxy it is the same as without.
    let shown = |came: &Navigation| match came {
        Navigation::Failed(why) => Some(why.clone()),
        _ => None,
    };
    assert_eq!(shown(&came[0]), shown(&came[1]), "{came:?}");
    assert_eq!(site.asked().len(), 2);
    assert!(site.asked().iter().all(|head| head.header("authorization").is_none()));
    trial.browser.close().await;
}

pub async fn a_proxy_that_does_not_take_the_credentials_is_an_error(driver: &Driver) {
    let (trial, proxy) = (Trial::start(driver).await, ForwardProxy::serve("me", "secret"));
    let mut wrong = proxy.proxy.clone();
    wrong.password = "wrong".into();
    let context = trial.browser.new_context(Some(&wrong)).await.unwrap();
    let refused = match context.open(VIEWPORT).await {
        Err(error) => error,
        Ok(page) => panic!("opened, and went {:?}", page.navigate("http://127.0.0.1:9/").await),
    };
    assert!(refused.to_string().contains("ERR_"), "{refused}");
    assert!(proxy.let_through().is_empty());
    let direct = trial.new_context().await.open(VIEWPORT).await.unwrap();
    assert!(matches!(direct.navigate("http://127.0.0.1:9/").await, Ok(Navigation::Failed(_))));
    trial.browser.close().await;
}
