//! The `agent` dialect's `request`: beside the page, with the cookies and the proxy of its context.

use std::time::{Duration, Instant};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::support::{
    Answer, NOBODY, Proxy, SecureSite, Server, Site, Tab,
    agent::{DIALECT, data, fails},
    open_site,
};

fn site() -> Site {
    let site = Site::of("<!doctype html><link rel=icon href='data:,'><title>Page</title>");
    site.answer("/echo", Answer::Echo);
    site
}

fn open() -> Tab {
    open_site(&DIALECT, site())
}

#[track_caller]
fn request(server: &mut Server, arguments: Value) -> Value {
    data(&server.call("request", arguments)).clone()
}

/// What the server was asked, as it says.
#[track_caller]
fn echo(server: &mut Server, arguments: Value) -> Value {
    let got = request(server, arguments);
    assert_eq!(got["status"], 200, "{got}");
    serde_json::from_str(got["body"].as_str().unwrap()).unwrap()
}

#[test]
fn every_method_is_sent_with_its_body() {
    let mut tab = open();
    let url = tab.site.url("/echo");
    let got = tab.call("request", json!({ "url": url }));
    let reply = data(&got);
    assert_eq!((&reply["status"], &reply["url"]), (&json!(200), &json!(url)));
    assert_eq!(reply["headers"]["content-type"], "application/json");
    assert_eq!(reply["size"], reply["body"].as_str().unwrap().len());
    assert!(reply.get("truncated").is_none() && reply.get("encoding").is_none(), "{reply}");
    got.says(&format!("GET {url}: 200 OK (application/json, "));
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
        let sent = echo(&mut tab, json!({ "url": url, "method": method, "body": "héllo" }));
        assert_eq!((&sent["method"], &sent["body"]), (&json!(method), &json!("héllo")));
        assert_eq!(sent["headers"]["content-type"], "text/plain; charset=utf-8");
    }
    let head = request(&mut tab, json!({ "url": url, "method": "HEAD" }));
    assert_eq!((&head["status"], &head["body"]), (&json!(200), &json!("")));
    let json = echo(&mut tab, json!({ "url": url, "method": "POST", "json": { "a": [1, null] } }));
    assert_eq!(
        (&json["body"], &json["headers"]["content-type"]),
        (&json!("{\"a\":[1,null]}"), &json!("application/json"))
    );
    let list = echo(&mut tab, json!({ "url": url, "method": "POST", "json": [1] }));
    assert_eq!(list["body"], "[1]");
    let own = json!({ "Content-Type": "application/x-own", "X-Own": "1", "User-Agent": "me" });
    let headed = echo(&mut tab, json!({ "url": url, "method": "PUT", "body": "a", "headers": own }));
    let headers = &headed["headers"];
    assert_eq!(
        (&headers["content-type"], &headers["x-own"], &headers["user-agent"]),
        (&json!("application/x-own"), &json!("1"), &json!("me"))
    );
    // A path of the tab's host.
    assert_eq!(echo(&mut tab, json!({ "url": "/echo?a=b" }))["target"], "/echo?a=b");
    // The page knows nothing of it.
    assert!(data(&tab.call("console", json!({})))["count"] == 0);
}

#[test]
fn it_says_of_itself_what_the_browser_says() {
    let mut tab = open();
    let sent = echo(&mut tab, json!({ "url": "/echo" }));
    let by_page = tab.evaluate("() => fetch('/echo').then((it) => it.json())");
    for header in ["user-agent", "accept-language"] {
        assert_eq!(sent["headers"][header], by_page["headers"][header], "{header}");
    }
    // Without any page.
    let site = site();
    let mut server = Server::start(&DIALECT);
    let sent = echo(&mut server, json!({ "url": site.url("/echo") }));
    assert_eq!(sent["headers"]["user-agent"], by_page["headers"]["user-agent"]);
    assert!(sent["headers"]["accept-language"].is_string());
}

