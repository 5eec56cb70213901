//! The protocol over HTTP: versions, streams, and what is not a message.

use std::{
    io::BufReader,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{
    Site,
    http::{HttpClient, HttpServer, initialize_body, read_chunk, read_head, read_response},
};

/// The headers and the body of a request of the protocol without sessions.
pub fn stateless(method: &str, mut params: Value, client: &str) -> (Vec<(String, String)>, String) {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", &name)];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    (headers, json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string())
}

#[track_caller]
pub fn ask(server: &HttpServer, method: &str, params: Value, client: &str, more: &[(&str, &str)]) -> Value {
    let (headers, body) = stateless(method, params, client);
    let own = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let response = server.post(&own.chain(more.iter().copied()).collect::<Vec<_>>(), &body);
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("mcp-session-id"), None);
    response.messages().into_iter().find(|message| message["id"] == 1).unwrap()
}

#[test]
fn every_protocol_version_is_spoken_over_http() {
    let server = HttpServer::start(&[]);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = server.client();
        let opened = client.initialize(version);
        assert_eq!(opened.messages()[0]["result"]["protocolVersion"], version);
        assert!(
            client.request("tools/list", json!({})).message["result"]["tools"].as_array().unwrap().len() > 20
        );
    }
    let mut client = server.client();
    let unknown = client.initialize("1999-01-01");
    assert_eq!(unknown.messages()[0]["result"]["protocolVersion"], "2025-11-25");
    let discovered = ask(&server, "server/discover", json!({}), "suites", &[]);
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
}

#[test]
fn a_client_without_sessions_keeps_its_browser_and_shares_it_with_no_other() {
    let site = Site::of("<h1>Here</h1>");
    let server = HttpServer::start(&[]);
    let go = json!({ "name": "browser_navigate", "arguments": { "url": site.url("/") } });
    let look = json!({ "name": "browser_evaluate", "arguments": { "function": "() => location.href" } });
    let result = |message: &Value| message["result"]["structuredContent"]["result"].clone();
    ask(&server, "tools/call", go, "one", &[]);
    assert_eq!(result(&ask(&server, "tools/call", look.clone(), "one", &[])), site.url("/"));
    assert_eq!(result(&ask(&server, "tools/call", look.clone(), "two", &[])), "about:blank");
    let named = [("Cicerone-Session", "second")];
    assert_eq!(result(&ask(&server, "tools/call", look, "one", &named)), "about:blank");
    assert_eq!(server.health()["sessions"], 3);
}

#[test]
fn clients_of_one_name_share_a_session_unless_their_tokens_differ() {
    let site = Site::of("<h1>Here</h1>");
    let file = tempfile::NamedTempFile::new().unwrap();
    let tokens = ["first-token-0123456789abcdef", "other-token-0123456789abcdef"];
    std::fs::write(file.path(), tokens.join("\n")).unwrap();
    let server = HttpServer::start(&["--token-file", file.path().to_str().unwrap()]);
    let [one, other] = tokens.map(|token| format!("Bearer {token}"));
    let place = |bearer: &str, client: &str| {
        let look = json!({ "name": "browser_evaluate", "arguments": { "function": "() => location.href" } });
        let seen = ask(&server, "tools/call", look, client, &[("Authorization", bearer)]);
        seen["result"]["structuredContent"]["result"].clone()
    };
    let go = json!({ "name": "browser_navigate", "arguments": { "url": site.url("/") } });
    ask(&server, "tools/call", go, "program", &[("Authorization", &one)]);
    assert_eq!(place(&one, "program"), site.url("/"));
    assert_eq!(place(&other, "program"), "about:blank");
    assert_eq!(server.health()["sessions"], 2);
}

#[test]
fn a_question_for_the_versions_takes_no_place() {
    let server = HttpServer::start(&["--max-sessions", "1"]);
    let discover = || ask(&server, "server/discover", json!({}), "suites", &[]);
    assert!(discover()["result"]["supportedVersions"].is_array());
    assert_eq!(server.health()["sessions"], 0);
    let mut client = server.client();
    assert!(discover()["result"]["supportedVersions"].is_array());
    let malformed = json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover" }).to_string();
    let version = ("MCP-Protocol-Version", "2026-07-28");
    assert_eq!(server.post(&[version], &malformed).status, 400);
    assert_eq!(server.health()["sessions"], 1);
    assert!(client.request("ping", json!({})).message["result"].is_object());
}

#[test]
fn each_client_gets_the_log_messages_of_its_session() {
    let server = HttpServer::start(&["--browser-per-client"]);
    let mut clients = [server.client(), server.client(), server.client()];
    let streams: Vec<_> = clients.iter().map(HttpClient::listen).collect();
    // The third gets warnings.
    for client in &mut clients[..2] {
        let set = client.request("logging/setLevel", json!({ "level": "debug" }));
        assert!(set.message["result"].is_object(), "{}", set.message);
    }
    for client in &mut clients {
        client.navigate("data:text/html,<h1>Here</h1>");
    }
    for client in &clients {
        assert_eq!(client.send("DELETE", &[]).status, 202);
    }
    let lines = streams.into_iter().map(|stream| {
        let lines = stream.filter(|message| message["method"] == "notifications/message");
        lines.filter(|line| line["params"]["data"].to_string().contains("the browser is running")).count()
    });
    assert_eq!(lines.collect::<Vec<_>>(), [1, 1, 0]);
}

