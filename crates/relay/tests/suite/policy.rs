//! Which hosts and addresses a relay forwards to.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use cicerone_relay::{HostPolicy, Refusal, Relay, Resolve, Route, Trouble};
use futures::future::{BoxFuture, FutureExt};

use crate::parts::{browser::Browser, http_proxy::HttpProxy, site, socks::Socks};

/// A resolver whose answer changes with every call. The last one is repeated.
#[derive(Debug)]
struct Changing {
    answers: Vec<Vec<&'static str>>,
    asked: AtomicUsize,
}

impl Changing {
    fn answering(answers: &[&[&'static str]]) -> Arc<Self> {
        let answers = answers.iter().map(|answer| answer.to_vec()).collect();
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }
}

impl Resolve for Changing {
    fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let turn = self.asked.fetch_add(1, Ordering::Relaxed).min(self.answers.len() - 1);
        let addresses = self.answers[turn].iter().map(|address| address.parse().unwrap()).collect();
        async move { Ok(addresses) }.boxed()
    }
}

fn policy(allowed: &[&str], blocked: &[&str]) -> HostPolicy {
    let list = |entries: &[&str]| entries.iter().map(|entry| entry.parse().unwrap()).collect();
    HostPolicy { allowed: list(allowed), blocked: list(blocked), block_private: false }
}

fn with(policy: HostPolicy) -> Route {
    Route { policy: Arc::new(policy), ..Route::direct() }
}

fn refusals(relay: &Relay) -> Vec<Refusal> {
    let refusal = |incident: cicerone_relay::Incident| match incident.trouble {
        Trouble::Refused(refusal) => Some(refusal),
        _ => None,
    };
    relay.troubles().into_iter().filter_map(refusal).collect()
}

#[tokio::test]
async fn only_allowed_hosts_are_reached_in_whatever_spelling() {
    let site = site::start().await;
    let port = site.port();
    let relay = Relay::start(with(policy(&["good.localhost"], &[]))).unwrap();
    let browser = Browser::of(&relay);
    assert_eq!(browser.get(&format!("http://GOOD.localhost.:{port}/hello")).await.body, "hello");
    assert!(browser.connect(&format!("good.localhost:{port}")).await.is_ok());
    let seen = site.seen().len();
    for host in [
        "evil.localhost",
        "localhost",
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "0.0.0.0",
        "good.localhost@evil.localhost",
        "good.localhost.evil.localhost",
        "127.0.0.1.",
    ] {
        let answer = browser.get(&format!("http://{host}:{port}/hello")).await;
        assert_eq!(answer.status, 403, "{host}");
        assert!(answer.body.ends_with(" is not an allowed host\n"), "{host}: {}", answer.body);
        let tunnel = browser.connect(&format!("{host}:{port}")).await.err().unwrap();
        assert_eq!(tunnel.status, 403, "{host}");
    }
    assert_eq!(site.seen().len(), seen);
}

#[tokio::test]
async fn a_name_is_checked_by_the_address_that_is_dialled_each_time() {
    let site = site::start().await;
    let url = format!("http://rebound.test:{}/hello", site.port());
    let resolver =
        Changing::answering(&[&["127.0.0.1"], &["169.254.169.254"], &["::ffff:169.254.0.1"], &["fe80::1"]]);
    let relay =
        Relay::start(Route { resolver: resolver.clone(), ..with(policy(&["rebound.test"], &[])) }).unwrap();
    let browser = Browser::of(&relay);
    assert_eq!(browser.get(&url).await.body, "hello");
    for address in ["169.254.169.254", "::ffff:169.254.0.1", "fe80::1"] {
        let answer = browser.get(&url).await;
        assert_eq!(
            (answer.status, answer.body),
            (403, format!("cicerone: rebound.test resolves to {address}, a link-local address\n"))
        );
    }
    assert_eq!(resolver.asked.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_name_may_be_checked_before_somebody_else_resolves_it() {
    let resolver = Changing::answering(&[&["93.184.215.14"], &["93.184.215.14", "169.254.169.254"], &[]]);
    let policy = HostPolicy::default();
    let host = url::Host::parse("rebound.test").unwrap();
    assert_eq!(policy.check_resolved(&host, &*resolver).await, Ok(()));
    let refused = policy.check_resolved(&host, &*resolver).await.unwrap_err();
    assert_eq!(refused.to_string(), "rebound.test resolves to 169.254.169.254, a link-local address");
    assert_eq!(policy.check_resolved(&host, &*resolver).await, Ok(()));
    for host in ["localhost", "127.0.0.1"] {
        assert_eq!(policy.check_resolved(&url::Host::parse(host).unwrap(), &*resolver).await, Ok(()));
    }
    assert_eq!(resolver.asked.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn of_several_addresses_only_the_permitted_are_dialled() {
    let (site, port) = {
        let site = site::start().await;
        let port = site.port();
        (site, port)
    };
    let resolver = Changing::answering(&[&["169.254.169.254", "127.0.0.1"], &["10.0.0.1", "127.0.0.1"]]);
    let relay = Relay::start(Route { resolver: resolver.clone(), ..with(HostPolicy::default()) }).unwrap();
    assert_eq!(Browser::of(&relay).get(&format!("http://a.test:{port}/hello")).await.body, "hello");
    let private = HostPolicy { block_private: true, ..HostPolicy::default() };
    let relay = Relay::start(Route { resolver, ..with(private) }).unwrap();
    let answer = Browser::of(&relay).get(&format!("http://a.test:{port}/hello")).await;
    assert_eq!((answer.status, site.seen().len()), (403, 1));
    assert!(answer.body.contains("a.test resolves to 10.0.0.1, a private address"), "{}", answer.body);
}

#[tokio::test]
async fn an_upstream_proxy_gets_only_what_the_policy_allows() {
    let site = site::start().await;
    let http = HttpProxy { leads_to: Some(site.address), ..HttpProxy::default() }.start().await;
    let socks = Socks::to(site.address).start().await;
    for (proxy, scheme) in [(&http, "http"), (&socks, "socks5")] {
        let upstream = format!("{scheme}://{}", proxy.address).parse().unwrap();
        let rules = policy(&["shop.test", "*.shop.test"], &["evil.shop.test"]);
        let route = Route { policy: Arc::new(rules), trusts_upstream: true, ..Route::through(upstream) };
        let relay = Relay::start(route).unwrap();
        let browser = Browser::of(&relay);
        assert!(browser.connect("shop.test:443").await.is_ok());
        let seen = proxy.seen().len();
        for host in ["evil.shop.test", "other.test", "169.254.169.254", "127.0.0.1"] {
            assert_eq!(browser.get(&format!("http://{host}/hello")).await.status, 403, "{host}");
            assert_eq!(browser.connect(&format!("{host}:443")).await.err().unwrap().status, 403, "{host}");
        }
        assert_eq!(proxy.seen().len(), seen, "{scheme}");
    }
}

#[tokio::test]
async fn a_proxy_that_nobody_vouches_for_is_a_host_like_any_other() {
    let site = site::start().await;
    let proxy = HttpProxy { leads_to: Some(site.address), ..HttpProxy::default() }.start().await;
    let upstream: cicerone_relay::Upstream = format!("http://{}", proxy.address).parse().unwrap();
    let rules = Arc::new(policy(&["shop.test"], &[]));
    let relay = Relay::start(Route { policy: rules, ..Route::through(upstream) }).unwrap();
    let answer = Browser::of(&relay).get("http://shop.test/hello").await;
    assert_eq!((answer.status, answer.body.as_str()), (403, "cicerone: 127.0.0.1 is not an allowed host\n"));
    assert_eq!(proxy.seen(), [""; 0]);
}

#[tokio::test]
async fn a_thousand_refused_connections_are_one_refusal() {
    let site = site::start().await;
    let relay = Relay::start(with(policy(&[], &["evil.localhost"]))).unwrap();
    let browser = Browser::of(&relay);
    for round in 0..10 {
        let tries = (0..100).map(|n| {
            let (browser, place) = (browser.clone(), format!("evil.localhost:{}", 1_000 + round * 100 + n));
            async move { browser.connect(&place).await.err().map(|answer| answer.status) }
        });
        assert_eq!(futures::future::join_all(tries).await, [Some(403); 100]);
    }
    assert_eq!(refusals(&relay), [Refusal::Blocked { host: "evil.localhost".into() }]);
    assert_eq!(site.seen(), [""; 0]);
}
