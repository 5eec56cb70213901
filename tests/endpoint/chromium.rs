//! A Chromium that runs already, over CDP.

use std::{
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::json;

use crate::{
    doctor,
    support::{
        Answer, Server, Site,
        chrome::{Chrome, eventually},
    },
};

fn pages(chrome: &Chrome) -> Vec<String> {
    let pages = chrome.cdp().targets("page");
    pages.iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn its_own_host_and_port_are_enough_in_every_form() {
    let chrome = Chrome::start(&[], "about:blank");
    let address = chrome.endpoint();
    for form in [address.clone(), address.replace("http:", "ws:"), chrome.socket()] {
        let (fine, said) = doctor(&["--endpoint", &form]);
        assert!(fine && said.contains("over CDP") && said.contains("can be created"), "{form}: {said}");
    }
    assert_eq!(pages(&chrome), ["about:blank"]);
}

#[test]
fn it_is_left_running_with_what_it_had() {
    let site = Site::with(&[("/", "<title>Ours</title>"), ("/mine", "<title>Mine</title>")]);
    let chrome = Chrome::start(&[], &site.url("/mine"));
    for _ in 0..2 {
        let mut server = Server::start(&["--endpoint", &chrome.endpoint()]);
        server.navigate(&site.url("/"));
        assert_eq!(server.evaluate("document.title"), "Ours");
        server.close_input();
        assert!(server.wait(Duration::from_secs(30)).is_some());
        assert_eq!(pages(&chrome), [site.url("/mine")]);
    }
}

#[test]
fn the_url_that_it_prints_is_enough_for_calls() {
    let site = Site::of("<title>There</title>");
    let chrome = Chrome::start(&[], "about:blank");
    let mut server = Server::start(&["--endpoint", &chrome.socket()]);
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("document.title"), "There");
}

#[test]
fn the_persons_own_tab_stays_in_the_default_context() {
    let site = Site::with(&[("/", "<title>Ours</title>"), ("/mine", "<title>Mine</title>")]);
    let mine = site.url("/mine");
    let chrome = Chrome::start(&[], &mine);
    eventually("the person's page", || (pages(&chrome) == [mine.clone()]).then_some(()));
    let mut server = Server::start(&["--endpoint", &chrome.endpoint(), "--endpoint-context", "default"]);
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("document.title"), "Ours");
    assert_eq!(pages(&chrome).len(), 2, "a tab of our own");
    server.close_input();
    assert!(server.wait(Duration::from_secs(30)).is_some());
    assert_eq!(pages(&chrome), [mine]);
}

#[test]
fn history_and_bookmarks_are_there_in_the_default_context_only() {
    let site = Site::with(&[("/", "<title>Ours</title>"), ("/mine", "<title>Mine</title>")]);
    let mine = site.url("/mine");
    let chrome = Chrome::start(&[], &mine);
    eventually("the person's page", || (pages(&chrome) == [mine.clone()]).then_some(()));
    let extensions = || chrome.cdp().send(None, "Extensions.getExtensions", json!({}))["extensions"].clone();
    let there_before = extensions();
    let flags = ["--dialect", "browser,agent", "--endpoint", &chrome.endpoint()];
    let mut server = Server::start(&[&flags[..], &["--endpoint-context", "default"]].concat());
    server.navigate(&site.url("/"));
    assert_eq!(extensions(), there_before, "nothing is loaded before it is needed");
    eventually("both pages in the history", || {
        let found = server.call("history", json!({})).ok().text();
        (found.contains("Ours") && found.contains("Mine")).then_some(())
    });
    server.call("bookmarks", json!({ "action": "add", "url": mine, "title": "A place" })).ok();
    server.call("bookmarks", json!({ "action": "search", "query": "place" })).says("A place");
    assert_eq!(pages(&chrome).len(), 2, "no tab is opened for it");
    assert_ne!(extensions(), there_before);
    server.close_input();
    assert!(server.wait(Duration::from_secs(30)).is_some());
    eventually("nothing left behind", || (extensions() == there_before).then_some(()));
    let mut server = Server::start(&flags);
    for (tool, arguments) in [("history", json!({})), ("bookmarks", json!({ "action": "list_folders" }))] {
        let reply = server.call(tool, arguments);
        assert!(reply.failed() && reply.text().contains("this browser cannot"), "{}", reply.message);
    }
}

