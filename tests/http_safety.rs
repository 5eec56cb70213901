//! Who may use the server over HTTP: names, pages, tokens, sizes, numbers.

use std::{
    io::{Read, Write},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::support::{
    Shell, Site,
    http::{HttpServer, initialize_body, read_response},
    open_site,
};

const TOKEN: &str = "a-token-that-is-long-enough-0123456789";
const OTHER: &str = "another-token-long-enough-9876543210";

#[test]
fn a_name_that_was_rebound_to_this_machine_is_refused() {
    let server = HttpServer::start(&[]);
    let port = server.address.port();
    let body = initialize_body("2025-06-18").to_string();
    for ours in ["localhost", "127.0.0.1", "[::1]", "LocalHost"] {
        let host = format!("{ours}:{port}");
        assert_eq!(server.post(&[("Host", &host)], &body).status, 200, "{host}");
        let origin = format!("http://{host}");
        assert_eq!(server.post(&[("Host", &host), ("Origin", &origin)], &body).status, 200, "{origin}");
    }
    let sessions = server.health()["sessions"].clone();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        &format!("localhost.evil.example:{port}"),
        "localhost:1",
    ] {
        for path in ["/mcp", "/health"] {
            assert_eq!(server.send("GET", path, &[("Host", host)], "").status, 403, "{host}{path}");
        }
        assert_eq!(server.post(&[("Host", host)], &body).status, 403, "{host}");
    }
    for origin in
        ["http://evil.example", "null", "https://localhost:3000", "http://localhost", "file://", "garbage"]
    {
        let refused = server.post(&[("Origin", origin)], &body);
        assert_eq!(refused.status, 403, "{origin}");
        assert_eq!(refused.header("access-control-allow-origin"), None);
    }
    assert_eq!(server.health()["sessions"], sessions);
}

#[test]
fn names_that_were_configured_are_hosts() {
    let server = HttpServer::start(&["--http-hosts", "mcp.example.com"]);
    let body = initialize_body("2025-06-18").to_string();
    let host = ("Host", "mcp.example.com");
    assert_eq!(server.post(&[host, ("Origin", "https://mcp.example.com")], &body).status, 200);
    assert_eq!(server.post(&[("Host", "other.example.com")], &body).status, 403);
}

#[test]
fn the_name_that_it_listens_on_is_a_host() {
    // 127.0.0.1 for the system's resolver, and a name for everybody else.
    let server = HttpServer::start(&["--http=127.1:0"]);
    let port = server.address.port();
    let body = initialize_body("2025-06-18").to_string();
    assert_eq!(server.post(&[("Host", &format!("127.1:{port}"))], &body).status, 200);
    assert_eq!(server.post(&[("Host", &format!("127.2:{port}"))], &body).status, 403);
}

#[test]
fn a_web_page_can_neither_use_the_server_nor_read_from_it() {
    let server = HttpServer::start(&[]);
    let mcp = format!("http://{}/mcp", server.address);
    let mut tab = open_site(&[], Site::of("<h1>A page</h1>"));
    let attack = format!(
        "async () => {{
            const body = {body:?};
            const kinds = ['text/plain', 'application/json', 'application/x-www-form-urlencoded'];
            const results = [];
            for (const mode of ['cors', 'no-cors'])
                for (const kind of kinds)
                    await fetch({mcp:?}, {{ method: 'POST', mode, headers: {{ 'Content-Type': kind }}, body }})
                        .then(r => results.push(r.type), e => results.push('refused'));
            await fetch({mcp:?}).then(r => results.push(r.type), () => results.push('refused'));
            await fetch({health:?}).then(r => results.push(r.type), () => results.push('refused'));
            navigator.sendBeacon({mcp:?}, body);
            return results;
        }}",
        body = initialize_body("2025-06-18").to_string(),
        health = format!("http://{}/health", server.address),
    );
    let results = tab.evaluate(&attack);
    for result in results.as_array().unwrap() {
        // What is opaque says nothing of the answer, which is a refusal.
        assert!(result == "refused" || result == "opaque", "{results}");
    }
    assert_eq!(server.health()["sessions"], 0);
}

#[test]
fn off_loopback_it_does_not_start_without_a_token() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let refused = Shell::new().run(&["serve", "--http", address]);
        refused.fails(1, "a token is required").fails(1, "--token-file");
    }
    let shell = Shell::new().file("short", "secret\n").file("empty", "# none\n");
    shell.run(&["serve", "--http", "127.0.0.1:0", "--token-file", "short"]).fails(1, "at least 16");
    shell.run(&["serve", "--http", "127.0.0.1:0", "--token-file", "empty"]).fails(1, "no token is given");
    shell.run(&["serve", "--http", "127.0.0.1:0", "--token-file", "absent"]).fails(1, "cannot be read");
    shell.run(&["serve", "--http", "8931"]).fails(2, "HOST:PORT");
    shell.run(&["--http", "127.0.0.1:0"]).fails(2, "cicerone serve");
    let server = HttpServer::with(&["--http=0.0.0.0:0"], &[("CICERONE_TOKEN", TOKEN)]);
    assert_eq!(server.post(&[], &initialize_body("2025-06-18").to_string()).status, 401);
    server.client_with(TOKEN).request("tools/list", json!({}));
}

