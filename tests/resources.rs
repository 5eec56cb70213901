//! Resources, prompts and completion: what a client reads and offers without calling a tool.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Server, Site, Tab, open, open_site};

fn read(server: &mut Server, uri: &str) -> Value {
    let reply = server.request("resources/read", json!({ "uri": uri }));
    reply.message["result"]["contents"][0].clone()
}

fn text(server: &mut Server, uri: &str) -> String {
    let content = read(server, uri);
    content["text"].as_str().unwrap_or_else(|| panic!("{content}")).to_owned()
}

fn values(server: &mut Server, reference: Value, argument: &str, typed: &str) -> Vec<String> {
    let params = json!({ "ref": reference, "argument": { "name": argument, "value": typed } });
    let reply = server.request("completion/complete", params);
    let values = reply.message["result"]["completion"]["values"]
        .as_array()
        .unwrap_or_else(|| panic!("{}", reply.message));
    values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

fn updates(server: &Server) -> usize {
    server.aside.iter().filter(|message| message["method"] == "notifications/resources/updated").count()
}

/// Reads messages until a number of updates came, or the time is over.
fn await_updates(server: &mut Server, count: usize, most: Duration) -> usize {
    let began = Instant::now();
    while updates(server) < count && began.elapsed() < most {
        if let Some((message, _)) = server.next_within(Duration::from_millis(100)) {
            server.aside.push(message);
        }
    }
    updates(server)
}

#[test]
fn listing_resources_starts_no_browser() {
    let mut server = Server::start(&[]);
    let listed = server.request("resources/list", json!({})).message;
    let uris: Vec<&str> = listed["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uri"].as_str().unwrap())
        .collect();
    assert_eq!(
        uris,
        [
            "page://current/snapshot",
            "page://current/screenshot",
            "page://current/console",
            "page://current/network"
        ]
    );
    let templates = server.request("resources/templates/list", json!({})).message;
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "page://{tab}/snapshot");
    server
        .request("resources/read", json!({ "uri": "page://current/snapshot" }))
        .refused(-32002, "no page is open");
    assert!(server.descendants().is_empty(), "no browser was needed");
}

#[test]
fn the_current_page_is_read_as_text_and_as_a_picture() {
    let mut tab = open("<title>Shop</title><button>Buy</button><script>console.error('broken')</script>");
    let snapshot = text(&mut tab, "page://current/snapshot");
    assert!(snapshot.contains("button \"Buy\" [ref=e"), "{snapshot}");
    assert!(text(&mut tab, "page://0/console").contains("[error] broken"));
    assert!(text(&mut tab, "page://current/network").contains("=> 200"));
    let picture = read(&mut tab, "page://current/screenshot");
    assert_eq!(picture["mimeType"], "image/png");
    assert!(picture["blob"].as_str().unwrap().starts_with("iVBOR"), "a PNG");
    let reference = snapshot.split("[ref=").nth(1).unwrap().split(']').next().unwrap();
    assert!(text(&mut tab, &format!("page://current/snapshot/{reference}")).contains("Buy"));
}

#[test]
fn reading_a_page_does_not_count_as_seeing_it() {
    let mut tab =
        open("<button onclick='setTimeout(() => list.append(\"late\"), 900)'>Add</button><ul id=list></ul>");
    tab.snapshot();
    tab.call("browser_click", json!({ "ref": "button" })).says("Clicked");
    tab.call("browser_wait_for", json!({ "time": 1 }));
    tab.evaluate("() => list.append(' and more')");
    assert!(text(&mut tab, "page://current/snapshot").contains("and more"));
    tab.call("browser_hover", json!({ "ref": "button" })).says("and more");
}

#[test]
fn tabs_are_read_by_index() {
    let site = Site::with(&[("/", "<a target=_blank href=/two>Two</a>"), ("/two", "<h1>Second</h1>")]);
    let mut tab = open_site(&[], site);
    tab.call("browser_click", json!({ "ref": "a" }));
    assert!(text(&mut tab, "page://1/snapshot").contains("Second"));
    assert!(!text(&mut tab, "page://current/snapshot").contains("Second"));
    let tabs: Value = serde_json::from_str(&text(&mut tab, "context://default/tabs")).unwrap();
    assert_eq!(tabs.as_array().unwrap().len(), 2);
    tab.request("resources/read", json!({ "uri": "page://7/snapshot" })).refused(-32603, "7");
}

#[test]
fn saved_files_are_linked_listed_and_read() {
    let mut tab = open("<h1>Photo</h1>");
    let reply = tab.call("browser_take_screenshot", json!({ "filename": "photo.png" }));
    let link = reply.message["result"]["content"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&link["type"], &link["name"]), (&json!("resource_link"), &json!("photo.png")));
    let uri = link["uri"].as_str().unwrap().to_owned();
    assert_eq!(read(&mut tab, &uri)["mimeType"], "image/png");
    let listed = tab.request("resources/list", json!({})).message["result"]["resources"].to_string();
    assert!(listed.contains(&uri), "{listed}");
    tab.request("resources/read", json!({ "uri": "file:///etc/hostname" }))
        .refused(-32002, "was not saved by a tool");
}

#[test]
fn clients_of_older_protocols_get_no_links() {
    let site = Site::of("<h1>Photo</h1>");
    let mut server = Server::silent(&[]);
    server.initialize("2025-03-26");
    server.navigate(&site.url("/"));
    let reply = server.call("browser_take_screenshot", json!({ "filename": "photo.png" }));
    assert_eq!(reply.message["result"]["content"].as_array().unwrap().len(), 1);
}

