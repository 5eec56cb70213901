//! Proxies: everything takes them, their credentials are told to nobody, and what goes wrong with them is said.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, NOBODY, Proxy, Reply, Server, Site};

/// What no reply and no log may have.
const PASSWORD: &str = "open-sesame";

fn create(server: &mut Server, name: &str, proxy: Value) -> Reply {
    server.call("browser_context_create", json!({ "name": name, "proxy": proxy }))
}

fn with_password(address: &str) -> Value {
    json!({ "server": address, "username": "jo", "password": PASSWORD })
}

/// A page that asks in all ways that there are, and says when it has.
const ASKING: &str = "<title>Asking</title><img src=/image><script>
    const frame = document.createElement('iframe');
    const framed = new Promise((done) => { frame.onload = done; });
    frame.src = '/frame';
    document.documentElement.append(frame);
    const socket = new WebSocket('ws://' + location.host + '/socket');
    const said = new Promise((done, failed) => { socket.onmessage = (event) => done(event.data); socket.onerror = failed; });
    const worker = new Worker('/worker.js');
    const worked = new Promise((done) => { worker.onmessage = (event) => done(event.data); });
    all = Promise.all([fetch('/fetch').then((answer) => answer.text()), said, worked, framed.then(() => 'framed')]);
</script>";