#[test]
fn a_port_in_use_is_an_error_that_names_it() {
    let server = HttpServer::start(&[]);
    let address = server.address.to_string();
    Shell::new().run(&["serve", "--http", &address]).fails(1, &address).fails(1, "--http");
}

#[test]
fn a_token_is_required_on_loopback_too_and_never_told() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("# the team\n{TOKEN}\n{OTHER}\n")).unwrap();
    let path = file.path().to_str().unwrap();
    let server = HttpServer::start(&["--token-file", path, "--log", "trace"]);
    let body = initialize_body("2025-06-18").to_string();
    for wrong in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        &format!("Basic {TOKEN}"),
        &format!("Bearer {TOKEN}x"),
        TOKEN,
    ] {
        let refused = server.post(&[("Authorization", wrong)], &body);
        assert_eq!(refused.status, 401, "{wrong}");
        assert!(refused.header("www-authenticate").unwrap().starts_with("Bearer"));
    }
    let in_url =
        server.send("POST", &format!("/mcp?token={TOKEN}"), &[("Content-Type", "application/json")], &body);
    assert_eq!(in_url.status, 401);
    assert_eq!(server.health()["sessions"], 0);
    let mut client = server.client_with(TOKEN);
    client.request("tools/list", json!({}));
    assert_eq!(client.send("DELETE", &[]).status, 202);
    assert!(!server.log().contains(TOKEN), "{}", server.log());
}

#[test]
fn a_session_belongs_to_the_token_that_made_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{TOKEN}\n{OTHER}\n")).unwrap();
    let server = HttpServer::start(&["--token-file", file.path().to_str().unwrap()]);
    let mut mine = server.client_with(TOKEN);
    let mut stolen = mine.clone();
    stolen.token = Some(OTHER.to_owned());
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(stolen.post(&ping).status, 404);
    assert_eq!(stolen.send("DELETE", &[]).status, 404);
    assert_eq!(stolen.send("GET", &[("Accept", "text/event-stream")]).status, 404);
    stolen.token = None;
    assert_eq!(stolen.post(&ping).status, 401);
    assert!(mine.request("ping", json!({})).message["result"].is_object());
    assert!(mine.session.len() == 32 && mine.session.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn sessions_that_nobody_opened_are_not_found_and_made_by_nobody() {
    let server = HttpServer::start(&[]);
    for id in ["0", "00000000000000000000000000000000", "../../etc", "x y"] {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        assert_eq!(server.post(&[("Mcp-Session-Id", id)], ping).status, 404, "{id}");
        let open = initialize_body("2025-06-18").to_string();
        assert_eq!(server.post(&[("Mcp-Session-Id", id)], &open).status, 404, "{id}");
        assert_eq!(server.send("DELETE", "/mcp", &[("Mcp-Session-Id", id)], "").status, 404, "{id}");
    }
    assert_eq!(server.health()["sessions"], 0);
}

#[test]
fn sessions_beyond_the_limit_are_refused_until_one_ends() {
    let server = HttpServer::start(&["--max-sessions", "2"]);
    let first = server.client();
    let mut second = server.client();
    let body = initialize_body("2025-06-18").to_string();
    let refused = server.post(&[], &body);
    assert_eq!(refused.status, 503);
    assert!(refused.header("retry-after").unwrap().parse::<u32>().unwrap() > 0);
    assert!(refused.body.contains("--max-sessions"));
    assert!(second.request("ping", json!({})).message["result"].is_object());
    assert_eq!(first.send("DELETE", &[]).status, 202);
    let until = Instant::now() + Duration::from_secs(5);
    while server.post(&[], &body).status == 503 {
        assert!(Instant::now() < until, "its place is not given back");
    }
}

#[test]
fn without_a_place_a_new_session_is_refused_before_its_message_comes() {
    let server = HttpServer::start(&["--max-sessions", "1"]);
    let _first = server.client();
    let mut stream = server.connect();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let refused = read_response(&mut stream);
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.body.contains("--max-sessions"), "{refused:?}");
}

#[test]
fn bodies_of_64_megabytes_are_refused_and_not_kept() {
    let server = HttpServer::start(&[]);
    let client = server.client();
    let before = server.memory();
    // One that says how long it is: refused before it comes.
    let mut stream = server.connect();
    let head = |framing: &str| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nMcp-Session-Id: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{framing}\r\n\r\n",
            server.address, client.session
        )
    };
    stream.write_all(head(&format!("Content-Length: {}", 64 << 20)).as_bytes()).unwrap();
    assert_eq!(read_response(&mut stream).status, 413);
    // One that does not say: cut off at the limit.
    let mut stream = server.connect();
    stream.write_all(head("Transfer-Encoding: chunked").as_bytes()).unwrap();
    let chunk = [b"100000\r\n".to_vec(), vec![b' '; 1 << 20], b"\r\n".to_vec()].concat();
    let sent = (0..64).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!(sent < 64, "all of it was taken");
    let mut answer = Vec::new();
    // The rest that was sent may reset the connection before the answer is read.
    let _ = stream.read_to_end(&mut answer);
    if !answer.is_empty() {
        assert!(answer.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&answer));
    }
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 40_000, "{grown} kB more");
    let mut client = client;
    assert!(client.request("ping", json!({})).message["result"].is_object());
}
