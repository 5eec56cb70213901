//! Sessions over HTTP: each client's own, and how they end.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::{
    life::{below, browsers, nothing_is_left, renderers, signal},
    support::{Site, http::HttpServer},
};

/// How long the server may take to end.
const END: Duration = Duration::from_secs(5);

#[test]
fn clients_share_a_browser_and_nothing_else() {
    let site = Site::of("<h1>Here</h1>");
    let server = HttpServer::start(&[]);
    let mut clients: Vec<_> = (0..3).map(|_| server.client()).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        client.navigate(&site.url(&format!("/?client={number}")));
        client
            .evaluate(&format!("() => {{ document.cookie = 'who={number}'; localStorage.who = {number} }}"));
    }
    for (number, client) in clients.iter_mut().enumerate() {
        let seen = client.evaluate("() => [document.cookie, localStorage.who, location.search]");
        assert_eq!(seen, json!([format!("who={number}"), number.to_string(), format!("?client={number}")]));
        let tabs = client.call("browser_tabs", json!({ "action": "list" }));
        assert_eq!(tabs.facts()["tabs"].as_array().unwrap().len(), 1, "{}", tabs.text());
    }
    assert_eq!(browsers(&below(server.child.id())).len(), 1);
}

const WHO: &str = "<title>0</title><button onclick='document.title++'>Count</button>
    <script>document.cookie = 'who=' + location.search.slice(1)</script>";

#[test]
fn fifty_clients_at_once_each_get_their_own_page() {
    let site = Site::of(WHO);
    // They share the processors too.
    let server = HttpServer::start(&["--action-timeout", "60s"]);
    let clients: Vec<_> = (0..50)
        .map(|number| {
            let (mut client, url) = (server.client(), site.url(&format!("/?{number}")));
            std::thread::spawn(move || {
                client.navigate(&url);
                client.call("browser_click", json!({ "ref": "button" })).ok();
                (number, client.evaluate("() => [document.title, document.cookie]"))
            })
        })
        .collect();
    for client in clients {
        let (number, seen) = client.join().unwrap();
        assert_eq!(seen, json!(["1", format!("who={number}")]));
    }
    assert_eq!(browsers(&below(server.child.id())).len(), 1);
}