#[test]
fn a_change_updates_a_subscription_at_most_once_a_second() {
    let mut tab = open("<p id=now>0</p>");
    tab.request("resources/subscribe", json!({ "uri": "page://current/snapshot" }));
    assert_eq!(await_updates(&mut tab, 1, Duration::from_millis(1_500)), 0, "nothing has changed");
    tab.evaluate("() => { let n = 0; const t = setInterval(() => { now.textContent = ++n; if (n > 60) clearInterval(t) }, 50) }");
    let began = Instant::now();
    assert_eq!(await_updates(&mut tab, 3, Duration::from_secs(20)), 3);
    assert!(began.elapsed() > Duration::from_millis(1_500), "not more than one a second");
    tab.request("resources/unsubscribe", json!({ "uri": "page://current/snapshot" }));
    let before = updates(&tab);
    tab.evaluate("() => { now.textContent = 'over' }");
    assert_eq!(await_updates(&mut tab, before + 1, Duration::from_millis(1_500)), before);
}

#[test]
fn what_a_call_does_updates_the_console_and_the_network() {
    let site = Site::with(&[("/", "<h1>Here</h1>"), ("/data", "1")]);
    let mut tab = open_site(&[], site);
    for (uri, script) in [
        ("page://current/console", "() => console.log('said')"),
        ("page://current/network", "() => { fetch('/data') }"),
    ] {
        tab.request("resources/subscribe", json!({ "uri": uri }));
        for _ in 0..4 {
            let before = updates(&tab);
            tab.evaluate(script);
            assert!(await_updates(&mut tab, before + 1, Duration::from_secs(10)) > before, "{uri}");
        }
        tab.request("resources/unsubscribe", json!({ "uri": uri }));
    }
}

#[test]
fn another_tab_becoming_current_is_a_change() {
    let mut tab = open("<h1>One</h1>");
    tab.request("resources/subscribe", json!({ "uri": "page://current/console" }));
    tab.call("browser_tabs", json!({ "action": "new" }));
    assert!(await_updates(&mut tab, 1, Duration::from_secs(10)) >= 1);
}

#[test]
fn unknown_resources_are_refused_by_name() {
    let mut server = Server::start(&[]);
    for uri in [
        "",
        "page://current/secrets",
        "http://example.com/",
        "device://Nokia%203310",
        "dialect://latin/tools",
    ] {
        server.request("resources/read", json!({ "uri": uri })).refused(-32002, "");
    }
    server.request("resources/read", json!({})).refused(-32602, "resources/read");
    server.request("resources/subscribe", json!({ "uri": "page://x/y" })).refused(-32602, "unknown resource");
}

#[test]
fn prompts_are_listed_and_made_from_their_arguments() {
    let mut server = Server::start(&[]);
    let listed = server.request("prompts/list", json!({})).message;
    let names: Vec<&str> = listed["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["test_page", "fill_form", "extract_table"]);
    let made =
        server.request("prompts/get", json!({ "name": "extract_table", "arguments": { "table": "Prices" } }));
    let text = made.message["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("Extract the table \"Prices\" from the open page as CSV."), "{text}");
    server
        .request("prompts/get", json!({ "name": "fill_form" }))
        .refused(-32602, "Missing required argument: data");
    server.request("prompts/get", json!({ "name": "poem" })).refused(-32602, "Unknown prompt: poem");
}

#[test]
fn arguments_are_completed() {
    let mut tab: Tab = open("<button>Save</button><button>Cancel</button>");
    let template = |uri: &str| json!({ "type": "ref/resource", "uri": uri });
    assert_eq!(values(&mut tab, template("dialect://{dialect}/tools"), "dialect", "v"), ["vision"]);
    assert_eq!(values(&mut tab, template("device://{device}"), "device", "ipad"), ["iPad Pro", "iPad Mini"]);
    assert_eq!(values(&mut tab, template("context://{context}/tabs"), "context", ""), ["default"]);
    let elements = values(&mut tab, template("page://{tab}/snapshot/{ref}"), "ref", "canc");
    assert!(elements.len() == 1 && elements[0].ends_with("button \"Cancel\""), "{elements:?}");
    let prompt = json!({ "type": "ref/prompt", "name": "test_page" });
    let url = tab.site.url("/");
    assert_eq!(values(&mut tab, prompt, "url", ""), [url]);
}

#[test]
fn secrets_are_hidden_in_lists_of_tabs_and_in_completions() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secrets.env");
    std::fs::write(&path, "TOKEN=sesame-open").unwrap();
    let site =
        Site::with(&[("/sesame-open", "<title>It is sesame-open</title><button>sesame-open</button>")]);
    let mut server = Server::start(&["--secrets", path.to_str().unwrap()]);
    server.navigate(&site.url("/sesame-open"));
    let tabs = text(&mut server, "context://default/tabs");
    assert!(tabs.contains("<secret TOKEN>") && !tabs.contains("sesame"), "{tabs}");
    let tool = || json!({ "type": "ref/prompt", "name": "test_page" });
    for (argument, typed) in [("url", ""), ("element", ""), ("url", "sesame"), ("element", "sesame")] {
        let offered = values(&mut server, tool(), argument, typed);
        assert_eq!(offered.is_empty(), typed == "sesame", "{argument} {typed}: {offered:?}");
        assert!(!offered.iter().any(|value| value.contains("sesame")), "{offered:?}");
    }
}
