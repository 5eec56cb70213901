//! Requests of pages to the metadata service of a cloud, without any option about hosts. The machine's network is one of their
//! own, where 169.254.169.254 is a server that counts who comes.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::Command,
    time::Duration,
};

use serde_json::{Value, json};

use super::is_root;
use crate::support::Server;

/// Where the server that counts keeps its list.
const HITS: &str = "SUITES_HITS";

/// Prepares the network, starts the server that counts, and becomes the program.
const NETWORK: &str = "ip link set lo up && ip addr add 169.254.169.254/32 dev lo && ip addr add fd00:ec2::254/128 dev lo && \
    ip addr add fd20:ce::254/128 dev lo && \
    mount --bind \"$HOSTS\" /etc/hosts && { \"$CANARY\" --exact attacks::metadata::canary --ignored >/dev/null 2>&1 </dev/null & } && \
    exec \"$0\" \"$@\"";

/// No test: the server that counts, as a process in the network of another test.
#[test]
#[ignore = "a part of another test"]
fn canary() {
    let Some(hits) = std::env::var_os(HITS) else { return };
    let listener = TcpListener::bind("[::]:80").unwrap();
    std::fs::write(&hits, "").unwrap();
    // It ends with its test, which takes the list away.
    let list = hits.clone();
    std::thread::spawn(move || {
        while Path::new(&list).exists() {
            std::thread::sleep(Duration::from_millis(200));
        }
        std::process::exit(0);
    });
    for stream in listener.incoming().flatten() {
        let hits = hits.clone();
        // A browser may connect before it asks for anything.
        std::thread::spawn(move || serve(&stream, Path::new(&hits)));
    }
}

/// Pages of a site on loopback that lead to the metadata service by a name of their own; the secret everywhere else.
const SITE: [(&str, &str); 4] = [
    ("/framed", "<h1>Framed</h1><iframe src=http://canary.test/></iframe>"),
    ("/linked", "<a href=http://canary.test/>Go on</a>"),
    ("/opened", "<a href=http://canary.test/ target=_blank rel=opener>Open</a>"),
    ("/plain", "<h1>Plain</h1>"),
];

