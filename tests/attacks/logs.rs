//! Logs, which people pass on when they report a problem.

use serde_json::json;

use crate::support::{Answer, Server, Site};

#[test]
fn logs_at_the_finest_level_have_nothing_of_pages() {
    let page = "<title>planted-title</title><h1>planted-text</h1><label>Name <input></label>
         <label>Password <input type=password></label>
         <button onclick=\"fetch('/body', { method: 'POST', headers: { 'X-Planted': 'planted-header' }, body: 'planted-body' })\">Go</button>
         <script>document.cookie = 'a=planted-cookie'; localStorage.setItem('a', 'planted-storage'); console.log('planted-console')</script>";
    let site = Site::of("");
    let headers =
        ["Content-Type: text/html", "Set-Cookie: b=planted-hidden; HttpOnly", "X-Planted: planted-answer"];
    let headers = headers.map(str::to_owned).to_vec();
    site.answer("/", Answer::Raw(200, headers, page.into()));
    site.answer("/body", Answer::Body("text/plain", b"planted-content".to_vec()));
    let (mut server, log) = Server::logging(&["--dialect", "agent,browser", "--log", "trace"]);
    server.navigate(&site.url("/")).says("planted-text");
    server.call("browser_click", json!({ "ref": "role:button" })).ok();
    server.call("browser_type", json!({ "ref": "label:Name", "text": "planted-typed" })).ok();
    server.call("browser_type", json!({ "ref": "label:Password", "text": "planted-password" })).ok();
    server.call("cookies", json!({ "action": "get_all" })).says("planted-hidden");
    server.call("browser_console_messages", json!({})).says("planted-console");
    server
        .call("browser_evaluate", json!({ "function": "() => { throw new Error('planted-error') }" }))
        .fails("planted-error");
    drop(server);
    let log = log.text();
    assert!(log.contains("asked the browser"), "nothing is logged: {log}");
    let shown: Vec<&str> = log.lines().filter(|line| line.contains("planted-")).collect();
    assert!(shown.is_empty(), "{shown:#?}");
}