#[test]
fn contexts_of_a_server_that_was_killed_go_with_it() {
    let site = Site::with(&[("/", "<title>Ours</title>"), ("/mine", "<title>Mine</title>")]);
    let mine = site.url("/mine");
    let chrome = Chrome::start(&[], &mine);
    let mut server = Server::start(&["--endpoint", &chrome.endpoint()]);
    server.navigate(&site.url("/"));
    assert_eq!(pages(&chrome).len(), 2);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    eventually("only what was there before", || (pages(&chrome) == [mine.clone()]).then_some(()));
}

#[test]
fn a_lost_connection_is_made_again() {
    let site = Site::of("<title>There</title>");
    let chrome = Chrome::start(&[], "about:blank");
    let tunnel = Tunnel::to(&chrome);
    let mut server = Server::start(&["--endpoint", &format!("http://{}", tunnel.address)]);
    let url = site.url("/");
    server.navigate(&url);
    assert_eq!(server.evaluate("document.title"), "There");
    tunnel.cut();
    // A call may be lost with the connection, and the page is: its context went.
    eventually("a connection", || {
        let reply = server.call("browser_navigate", json!({ "url": url }));
        (!reply.failed()).then_some(())
    });
    assert_eq!(server.evaluate("document.title"), "There");
    assert_eq!(pages(&chrome).len(), 2, "the person's, and one of ours");
}

#[test]
fn downloads_of_the_default_context_are_reported_and_the_person_keeps_them() {
    let site = Site::with(&[("/mine", "<title>Mine</title><a href=/file>Get</a>")]);
    site.answer("/file", Answer::Download("report.txt", b"hello".to_vec()));
    let chrome = Chrome::start(&[], &site.url("/mine"));
    let theirs = chrome.downloads();
    eventually("the person's page", || (pages(&chrome) == [site.url("/mine")]).then_some(()));
    let mut server = Server::start(&["--endpoint", &chrome.endpoint(), "--endpoint-context", "default"]);
    eventually("the person's tab", || {
        let listed = server.call("browser_tabs", json!({ "action": "list" }));
        (listed.ok().facts()["tabs"][0]["url"] == site.url("/mine")).then_some(())
    });
    let link = server.snapshot().reference("Get");
    let mut said = server.call("browser_click", json!({ "ref": link })).ok().text();
    eventually("the download in a reply", || {
        said += &server.snapshot().text();
        said.contains("report.txt").then_some(())
    });
    let kept = eventually("the server's copy", || {
        let found = std::fs::read_dir(server.working_directory()).unwrap().flatten();
        let mut files = found.flat_map(|entry| walk(&entry.path()));
        files.find(|file| std::fs::read(file).is_ok_and(|bytes| bytes == b"hello"))
    });
    assert!(kept.starts_with(server.working_directory()));
    assert_eq!(std::fs::read(theirs.join("report.txt")).unwrap(), b"hello", "the person has it too");
}

fn walk(path: &std::path::Path) -> Vec<std::path::PathBuf> {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().flat_map(|entry| walk(&entry.path())).collect(),
        Err(_) => vec![path.to_owned()],
    }
}

/// Passes connections on to the browser until they are cut.
struct Tunnel {
    address: SocketAddr,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Tunnel {
    fn to(chrome: &Chrome) -> Self {
        let target = chrome.endpoint().trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let streams = Arc::new(Mutex::new(Vec::new()));
        let passed = Arc::clone(&streams);
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(&target) else { return };
                for (mut from, mut to) in [
                    (near.try_clone().unwrap(), far.try_clone().unwrap()),
                    (far.try_clone().unwrap(), near.try_clone().unwrap()),
                ] {
                    std::thread::spawn(move || {
                        let _ = std::io::copy(&mut from, &mut to);
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
                passed.lock().unwrap().extend([near, far]);
            }
        });
        Self { address, streams }
    }

    fn cut(&self) {
        for stream in self.streams.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}