#[test]
fn forms_have_fields_and_files() {
    let mut tab = open();
    tab.file("notes.txt", "some notes");
    let form = json!({
        "a": "b", "number": 5, "yes": true, "list": ["x", "y"], "file": { "path": "notes.txt" },
        "data": { "name": "d.bin", "mimeType": "image/png", "base64": "aGVsbG8=" },
    });
    let sent = echo(&mut tab, json!({ "url": "/echo", "method": "POST", "form_data": form }));
    let kind = sent["headers"]["content-type"].as_str().unwrap();
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let body = sent["body"].as_str().unwrap();
    for part in [
        "name=\"a\"\r\n\r\nb\r\n",
        "name=\"number\"\r\n\r\n5\r\n",
        "name=\"yes\"\r\n\r\ntrue\r\n",
        "name=\"list\"\r\n\r\nx\r\n",
        "name=\"list\"\r\n\r\ny\r\n",
        "name=\"file\"; filename=\"notes.txt\"\r\nContent-Type: text/plain\r\n\r\nsome notes\r\n",
        "name=\"data\"; filename=\"d.bin\"\r\nContent-Type: image/png\r\n\r\nhello\r\n",
    ] {
        assert!(body.contains(part), "{part} is not in {body}");
    }
    assert_eq!(body.matches(boundary).count(), 8);
    let outside =
        tab.call("request", json!({ "url": "/echo", "form_data": { "f": { "path": "/etc/passwd" } } }));
    fails(&outside, "Forbidden", "outside of the directories");
    let missing =
        tab.call("request", json!({ "url": "/echo", "form_data": { "f": { "path": "none.txt" } } }));
    fails(&missing, "FileError", "none.txt");
}

#[test]
fn cookies_go_out_and_are_kept() {
    let mut tab = open();
    let set = [
        "Set-Cookie: seen=1; Path=/",
        "Set-Cookie: hidden=2; Path=/; HttpOnly; SameSite=Strict; Max-Age=1000",
        "Set-Cookie: deep=3; Path=/deep",
        "Set-Cookie: foreign=4; Domain=other.test",
    ];
    tab.site
        .answer("/set", Answer::Raw(200, set.iter().map(|&line| line.to_owned()).collect(), b"set".to_vec()));
    let got = request(&mut tab, json!({ "url": "/set" }));
    assert!(got["headers"]["set-cookie"].as_str().unwrap().starts_with("seen=1; Path=/\nhidden=2"), "{got}");
    // The page has them, as far as scripts may.
    assert_eq!(tab.evaluate("document.cookie"), "seen=1");
    let all = data(&tab.call("cookies", json!({ "action": "get_all" }))).clone();
    assert_eq!(all["count"], 3, "{all}");
    let hidden = data(&tab.call("cookies", json!({ "action": "get", "name": "hidden" }))).clone();
    assert_eq!((&hidden["http_only"], &hidden["same_site"]), (&json!(true), &json!("Strict")));
    assert!(hidden["expires"].as_f64().unwrap() > 1_000.0);

    let sent = |tab: &mut Tab, url: &str| {
        let echo = echo(tab, json!({ "url": url }));
        let mut cookies: Vec<String> =
            echo["headers"]["cookie"].as_str().unwrap_or_default().split("; ").map(str::to_owned).collect();
        cookies.sort();
        cookies.join("; ")
    };
    assert_eq!(sent(&mut tab, "/echo"), "hidden=2; seen=1");
    tab.site.answer("/deep/echo", Answer::Echo);
    assert_eq!(sent(&mut tab, "/deep/echo"), "deep=3; hidden=2; seen=1");
    // Those of a page go out too, and nobody else's.
    tab.evaluate("() => { document.cookie = 'page=5' }");
    assert_eq!(sent(&mut tab, "/echo"), "hidden=2; page=5; seen=1");
    let other = tab.site.other_url("/echo");
    assert_eq!(sent(&mut tab, &other), "");
    // A header of one's own comes in their place.
    let own = echo(&mut tab, json!({ "url": "/echo", "headers": { "Cookie": "mine=1" } }));
    assert_eq!(own["headers"]["cookie"], "mine=1");
    // One that has ended goes.
    let gone = vec![
        "Set-Cookie: hidden=; Path=/; Max-Age=0".to_owned(),
        "Set-Cookie: seen=x; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT".to_owned(),
    ];
    tab.site.answer("/gone", Answer::Raw(200, gone, Vec::new()));
    request(&mut tab, json!({ "url": "/gone" }));
    assert_eq!(sent(&mut tab, "/echo"), "page=5");
}

