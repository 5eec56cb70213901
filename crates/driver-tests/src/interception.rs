//! Interceptors that decide about the requests of a page.

use std::sync::Arc;

use crate::{
    Driver, Trial, VIEWPORT, navigate,
    proxy::ForwardProxy,
    site::{Head, Site, html},
    value, value_in,
};
use cicerone_driver::{
    Action, Cookie, FrameId, FulfilledResponse, InterceptedRequest, Interceptor, Navigation, PageDriver,
    RequestChanges,
};
use serde_json::Value;

/// Pages (`/page?1`) with a frame of another site (`/frame?1`), which is in another process.
fn site() -> Site {
    Site::serve(|head| match head.target.strip_prefix("/page") {
        Some(number) => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            html(&format!("<link rel=icon href='data:,'><iframe src='http://{host}/frame{number}'></iframe>"))
        }
        None if head.target == "/worker.js" => {
            let script = "onmessage = ({ data }) => fetch(data).then((it) => it.text()).then(postMessage, () => postMessage('failed'))";
            (200, vec![("content-type", "text/javascript".into())], script.into())
        }
        None if head.target == "/moved" => (302, vec![("location", "/blocked".into())], String::new()),
        None => html("<link rel=icon href='data:,'>theirs"),
    })
}

/// A URL with wildcards, and what is done with requests for it.
type Rule = (String, Action);

fn rule(url: &str, action: Action) -> Rule {
    (url.into(), action)
}

/// Whether a URL fits a pattern with wildcards.
fn fits(pattern: &str, url: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == url,
        Some((start, rest)) => url.strip_prefix(start).is_some_and(|left| {
            (0..=left.len()).any(|at| left.is_char_boundary(at) && fits(rest, &left[at..]))
        }),
    }
}

/// Follows the first rule that a request fits.
fn interceptor(rules: &[Rule]) -> Interceptor {
    let urls = rules.iter().map(|(url, _)| url.clone()).collect();
    let rules = rules.to_vec();
    let resolve = move |request: &InterceptedRequest| {
        let rule = rules.iter().find(|(url, _)| fits(url, &request.url));
        rule.map_or(Action::Continue(RequestChanges::default()), |(_, action)| action.clone())
    };
    let fetch = |request: InterceptedRequest| -> cicerone_driver::Responding {
        let body = format!(
            "fetched {} {}",
            request.method,
            String::from_utf8(request.body.unwrap_or_default()).unwrap()
        );
        Box::pin(async move {
            Some(FulfilledResponse { status: 200, headers: Vec::new(), body: body.into_bytes() })
        })
    };
    Interceptor { urls, changes_urls: true, resolve: Arc::new(resolve), fetch: Arc::new(fetch) }
}

async fn follow(page: &dyn PageDriver, rules: &[Rule]) -> cicerone_driver::Result<()> {
    let interceptor = if rules.is_empty() { None } else { Some(interceptor(rules)) };
    page.interception().unwrap().intercept(interceptor).await
}

fn answer(status: u16, body: &str) -> Action {
    let headers =
        vec![("content-type".into(), "text/html; charset=utf-8".into()), ("x-ours".into(), "1".into())];
    Action::Fulfill(FulfilledResponse { status, headers, body: body.as_bytes().to_vec() })
}

fn header(name: &str, value: &str) -> Action {
    headers(&[(name, value)])
}

fn headers(headers: &[(&str, &str)]) -> Action {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Action::Continue(RequestChanges { headers, ..RequestChanges::default() })
}

async fn open(trial: &Trial, site: &Site, number: u32) -> (Arc<dyn PageDriver>, FrameId) {
    let page = trial.page_at(&*trial.new_context().await, &site.url(&format!("/page?{number}"))).await;
    let frame = trial.record.frame_at(&page.id(), &format!("/frame?{number}")).await;
    (page, frame)
}

/// What comes of a request, in the page and in its frame.
async fn fetched(page: &dyn PageDriver, frame: &FrameId, path: &str) -> [Value; 2] {
    let fetch = format!(
        "fetch('{path}').then(async it => [it.status, await it.text(), it.headers.get('x-ours')].join(), () => 'failed')"
    );
    [value(page, &fetch).await, value_in(page, frame, &fetch).await]
}

fn twice(value: &str) -> [Value; 2] {
    [value.into(), value.into()]
}

const THEIRS: &str = "200,<link rel=icon href='data:,'>theirs,";

fn asked(site: &Site, target: &str) -> Vec<Head> {
    site.asked().into_iter().filter(|head| head.target == target).collect()
}

