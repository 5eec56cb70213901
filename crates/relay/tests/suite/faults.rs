//! Failures are reported to the browser and recorded.

use std::time::{Duration, Instant};

use cicerone_relay::{Relay, Route, Trouble};

use crate::parts::{
    DEAD_PORT,
    browser::{Browser, ProxyReply},
    http_proxy::{HttpProxy, JO},
    site,
    socks::Socks,
};

/// Sends a plain and a tunnelled request through the upstream; both must record the same failure, which is returned.
async fn fails(route: Route, status: u16) -> Trouble {
    let relay = Relay::start(route).unwrap();
    let browser = Browser::of(&relay);
    let mut remembered = Vec::new();
    for tunnel in [false, true] {
        let since = Instant::now();
        let answer = match tunnel {
            true => browser.connect("site.test:80").await.err().unwrap(),
            false => browser.get("http://site.test/hello").await,
        };
        let trouble = relay.trouble_for("site.test", since).unwrap();
        says(&answer, status, &trouble);
        remembered.push(trouble);
    }
    assert_eq!(remembered[0], remembered[1]);
    remembered.remove(0)
}

fn says(answer: &ProxyReply, status: u16, trouble: &Trouble) {
    assert_eq!(answer.status, status);
    assert_eq!(answer.body, format!("cicerone: {trouble}\n"));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.header("proxy-authenticate"), None);
    assert!(!answer.body.contains("sesame"), "credentials in: {}", answer.body);
}

fn through(upstream: &str) -> Route {
    Route::through(upstream.parse().unwrap())
}

#[tokio::test]
async fn a_proxy_that_is_down_is_named() {
    for scheme in ["http", "https", "socks5"] {
        let trouble = fails(through(&format!("{scheme}://jo:sesame@127.0.0.1:{DEAD_PORT}")), 502).await;
        let proxy = format!("{scheme}://127.0.0.1:{DEAD_PORT}");
        assert!(
            matches!(&trouble, Trouble::ProxyUnreachable { proxy: named, .. } if *named == proxy),
            "{trouble}"
        );
    }
}

#[tokio::test]
async fn a_proxy_that_hangs_is_given_up() {
    let silent = site::silent().await;
    for scheme in ["https", "socks5"] {
        let upstream = through(&format!("{scheme}://jo:sesame@{}", silent.address));
        let trouble = fails(Route { timeout: Duration::from_millis(200), ..upstream }, 504).await;
        assert_eq!(
            trouble.to_string(),
            format!("the proxy {scheme}://{} timed out after 0.2 s", silent.address)
        );
    }
}

#[tokio::test]
async fn an_http_proxy_that_hangs_is_given_up_in_a_tunnel() {
    let silent = site::silent().await;
    let route = Route { timeout: Duration::from_millis(200), ..through(&silent.address.to_string()) };
    let relay = Relay::start(route).unwrap();
    assert_eq!(Browser::of(&relay).connect("site.test:443").await.err().unwrap().status, 504);
}

#[tokio::test]
async fn an_http_proxy_may_take_its_time_for_a_request_but_it_is_noted() {
    let slow = site::slow(Duration::from_millis(300)).await;
    let route = Route { timeout: Duration::from_millis(100), ..through(&slow.address.to_string()) };
    let relay = Relay::start(route).unwrap();
    let since = Instant::now();
    let answer = Browser::of(&relay).get("http://slow.test/").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "well"));
    assert!(matches!(relay.trouble_for("slow.test", since), Some(Trouble::ProxySilent { .. })));
}

#[tokio::test]
async fn wrong_credentials_are_told_from_missing_ones() {
    let site = site::start().await;
    let http =
        HttpProxy { leads_to: Some(site.address), wants: Some(JO), ..HttpProxy::default() }.start().await;
    let socks = Socks { wants: Some(("jo", "pass")), ..Socks::to(site.address) }.start().await;
    for proxy in [format!("http://{}", http.address), format!("socks5://{}", socks.address)] {
        let wrong = through(&proxy);
        let wrong = wrong.upstream.unwrap().with_credentials("jo", "sesame").unwrap();
        let trouble = fails(Route::through(wrong), 502).await;
        assert_eq!(trouble.to_string(), format!("the proxy {proxy} refused the user name or password"));
        let trouble = fails(through(&proxy), 502).await;
        assert_eq!(trouble, Trouble::CredentialsMissing { proxy });
    }
    assert_eq!(site.seen(), [""; 0]);
}