fn serve(stream: &TcpStream, hits: &Path) {
    let head: Vec<String> = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .map(|line| line.to_lowercase())
        .collect();
    let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
    let host = head.iter().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    if host != "start.test" {
        let mut list = std::fs::OpenOptions::new().append(true).open(hits).unwrap();
        list.write_all(format!("{host}\n").as_bytes()).unwrap();
    }
    let page = SITE.iter().find(|(known, _)| host == "start.test" && *known == path);
    let (status, more, body) = match page {
        Some((_, page)) => ("200 OK", "Content-Type: text/html\r\n", *page),
        None if path == "/redirected" => ("302 Found", "Location: http://canary.test/\r\n", ""),
        None if path == "/literally" => ("302 Found", "Location: http://169.254.169.254/\r\n", ""),
        None if path == "/favicon.ico" => ("404 Not Found", "", ""),
        None => ("200 OK", "Access-Control-Allow-Origin: *\r\n", "secret"),
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n");
    let mut stream = stream;
    let _ = stream.write_all((head + body).as_bytes());
}

const METADATA_NAMES: [&str; 4] =
    ["metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data.ec2.internal"];

fn has_networks() -> bool {
    is_root()
        && Command::new("unshare")
            .args(["-n", "-m", "ip", "link"])
            .output()
            .is_ok_and(|it| it.status.success())
}

/// What a page is answered there, if anything.
fn ask(server: &mut Server, there: &str) -> Value {
    server.evaluate(&format!("() => fetch('http://{there}').then((it) => it.text(), (error) => 'refused')"))
}

fn in_own_network(directory: &Path, flags: &[&str]) -> Server {
    let hosts = directory.join("hosts");
    let mut names = "127.0.0.1 localhost start.test\n169.254.169.254 canary.test".to_owned();
    for name in METADATA_NAMES {
        names.push_str(&format!(" {name} {name}."));
    }
    std::fs::write(&hosts, names + "\n").unwrap();
    let mut command = Command::new("unshare");
    command.args(["-n", "-m", "sh", "-c", NETWORK, env!("CARGO_BIN_EXE_cicerone")]).args(flags);
    command.env("HOSTS", &hosts).env("CANARY", std::env::current_exe().unwrap());
    command.env(HITS, directory.join("hits"));
    // Where the system may have a proxy, Firefox asks that one.
    for name in [
        "XDG_CURRENT_DESKTOP",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ] {
        command.env_remove(name);
    }
    Server::by(command)
}

#[test]
fn a_page_reaches_no_metadata_service_as_urls_spell_it() {
    if !has_networks() {
        return eprintln!("SKIPPED: needs root and iproute2");
    }
    let directory = tempfile::tempdir().unwrap();
    let mut server = in_own_network(directory.path(), &[]);
    server.call("browser_navigate", json!({ "url": "about:blank" })).ok();
    // A name of another kind is resolved by the browser itself, and shows that the server is there: docs/security.md.
    assert_eq!(ask(&mut server, "canary.test/"), "secret");
    let mut spellings = [
        "169.254.169.254",
        "169.254.169.254.",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "169.254.43518",
        "user:pass@169.254.169.254",
        "169。254。169。254",
        "METADATA.google.internal.",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[fd00:ec2::254]",
        "[fd00:0ec2:0::0254]",
        "[fd20:ce::254]",
    ]
    .map(str::to_owned)
    .to_vec();
    for name in METADATA_NAMES {
        spellings.extend([name.to_owned(), format!("{name}.")]);
    }
    for host in spellings {
        assert_eq!(ask(&mut server, &format!("{host}/")), "refused", "{host}");
    }
    let script = "() => {
        const url = '//169.254.169.254/';
        document.body.append(Object.assign(new Image(), { src: 'http:' + url }));
        document.body.append(Object.assign(document.createElement('iframe'), { src: 'http:' + url }));
        document.body.append(Object.assign(document.createElement('script'), { src: 'http:' + url }));
        navigator.sendBeacon('http:' + url);
        return new Promise((done) => { const it = new WebSocket('ws:' + url); it.onopen = it.onclose = () => done(it.readyState);
            // WebKit leaves a socket that it refuses as it is.
            setTimeout(() => done(it.readyState), 3000) });
    }";
    assert_ne!(server.evaluate(script), 1, "an open socket");
    assert_eq!(ask(&mut server, "canary.test/"), "secret");
    let hits = std::fs::read_to_string(directory.path().join("hits")).unwrap();
    assert_eq!(hits, "canary.test\ncanary.test\n");
}

#[test]
fn a_document_of_a_metadata_service_is_withheld_however_a_page_gets_there() {
    if !has_networks() {
        return eprintln!("SKIPPED: needs root and iproute2");
    }
    let directory = tempfile::tempdir().unwrap();
    let mut server = in_own_network(directory.path(), &[]);
    let url = |path: &str| format!("http://start.test{path}");
    server.navigate("about:blank");
    let redirected = server.call("browser_navigate", json!({ "url": url("/redirected") }));
    redirected.fails("canary.test resolves to 169.254.169.254, a link-local address");
    is_withheld(&mut server);

    server.navigate(&url("/framed")).says("Framed");
    server.snapshot().says("(this frame shows a host that may not be reached)").says_not("secret");
    server.call("browser_take_screenshot", json!({})).fails("a link-local address");

    server.navigate(&url("/linked"));
    let link = server.snapshot().reference("Go on");
    let clicked = server.call("browser_click", json!({ "ref": link }));
    assert!(!clicked.message.to_string().contains("secret"), "{}", clicked.message);
    is_withheld(&mut server);

    server.navigate(&url("/plain"));
    let went = json!({ "function": "() => { location = 'http://canary.test/' }" });
    server.call("browser_evaluate", went);
    server.call("browser_wait_for", json!({ "time": 0.5 }));
    is_withheld(&mut server);

    server.navigate(&url("/opened"));
    let link = server.snapshot().reference("Open");
    server.call("browser_click", json!({ "ref": link }));
    server.call("browser_tabs", json!({ "action": "select", "index": 1 }));
    let shown = server.call("browser_snapshot", json!({}));
    assert!(!shown.message.to_string().contains("secret"), "{}", shown.message);

    // It goes on.
    server.navigate(&url("/plain")).says("Plain");
}