pub async fn requests_are_blocked_answered_and_sent_with_other_headers(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, frame) = open(&trial, &site, 1).await;
    let rules = [
        rule("*/blocked", Action::Abort),
        rule("*/answered?*", answer(418, "ü\u{0}ours")),
        rule("*/headers", headers(&[("X-Ours", "1"), ("Accept", "a/b")])),
        // Not the first one that they meet.
        rule("*", header("x-ours", "2")),
    ];
    follow(&*page, &rules).await.unwrap();

    assert_eq!(fetched(&*page, &frame, "/blocked").await, twice("failed"));
    assert_eq!(fetched(&*page, &frame, "/answered?it").await, twice("418,ü\u{0}ours,1"));
    assert_eq!(fetched(&*page, &frame, "/headers").await, twice(THEIRS));
    // It meets another rule where it is sent to.
    assert_eq!(fetched(&*page, &frame, "/moved").await, twice("failed"));
    // A question mark is not a wildcard.
    assert_eq!(fetched(&*page, &frame, "/answered-it").await, twice(THEIRS));

    assert!(asked(&site, "/blocked").is_empty() && asked(&site, "/answered?it").is_empty());
    assert_eq!(asked(&site, "/moved").len(), 2);
    let sent = asked(&site, "/headers");
    assert_eq!(sent.len(), 2);
    for head in sent {
        let all = head.headers.iter().filter(|(name, _)| ["x-ours", "accept"].contains(&name.as_str()));
        assert_eq!(all.count(), 2, "{head:?}");
        assert_eq!((head.header("x-ours"), head.header("accept")), (Some("1"), Some("a/b")));
        assert!(head.header("host").is_some() && head.header("user-agent").is_some(), "{head:?}");
    }
    assert!(asked(&site, "/answered-it").iter().all(|head| head.header("x-ours") == Some("2")));
    trial.browser.close().await;
}

pub async fn where_a_redirect_leads_is_answered_and_not_asked(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, frame) = open(&trial, &site, 1).await;
    follow(&*page, &[rule("*/blocked", answer(200, "ours"))]).await.unwrap();
    assert_eq!(fetched(&*page, &frame, "/moved").await, twice("200,ours,1"));
    assert_eq!((asked(&site, "/moved").len(), asked(&site, "/blocked").len()), (2, 0));
    trial.browser.close().await;
}

pub async fn rules_replace_those_before_and_none_lets_all_go(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, frame) = open(&trial, &site, 1).await;
    follow(&*page, &[rule("*/one", Action::Abort)]).await.unwrap();
    assert_eq!(fetched(&*page, &frame, "/one").await, twice("failed"));
    follow(&*page, &[rule(&site.url("/two"), Action::Abort)]).await.unwrap();
    assert_eq!(fetched(&*page, &frame, "/one").await, twice(THEIRS));
    // An exact URL, which the frame has not.
    assert_eq!(fetched(&*page, &frame, "/two").await, ["failed".into(), Value::from(THEIRS)]);
    follow(&*page, &[]).await.unwrap();
    assert_eq!(fetched(&*page, &frame, "/two").await, twice(THEIRS));
    follow(&*page, &[rule("*/one", Action::Abort)]).await.unwrap();
    assert_eq!(fetched(&*page, &frame, "/one").await, twice("failed"));

    // Other pages are as they are.
    let (other, frame) = open(&trial, &site, 2).await;
    assert_eq!(fetched(&*other, &frame, "/one").await, twice(THEIRS));
    trial.close(&*page).await;
    follow(&*page, &[]).await.expect_err("a page that is closed follows nothing");
    trial.browser.close().await;
}

pub async fn documents_are_blocked_and_answered_too(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, _) = open(&trial, &site, 1).await;
    let document = "<link rel=icon href='data:,'><title>ours</title>";
    let rules = [
        rule("*/mine#there", Action::Abort),
        rule("*/mine", answer(200, document)),
        rule("*/frame?2", answer(200, "<title>our frame</title>")),
        rule("*/blocked", Action::Abort),
    ];
    follow(&*page, &rules).await.unwrap();

    trial.go(&*page, &site.url("/mine#there")).await;
    assert_eq!(value(&*page, "document.title + location.hash").await, "ours#there");
    trial.go(&*page, &site.url("/page?2")).await;
    let frame = trial.record.frame_at(&page.id(), "/frame?2").await;
    assert_eq!(value_in(&*page, &frame, "document.title").await, "our frame");
    // A frame that came after the rules.
    let fetch = "fetch('/blocked').then(() => 'there', () => 'failed')";
    assert_eq!(value_in(&*page, &frame, fetch).await, "failed");
    let came = navigate(&*page, &site.url("/blocked")).await;
    assert!(matches!(came, Navigation::Failed(_)), "{came:?}");
    for target in ["/mine", "/frame?2", "/blocked"] {
        assert!(asked(&site, target).is_empty(), "{target}");
    }
    trial.browser.close().await;
}

