//! Clients that misbehave over HTTP, and what that costs the others: nothing.

use std::{
    io::{BufReader, Read, Write},
    time::{Duration, Instant},
};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    http_protocol::stateless,
    life::{below, browsers, signal},
    support::{
        Site,
        http::{HttpClient, HttpServer, post_text, read_head, read_response},
    },
};

/// Another client's call is answered soon.
#[track_caller]
fn is_well(client: &mut HttpClient) {
    let began = Instant::now();
    assert_eq!(client.evaluate("() => 1 + 1"), 2);
    assert!(began.elapsed() < Duration::from_secs(3), "it took {:?}", began.elapsed());
}

/// A server and a client that has a page open.
fn with_neighbour(flags: &[&str]) -> (HttpServer, HttpClient) {
    let server = HttpServer::start(flags);
    let mut neighbour = server.client();
    neighbour.navigate("data:text/html,<h1>Neighbour</h1>");
    (server, neighbour)
}

#[test]
fn half_requests_and_garbage_harm_nobody() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let halves = [
        "",
        "P",
        "POST /mcp HTTP/1.1\r\n",
        "POST /mcp HTTP/1.1\r\nContent-Length: 10\r\n\r\n{",
        "\0\u{1}\u{2}",
    ];
    let open: Vec<_> = (0..50)
        .map(|number| {
            let mut stream = server.connect();
            stream.write_all(halves[number % halves.len()].as_bytes()).unwrap();
            stream
        })
        .collect();
    is_well(&mut neighbour);
    for stream in &open {
        stream.shutdown(std::net::Shutdown::Write).unwrap();
    }
    for mut stream in open {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    let mut stream = server.connect();
    stream.write_all(b"this is not HTTP\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    is_well(&mut neighbour);
}

#[test]
fn a_client_that_goes_during_a_call_keeps_its_session() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    for _ in 0..5 {
        let slow = client.call_message("browser_wait_for", json!({ "time": 0.5 }));
        drop(client.begin(&slow));
    }
    is_well(&mut neighbour);
    client.call("browser_snapshot", json!({})).says("heading \"Here\"");
}

#[test]
fn a_stuck_page_costs_nobody_else_anything() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let mut stuck = server.client();
    stuck.navigate("data:text/html,<h1>Stuck</h1>");
    let forever = stuck.call_message("browser_evaluate", json!({ "function": "() => { for (;;); }" }));
    let _stream = stuck.begin(&forever);
    std::thread::sleep(Duration::from_millis(300));
    is_well(&mut neighbour);
    neighbour.navigate("data:text/html,<h1>Elsewhere</h1>").says("Elsewhere");
}

#[test]
fn a_panic_costs_one_call_and_nobody_else_anything() {
    let (server, mut neighbour) = with_neighbour(&["--conformance"]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    for _ in 0..3 {
        let waiting = neighbour.call_message("browser_wait_for", json!({ "time": 1 }));
        let mut waits = neighbour.begin(&waiting);
        let panicked = client.call("test_panic", json!({ "tool": "browser_snapshot" }));
        panicked.fails("failed unexpectedly");
        assert_eq!(panicked.facts()["error"]["name"], "InternalError", "{}", panicked.message);
        client.call("browser_snapshot", json!({})).says("heading \"Here\"");
        let waited = read_response(&mut waits).messages();
        let waited = waited.into_iter().find(|message| message["id"] == waiting["id"]).unwrap();
        assert_eq!(waited["result"]["isError"], false, "{waited}");
        is_well(&mut neighbour);
    }
    assert!(server.log().contains("a tool panicked"));
}

#[test]
fn a_flood_of_calls_is_bounded_and_costs_nobody_else_anything() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let mut flooding = server.client();
    flooding.navigate("data:text/html,<h1>Here</h1>");
    let streams: Vec<_> = (0..200)
        .map(|_| {
            let call = flooding.call_message("browser_wait_for", json!({ "time": 20 }));
            flooding.begin(&call)
        })
        .collect();
    is_well(&mut neighbour);
    let one_more = flooding.call_message("browser_wait_for", json!({ "time": 1 }));
    let refused = flooding.post(&one_more);
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(refused.header("retry-after").is_some());
    drop(streams);
    is_well(&mut neighbour);
}

/// Begins a call, and says whether there was a place for it.
fn has_place(client: &mut HttpClient) -> Option<std::net::TcpStream> {
    let call = client.call_message("browser_wait_for", json!({ "time": 30 }));
    let mut stream = client.begin(&call);
    let (status, _) = read_head(&mut BufReader::new(&mut stream));
    assert!(status == 200 || status == 429, "{status}");
    (status == 200).then_some(stream)
}