#[test]
fn each_tab_has_the_cookies_of_its_own_context() {
    let mut tab = open();
    tab.evaluate("() => { document.cookie = 'first=1' }");
    let home = tab.site.url("/");
    let window = tab.call("window_new", json!({ "url": home, "incognito": true }));
    let other = data(&window)["tabId"].clone();
    let url = tab.site.url("/echo");
    assert_eq!(echo(&mut tab, json!({ "url": url, "tabId": 1 }))["headers"]["cookie"], "first=1");
    assert_eq!(echo(&mut tab, json!({ "url": url, "tabId": other }))["headers"]["cookie"], Value::Null);
}

#[test]
fn redirects_are_followed_or_shown() {
    let mut tab = open();
    let hop = |to: &str, cookie: &str| {
        Answer::Raw(302, vec![format!("Location: {to}"), format!("Set-Cookie: {cookie}; Path=/")], Vec::new())
    };
    tab.site.answer("/one", hop("/two", "one=1"));
    tab.site.answer("/two", hop("/echo?three", "two=2"));
    let shown = tab.call("request", json!({ "url": "/one", "follow_redirects": false }));
    shown.says("302 Whatever").says("Location: /two");
    assert_eq!(
        (&data(&shown)["status"], &data(&shown)["headers"]["location"]),
        (&json!(302), &json!("/two"))
    );
    let got = request(&mut tab, json!({ "url": "/one", "method": "POST", "body": "a" }));
    assert_eq!(got["url"], tab.site.url("/echo?three"));
    let sent: Value = serde_json::from_str(got["body"].as_str().unwrap()).unwrap();
    assert_eq!((&sent["method"], &sent["body"]), (&json!("GET"), &json!("")));
    let cookies = sent["headers"]["cookie"].as_str().unwrap();
    assert!(cookies.contains("one=1") && cookies.contains("two=2"), "{cookies}");
    // A method that stays, and what is told to nobody else.
    let other = tab.site.other_url("/echo");
    tab.site.answer("/kept", Answer::Raw(307, vec![format!("Location: {other}")], Vec::new()));
    let kept = echo(
        &mut tab,
        json!({ "url": "/kept", "method": "PUT", "body": "a", "headers": { "Authorization": "secret", "X-A": "1" } }),
    );
    assert_eq!(
        (&kept["method"], &kept["body"], &kept["headers"]["x-a"]),
        (&json!("PUT"), &json!("a"), &json!("1"))
    );
    assert_eq!(kept["headers"]["authorization"], Value::Null);
    tab.site.answer("/round", Answer::Redirect("/round".into()));
    fails(&tab.call("request", json!({ "url": "/round" })), "RequestFailed", "more than 20 redirects");
    tab.site.answer("/out", Answer::Redirect("ftp://x.test/".into()));
    fails(
        &tab.call("request", json!({ "url": "/out" })),
        "RequestFailed",
        "ftp://x.test/ is not a valid http: or https: URL",
    );
}

