//! Resources, their updates, prompts and completion over HTTP.

use serde_json::{Value, json};

use crate::{
    http_protocol::{ask, stateless},
    support::{Site, http::HttpServer},
};

/// What a subscription of this resource is told.
const UPDATED: &str = "notifications/resources/updated";

#[test]
fn resources_prompts_and_completion_work_over_http() {
    let site = Site::of("<title>Shop</title><button>Buy</button>");
    let server = HttpServer::start(&[]);
    let mut client = server.client();
    client.navigate(&site.url("/"));
    let mut result = |method: &str, params: Value| {
        let reply = client.request(method, params);
        assert!(reply.message["result"].is_object(), "{}", reply.message);
        reply.message["result"].clone()
    };

    let listed = result("resources/list", json!({}));
    assert_eq!(listed["resources"][0]["uri"], "page://current/snapshot");
    let templates = result("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "page://{tab}/snapshot");
    let read = result("resources/read", json!({ "uri": "page://current/snapshot" }));
    assert!(read["contents"][0]["text"].as_str().unwrap().contains("button \"Buy\""), "{read}");

    let shot = result(
        "tools/call",
        json!({ "name": "browser_take_screenshot", "arguments": { "filename": "a.png" } }),
    );
    let link = shot["content"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(link["type"], "resource_link", "{shot}");
    let file = result("resources/read", json!({ "uri": link["uri"] }));
    assert!(file["contents"][0]["blob"].as_str().unwrap().starts_with("iVBOR"), "a PNG");

    let prompts = result("prompts/list", json!({}));
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 3);
    let prompt =
        result("prompts/get", json!({ "name": "extract_table", "arguments": { "table": "Prices" } }));
    assert!(prompt["messages"][0]["content"]["text"].as_str().unwrap().contains("Prices"), "{prompt}");

    let template = json!({ "type": "ref/resource", "uri": "page://{tab}/snapshot/{ref}" });
    let typed = json!({ "name": "ref", "value": "bu" });
    let completed = result("completion/complete", json!({ "ref": template, "argument": typed }));
    let values = completed["completion"]["values"].as_array().unwrap();
    assert!(values.len() == 1 && values[0].as_str().unwrap().contains("Buy"), "{completed}");
}

#[test]
fn updates_come_on_the_stream_of_the_client_that_subscribed() {
    let server = HttpServer::start(&[]);
    let mut clients = [server.client(), server.client()];
    let mut streams: Vec<_> = clients.iter().map(|client| client.listen()).collect();
    for client in &mut clients {
        client.navigate("data:text/html,<p id=now>0</p>");
    }
    let uri = "page://current/snapshot";
    let subscribed = clients[0].request("resources/subscribe", json!({ "uri": uri }));
    assert!(subscribed.message["result"].is_object(), "{}", subscribed.message);
    for client in &mut clients {
        client.evaluate("() => { now.textContent = 'changed' }");
    }
    assert_eq!(streams[0].notification(UPDATED)["params"]["uri"], uri);
    assert_eq!(clients[1].send("DELETE", &[]).status, 202);
    assert_eq!(streams[1].by_ref().filter(|message| message["method"] == UPDATED).count(), 0);
}

#[test]
fn updates_come_on_the_stream_of_a_subscription_without_a_session() {
    let server = HttpServer::start(&[]);
    let call = |tool: &str, arguments: Value| {
        ask(&server, "tools/call", json!({ "name": tool, "arguments": arguments }), "program", &[])
    };
    call("browser_navigate", json!({ "url": "data:text/html,<p id=now>0</p>" }));
    let uri = "page://current/snapshot";
    let filter = json!({ "notifications": { "resourceSubscriptions": [uri] } });
    let (headers, body) = stateless("subscriptions/listen", filter, "program");
    let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut stream = server.open(&headers, &body);
    stream.notification("notifications/subscriptions/acknowledged");
    call("browser_evaluate", json!({ "function": "() => { now.textContent = 'changed' }" }));
    assert_eq!(stream.notification(UPDATED)["params"]["uri"], uri);
}