#[test]
fn at_the_limit_a_client_can_still_cancel_answer_and_ping() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let mut calls: Vec<_> = std::iter::from_fn(|| has_place(&mut client)).take(200).collect();
    assert_eq!(calls.len(), 64);
    let ping = json!({ "jsonrpc": "2.0", "id": "x", "method": "ping" });
    assert!(client.post(&ping).messages()[0]["result"].is_object());
    let answer = json!({ "jsonrpc": "2.0", "id": 4_711, "result": {} });
    assert_eq!(client.post(&answer).status, 202);
    // The call after the one that navigated.
    let params = json!({ "requestId": 2 });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(client.post(&cancel).status, 202);
    let until = Instant::now() + Duration::from_secs(5);
    calls.push(loop {
        match has_place(&mut client) {
            Some(call) => break call,
            None => assert!(Instant::now() < until, "its place is not given back"),
        }
    });
    assert!(has_place(&mut client).is_none(), "one place was given back");
}

#[test]
fn calls_whose_connection_was_lost_keep_their_places() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let begun = std::iter::from_fn(|| has_place(&mut client).map(drop)).take(200).count();
    assert_eq!(begun, 64);
    is_well(&mut neighbour);
    drop(server);
}

/// Without sessions nobody could ask for the answer again.
#[test]
fn calls_without_a_session_end_with_their_connection_and_give_their_places_back() {
    let server = HttpServer::start(&[]);
    let begin = |tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let (headers, body) = stateless("tools/call", params, "suites");
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut stream = server.connect();
        stream.write_all(post_text(server.address, &headers, &body).as_bytes()).unwrap();
        stream
    };
    let finish = |tool: &str, arguments: Value| read_response(&mut begin(tool, arguments));
    let until_status = |status: u16| {
        let until = Instant::now() + Duration::from_secs(10);
        while finish("browser_tabs", json!({ "action": "list" })).status != status {
            assert!(Instant::now() < until, "never {status}");
        }
    };
    assert_eq!(finish("browser_navigate", json!({ "url": "data:text/html,<h1>Here</h1>" })).status, 200);
    let waiting: Vec<_> = (0..64).map(|_| begin("browser_wait_for", json!({ "time": 60 }))).collect();
    until_status(429);
    drop(waiting);
    until_status(200);
    // They no longer hold the page, either.
    let began = Instant::now();
    let seen = finish("browser_evaluate", json!({ "function": "() => document.body.innerText" }));
    assert_eq!(seen.messages()[0]["result"]["structuredContent"]["result"], "Here", "{seen:?}");
    assert!(began.elapsed() < Duration::from_secs(3), "it took {:?}", began.elapsed());
}

#[test]
fn a_thousand_connections_at_once_are_served() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let silent: Vec<_> = (0..1_000).map(|_| server.connect()).collect();
    is_well(&mut neighbour);
    let health = format!("GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    for mut stream in &silent {
        stream.write_all(health.as_bytes()).unwrap();
    }
    for mut stream in silent {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    is_well(&mut neighbour);
}

#[test]
fn a_client_that_never_reads_holds_up_only_itself() {
    let (server, mut neighbour) = with_neighbour(&[]);
    let mut deaf = server.client();
    deaf.navigate("data:text/html,<h1>Here</h1>");
    let before = server.memory();
    let script = "() => 'x'.repeat(40000)";
    let mut unread = Vec::new();
    for _ in 0..60 {
        let call = deaf.call_message("browser_evaluate", json!({ "function": script }));
        unread.push(deaf.begin(&call));
    }
    std::thread::sleep(Duration::from_secs(1));
    is_well(&mut neighbour);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 60_000, "{grown} kB more");
    assert_eq!(deaf.send("DELETE", &[]).status, 202);
    server.wait_for_sessions(1, Duration::from_secs(3));
    is_well(&mut neighbour);
}

#[test]
fn a_browser_killed_under_20_clients_costs_each_one_clear_error() {
    let site = Site::of("<h1>Here</h1>");
    let server = HttpServer::start(&[]);
    let mut clients: Vec<_> = (0..20).map(|_| server.client()).collect();
    for client in &mut clients {
        client.navigate(&site.url("/"));
    }
    let found = browsers(&below(server.child.id()));
    assert_eq!(found.len(), 1);
    signal(found[0], Signal::KILL);
    std::thread::sleep(Duration::from_millis(300));
    for client in &mut clients {
        client.call("browser_snapshot", json!({})).fails("the browser ended unexpectedly");
    }
    for client in &mut clients {
        client.navigate(&site.url("/")).says("heading \"Here\"");
        client
            .call("browser_snapshot", json!({}))
            .says("heading \"Here\"")
            .says_not("restarted")
            .says_not("reopened");
    }
    assert_eq!(browsers(&below(server.child.id())).len(), 1);
}

#[test]
fn many_sessions_come_and_go_and_leave_nothing() {
    let server = HttpServer::start(&[]);
    let open_and_close = |count: usize| {
        for _ in 0..count {
            assert_eq!(server.client().send("DELETE", &[]).status, 202);
        }
        server.wait_for_sessions(0, Duration::from_secs(5));
    };
    open_and_close(50);
    let before = server.memory();
    open_and_close(200);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 4_000, "{grown} kB more");
    assert_eq!(std::fs::read_dir(server.temporary_directory()).unwrap().count(), 0);
}