#[test]
fn bodies_are_texts_or_base64_or_files() {
    let mut tab = open();
    let bytes: Vec<u8> = (0..=255).collect();
    tab.site.answer("/bytes", Answer::Body("image/png", bytes.clone()));
    let got = request(&mut tab, json!({ "url": "/bytes" }));
    assert_eq!((&got["encoding"], &got["size"]), (&json!("base64"), &json!(256)));
    assert_eq!(STANDARD.decode(got["body"].as_str().unwrap()).unwrap(), bytes);
    tab.site.answer("/latin", Answer::Body("text/plain; charset=ISO-8859-1", vec![b'h', 0xe9]));
    assert_eq!(request(&mut tab, json!({ "url": "/latin" }))["body"], "hé");
    // gzip of `hello`.
    let gzip = "H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==";
    let zipped = STANDARD.decode(gzip).unwrap();
    tab.site.answer(
        "/zipped",
        Answer::Raw(200, vec!["Content-Encoding: gzip".into(), "Content-Type: text/plain".into()], zipped),
    );
    let got = request(&mut tab, json!({ "url": "/zipped" }));
    assert_eq!((&got["body"], &got["size"]), (&json!("hello"), &json!(5)));

    // Longer ones are cut in the reply, and whole in a file.
    let text = "ä".repeat(60_000);
    tab.site.answer("/long", Answer::Body("text/plain; charset=utf-8", text.clone().into_bytes()));
    let reply = tab.call("request", json!({ "url": "/long" }));
    let got = data(&reply);
    assert_eq!(
        (got["body"].as_str().unwrap().chars().count(), &got["truncated"], &got["size"]),
        (50_000, &json!(true), &json!(120_000))
    );
    reply.says("truncated, 120000 bytes in total; all of it is in ");
    let path = tab.working_directory().join(got["path"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    let large: Vec<u8> = bytes.repeat(400);
    tab.site.answer("/large", Answer::Body("application/octet-stream", large.clone()));
    let reply = tab.call("request", json!({ "url": "/large" }));
    let got = data(&reply);
    assert!(got.get("body").is_none() && got["truncated"] == true, "{got}");
    let path = tab.working_directory().join(got["path"].as_str().unwrap());
    assert_eq!(path.extension().unwrap(), "bin");
    assert_eq!(std::fs::read(path).unwrap(), large);
}

#[test]
fn a_body_of_100_mb_is_bounded() {
    let mut tab = open();
    tab.site.answer("/huge", Answer::Body("text/plain", vec![b'x'; 100 << 20]));
    let reply = tab.call("request", json!({ "url": "/huge" }));
    assert!(reply.bytes < 200_000, "{} bytes", reply.bytes);
    let got = data(&reply);
    assert_eq!(
        (got["body"].as_str().unwrap().len(), &got["truncated"], &got["size"]),
        (50_000, &json!(true), &json!(100 << 20))
    );
    reply.says("truncated, 104857600 bytes in total; the first 20971520 bytes are in ");
    let path = tab.working_directory().join(got["path"].as_str().unwrap());
    assert_eq!(std::fs::metadata(path).unwrap().len(), 20 << 20);
}

#[test]
fn it_takes_the_proxy_of_its_context() {
    let proxy = Proxy::http(Some(("me", "secret")));
    let site = site();
    let mut server = Server::start(&[
        "--dialect",
        "agent,browser",
        "--proxy",
        &format!("http://me:secret@{}", proxy.address()),
    ]);
    let url = site.url_on("only.proxy.test", "/echo");
    assert_eq!(echo(&mut server, json!({ "url": url }))["target"], "/echo");
    assert_eq!(proxy.seen(), [format!("only.proxy.test:{}", site.port())]);
    // What goes wrong on the way is said.
    let mut lost = Server::start(&["--dialect", "agent,browser", "--proxy", &format!("http://{NOBODY}")]);
    let failed = lost.call("request", json!({ "url": url }));
    fails(&failed, "ProxyFailed", "the proxy");
}

#[test]
fn secure_connections_are_made_to_whom_the_system_trusts() {
    let site = SecureSite::start();
    let url = site.url("/a?b");
    let certificate = site.certificate();
    let trusting = [("SSL_CERT_FILE", certificate.to_str().unwrap())];
    let proxy = Proxy::http(None);
    let through = format!("http://{}", proxy.address());
    for flags in [&["--dialect", "agent"][..], &["--dialect", "agent", "--proxy", &through]] {
        let mut server = Server::spawn(flags, &trusting);
        server.initialize("2025-06-18");
        assert_eq!(request(&mut server, json!({ "url": url }))["body"], "GET /a?b HTTP/1.1");
    }
    assert_eq!(proxy.seen().len(), 1, "{:?}", proxy.seen());
    let mut server = Server::start(&DIALECT);
    let refused = server.call("request", json!({ "url": url }));
    fails(&refused, "RequestFailed", "TLS to localhost failed: invalid peer certificate");
}

#[test]
fn what_cannot_be_requested_is_said() {
    let mut tab = open();
    let nobody = tab.call("request", json!({ "url": format!("http://{NOBODY}/") }));
    fails(&nobody, "RequestFailed", "onnection refused");
    for (url, words) in [
        ("ftp://x.test/", "its scheme is not allowed"),
        ("data:text/plain,a", "only http: and https: URLs can be requested"),
        ("about:blank", "only http: and https: URLs can be requested"),
        ("nowhere/x", "it has no scheme"),
        ("http://", "it cannot be parsed"),
        ("", "it has no scheme"),
    ] {
        fails(&tab.call("request", json!({ "url": url })), "BadUrl", words);
    }
    tab.site.answer("/silent", Answer::Silent);
    let begun = Instant::now();
    let silent = tab.call("request", json!({ "url": "/silent", "timeout": 700 }));
    fails(&silent, "Timeout", "timed out after 0.7 s");
    assert_eq!(silent.facts()["code"], -32003);
    assert!((700..3_000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    tab.site.answer("/endless", Answer::Endless("begin".into()));
    fails(
        &tab.call("request", json!({ "url": "/endless", "timeout": 500 })),
        "Timeout",
        "timed out after 0.5 s",
    );
    let header = tab.call("request", json!({ "url": "/echo", "headers": { "x": "a\u{1}" } }));
    fails(&header, "RequestFailed", "x is not a valid header");
    // Statuses are answers.
    assert_eq!(request(&mut tab, json!({ "url": "/none" }))["status"], 404);

    let mut server = Server::start(&DIALECT);
    for (arguments, words) in [
        (json!({ "url": "/", "body": "a", "json": {} }), "only one of body, json and form_data"),
        (json!({ "url": "/", "json": {}, "form_data": {} }), "only one of body, json and form_data"),
        (json!({ "url": "/", "method": "get" }), "one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS"),
        (json!({ "url": "/", "headers": { "a": 1 } }), "header names with strings"),
        (json!({ "url": "/", "headers": { "a b": "c" } }), "header names with strings"),
        (json!({ "url": "/", "timeout": -1 }), "a number of milliseconds"),
        (json!({ "url": "/", "json": "{}" }), "an object or a list"),
        (json!({ "url": "/", "form_data": { "a": null } }), "an object whose a is a string"),
        (json!({ "url": "/", "form_data": { "a": {} } }), "an object with path"),
        (json!({ "url": "/", "form_data": { "a": { "path": "x", "base64": "" } } }), "an object with path"),
        (json!({ "url": "/", "form_data": { "a": { "base64": "!" } } }), "valid base64"),
    ] {
        server.call("request", arguments).refused(-32602, words);
    }
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn the_old_name_answers() {
    let mut tab = open();
    tab.file("a.txt", "old");
    let old = json!({
        "url": tab.site.url("/echo"), "method": "post", "timeout": 5000, "headers": { "x-a": "1" },
        "formData": { "fields": { "a": 1 }, "files": [{ "name": "f", "filePath": "a.txt" }] },
    });
    let got = data(&tab.call("chrome_network_request", old)).clone();
    let sent: Value = serde_json::from_str(got["body"].as_str().unwrap()).unwrap();
    assert_eq!((&sent["method"], &sent["headers"]["x-a"]), (&json!("POST"), &json!("1")));
    let body = sent["body"].as_str().unwrap();
    assert!(body.contains("name=\"a\"\r\n\r\n1") && body.contains("filename=\"a.txt\""), "{body}");
    let plain =
        json!({ "url": tab.site.url("/echo"), "method": "PUT", "body": "text", "followRedirects": true });
    let got = data(&tab.call("chrome_network_request", plain)).clone();
    assert!(got["body"].as_str().unwrap().contains("\"body\":\"text\""));
}

#[test]
fn a_request_neither_waits_for_a_page_nor_holds_it_up() {
    let mut tab = open();
    let wait = Duration::from_millis(1500);
    tab.site.answer("/later", Answer::Slow(wait, Box::new(Answer::Body("text/plain", b"late".to_vec()))));
    let later = tab.begin_call("request", json!({ "url": "/later" }));
    let begun = Instant::now();
    assert_eq!(tab.evaluate("1 + 1"), 2);
    assert!(begun.elapsed() < wait, "{:?}", begun.elapsed());
    data(&tab.finish(later));
    // A page that hangs, or asks something, is not needed.
    let stuck = tab.begin_call("evaluate", json!({ "expression": "for (;;);", "timeout": 4000 }));
    let url = tab.site.url("/echo");
    assert_eq!(echo(&mut tab, json!({ "url": url }))["method"], "GET");
    assert!(tab.finish(stuck).failed());
}