fn asking() -> Site {
    let site = Site::of(ASKING);
    site.answer("/fetch", Answer::Body("text/plain", b"fetched".to_vec()));
    site.answer("/frame", Answer::Html("<p>Frame</p>".into()));
    site.answer(
        "/image",
        Answer::Body("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
    );
    site.answer("/socket", Answer::Socket("said"));
    let worker =
        b"fetch('/fetch').then((answer) => answer.text()).then((text) => postMessage('worker ' + text))";
    site.answer("/worker.js", Answer::Body("text/javascript", worker.to_vec()));
    site
}

#[test]
fn all_traffic_of_a_context_goes_through_its_proxy_loopback_too() {
    let site = asking();
    let proxies =
        [("http", Proxy::http(Some(("jo", PASSWORD)))), ("socks5", Proxy::socks(Some(("jo", PASSWORD))))];
    let (mut server, log) = Server::logging(&["--log", "debug"]);
    for (scheme, proxy) in &proxies {
        let address = format!("{scheme}://{}", proxy.address());
        create(&mut server, scheme, with_password(&address)).says(&format!("goes through {address}"));
        // A name that only the proxy can resolve, and one that the machine itself has.
        for host in ["shop.test", "127.0.0.1", "localhost"] {
            let before = proxy.seen().len();
            let asked = site.requests().len();
            server.navigate(&site.url_on(host, "/")).says("Asking");
            assert_eq!(
                server.evaluate("() => all"),
                json!(["fetched", "said", "worker fetched", "framed"]),
                "{scheme} {host}"
            );
            let place = format!("{host}:{}", site.port());
            let seen = &proxy.seen()[before..];
            assert!(seen.iter().all(|seen| *seen == place), "{scheme} {host}: {seen:?}");
            assert!(!seen.is_empty());
            assert!(site.requests()[asked..].iter().any(|line| line == "GET /socket"));
        }
    }
    let list = server.call("browser_context_list", json!({}));
    list.says(&format!("through http://{}", proxies[0].1.address()));
    assert_eq!(list.facts()["contexts"][2]["proxy"], format!("socks5://{}", proxies[1].1.address()));
    let told: String =
        server.aside.iter().map(Value::to_string).collect::<String>() + &list.message.to_string();
    assert!(!told.contains(PASSWORD), "a reply has the password");
    drop(server);
    let log = log.text();
    assert!(log.contains("DEBUG"), "nothing was logged: {log}");
    for secret in [PASSWORD, "am86b3Blbi1zZXNhbWU="] {
        assert!(!log.contains(secret), "the log has the password");
    }
}

#[test]
fn contexts_with_proxies_do_not_mix() {
    let site = Site::of("<title>Here</title>");
    let (one, two) = (Proxy::http(Some(("one", "1"))), Proxy::socks(Some(("two", "2"))));
    let mut server = Server::start(&[]);
    let first = json!({ "server": format!("http://{}", one.address()), "username": "one", "password": "1" });
    let second =
        json!({ "server": format!("socks5://{}", two.address()), "username": "two", "password": "2" });
    create(&mut server, "one", first).ok();
    create(&mut server, "two", second).ok();
    server.call("browser_context_create", json!({ "name": "none" })).ok();
    for round in 0..2 {
        for (name, host) in
            [("one", "one.test"), ("two", "two.test"), ("none", "127.0.0.1"), ("default", "localhost")]
        {
            server.call("browser_context_switch", json!({ "name": name })).ok();
            server.navigate(&site.url_on(host, &format!("/?{round}"))).says("Here");
        }
    }
    let only = |proxy: &Proxy, host: &str| {
        let place = format!("{host}:{}", site.port());
        assert!(proxy.saw(&place));
        assert!(proxy.seen().iter().all(|seen| *seen == place), "{:?}", proxy.seen());
    };
    only(&one, "one.test");
    only(&two, "two.test");
    server.call("browser_context_switch", json!({ "name": "none" })).ok();
    let unknown = site.url_on("one.test", "/");
    server.call("browser_navigate", json!({ "url": unknown })).fails("ERR_NAME_NOT_RESOLVED");
    // A proxy of the default context is nobody else's.
    let third = Proxy::http(None);
    let address = third.address();
    let mut server = Server::start(&["--proxy", &address]);
    server.call("browser_context_create", json!({ "name": "direct" })).ok();
    server.navigate(&site.url("/")).says("Here");
    assert_eq!(third.seen(), Vec::<String>::new());
}

#[test]
fn hosts_on_the_bypass_list_are_reached_without_the_proxy() {
    let site = Site::of("<title>Here</title>");
    let proxy = Proxy::http(None);
    let mut server = Server::start(&[]);
    let settings =
        json!({ "server": format!("http://{}", proxy.address()), "bypass": "127.0.0.1, *.direct.test" });
    create(&mut server, "some", settings).ok();
    server.navigate(&site.url("/")).says("Here");
    assert_eq!(proxy.seen(), Vec::<String>::new());
    server.navigate(&site.other_url("/")).says("Here");
    assert!(proxy.saw(&format!("localhost:{}", site.port())));
    // Those are looked for by this machine, which does not find them.
    let direct = site.url_on("www.direct.test", "/");
    server.call("browser_navigate", json!({ "url": direct })).fails("www.direct.test cannot be resolved");
}

#[test]
fn flags_give_the_default_context_a_proxy() {
    let site = asking();
    let proxy = Proxy::socks(Some(("jo", PASSWORD)));
    let url = format!("socks5://jo:{PASSWORD}@{}", proxy.address());
    let flags = ["--proxy", &url, "--proxy-bypass", "localhost", "--log", "debug"];
    let (mut server, log) = Server::logging(&flags);
    server.navigate(&site.url_on("shop.test", "/")).says("Asking");
    assert_eq!(server.evaluate("() => all"), json!(["fetched", "said", "worker fetched", "framed"]));
    let place = format!("shop.test:{}", site.port());
    assert!(proxy.saw(&place) && proxy.seen().iter().all(|seen| *seen == place), "{:?}", proxy.seen());
    server.navigate(&site.other_url("/")).says("Asking");
    assert!(proxy.seen().iter().all(|seen| *seen == place), "{:?}", proxy.seen());
    let list = server.call("browser_context_list", json!({}));
    assert_eq!(list.facts()["contexts"][0]["proxy"], format!("socks5://{}", proxy.address()));
    assert!(!list.message.to_string().contains(PASSWORD));
    let told: Vec<u32> = server.descendants();
    for pid in told {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(
            !String::from_utf8_lossy(&line).contains(PASSWORD),
            "a browser's command line has the password"
        );
    }
    drop(server);
    assert!(!log.text().contains(PASSWORD), "the log has the password");
}

#[test]
fn the_default_context_has_its_proxy_again_when_it_is_made_anew() {
    let site = Site::of("<title>Here</title>");
    let proxy = Proxy::http(None);
    let url = format!("http://{}", proxy.address());
    let mut server = Server::start(&["--dialect", "vision,browser", "--proxy", &url]);
    // By its name in `vision`, and by the tool that makes contexts.
    for (nth, made) in ["browser.navigate", "browser_context_create"].into_iter().enumerate() {
        server.navigate(&site.url_on("shop.test", &format!("/?{nth}"))).says("Here");
        server.call("browser_context_create", json!({ "name": "b" })).ok();
        server.call("browser_context_close", json!({ "name": "default" })).ok();
        if made == "browser_context_create" {
            server.call(made, json!({ "name": "default" })).ok();
        }
        let before = proxy.seen().len();
        let there =
            json!({ "url": site.url_on("shop.test", &format!("/?again{nth}")), "sessionId": "default" });
        server.call("browser.navigate", there).says("Successfully navigated");
        assert!(proxy.seen().len() > before, "{made}: it went without the proxy");
        server.call("browser_context_close", json!({ "name": "b" })).ok();
    }
}

#[test]
fn a_proxy_that_fails_is_named_without_its_credentials() {
    let site = Site::of("<title>Here</title>");
    let refusing =
        [(Proxy::http(Some(("jo", "other"))), "http"), (Proxy::socks(Some(("jo", "other"))), "socks5")];
    let (mut server, log) = Server::logging(&["--log", "debug"]);
    let mut cases: Vec<(String, &str)> = ["http", "socks5", "https"]
        .iter()
        .map(|scheme| (format!("{scheme}://{NOBODY}"), "cannot be reached"))
        .collect();
    cases.extend(refusing.iter().map(|(proxy, scheme)| {
        (format!("{scheme}://{}", proxy.address()), "refused the user name or password")
    }));
    for (nth, (address, words)) in cases.iter().enumerate() {
        create(&mut server, &format!("c{nth}"), with_password(address)).ok();
        for url in [site.url("/"), "https://shop.test/".to_owned()] {
            let began = Instant::now();
            let failed = server.call("browser_navigate", json!({ "url": url }));
            failed.fails(words).fails(address).fails(&url);
            assert_eq!(failed.facts()["error"]["name"], "ProxyFailed");
            assert!(failed.text().contains("check the proxy"), "{}", failed.text());
            assert!(!failed.message.to_string().contains(PASSWORD));
            assert!(began.elapsed() < Duration::from_secs(10), "{address} {url}: {:?}", began.elapsed());
        }
    }
    server.call("browser_context_switch", json!({ "name": "default" })).ok();
    server.navigate(&site.url("/")).says("Here");
    drop(server);
    assert!(!log.text().contains(PASSWORD), "the log has the password");
}

#[test]
fn credentials_that_are_missing_are_asked_for() {
    let site = Site::of("<title>Here</title>");
    let mut server = Server::start(&[]);
    for (proxy, scheme) in
        [(Proxy::http(Some(("jo", "x"))), "http"), (Proxy::socks(Some(("jo", "x"))), "socks5")]
    {
        let address = format!("{scheme}://{}", proxy.address());
        create(&mut server, scheme, json!({ "server": address })).ok();
        let failed = server.call("browser_navigate", json!({ "url": site.url("/") }));
        failed.fails(&address).fails("requires a user name and a password");
    }
}

#[test]
fn a_proxy_that_hangs_costs_a_navigation_its_deadline_and_is_named() {
    let site = Site::of("<title>Here</title>");
    let proxy = Proxy::silent();
    let mut server = Server::start(&["--navigation-timeout", "2s"]);
    for scheme in ["http", "socks5"] {
        let address = format!("{scheme}://{}", proxy.address());
        create(&mut server, scheme, with_password(&address)).ok();
        for url in [site.url("/"), "https://shop.test/".to_owned()] {
            let began = Instant::now();
            let failed = server.call("browser_navigate", json!({ "url": url }));
            failed.fails(&address).fails("timed out after");
            assert!(!failed.text().contains(PASSWORD));
            assert!(began.elapsed() < Duration::from_secs(4), "{address}: {:?}", began.elapsed());
        }
    }
    server.call("browser_context_switch", json!({ "name": "default" })).ok();
    server.navigate(&site.url("/")).says("Here");
}

#[test]
fn a_site_that_is_slow_behind_a_proxy_is_not_blamed_on_the_proxy() {
    let site = Site::of("<title>Here</title>");
    site.answer(
        "/slow",
        Answer::Slow(Duration::from_millis(1_500), Box::new(Answer::Html("<title>Slow</title>".into()))),
    );
    site.answer("/silent", Answer::Silent);
    let proxy = Proxy::http(None);
    let mut server = Server::start(&["--navigation-timeout", "3s"]);
    create(&mut server, "one", json!({ "server": format!("http://{}", proxy.address()) })).ok();
    server.navigate(&site.url("/slow")).says("Slow");
    let silent = site.url("/silent");
    server.call("browser_navigate", json!({ "url": silent })).fails(&silent);
    server.navigate(&site.url("/")).says("Here");
}

#[test]
fn what_is_no_proxy_is_refused_and_names_the_argument() {
    let mut server = Server::start(&[]);
    let wrong = [
        (json!(""), "empty"),
        (json!({}), "server"),
        (json!({ "server": "" }), "empty"),
        (json!({ "server": "socks4://127.0.0.1:1" }), "socks4"),
        (json!({ "server": "ftp://127.0.0.1" }), "ftp"),
        (json!({ "server": "http://:80" }), "no host"),
        (json!({ "server": "http://127.0.0.1:0" }), "port"),
        (json!({ "server": "http://127.0.0.1:99999" }), "port"),
        (json!({ "server": "http://127.0.0.1:80/pac" }), "unexpected text after the proxy's port"),
        (json!({ "server": "socks5://127.0.0.1:1080", "username": "x", "password": "y".repeat(256) }), "255"),
        (json!({ "server": "http://127.0.0.1:80", "username": "a:b", "password": PASSWORD }), "colon"),
        (json!({ "server": format!("gopher://jo:{PASSWORD}@127.0.0.1") }), "gopher"),
        (json!({ "server": format!("http://jo:{PASSWORD}@127.0.0.1:x") }), "port"),
        (json!({ "server": format!("http://jo:{PASSWORD}@pro xy") }), "pro xy"),
        (json!({ "server": format!("http://jo/{PASSWORD}@127.0.0.1") }), "%2F"),
        (json!({ "server": 7 }), "server"),
        (json!(7), "proxy"),
    ];
    for (proxy, words) in wrong {
        let refused = create(&mut server, "never", proxy);
        refused.refused(-32602, "proxy").refused(-32602, words);
        assert!(!refused.message.to_string().contains(PASSWORD), "{}", refused.message);
    }
    assert_eq!(server.descendants().len(), 0, "no browser was needed to say so");
}
