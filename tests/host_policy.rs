//! The host policy: nothing goes round it, and what it refuses is told in words.

use std::{
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::support::{
    Answer, Canary, Proxy, Server, Site,
    agent::{DIALECT, data, fails},
    engine, program_name,
};

/// The host of the site that is allowed, and the one of the canary. Both are this machine.
const GOOD: &str = "good.localhost";
const EVIL: &str = "evil.localhost";

/// The same, as a browser finds them without us too.
const PLAIN: [&str; 2] = ["localhost", "127.0.0.1"];

/// A page that tries to reach the canary in all ways that there are, and says when it has.
fn escapes(canary: &Canary, [good, evil]: [&str; 2]) -> Site {
    let evil = format!("{evil}:{}", canary.port());
    let page = include_str!("support/escapes.html").replace("EVIL", &evil).replace("GOOD", good);
    let page = page.replace("HERE", &canary.own_address().to_string());
    let site = Site::of(&page.replace("PORT", &canary.port().to_string()));
    let to = |path: &str| Answer::Redirect(format!("http://{evil}{path}"));
    for kind in ["frame", "img", "script", "fetch", "popup", "download"] {
        site.answer(&format!("/redirect-{kind}"), to(&format!("/redirected-{kind}")));
    }
    site.answer(
        "/redirect-307",
        Answer::Raw(307, vec![format!("Location: http://{evil}/redirected-307")], Vec::new()),
    );
    site.answer("/worker-redirected.js", to("/redirected-worker"));
    let reporting = [
        format!("Content-Security-Policy: img-src 'none'; report-uri http://{evil}/csp"),
        format!("Link: <http://{evil}/link-header>; rel=preload; as=style, <http://{evil}>; rel=preconnect"),
        "Content-Type: text/html".into(),
    ];
    site.answer("/reporting", Answer::Raw(200, reporting.to_vec(), b"<img src=/none>".to_vec()));
    let worker = format!(
        "try {{ importScripts('http://{evil}/sw-import'); }} catch {{}}
         oninstall = (event) => event.waitUntil(fetch('http://{evil}/sw-fetch', {{ mode: 'no-cors' }}).catch(() => {{}}));"
    );
    site.answer("/sw.js", Answer::Body("text/javascript", worker.into_bytes()));
    site
}

/// What must have reached the canary without a policy, or the page would prove nothing: in every browser.
const CONTROLS: [&str; 33] = [
    "/stylesheet",
    "/import",
    "/frame",
    "/srcdoc",
    "/refresh",
    "/redirected-frame",
    "/object",
    "/embed",
    "/img",
    "/redirected-img",
    "/srcset",
    "/video",
    "/svg",
    "/script",
    "/redirected-script",
    "/module",
    "/fetch",
    "/no-cors",
    "/keepalive",
    "/redirected-fetch",
    "/redirected-307",
    "/xhr",
    "/beacon",
    "/socket",
    "/events",
    "/worker-fetch",
    "/worker-socket",
    "/worker-import",
    "/nested",
    "/shared-fetch",
    "/popup",
    "/blank",
    "/spelled-0",
];

/// The same in these browsers only.
const CHROMIUM_CONTROLS: &[&str] = &[
    "/csp",
    "/dynamic",
    "/font",
    "/form-get",
    "/form-post",
    "/link-header",
    "/modulepreload",
    "/ping",
    "/preload",
    "/redirected-popup",
    "/save",
    "/sw-fetch",
    "/sw-import",
    "/worklet",
];
const FIREFOX_CONTROLS: &[&str] = &[
    "/csp",
    "/dynamic",
    "/font",
    "/form-get",
    "/form-post",
    "/link-header",
    "/modulepreload",
    "/preload",
    "/redirected-popup",
    "/save",
    "/sw-fetch",
    "/sw-import",
    "/worklet",
];

/// What Chromium asks for from this version on, and some older ones do not.
const CHROMIUM_SINCE: (u32, &[&str]) = (156, &["/favicon", "/manifest", "/paint", "/prefetch"]);

/// What Firefox never asks for as it is started here, with the reason.
const NEVER_BY_FIREFOX: [(&str, &str); 4] = [
    ("/favicon", "our preferences have icons of sites off: browser.chrome.site_icons"),
    ("/manifest", "only its mobile versions install web apps"),
    ("/paint", "it has no paint worklets"),
    ("/prefetch", "our preferences have that off: network.prefetch-next"),
];

/// The major version of the installed Chromium.
fn chromium_version() -> u32 {
    let told = std::process::Command::new(program_name()).arg("--version").output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let major = told.split_whitespace().find_map(|word| word.split_once('.')?.0.parse().ok());
    major.unwrap_or_else(|| panic!("no version in {told:?}"))
}

/// How many files and connections a process has open.
fn open_files(pid: u32) -> usize {
    std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

fn allowed(flags: &[&str]) -> Server {
    let mut all = vec!["--allowed-hosts", GOOD, "--dialect", "agent,browser"];
    all.extend(flags);
    Server::start(&all)
}

/// Runs the page of escapes until all of its attempts have ended.
fn run(server: &mut Server, site: &Site) -> String {
    let opened = server.navigate(&site.other_url("/"));
    opened.says("Escapes");
    let done = server.call("browser_evaluate", json!({ "function": "() => all" }));
    assert!(done.facts()["result"].as_i64().unwrap() > 100, "{}", done.text());
    opened.text() + &done.text()
}

#[test]
fn without_a_policy_the_page_of_escapes_reaches_the_canary() {
    let canary = Canary::start();
    let site = escapes(&canary, PLAIN);
    let mut server = Server::start(&DIALECT);
    run(&mut server, &site);
    let (of_this_browser, of_this_version): (&[&str], &[&str]) = match engine().as_deref() {
        None | Some("chromium") if chromium_version() >= CHROMIUM_SINCE.0 => {
            (CHROMIUM_CONTROLS, CHROMIUM_SINCE.1)
        }
        None | Some("chromium") => (CHROMIUM_CONTROLS, &[]),
        Some("firefox") => (FIREFOX_CONTROLS, &[]),
        Some(_) => (&[], &[]),
    };
    let controls = || CONTROLS.iter().chain(of_this_browser).chain(of_this_version);
    let missing = |hits: &[String]| -> Vec<_> {
        controls().filter(|path| !hits.iter().any(|hit| hit == *path)).copied().collect()
    };
    let hits = canary.hits_until(|hits| missing(hits).is_empty());
    assert_eq!(missing(&hits), [""; 0], "not in {hits:?}");
    if engine().as_deref() == Some("firefox") {
        for (path, reason) in NEVER_BY_FIREFOX {
            assert!(
                !hits.iter().any(|hit| hit == path),
                "{path} is a control now; it was not, since {reason}"
            );
        }
    }
    if canary.own_address().is_loopback() {
        return eprintln!("SKIPPED: datagrams, which need an address besides loopback");
    }
    let hits = canary.hits_until(|hits| hits.iter().any(|hit| hit == "udp"));
    assert!(hits.iter().any(|hit| hit == "udp"), "no datagram is in {hits:?}");
}

/// A site whose page only announces a connection to the canary, and takes a second to load.
fn announcing(canary: &Canary, [_, evil]: [&str; 2]) -> Site {
    let page = format!(
        "<title>Here</title><link rel=preconnect href=http://{evil}:{}><img src=/slow>",
        canary.port()
    );
    let site = Site::of(&page);
    let late = Answer::Html(String::new());
    site.answer("/slow", Answer::Slow(Duration::from_secs(1), Box::new(late)));
    site
}

#[test]
fn nothing_connects_ahead_of_a_request_in_a_profile_of_ours() {
    let canary = Canary::start();
    let site = announcing(&canary, PLAIN);
    // Chromium's new profiles have network prediction off, and Firefox starts without speculative connections. That is why the
    // controls have no preconnect.
    let mut server = Server::start(&DIALECT);
    server.navigate(&site.other_url("/")).says("Here");
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn nothing_connects_round_the_policy_ahead_of_a_request_where_a_profile_would() {
    // Only Chromium keeps that setting of a profile; Firefox gets ours at every start.
    if engine().is_some_and(|engine| engine != "chromium") {
        return;
    }
    let profile = || {
        let profile = tempfile::tempdir().unwrap();
        std::fs::set_permissions(profile.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::create_dir(profile.path().join("Default")).unwrap();
        let ahead = json!({ "net": { "network_prediction_options": 0 } });
        std::fs::write(profile.path().join("Default/Preferences"), ahead.to_string()).unwrap();
        profile
    };
    let canary = Canary::start();
    let site = announcing(&canary, PLAIN);
    let open = |flags: &[&str]| {
        let profile = profile();
        let path = profile.path().display().to_string();
        let mut server = Server::start(&[&["--user-data-dir", path.as_str()], flags].concat());
        server.navigate(&site.other_url("/")).says("Here");
        (profile, server)
    };
    let restricted = open(&["--allowed-hosts", "localhost"]);
    assert_eq!(canary.hits(), [""; 0]);
    drop(restricted);
    let _free = open(&[]);
    let hits = canary.hits_until(|hits| !hits.is_empty());
    assert!(!hits.is_empty(), "the profile does not make the browser connect");
}

#[test]
fn no_request_of_any_kind_goes_round_the_policy() {
    let canary = Canary::start();
    let site = escapes(&canary, PLAIN);
    let mut server = Server::start(&["--allowed-hosts", "localhost", "--dialect", "agent,browser"]);
    let told = run(&mut server, &site);
    assert!(told.contains("blocked by the host policy: "), "{told}");
    assert!(told.contains(" is not an allowed host"), "{told}");
    assert!(site.requests().iter().any(|line| line == "GET /worker-redirected.js"), "{:?}", site.requests());
    // In another context too, which has a relay of its own.
    server.call("browser_context_create", json!({ "name": "second" })).ok();
    run(&mut server, &site);
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn no_tool_goes_round_the_policy() {
    let canary = Canary::start();
    let site = escapes(&canary, [GOOD, EVIL]);
    let mut server = allowed(&[]);
    let evil = format!("http://{EVIL}:{}", canary.port());
    let refused = format!("{EVIL} is not an allowed host");
    site.answer("/field", Answer::Html("<title>Field</title><input type=file>".into()));
    server.navigate(&site.url_on(GOOD, "/field")).says("Field");
    server.call("browser_navigate", json!({ "url": format!("{evil}/navigate") })).fails(&refused);
    for (host, normal) in [
        ("EVIL.localhost.", EVIL),
        ("good.localhost@evil.localhost", EVIL),
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("ev\til.localhost", EVIL),
        ("localhost", "localhost"),
        ("ｅvil.localhost", EVIL),
        ("[::1]", "[::1]"),
        ("bücher.localhost", "xn--bcher-kva.localhost"),
    ] {
        let url = format!("http://{host}:{}/", canary.port());
        let reply = server.call("browser_navigate", json!({ "url": url }));
        reply.fails(&format!("{normal} is not an allowed host"));
        assert_eq!(reply.facts()["error"]["name"], "Forbidden");
    }
    let backslash = format!("http:\\\\{EVIL}:{}\\@{GOOD}/", canary.port());
    server.call("browser_navigate", json!({ "url": backslash })).fails(&refused);
    // Redirects are followed to the door.
    let to = site.url_on(GOOD, "/redirect-frame");
    server.call("browser_navigate", json!({ "url": to })).fails(&refused);
    let to = site.url_on(GOOD, "/redirect-fetch");
    fails(&server.call("request", json!({ "url": to, "method": "GET" })), "Forbidden", &refused);
    fails(&server.call("request", json!({ "url": evil, "method": "GET" })), "Forbidden", &refused);
    let tls = evil.replace("http:", "https:");
    fails(&server.call("request", json!({ "url": tls, "method": "GET" })), "Forbidden", &refused);
    server.call("browser_tabs", json!({ "action": "new", "url": evil })).fails(&refused);
    // Files from URLs, straight and redirected.
    server.navigate(&site.url_on(GOOD, "/field")).says("Field");
    for url in [format!("{evil}/file"), site.url_on(GOOD, "/redirect-download")] {
        let upload = server.call("upload", json!({ "selector": "input", "files": [{ "url": url }] }));
        fails(&upload, "Forbidden", &refused);
    }
    // A route that redirects a request does not bypass the policy.
    let elsewhere = json!({
        "action": "add", "url_pattern": "**/field*", "handler": "continue", "modify": { "url": format!("{evil}/routed") },
    });
    data(&server.call("route", elsewhere));
    server.call("browser_navigate", json!({ "url": site.url_on(GOOD, "/field?routed") }));
    // A proxy of a context is a host like any other.
    let proxy = format!("http://{EVIL}:{}", canary.port());
    let context = json!({ "name": "round", "proxy": { "server": proxy } });
    server.call("browser_context_create", context).fails(&refused);
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn link_local_and_metadata_addresses_are_refused_by_default() {
    let mut server = Server::start(&DIALECT);
    for (url, words) in [
        ("http://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"),
        ("http://2852039166/", "169.254.169.254 is a link-local address"),
        ("http://[fd00:ec2::254]/", "[fd00:ec2::254] is a cloud metadata address"),
        ("http://metadata.google.internal/", "metadata.google.internal is a cloud metadata host"),
    ] {
        server.call("browser_navigate", json!({ "url": url })).fails(words);
        fails(&server.call("request", json!({ "url": url, "method": "GET" })), "Forbidden", words);
    }
    // Redirects are no way there. Allowing the address is: `attacks/metadata.rs` has a server at it.
    let site = Site::of("<title>Here</title>");
    site.answer("/there", Answer::Redirect("http://169.254.169.254/".into()));
    let redirected = server.call("request", json!({ "url": site.url("/there"), "method": "GET" }));
    fails(&redirected, "Forbidden", "169.254.169.254 is a link-local address");
    server.navigate(&site.url("/")).says("Here");
}

#[test]
fn private_addresses_are_refused_on_demand() {
    let canary = Canary::start();
    let site = Site::of("<title>Here</title>");
    let mut server = Server::start(&["--block-private", "--dialect", "agent,browser"]);
    for host in ["127.0.0.1", "localhost", "a.localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"] {
        let url = format!("http://{host}:{}/", canary.port());
        server.call("browser_navigate", json!({ "url": url })).fails("a loopback address");
    }
    server
        .call("browser_navigate", json!({ "url": "http://192.168.7.7/" }))
        .fails("192.168.7.7 is a private address");
    drop(server);
    let mut server = Server::start(&["--block-private", "--allowed-hosts", "localhost"]);
    server.navigate(&site.other_url("/")).says("Here");
    server
        .call("browser_navigate", json!({ "url": site.url("/") }))
        .fails("127.0.0.1 is not an allowed host");
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn blocked_beats_allowed_and_ports_do_not_matter() {
    let canary = Canary::start();
    let site = Site::of("<title>Here</title>");
    let flags = ["--allowed-hosts", "*.localhost", "--blocked-hosts", "evil.localhost,*.evil.localhost"];
    let mut server = Server::start(&flags);
    server.navigate(&site.url_on(GOOD, "/")).says("Here");
    server.navigate(&site.url_on("a.b.localhost", "/")).says("Here");
    for host in [EVIL, "deep.evil.localhost"] {
        let url = format!("http://{host}:{}/", canary.port());
        server.call("browser_navigate", json!({ "url": url })).fails(&format!("{host} is a blocked host"));
        server.call("browser_navigate", json!({ "url": site.url_on(host, "/") })).fails("is a blocked host");
    }
    server
        .call("browser_navigate", json!({ "url": site.url("/") }))
        .fails("127.0.0.1 is not an allowed host");
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn a_policy_and_an_upstream_proxy_work_together() {
    let canary = Canary::start();
    let site = Site::of("<title>Shop</title>");
    let proxies = [(Proxy::http(Some(("jo", "pass"))), "http://jo:pass@"), (Proxy::socks(None), "socks5://")];
    for (proxy, scheme) in &proxies {
        let url = format!("{scheme}{}", proxy.address());
        let mut server = Server::start(&["--proxy", &url, "--allowed-hosts", "shop.test"]);
        // A name that only the proxy can resolve.
        server.navigate(&site.url_on("shop.test", "/")).says("Shop");
        assert!(proxy.saw(&format!("shop.test:{}", site.port())));
        let seen = proxy.seen().len();
        let there = format!("http://evil.test:{}/", canary.port());
        let script =
            format!("() => fetch('{there}', {{ mode: 'no-cors' }}).then(() => 'came', () => 'failed')");
        server
            .call("browser_evaluate", json!({ "function": script }))
            .says("evil.test is not an allowed host");
        server.call("browser_navigate", json!({ "url": there })).fails("evil.test is not an allowed host");
        assert_eq!(proxy.seen().len(), seen, "{:?}", proxy.seen());
    }
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn a_thousand_sockets_to_a_blocked_host_are_told_once() {
    let canary = Canary::start();
    let site = Site::of("<title>Here</title>");
    let mut server = allowed(&[]);
    server.navigate(&site.url_on(GOOD, "/")).says("Here");
    let before = open_files(server.child.id());
    let script = format!(
        "async () => {{
            const ended = (n) => new Promise((done) => {{
                const socket = new WebSocket('ws://{EVIL}:{}/' + n);
                socket.onopen = () => done(1);
                socket.onerror = () => done(0);
            }});
            let opened = 0;
            // The browser delays sockets to a host that takes none; those that still wait then are given up with their page.
            const all = Array.from({{ length: 1000 }}, (_, n) => ended(n).then((one) => {{ opened += one; }}));
            await Promise.race([Promise.all(all), new Promise((done) => setTimeout(done, 3000))]);
            return opened;
        }}",
        canary.port()
    );
    let reply = server.call("browser_evaluate", json!({ "function": script }));
    assert_eq!(reply.facts()["result"], 0);
    let told = reply.text().matches("evil.localhost is not an allowed host").count();
    assert_eq!(told, 1, "{}", reply.text());
    assert!(reply.bytes < 4_000, "{} bytes", reply.bytes);
    // Not again, and the page is as quick as before.
    server.call("browser_evaluate", json!({ "function": "() => 1" })).says_not("not an allowed host");
    let began = Instant::now();
    server.navigate(&site.url_on(GOOD, "/?again")).says_not("not an allowed host");
    assert!(began.elapsed() < Duration::from_secs(10));
    // The browser keeps a few connections to the relay open for the next request.
    let after = open_files(server.child.id());
    assert!(after < before + 64, "{before} open files before, {after} after");
    assert_eq!(canary.hits(), [""; 0]);
}

/// Ends the process of Chromium's network, which the browser then starts again.
fn end_network_process(server: &Server) {
    let network = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("network.mojom.NetworkService")
    };
    let pid = server.descendants().into_iter().find(network).expect("a network process");
    let ended = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(ended.success());
}

#[test]
fn nothing_goes_direct_when_the_network_process_dies() {
    // Firefox has its network in the browser's own process: when that dies, the browser does, and there is nothing that could
    // go direct. The engine has no word for a dead network process of WebKitGTK.
    if engine().is_some_and(|engine| engine != "chromium") {
        return;
    }
    let canary = Canary::start();
    // The browser holds some requests back until somebody gives it the relay's credentials.
    let script = format!(
        "() => Promise.all(['{EVIL}', 'localhost', '127.0.0.1'].map((host) => Promise.race([
            fetch('http://' + host + ':{}/').then((answer) => answer.text(), () => 'failed'),
            new Promise((done) => setTimeout(() => done('held back'), 500))])))",
        canary.port()
    );
    let none_came = |server: &mut Server| {
        let answers = server.evaluate(&script);
        let came = |answer: &serde_json::Value| answer != "failed" && answer != "held back";
        assert!(!answers.as_array().unwrap().iter().any(came), "{answers}");
    };
    let refused = format!("{EVIL} is not an allowed host");
    for context in ["default", "second"] {
        let site = Site::of("<title>Here</title>");
        let mut server = allowed(&[]);
        if context != "default" {
            server.call("browser_context_create", json!({ "name": context })).ok();
        }
        server.navigate(&site.url_on(GOOD, "/")).says("Here");
        end_network_process(&server);
        for _ in 0..5 {
            none_came(&mut server);
        }
        let after = site.url_on(GOOD, "/?after");
        if context == "default" {
            server.navigate(&after).says("Here");
        } else {
            // Chromium forgets the proxies of contexts beside the default one, which can only be created again.
            server.call("browser_navigate", json!({ "url": after })).fails("the browser ended");
            server.navigate(&after).says("Here").says("this context was created again");
        }
        assert!(site.requests().contains(&"GET /?after".to_owned()), "{:?}", site.requests());
        // By the relay, and only by it.
        none_came(&mut server);
        let evil = format!("http://{EVIL}:{}/", canary.port());
        server.call("browser_navigate", json!({ "url": evil })).fails(&refused);
        server.navigate(&site.url_on(GOOD, "/")).says("Here");
    }
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn host_lists_that_are_wrong_are_an_error_at_start() {
    for (list, words) in [
        ("a.test, b.test", "a host contains no spaces"),
        ("a.test:80", "write the host without a port"),
        ("https://a.test", "a host has no scheme"),
        ("a*.test", "a wildcard is `*.` before a domain"),
        ("*", "a wildcard is `*.` before a domain"),
        ("a.test,", "empty entry in the list"),
        ("", "empty entry in the list"),
        ("10.0.0.0/8", "not a host name or an address"),
    ] {
        for option in ["--allowed-hosts", "--blocked-hosts"] {
            let program = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"))
                .args([option, list])
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&program.stderr);
            assert!(!program.status.success(), "{option} {list:?} was taken");
            assert!(said.contains(words) && said.contains(option), "{option} {list:?}: {said}");
        }
    }
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"))
        .env("CICERONE_ALLOWED_HOSTS", "a.test:80")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(
        said.contains("CICERONE_ALLOWED_HOSTS") && said.contains("write the host without a port"),
        "{said}"
    );
}

#[test]
fn a_refused_host_is_a_failed_result_in_our_words_in_launch() {
    let canary = Canary::start();
    let site = Site::of("<title>Here</title><a href=/away>Away</a>");
    site.answer("/away", Answer::Redirect(format!("http://{EVIL}:{}/", canary.port())));
    let mut server = Server::start(&["--dialect", "launch", "--allowed-hosts", GOOD]);
    let straight = format!("http://{EVIL}:{}/", canary.port());
    for url in [straight, site.url_on(GOOD, "/away")] {
        let reply = server.call("browser_navigate", json!({ "url": url }));
        assert!(reply.message.get("error").is_none(), "{}", reply.message);
        reply.fails(&format!("{EVIL} is not an allowed host"));
        assert!(!reply.text().contains("ERR_"), "{}", reply.text());
        assert_eq!(reply.facts()["error"]["name"], "Forbidden");
    }
    server.navigate(&site.url_on(GOOD, "/"));
    assert_eq!(canary.hits(), [""; 0]);
}

#[test]
fn the_vision_dialect_answers_with_its_own_code() {
    let mut server = Server::start(&["--dialect", "vision", "--allowed-hosts", GOOD]);
    let reply = server.call("browser.navigate", json!({ "url": "http://evil.example/" }));
    reply.refused(-32002, "evil.example is not an allowed host");
    assert_eq!(reply.message["error"]["data"]["name"], "AuthorizationError");
    // In later versions of the protocol that code has another meaning.
    let mut server = Server::silent(&["--dialect", "vision", "--allowed-hosts", GOOD]);
    let reply = server.request(
        "tools/call",
        json!({
            "name": "browser.navigate",
            "arguments": { "url": "http://evil.example/" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "suites", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        }),
    );
    reply.refused(-32602, "evil.example is not an allowed host");
    assert_eq!(reply.message["error"]["data"]["name"], "AuthorizationError");
}