pub async fn headers_of_rules_are_sent_beside_cookies_and_extra_headers_through_a_proxy(driver: &Driver) {
    let (trial, site, proxy) = (Trial::start(driver).await, site(), ForwardProxy::serve("me", "secret"));
    let context = trial.browser.new_context(Some(&proxy.proxy)).await.unwrap();
    let cookie = Cookie {
        name: "theirs".into(),
        value: "1".into(),
        domain: "127.0.0.1".into(),
        path: "/".into(),
        expires: None,
        http_only: false,
        secure: false,
        same_site: None,
        partition: None,
    };
    context.cookies().unwrap().set(&[cookie]).await.unwrap();
    let page = context.open(VIEWPORT).await.unwrap();
    page.extra_headers().unwrap().set_extra_headers(&[("x-extra".into(), "2".into())]).await.unwrap();
    follow(&*page, &[rule("*/through", header("x-ours", "1"))]).await.unwrap();
    trial.go(&*page, &site.url("/through")).await;

    let [head] = asked(&site, "/through").try_into().unwrap();
    let sent = ["x-ours", "x-extra", "cookie"].map(|name| head.header(name));
    assert_eq!(sent, [Some("1"), Some("2"), Some("theirs=1")]);
    assert!(proxy.let_through().iter().any(|asked| asked.ends_with("/through")));
    trial.browser.close().await;
}

pub async fn workers_and_pages_that_a_page_opens_are_intercepted_from_their_first_request(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, frame) = open(&trial, &site, 1).await;
    let rules = [
        rule("*/blocked", Action::Abort),
        rule("*/ours", answer(200, "ours")),
        rule("*/popup", answer(200, "<title>our popup</title>")),
    ];
    follow(&*page, &rules).await.unwrap();
    let ask = |path: &str| {
        format!(
            "new Promise((done) => {{ const worker = new Worker('/worker.js'); \
             worker.onmessage = ({{ data }}) => done(data); worker.postMessage('{path}') }})"
        )
    };
    for (path, expected) in
        [("/ours", "ours"), ("/blocked", "failed"), ("/theirs", "<link rel=icon href='data:,'>theirs")]
    {
        assert_eq!(value(&*page, &ask(path)).await, expected);
        assert_eq!(value_in(&*page, &frame, &ask(path)).await, expected);
    }
    // A worker of a worker.
    let nested = "new Promise((done) => { const script = `const inner = new Worker('${location.origin}/worker.js'); \
        inner.onmessage = ({ data }) => postMessage(data); inner.postMessage('/ours')`; \
        const worker = new Worker(URL.createObjectURL(new Blob([script]))); worker.onmessage = ({ data }) => done(data) })";
    assert_eq!(value(&*page, nested).await, "ours");
    value(&*page, "void open('/popup')").await;
    let popup = trial.record.page_beside(&page.id()).await;
    let title = "new Promise((done) => { const look = () => document.title ? done(document.title) : setTimeout(look, 10); look() })";
    assert_eq!(value(&*popup, title).await, "our popup");
    assert!(asked(&site, "/popup").is_empty());
    // It is its own from then on.
    follow(&*popup, &[rule("*/popup", answer(200, "another"))]).await.unwrap();
    let fetch = "fetch('/popup').then((it) => it.text())";
    assert_eq!(value(&*popup, fetch).await, "another");
    assert_eq!(value(&*page, fetch).await, "<title>our popup</title>");
    trial.browser.close().await;
}

pub async fn a_request_is_sent_elsewhere_by_another_method_with_another_body(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let (page, _) = open(&trial, &site, 1).await;
    let changes = RequestChanges {
        method: Some("PUT".into()),
        body: Some(b"ours".to_vec()),
        ..RequestChanges::default()
    };
    let elsewhere = RequestChanges { url: Some(site.url("/elsewhere")), ..RequestChanges::default() };
    follow(&*page, &[rule("*/put", Action::Continue(changes)), rule("*/old*", Action::Continue(elsewhere))])
        .await
        .unwrap();
    value(
        &*page,
        "fetch('/put', { method: 'POST', body: 'a longer text of theirs' }).then((it) => it.text())",
    )
    .await;
    let [put] = asked(&site, "/put").try_into().unwrap();
    assert_eq!((put.method.as_str(), put.header("content-length")), ("PUT", Some("4")));

    let fetch = "fetch('/old', { method: 'POST', body: 'theirs' }).then(async (it) => [it.url.endsWith('/old'), await it.text()].join())";
    let got = value(&*page, fetch).await;
    // Sent there by the browser, or beside it.
    let sent = asked(&site, "/elsewhere");
    let by_browser =
        sent.iter().any(|head| head.method == "POST" && head.header("content-length") == Some("6"));
    let expected =
        if by_browser { "true,<link rel=icon href='data:,'>theirs" } else { "true,fetched POST theirs" };
    assert_eq!(got, expected);
    trial.go(&*page, &site.url("/old?page")).await;
    assert_eq!(value(&*page, "location.pathname + document.body.textContent").await, "/oldtheirs");
    assert!(asked(&site, "/old").is_empty() && asked(&site, "/old?page").is_empty());
    trial.browser.close().await;
}