#[test]
fn clients_have_browsers_of_their_own_where_that_was_asked_for() {
    let server = HttpServer::start(&["--browser-per-client"]);
    let mut clients: Vec<_> = (0..2).map(|_| server.client()).collect();
    for client in &mut clients {
        client.navigate("data:text/html,<h1>Here</h1>");
    }
    assert_eq!(browsers(&below(server.child.id())).len(), 2);
    assert_eq!(clients[0].send("DELETE", &[]).status, 202);
    let until = Instant::now() + END;
    while browsers(&below(server.child.id())).len() > 1 {
        assert!(Instant::now() < until, "its browser is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(clients[1].evaluate("() => 1 + 1"), 2);
}

#[test]
fn a_session_that_was_ended_is_gone() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    assert_eq!(client.send("DELETE", &[]).status, 202);
    assert_eq!(client.send("DELETE", &[]).status, 404);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(client.post(&ping).status, 404);
    assert_eq!(server.health()["sessions"], 0);
}

#[test]
fn an_idle_session_expires_but_not_during_a_call() {
    let server = HttpServer::start(&["--session-timeout", "2s"]);
    let mut busy = server.client();
    let idle = server.client();
    busy.navigate("data:text/html,<h1>Here</h1>");
    busy.call("browser_wait_for", json!({ "time": 3.5 })).says("passed");
    assert!(busy.request("ping", json!({})).message["result"].is_object());
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(idle.post(&ping).status, 404);
    server.wait_for_sessions(0, Duration::from_secs(6));
}

#[test]
fn a_session_does_not_expire_during_a_call_whose_connection_was_lost() {
    let server = HttpServer::start(&["--session-timeout", "2s"]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let slow = client.call_message("browser_wait_for", json!({ "time": 5 }));
    client.lose(&slow);
    std::thread::sleep(Duration::from_secs(3));
    assert!(client.request("ping", json!({})).message["result"].is_object());
}

#[test]
fn sessions_with_pages_leave_none_in_the_browser_that_they_shared() {
    let server = HttpServer::start(&[]);
    let mut neighbour = server.client();
    neighbour.navigate("data:text/html,<h1>Neighbour</h1>");
    let pages = || renderers(&below(server.child.id())).len();
    let before = pages();
    for _ in 0..20 {
        let mut client = server.client();
        client.navigate("data:text/html,<h1>Here</h1>");
        assert_eq!(client.send("DELETE", &[]).status, 202);
    }
    server.wait_for_sessions(1, END);
    let until = Instant::now() + 2 * END;
    // The browser may keep a few processes in store.
    while pages() > before + 5 {
        assert!(Instant::now() < until, "{} processes draw pages, and {before} did before", pages());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(neighbour.evaluate("() => document.body.innerText"), "Neighbour");
}

#[test]
fn the_browser_starts_with_the_first_call_that_needs_one() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.request("tools/list", json!({}));
    assert_eq!(browsers(&below(server.child.id())).len(), 0);
    client.navigate("data:text/html,<h1>Here</h1>");
    assert_eq!(browsers(&below(server.child.id())).len(), 1);
}

#[test]
fn a_signal_lets_calls_end_refuses_new_ones_and_leaves_nothing() {
    let mut server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let family = below(server.child.id());
    let mut calling = client.clone();
    let call = std::thread::spawn(move || calling.call("browser_wait_for", json!({ "time": 1.5 })));
    std::thread::sleep(Duration::from_millis(400));
    let by = Instant::now() + END;
    signal(server.child.id(), Signal::TERM);
    std::thread::sleep(Duration::from_millis(200));
    let refused = client.post(&json!({ "jsonrpc": "2.0", "id": "x", "method": "tools/list" }));
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.header("retry-after").is_some());
    let alive = client.post(&json!({ "jsonrpc": "2.0", "id": "y", "method": "ping" }));
    assert!(alive.messages()[0]["result"].is_object(), "{alive:?}");
    let health = server.send("GET", "/health", &[], "");
    assert_eq!((health.status, health.json()["status"].clone()), (503, json!("stopping")));
    call.join().unwrap().says("1.5 s passed");
    assert_eq!(server.wait(END).expect("an end").code(), Some(0));
    nothing_is_left(&family, &server.temporary_directory(), by);
}

#[test]
fn a_signal_lets_calls_end_whose_connection_was_lost() {
    let mut server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let began = Instant::now();
    let slow = client.call_message("browser_wait_for", json!({ "time": 1.2 }));
    client.lose(&slow);
    signal(server.child.id(), Signal::TERM);
    assert_eq!(server.wait(END).expect("an end").code(), Some(0));
    assert!(began.elapsed() >= Duration::from_millis(1_200), "it ended after {:?}", began.elapsed());
}

#[test]
fn a_signal_lets_a_resumed_stream_bring_its_answer() {
    let mut server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let slow = client.call_message("browser_wait_for", json!({ "time": 1.5 }));
    let last = client.lose(&slow);
    let resuming = client.clone();
    let resumed = std::thread::spawn(move || {
        resuming.send("GET", &[("Accept", "text/event-stream"), ("Last-Event-ID", &last)])
    });
    std::thread::sleep(Duration::from_millis(300));
    signal(server.child.id(), Signal::TERM);
    let resumed = resumed.join().unwrap();
    let answer = resumed.messages().into_iter().find(|message| message["id"] == slow["id"]);
    let answer = answer.unwrap_or_else(|| panic!("no answer: {resumed:?}"));
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("1.5 s passed"), "{answer}");
    assert_eq!(server.wait(END).expect("an end").code(), Some(0));
}

#[test]
fn calls_that_take_longer_than_the_deadline_do_not_keep_it_alive() {
    let mut server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let family = below(server.child.id());
    let slow = client.call_message("browser_wait_for", json!({ "time": 60 }));
    let _stream = client.begin(&slow);
    let listening = client.clone();
    std::thread::spawn(move || listening.send("GET", &[("Accept", "text/event-stream")]));
    std::thread::sleep(Duration::from_millis(300));
    let by = Instant::now() + END + Duration::from_secs(1);
    signal(server.child.id(), Signal::TERM);
    assert_eq!(server.wait(END).expect("an end").code(), Some(0));
    nothing_is_left(&family, &server.temporary_directory(), by);
}

#[test]
fn a_killed_server_leaves_no_browser() {
    let mut server = HttpServer::start(&[]);
    server.client().navigate("data:text/html,<h1>Here</h1>");
    let family = below(server.child.id());
    let by = Instant::now() + END;
    signal(server.child.id(), Signal::KILL);
    server.wait(END).unwrap();
    nothing_is_left(&family, &server.temporary_directory(), by);
}
