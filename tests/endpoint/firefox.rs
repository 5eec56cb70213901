//! A Firefox that runs already, over WebDriver BiDi.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;

use crate::{
    doctor,
    support::{
        Answer, NOBODY, Server, Site,
        chrome::eventually,
        firefox::{Bidi, Firefox},
    },
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button>";

fn attached(firefox: &Firefox, flags: &[&str]) -> Server {
    at(&firefox.endpoint(), flags)
}

fn at(endpoint: &str, flags: &[&str]) -> Server {
    let endpoint = format!("--endpoint={endpoint}");
    let flags: Vec<&str> = std::iter::once(endpoint.as_str()).chain(flags.iter().copied()).collect();
    Server::start(&flags)
}

/// Ends a server as a client does.
pub(crate) fn leave(mut server: Server) {
    server.close_input();
    assert!(server.wait(Duration::from_secs(30)).is_some(), "the server ends");
}

fn tabs(server: &mut Server) -> Vec<String> {
    let reply = server.call("browser_tabs", json!({ "action": "list" }));
    let tabs = reply.ok().facts()["tabs"].as_array().unwrap();
    tabs.iter().map(|tab| tab["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn it_is_used_in_contexts_of_our_own_and_left_running_for_the_next() {
    let site = Site::with(&[("/", COUNTER), ("/mine", "<title>Mine</title>")]);
    let firefox = Firefox::start(&site.url("/mine"));
    for round in 0..2 {
        let mut server = attached(&firefox, &[]);
        let url = site.url("/");
        server.navigate(&url);
        let button = server.snapshot().reference("Count");
        server.call("browser_click", json!({ "ref": button })).ok();
        assert_eq!(server.evaluate("document.title"), "1", "round {round}");
        assert_eq!(server.evaluate("innerWidth"), 1280);
        server.call("browser_take_screenshot", json!({})).ok();
        assert_eq!(tabs(&mut server), std::slice::from_ref(&url), "the person's own tab is not seen");
        assert!(!firefox.is_free(), "it has one session at a time");
        leave(server);
        assert!(firefox.is_free(), "the session was ended");
        let mut client = firefox.client();
        assert_eq!(client.pages(), [site.url("/mine")], "only what was there before");
        client.end();
    }
}

#[test]
fn contexts_are_isolated_and_go_when_we_leave() {
    let site = Site::with(&[("/", "<title>Page</title>")]);
    let firefox = Firefox::start("about:blank");
    let mut client = firefox.client();
    let before = client.user_contexts();
    client.end();
    let mut server = attached(&firefox, &[]);
    let url = site.url("/");
    server.navigate(&url);
    server.evaluate("document.cookie = 'who=first'");
    server.call("browser_context_create", json!({ "name": "other" })).ok();
    server.call("browser_context_switch", json!({ "name": "other" })).ok();
    server.navigate(&url);
    assert_eq!(server.evaluate("document.cookie"), "");
    server.call("browser_context_close", json!({ "name": "other" })).ok();
    assert_eq!(server.evaluate("document.cookie"), "who=first");
    leave(server);
    let mut client = firefox.client();
    assert_eq!(client.user_contexts(), before);
    assert_eq!(client.pages(), ["about:blank"]);
}

#[test]
fn popups_frames_dialogs_and_downloads_are_there() {
    let site = Site::with(&[("/", ""), ("/popup", "<title>Popup</title>")]);
    let frame = site.url("/frame");
    let html = format!(
        "<title>Outer</title><iframe src='{frame}'></iframe><a href=/popup target=_blank>Open</a><a href=/file>Get</a>
         <button onclick=\"document.title = prompt('Who?')\">Ask</button>"
    );
    site.answer("/", Answer::Html(html));
    site.answer(
        "/frame",
        Answer::Html("<button onclick=\"this.textContent = 'Pressed'\">Inner</button>".into()),
    );
    site.answer("/file", Answer::Download("report.txt", b"hello".to_vec()));
    let firefox = Firefox::start("about:blank");
    let mut server = attached(&firefox, &[]);
    server.navigate(&site.url("/"));
    let snapshot = server.snapshot();
    server.call("browser_click", json!({ "ref": snapshot.reference("Inner") })).says("Pressed");
    server.call("browser_click", json!({ "ref": snapshot.reference("Ask") })).says("Who?");
    server.call("browser_handle_dialog", json!({ "accept": true, "promptText": "Grace" })).says("Grace");
    server.call("browser_click", json!({ "ref": snapshot.reference("Get") })).says("report.txt");
    server.call("browser_click", json!({ "ref": snapshot.reference("Open") })).ok();
    let popup = site.url("/popup");
    eventually("the popup", || tabs(&mut server).contains(&popup).then_some(()));
    // The opener is behind it in the same window, and is used all the same.
    server.call("browser_click", json!({ "ref": snapshot.reference("Ask") })).says("Who?");
    server.call("browser_handle_dialog", json!({ "accept": true, "promptText": "Ada" })).says("Ada");
    leave(server);
    assert!(!firefox.downloads().join("report.txt").exists(), "it is not the person's");
}

/// It keeps documents that were left, and shows them again without telling.
#[test]
fn steps_in_the_history_are_told() {
    let site = Site::with(&[("/", "<title>First</title>"), ("/second", "<title>Second</title>")]);
    let firefox = Firefox::start("about:blank");
    let mut server = attached(&firefox, &[]);
    server.navigate(&site.url("/"));
    server.navigate(&site.url("/second"));
    server.call("browser_navigate_back", json!({})).ok();
    assert_eq!(server.evaluate("document.title"), "First");
    assert_eq!(tabs(&mut server), [site.url("/")]);
    server.snapshot().says(&site.url("/"));
}

#[test]
fn the_persons_own_tabs_are_there_in_the_default_context_and_stay() {
    let site = Site::with(&[("/", COUNTER), ("/mine", "<title>Mine</title><a href=/file>Get</a>")]);
    site.answer("/file", Answer::Download("report.txt", b"hello".to_vec()));
    let firefox = Firefox::start(&site.url("/mine"));
    let mut server = attached(&firefox, &["--endpoint-context", "default"]);
    eventually("the person's tab", || (tabs(&mut server) == [site.url("/mine")]).then_some(()));
    let link = server.snapshot().reference("Get");
    server.call("browser_click", json!({ "ref": link })).says("report.txt");
    let theirs = firefox.downloads().join("report.txt");
    eventually("the person's download", || std::fs::read(&theirs).ok().filter(|it| it == b"hello"));
    server.call("browser_tabs", json!({ "action": "new", "url": site.url("/") })).ok();
    assert_eq!(tabs(&mut server), [site.url("/mine"), site.url("/")]);
    leave(server);
    assert_eq!(std::fs::read(&theirs).unwrap(), b"hello", "the person keeps it");
    let mut client = firefox.client();
    assert_eq!(client.pages(), [site.url("/mine")], "the tab that was opened is closed, the other is not");
}

#[test]
fn what_it_lacks_is_said() {
    let firefox = Firefox::start("about:blank");
    let site = Site::of(COUNTER);
    let mut server = attached(&firefox, &["--dialect", "all"]);
    server.navigate(&site.url("/"));
    for (tool, arguments) in [
        ("history", json!({ "query": "x" })),
        ("bookmarks", json!({ "action": "list_folders" })),
        ("permissions", json!({ "permissions": [{ "name": "geolocation", "state": "granted" }] })),
        ("emulate", json!({ "color_scheme": "dark" })),
        ("browser_context_create", json!({ "name": "p", "proxy": { "server": format!("http://{NOBODY}") } })),
    ] {
        let reply = server.call(tool, arguments);
        assert!(reply.failed() && reply.text().contains("this browser cannot"), "{tool}: {}", reply.message);
        assert!(!reply.text().contains("--system-access"), "{tool}: {}", reply.text());
    }
    drop(server);
    let mut server = attached(&firefox, &["--proxy", "http://127.0.0.1:1"]);
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails("cannot be enforced").fails("started without the preferences");
}

#[test]
fn a_session_of_somebody_else_is_said_and_left_alone() {
    let firefox = Firefox::start("about:blank");
    let mut client = firefox.client();
    let mut server = attached(&firefox, &[]);
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails("has the WebDriver session of another client").fails("end the other client");
    assert_eq!(client.pages(), ["about:blank"], "it still has its session");
    client.end();
    server.navigate("about:blank");
}

/// Firefox keeps a session whose connection broke, and lets nobody have it.
#[test]
fn a_connection_that_broke_is_one_clear_error() {
    let site = Site::of(COUNTER);
    let firefox = Firefox::start("about:blank");
    let mut relay = Cable::to(firefox.address());
    let mut server = at(&format!("ws://{}", relay.address), &[]);
    server.navigate(&site.url("/"));
    relay.cut();
    eventually("the clear error", || {
        let reply = server.call("browser_snapshot", json!({}));
        assert!(reply.failed(), "{}", reply.text());
        reply.text().contains("has the WebDriver session of another client").then_some(())
    });
}

#[test]
fn a_session_that_was_begun_elsewhere_is_used_and_outlives_its_connection() {
    let site = Site::of(COUNTER);
    let firefox = Firefox::with_marionette("about:blank");
    let (session, _owner) = firefox.session();
    let path = session.splitn(4, '/').nth(3).unwrap().to_owned();
    let mut relay = Cable::to(firefox.address());
    let mut server = at(&format!("ws://{}/{path}", relay.address), &[]);
    let url = site.url("/");
    server.navigate(&url);
    let button = server.snapshot().reference("Count");
    relay.cut();
    eventually("the connection again", || {
        (!server.call("browser_snapshot", json!({})).failed()).then_some(())
    });
    server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(server.evaluate("document.title"), "1", "the ref is still good");
    leave(server);
    let mut owner = Bidi::dial(firefox.address(), &format!("/{path}")).ok().unwrap();
    assert_eq!(owner.pages(), ["about:blank"], "the session goes on without our pages");
}

#[test]
fn doctor_says_what_it_found_and_leaves_it() {
    let firefox = Firefox::start("about:blank");
    for form in [
        firefox.endpoint(),
        format!("http://{}", firefox.address()),
        format!("{}/session", firefox.endpoint()),
    ] {
        let (fine, said) = doctor(&["--endpoint", &form]);
        assert!(fine && said.contains("Firefox/") && said.contains("WebDriver BiDi"), "{form}: {said}");
        assert!(said.contains("isolated contexts can be created"), "{said}");
        assert!(said.contains("no proxies"), "{said}");
        assert!(firefox.is_free(), "{form}");
    }
}

/// A TCP connection to a browser that can be cut, and made again.
struct Cable {
    address: SocketAddr,
    ends: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cable {
    fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ends = Arc::<Mutex<Vec<TcpStream>>>::default();
        let kept = Arc::clone(&ends);
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || lay(near, address, target, &kept));
            }
        });
        Self { address, ends }
    }

    fn cut(&mut self) {
        for end in self.ends.lock().unwrap().drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

fn lay(near: TcpStream, address: SocketAddr, target: SocketAddr, kept: &Mutex<Vec<TcpStream>>) -> Option<()> {
    let mut far = TcpStream::connect(target).ok()?;
    kept.lock().unwrap().extend([near.try_clone().ok()?, far.try_clone().ok()?]);
    let mut reader = BufReader::new(near.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    // Firefox takes only its own name.
    far.write_all(head.replace(&address.to_string(), &target.to_string()).as_bytes()).ok()?;
    let (mut back, mut to) = (far.try_clone().ok()?, near);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
    let _ = std::io::copy(&mut reader, &mut far);
    far.shutdown(Shutdown::Both).ok()
}