#[test]
fn what_is_not_a_message_is_answered_as_on_stdio() {
    let server = HttpServer::start(&[]);
    let client = server.client();
    let session = ("Mcp-Session-Id", client.session.as_str());
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        ("nonsense", -32700),
        ("1", -32600),
        ("[]", -32600),
        ("\"text\"", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    ] {
        for headers in [&[][..], &[session]] {
            let refused = server.post(headers, body);
            assert_eq!((refused.status, refused.code()), (400, code), "{body}");
        }
    }
    let before = server.post(&[], r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#);
    assert_eq!((before.status, before.code(), before.json()["id"].clone()), (400, -32000, json!("a")));
    let mut client = client;
    let unknown = client.request("no/such/method", json!({}));
    assert_eq!(unknown.message["error"]["code"], -32601);
    assert_eq!(client.request("tools/call", json!({ "name": 5 })).message["error"]["code"], -32602);
    let missing = client.call("browser_navigate", json!({}));
    assert_eq!(missing.message["error"]["code"], -32602);
    assert!(missing.message["error"]["message"].as_str().unwrap().contains("url"));
    assert_eq!(client.call("no_such_tool", json!({})).message["error"]["code"], -32601);
    assert!(client.request("ping", json!({})).message["result"].is_object());
}

#[test]
fn types_that_a_page_could_send_are_refused() {
    let server = HttpServer::start(&[]);
    let body = initialize_body("2025-06-18").to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
        assert_eq!(server.post(&[("Content-Type", kind)], &body).status, 415, "{kind}");
    }
    for accept in ["application/json", "text/event-stream", "*/*", ""] {
        assert_eq!(server.post(&[("Accept", accept)], &body).status, 406, "{accept}");
    }
    assert_eq!(server.post(&[("Content-Type", "application/json; charset=utf-8")], &body).status, 200);
    for method in ["PUT", "PATCH", "OPTIONS", "HEAD"] {
        assert_eq!(server.send(method, "/mcp", &[("Content-Length", "0")], "").status, 405, "{method}");
    }
    for path in ["/", "/mcp/", "/admin", "/mcp/../health", "//mcp"] {
        assert_eq!(server.send("GET", path, &[], "").status, 404, "{path}");
    }
}

#[test]
fn calls_side_by_side_are_each_answered_and_a_ping_never_waits() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let waiting = client.call_message("browser_wait_for", json!({ "time": 2 }));
    let _waits = client.begin(&waiting);
    let began = Instant::now();
    assert!(client.request("ping", json!({})).message["result"].is_object());
    assert!(began.elapsed() < Duration::from_secs(1));
    let calls: Vec<_> = (0..10)
        .map(|number| {
            let client = client.clone();
            std::thread::spawn(move || {
                let id = format!("call {number}");
                let params = json!({ "name": "browser_evaluate", "arguments": { "function": format!("() => {number}") } });
                let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
                let answers = client.post(&call).messages();
                // Clones count alike, and two requests under way must not have one id.
                let ping = json!({ "jsonrpc": "2.0", "id": format!("ping {number}"), "method": "ping" });
                assert!(client.post(&ping).messages()[0]["result"].is_object());
                let answer = answers.into_iter().find(|answer| answer["id"] == id).unwrap();
                assert_eq!(answer["result"]["structuredContent"]["result"], number);
            })
        })
        .collect();
    for call in calls {
        call.join().unwrap();
    }
}

#[test]
fn a_cancelled_call_stops_frees_its_page_and_is_not_answered() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let waiting = client.call_message("browser_wait_for", json!({ "time": 30 }));
    let mut stream = client.begin(&waiting);
    let listened = client.listen();
    std::thread::sleep(Duration::from_millis(300));
    let params = json!({ "requestId": waiting["id"] });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(client.post(&cancel).status, 202);
    let began = Instant::now();
    assert_eq!(client.evaluate("() => 1 + 1"), 2);
    assert!(began.elapsed() < Duration::from_secs(1), "it took {:?}", began.elapsed());
    // All streams end with the session.
    assert_eq!(client.send("DELETE", &[]).status, 202);
    let told = read_response(&mut stream).messages().into_iter().chain(listened);
    assert_eq!(told.filter(|message| message["id"] == waiting["id"]).collect::<Vec<_>>(), [Value::Null; 0]);
}

#[test]
fn a_stream_that_was_lost_is_resumed_with_what_was_missed() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate("data:text/html,<h1>Here</h1>");
    let slow = client.call_message("browser_wait_for", json!({ "time": 1 }));
    let stream = client.begin(&slow);
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    assert_eq!(read_head(&mut reader).0, 200);
    let first = String::from_utf8(read_chunk(&mut reader).unwrap()).unwrap();
    let last = first.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
    drop((reader, stream));
    let accept = ("Accept", "text/event-stream");
    // While the call runs, and again after it has ended.
    for _ in 0..2 {
        let resumed = client.send("GET", &[accept, ("Last-Event-ID", &last)]);
        let answer = resumed.messages().into_iter().find(|message| message["id"] == slow["id"]).unwrap();
        assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("1 s passed"), "{answer}");
    }
    let other = server.client();
    for unknown in [last.as_str(), "9-9", "nonsense", "-1"] {
        let nothing = other.send("GET", &[accept, ("Last-Event-ID", unknown)]);
        assert_eq!((nothing.status, nothing.messages()), (200, Vec::new()), "{unknown}");
    }
}

#[test]
fn an_answer_does_not_wait_for_acknowledgements() {
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.request("ping", json!({}));
    let mut times: Vec<Duration> = (0..40)
        .map(|_| {
            let began = Instant::now();
            client.request("ping", json!({}));
            began.elapsed()
        })
        .collect();
    times.sort();
    // Without TCP_NODELAY each takes 40 ms and more.
    assert!(times[times.len() / 2] < Duration::from_millis(30), "{times:?}");
}