#[tokio::test]
async fn a_proxy_that_refuses_or_cannot_is_quoted() {
    let site = site::start().await;
    let always = Some("HTTP/1.1 403 Not Here\r\nContent-Length: 0\r\n\r\n");
    let http = HttpProxy { always, ..HttpProxy::default() }.start().await;
    let relay = Relay::start(through(&http.address.to_string())).unwrap();
    let since = Instant::now();
    let answer = Browser::of(&relay).connect("site.test:443").await.err().unwrap();
    let trouble = relay.trouble_for("site.test", since).unwrap();
    says(&answer, 502, &trouble);
    assert!(trouble.to_string().ends_with("did not connect to site.test:443: it answers 403 Forbidden"));
    for (code, words) in
        [(2, "its rules do not allow it"), (4, "the host is unreachable"), (99, "does not know")]
    {
        let socks = Socks { replies: code, ..Socks::to(site.address) }.start().await;
        let trouble = fails(through(&format!("socks5://{}", socks.address)), 502).await;
        assert!(trouble.to_string().ends_with(words), "{trouble}");
    }
}

#[tokio::test]
async fn what_is_no_such_proxy_is_said_so() {
    let site = site::start().await;
    let trouble = fails(through(&format!("socks5://{}", site::echo().await.address)), 502).await;
    assert!(
        matches!(trouble, Trouble::ProxyUnreachable { .. } | Trouble::ProxyUnintelligible { .. }),
        "{trouble}"
    );
    let (proxy, _certificate) = HttpProxy::default().start_inside_tls().await;
    let trouble = fails(through(&format!("https://localhost:{}", proxy.port())), 502).await;
    assert!(matches!(trouble, Trouble::ProxyInsecure { .. }), "nobody vouches for it: {trouble}");
    let trouble = fails(through(&format!("https://{}", site.address)), 502).await;
    assert!(matches!(trouble, Trouble::ProxyInsecure { .. }), "it speaks no TLS: {trouble}");
}

#[tokio::test]
async fn hosts_that_cannot_be_reached_are_told_apart() {
    let relay = Relay::start(Route::direct()).unwrap();
    let (browser, since) = (Browser::of(&relay), Instant::now());
    let answer = browser.get(&format!("http://127.0.0.1:{DEAD_PORT}/")).await;
    let trouble = relay.trouble_for("127.0.0.1", since).unwrap();
    says(&answer, 502, &trouble);
    assert!(matches!(trouble, Trouble::HostUnreachable { .. }), "{trouble}");
    assert_eq!(browser.get("http://nowhere.invalid/").await.status, 502);
    let trouble = relay.trouble_for("nowhere.invalid", since).unwrap();
    assert!(matches!(trouble, Trouble::NameUnknown { .. }), "{trouble}");
    assert_eq!(relay.troubles().len(), 2);
}

#[tokio::test]
async fn a_site_that_hangs_up_without_an_answer_does_so_to_the_browser() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let (browser, since) = (Browser::of(&relay), Instant::now());
    let mut line = browser.line().await;
    line.ask(&format!("GET http://{}/cut HTTP/1.1\r\nHost: x\r\n", site.address), "").await;
    assert!(line.answer().await.is_none());
    assert!(matches!(relay.trouble_for("127.0.0.1", since), Some(Trouble::Cut { .. })));
}

#[tokio::test]
async fn a_body_that_is_cut_short_is_no_whole_one_for_the_browser() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let mut line = Browser::of(&relay).line().await;
    line.ask(&format!("GET http://{}/half HTTP/1.1\r\nHost: x\r\n", site.address), "").await;
    let mut all = Vec::new();
    let read = tokio::io::AsyncReadExt::read_to_end(&mut line.stream, &mut all);
    crate::parts::soon(read).await.ok();
    assert!(String::from_utf8(all).unwrap().ends_with("hal"));
}

#[tokio::test]
async fn a_site_cannot_make_the_browser_forget_its_credentials() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let answer = Browser::of(&relay).get(&format!("http://{}/who", site.address)).await;
    assert_eq!((answer.status, answer.header("proxy-authenticate")), (502, None));
    assert!(matches!(relay.troubles()[0].trouble, Trouble::HostAsksAsProxy { .. }));
}
