//! Upstream proxies.

use cicerone_relay::{Bypass, Relay, Route};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::parts::{
    Listening,
    browser::Browser,
    header,
    http_proxy::{HttpProxy, JO},
    site,
    socks::Socks,
    soon,
};

fn through(upstream: &str) -> (Relay, Browser) {
    let relay = Relay::start(Route::through(upstream.parse().unwrap())).unwrap();
    let browser = Browser::of(&relay);
    (relay, browser)
}

async fn says_hello(mut tunnel: TcpStream) {
    tunnel.write_all(b"GET /hello HTTP/1.1\r\nHost: site.test\r\n\r\n").await.unwrap();
    let mut answer = [0; 17];
    soon(tunnel.read_exact(&mut answer)).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200 Fine");
}

async fn a_proxy() -> (Listening, Listening) {
    let site = site::start().await;
    let proxy = HttpProxy { leads_to: Some(site.address), wants: Some(JO), ..HttpProxy::default() };
    (site, proxy.start().await)
}

#[tokio::test]
async fn plain_requests_go_to_an_http_proxy_in_full_with_its_credentials() {
    let (_site, proxy) = a_proxy().await;
    let (relay, browser) = through(&format!("http://jo:pass@{}", proxy.address));
    let mut line = browser.line().await;
    for host in ["site.test", "other.test:81"] {
        let answer = line.get(&format!("http://{host}/hello")).await;
        assert_eq!((answer.body.as_str(), answer.header("x-through")), ("hello", Some("proxy")));
        let seen = proxy.seen().pop().unwrap();
        assert!(seen.starts_with(&format!("GET http://{host}/hello HTTP/1.1\r\n")), "{seen}");
        assert_eq!(header(&seen, "proxy-authorization"), Some(JO));
        assert_eq!(seen.matches("Basic").count(), 1, "ours went on: {seen}");
    }
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn tunnels_go_through_an_http_proxy_and_the_site_sees_no_credentials() {
    let (site, proxy) = a_proxy().await;
    let (_relay, browser) = through(&format!("jo:pass@{}", proxy.address));
    says_hello(browser.connect("site.test:443").await.ok().unwrap()).await;
    let seen = proxy.seen().remove(0);
    assert!(seen.starts_with("CONNECT site.test:443 HTTP/1.1\r\n"), "{seen}");
    assert_eq!(header(&seen, "proxy-authorization"), Some(JO));
    assert!(!site.seen()[0].to_lowercase().contains("proxy"));
}

#[tokio::test]
async fn an_https_proxy_is_spoken_to_inside_tls() {
    let site = site::start().await;
    let proxy = HttpProxy { leads_to: Some(site.address), wants: Some(JO), ..HttpProxy::default() };
    let (proxy, certificate) = proxy.start_inside_tls().await;
    let upstream = format!("https://jo:pass@localhost:{}", proxy.port()).parse().unwrap();
    let route = Route { authorities: vec![certificate], ..Route::through(upstream) };
    let relay = Relay::start(route).unwrap();
    let browser = Browser::of(&relay);
    says_hello(browser.connect("site.test:443").await.ok().unwrap()).await;
    assert_eq!(browser.get("http://site.test/hello").await.body, "hello");
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn a_socks_proxy_gets_names_as_names_and_addresses_as_addresses() {
    let site = site::start().await;
    let socks = Socks { wants: Some(("jo", "pa:ss")), ..Socks::to(site.address) }.start().await;
    let (relay, browser) = through(&format!("socks5://jo:pa%3Ass@{}", socks.address));
    let answer = browser.get("http://site.test/hello").await;
    assert_eq!(answer.body, "hello");
    for place in ["name.test:443", "10.1.2.3:443", "[fd00::1]:8443"] {
        says_hello(browser.connect(place).await.ok().unwrap()).await;
    }
    assert_eq!(socks.seen(), ["name site.test 80", "name name.test 443", "10.1.2.3 443", "fd00::1 8443"]);
    assert!(site.seen().iter().all(|head| !head.to_lowercase().contains("proxy")));
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn a_socks_proxy_may_want_no_credentials() {
    let site = site::start().await;
    let socks = Socks::to(site.address).start().await;
    for upstream in [format!("socks5h://{}", socks.address), format!("socks5://jo:x@{}", socks.address)] {
        let (_relay, browser) = through(&upstream);
        assert_eq!(browser.get("http://site.test/hello").await.body, "hello");
    }
}

#[tokio::test]
async fn loopback_goes_through_the_proxy_unless_it_is_bypassed() {
    let (site, (_other, proxy)) = (site::start().await, a_proxy().await);
    let url = format!("http://localhost:{}/hello", site.port());
    let upstream = format!("http://jo:pass@{}", proxy.address);
    let (_relay, browser) = through(&upstream);
    assert_eq!(browser.get(&url).await.header("x-through"), Some("proxy"));
    let bypass: Bypass = "a.test, localhost".parse().unwrap();
    let relay = Relay::start(Route { bypass, ..Route::through(upstream.parse().unwrap()) }).unwrap();
    let browser = Browser::of(&relay);
    let mut line = browser.line().await;
    assert_eq!(line.get(&url).await.header("x-through"), None);
    assert_eq!(line.get("http://site.test/hello").await.header("x-through"), Some("proxy"));
    says_hello(browser.connect(&site.address.to_string()).await.ok().unwrap()).await;
    assert_eq!(proxy.seen().len(), 2, "the tunnel to loopback went straight");
}