fn is_withheld(server: &mut Server) {
    for (tool, arguments) in [
        ("browser_snapshot", json!({})),
        ("browser_evaluate", json!({ "function": "() => document.body.innerText" })),
        ("browser_take_screenshot", json!({})),
    ] {
        let reply = server.call(tool, arguments);
        reply.fails("canary.test resolves to 169.254.169.254");
        assert!(!reply.message.to_string().contains("secret"), "{}", reply.message);
    }
}

#[test]
fn a_request_of_a_page_is_not_redirected_to_a_metadata_service() {
    if !has_networks() {
        return eprintln!("SKIPPED: needs root and iproute2");
    }
    let directory = tempfile::tempdir().unwrap();
    let mut server = in_own_network(directory.path(), &[]);
    server.navigate("http://start.test/plain").says("Plain");
    // A redirect to a name of another kind is followed, and shows that the server answers: docs/security.md.
    assert_eq!(ask(&mut server, "start.test/redirected"), "secret");
    assert_eq!(ask(&mut server, "start.test/literally"), "refused");
    let parts = "() => Promise.all(['iframe', 'img', 'script'].map((name) => new Promise((done) => {
        const part = Object.assign(document.createElement(name), { src: 'http://start.test/literally' });
        part.onload = () => done('loaded');
        part.onerror = () => done('refused');
        document.body.append(part);
        // Not every browser says when a frame was refused.
        if (name === 'iframe') done('asked');
    })))";
    assert_eq!(server.evaluate(parts), json!(["asked", "refused", "refused"]));
    assert_eq!(ask(&mut server, "start.test/literally"), "refused");
    let hits = std::fs::read_to_string(directory.path().join("hits")).unwrap();
    assert_eq!(hits, "canary.test\n");
}

#[test]
fn a_metadata_service_that_is_allowed_by_its_address_answers() {
    if !has_networks() {
        return eprintln!("SKIPPED: needs root and iproute2");
    }
    let directory = tempfile::tempdir().unwrap();
    let mut server = in_own_network(directory.path(), &["--allowed-hosts", "169.254.169.254,start.test"]);
    server.navigate("http://169.254.169.254/");
    assert_eq!(server.evaluate("() => document.body.innerText"), "secret");
    server.navigate("http://start.test/plain").says("Plain");
    for there in ["169.254.169.254/", "2852039166/", "start.test/literally"] {
        assert_eq!(ask(&mut server, there), "secret", "{there}");
    }
    // That goes for this address only.
    for (there, words) in [
        ("http://[fd00:ec2::254]/", "[fd00:ec2::254] is not an allowed host"),
        ("http://metadata.google.internal/", "metadata.google.internal is not an allowed host"),
        ("http://canary.test/", "canary.test is not an allowed host"),
    ] {
        server.call("browser_navigate", json!({ "url": there })).fails(words);
    }
    let hits = std::fs::read_to_string(directory.path().join("hits")).unwrap();
    assert!(hits.lines().all(|host| host == "169.254.169.254"), "{hits}");
    drop(server);
    // The name of somebody else is no permission for the address that it leads to.
    let directory = tempfile::tempdir().unwrap();
    let mut server = in_own_network(directory.path(), &["--allowed-hosts", "canary.test,start.test"]);
    server
        .call("browser_navigate", json!({ "url": "http://canary.test/" }))
        .fails("canary.test resolves to 169.254.169.254, a link-local address");
    server.navigate("http://start.test/plain").says("Plain");
    assert_ne!(ask(&mut server, "start.test/redirected"), "secret");
    let hits = std::fs::read_to_string(directory.path().join("hits")).unwrap();
    assert_eq!(hits, "");
}
