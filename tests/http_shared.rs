//! Contexts that clients of one server share by name, where that is allowed; and many of them.

use serde_json::json;

use crate::support::{Site, http::HttpServer};

const COUNT: &str = "<script>document.cookie = 'seen=1; path=/'</script><h1>Here</h1>";

#[test]
fn clients_meet_in_a_session_by_its_name_where_that_is_allowed() {
    let site = Site::of(COUNT);
    let server = HttpServer::start(&["--allow-shared-sessions", "--dialect=vision"]);
    let (mut one, mut other) = (server.client(), server.client());
    one.call("browser.navigate", json!({ "url": site.url("/"), "sessionId": "team" })).ok();
    let there =
        other.call("browser.evaluate", json!({ "sessionId": "team", "script": "return location.href" }));
    there.ok().says(&site.url("/"));
    // What no name was given for stays with its client.
    one.call("browser.navigate", json!({ "url": site.url("/own"), "sessionId": "default" })).ok();
    let own =
        other.call("browser.evaluate", json!({ "sessionId": "default", "script": "return location.href" }));
    own.says_not("/own");
    // It outlives the client that made it, and ends for all when one closes it.
    assert_eq!(one.send("DELETE", &[]).status, 202);
    server.wait_for_sessions(1, std::time::Duration::from_secs(5));
    other.call("browser.evaluate", json!({ "sessionId": "team", "script": "return 1 + 1" })).ok().says("2");
    other.call("browser.close", json!({ "sessionId": "team" })).ok();
    let mut third = server.client();
    third.call("browser.close", json!({ "sessionId": "team" })).fails("team");
}

#[test]
fn clients_do_not_meet_unless_that_is_allowed() {
    let site = Site::of(COUNT);
    let server = HttpServer::start(&["--dialect=vision"]);
    let (mut one, mut other) = (server.client(), server.client());
    one.call("browser.navigate", json!({ "url": site.url("/"), "sessionId": "team" })).ok();
    other
        .call("browser.evaluate", json!({ "sessionId": "team", "script": "return location.href" }))
        .says_not(&site.url("/"));
    other.call("browser.close", json!({ "sessionId": "other" })).fails("other");
}

#[test]
fn two_hundred_sessions_are_open_at_once_and_leave_nothing() {
    let server = HttpServer::start(&["--dialect=vision"]);
    let mut client = server.client();
    let call = |client: &mut crate::support::http::HttpClient, tool: &str, number: usize, script: &str| {
        client.call(tool, json!({ "sessionId": format!("s{number}"), "script": script }))
    };
    for number in 0..200 {
        let script = format!("document.title = 's{number}'; return 1");
        call(&mut client, "browser.evaluate", number, &script).ok();
    }
    for number in [0, 99, 199] {
        call(&mut client, "browser.evaluate", number, "return document.title")
            .ok()
            .says(&format!("s{number}"));
    }
    client.call("browser.close", json!({})).ok();
    client.call("browser.close", json!({ "sessionId": "s0" })).fails("s0");
    assert_eq!(client.send("DELETE", &[]).status, 202);
    server.wait_for_sessions(0, std::time::Duration::from_secs(10));
}
