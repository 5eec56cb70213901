//! Secrets: typed by name, told to nobody.

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site};

/// Values with characters that URLs and JSON escape, and one that is the beginning of another.
const PASSWORD: &str = "p4ss \"w\"/ü&1";
const TOKEN: &str = "tok-1234567";
const LONGER: &str = "tok-1234567-and-more";

fn secrets_file(server_flags: &mut Vec<String>) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secrets.env");
    std::fs::write(
        &path,
        format!("PASSWORD@127.0.0.1='{PASSWORD}'\nTOKEN@127.0.0.1={TOKEN}\nLONGER@127.0.0.1={LONGER}\n"),
    )
    .unwrap();
    server_flags.extend(["--secrets".to_owned(), path.display().to_string()]);
    directory
}

/// A server with secrets, and the file that they are in.
fn start(flags: &[&str]) -> (Server, tempfile::TempDir) {
    let mut flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let directory = secrets_file(&mut flags);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    (Server::start(&flags), directory)
}

/// The ways in which a value might be written.
fn spellings(value: &str) -> Vec<String> {
    let percent = |byte: u8| match byte {
        b'-' | b'0'..=b'9' | b'a'..=b'z' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let percents: String = value.bytes().map(percent).collect();
    let mut spellings = vec![
        percents.replace("%20", "+"),
        percents,
        value.replace('&', "&amp;").replace('"', "&quot;"),
        value.to_owned(),
    ];
    // In JSON in JSON in JSON.
    for _ in 0..4 {
        let json = Value::from(spellings[spellings.len() - 1].as_str()).to_string();
        spellings.push(json[1..json.len() - 1].to_owned());
    }
    spellings
}

/// A line must have no secret, however it is written.
#[track_caller]
fn is_clean(line: &str) {
    for value in [PASSWORD, TOKEN, LONGER] {
        for spelling in spellings(value) {
            assert!(!line.contains(&spelling), "{spelling} is in {line}");
        }
    }
}

/// A reply must have worked, and have no secret in any part of it.
#[track_caller]
fn hides(reply: &Reply) -> &Reply {
    is_clean(&reply.ok().message.to_string());
    reply
}

/// A page that tells what its first field holds in every way that it can.
const ECHO: &str = "<title>Form</title><form action=/sent method=post>
    <label>User <input name=user></label><label>Password <input type=password name=password></label>
    <label>Note <textarea name=note></textarea></label><button>Send</button></form>
    <p id=echo></p><a id=link>link</a><script>
    document.querySelector('[name=user]').oninput = (e) => {
        const value = e.target.value;
        document.title = 'Hello ' + value;
        echo.textContent = 'You are ' + value;
        link.href = '/?q=' + encodeURIComponent(value);
        link.title = JSON.stringify({ value });
        console.log('value', value);
        console.error(JSON.stringify({ value }));
        history.replaceState(null, '', '/?v=' + encodeURIComponent(value));
        localStorage.setItem('value', value);
        document.cookie = 'value=' + encodeURIComponent(value);
        fetch('/data?plus=' + new URLSearchParams({ value }), { method: 'POST', body: value });
    };
    </script>";

fn site() -> Site {
    let site = Site::with(&[("/", ECHO), ("/sent", "<title>Sent</title>")]);
    site.answer("/data", Answer::Body("text/plain", Vec::new()));
    site
}

/// What a form of these fields sends.
fn sent(fields: &[(&str, &str)]) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    fields.iter().for_each(|(name, value)| {
        form.append_pair(name, value);
    });
    format!("POST /sent {}", form.finish())
}

#[test]
fn every_tool_that_types_types_the_value_of_a_name() {
    let site = site();
    let (mut server, _directory) = start(&["--dialect", "all"]);
    server.navigate(&site.url("/"));
    let secret = |name: &str| format!("<secret {name}>");
    let typed = server.call("browser_type", json!({ "ref": "label:User", "text": "$TOKEN" }));
    hides(&typed).says(&secret("TOKEN"));
    let fields = json!([{ "ref": "label:Password", "value": "$PASSWORD" }, { "ref": "label:Note", "value": "$LONGER" }]);
    hides(&server.call("browser_fill_form", json!({ "fields": fields }))).says(&secret("LONGER"));
    hides(&server.call("browser_click", json!({ "ref": "button" }))).ok();
    let expected = sent(&[("user", TOKEN), ("password", PASSWORD), ("note", LONGER)]);
    assert!(site.requests().contains(&expected), "{:?}", site.requests());

    server.navigate(&site.url("/"));
    let launch = json!({ "selector": "User", "selectorType": "label", "text": "$PASSWORD" });
    let typed = server.call("browser_type", launch);
    hides(&typed).says("Successfully typed into element: User\nText: <secret PASSWORD>");
    let append = json!({ "selector": "User", "selectorType": "label", "text": "$TOKEN", "clear": false });
    hides(&server.call("browser_type", append)).says("\nText: <secret TOKEN>");
    let companion = json!({ "element": "Note", "ref": "textarea", "text": "$PASSWORD", "tabId": 1 });
    hides(&server.call("browser_type", companion)).says("\nText: <secret PASSWORD>");
    let slowly = json!({ "ref": "label:Password", "text": "$TOKEN", "slowly": true, "submit": true });
    hides(&server.call("browser_type", slowly)).ok();
    let both = format!("{PASSWORD}{TOKEN}");
    let expected = sent(&[("user", &both), ("password", TOKEN), ("note", PASSWORD)]);
    assert!(site.requests().contains(&expected), "{:?}", site.requests());
}

#[test]
fn a_value_is_in_no_reply_log_or_file() {
    let site = site();
    let mut flags = vec!["--log".to_owned(), "trace".to_owned(), "--dialect".to_owned(), "all".to_owned()];
    let _directory = secrets_file(&mut flags);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (mut server, log) = Server::logging(&flags);
    server.navigate(&site.url("/"));
    for name in ["PASSWORD", "TOKEN", "LONGER"] {
        hides(&server.call("browser_type", json!({ "ref": "label:User", "text": format!("${name}") })));
        let secret = format!("<secret {name}>");
        let snapshot = server.call("browser_snapshot", json!({}));
        hides(&snapshot).says(&format!("]: {secret}"));
        snapshot
            .says(&format!("You are {secret}"))
            .says(&format!("/?q={secret}"))
            .says(&format!("\"Hello {secret}\""));
        let html = server.call("browser_snapshot", json!({ "tabId": 1 }));
        hides(&html).says(&format!("value=\"{secret}\"")).says(&format!(">You are {secret}</p>"));
        hides(&server.call("browser_console_messages", json!({}))).says(&format!("value {secret}"));
        hides(&server.call("browser_get_console_logs", json!({}))).says(&format!("value {secret}"));
        hides(&server.call("browser_network_requests", json!({}))).says(&format!("value={secret}"));
        hides(&server.call("browser_tabs", json!({ "action": "list" }))).says(&secret);
        hides(&server.call("browser_find", json!({ "selector": "#link" })));
        let all = "() => ({ title: document.title, [document.title]: [location.href, link.title], cookie: document.cookie,
            json: JSON.stringify(JSON.stringify(localStorage.value)), query: new URLSearchParams(localStorage) + '' })";
        let evaluated = server.call("browser_evaluate", json!({ "function": all }));
        hides(&evaluated).says(&secret);
        assert_eq!(evaluated.facts()["result"]["title"], format!("Hello {secret}"));
        hides(&server.call("browser_hover", json!({ "ref": "#link" })));
    }
    // The model may know it and say it; the reply still does not.
    let wrong = server.call(
        "browser_click",
        json!({ "selector": TOKEN, "selectorType": "testId", "options": { "timeout": 1 } }),
    );
    wrong.fails("Selector: <secret TOKEN>");
    is_clean(&wrong.message.to_string());
    hides(&server.call("browser_context_save_storage", json!({ "path": "state.json" })));
    let state = std::fs::read_to_string(server.working_directory().join("state.json")).unwrap();
    is_clean(&state);
    assert!(state.contains("<secret LONGER>"), "{state}");
    hides(&server.call("browser_click", json!({ "ref": "button" })));
    for message in &server.aside {
        is_clean(&message.to_string());
    }
    drop(server);
    let log = log.text();
    assert!(log.contains("DEBUG"), "{log}");
    is_clean(&log);
}

#[test]
fn trace_logs_hold_no_cookie_header_or_body() {
    let site = Site::of(
        "<script>fetch('/api', { method: 'POST', body: 'sent-body', headers: { 'X-Key': 'sent-header' } })</script><input>",
    );
    let headers = &["Set-Cookie: session=kept-cookie; HttpOnly", "X-Reply: got-header"];
    site.answer("/api", Answer::Headed(headers, "got-body".into()));
    let (mut server, log) = Server::logging(&["--log", "trace"]);
    server.navigate(&site.url("/"));
    server.navigate(&site.url("/"));
    server.call("browser_type", json!({ "ref": "input", "text": "typed-text" })).ok();
    server.call("browser_context_save_storage", json!({ "path": "state.json" })).ok();
    assert!(site.cookies().iter().any(|cookie| cookie.contains("kept-cookie")), "{:?}", site.cookies());
    drop(server);
    let log = log.text();
    assert!(log.contains("TRACE"), "{log}");
    for private in ["kept-cookie", "sent-header", "got-header", "sent-body", "got-body", "typed-text"] {
        let line = log.lines().find(|line| line.contains(private));
        assert!(line.is_none(), "{private} is in the log: {line:?}");
    }
}

#[test]
fn a_page_that_tells_every_key_learns_the_value_at_once() {
    let site = site();
    let (mut server, _directory) = start(&[]);
    server.navigate(&site.url("/"));
    server.call("browser_type", json!({ "ref": "label:User", "text": "$LONGER" })).ok();
    let console = server.call("browser_console_messages", json!({}));
    hides(&console).says("value <secret LONGER>");
    assert!(!console.text().contains(&TOKEN[..5]), "a part of it is told: {}", console.text());
}

#[test]
fn a_long_value_is_hidden_where_a_reply_cuts_it() {
    let site = site();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("secrets.env");
    let key = "0123456789abcdef".repeat(100);
    std::fs::write(&file, format!("KEY@127.0.0.1={key}\nLINES@127.0.0.1=\"first  line\\nsecond\tline\"\n"))
        .unwrap();
    let mut server = Server::start(&["--dialect", "all", "--secrets", file.to_str().unwrap()]);
    server.navigate(&site.url("/"));
    for (field, name, part) in [("User", "KEY", "89abcdef"), ("Note", "LINES", "second")] {
        let typed = json!({ "ref": format!("label:{field}"), "text": format!("${name}") });
        let replies = [
            server.call("browser_type", typed),
            server.call("browser_snapshot", json!({})),
            server.call("browser_snapshot", json!({ "tabId": 1 })),
            server.call("browser_console_messages", json!({})),
            server.call("browser_network_requests", json!({})),
            server.call("browser_tabs", json!({ "action": "list" })),
        ];
        for reply in replies {
            let message = reply.ok().message.to_string();
            assert!(!message.contains(part), "{message}");
        }
    }
    let holds = server.evaluate(
        "[document.querySelector('input').value.length, document.querySelector('textarea').value.length]",
    );
    assert_eq!(holds, json!([1600, 23]));
}

#[test]
fn a_name_that_no_secret_has_is_an_error() {
    let site = site();
    let (mut server, _directory) = start(&["--dialect", "all"]);
    server.navigate(&site.url("/"));
    for name in ["$UNKNOWN", "$token", "$HOME", "$_"] {
        let field = json!({ "ref": "label:Note", "value": name });
        let replies = [
            server.call("browser_type", json!({ "ref": "label:Note", "text": name })),
            server.call("browser_fill_form", json!({ "fields": [{ "ref": "label:User", "value": "$TOKEN" }, field] })),
            server.call("fill", json!({ "selector": "label:Note", "value": name })),
            server.call("type", json!({ "selector": "label:Note", "text": name })),
            server.call("locator", json!({ "chain": [{ "method": "label", "value": "Note" }], "action": "fill", "fill_value": name })),
        ];
        for reply in replies {
            assert!(reply.failed(), "{}", reply.message);
            let said = format!("unknown secret {name}; known: PASSWORD, TOKEN, LONGER");
            assert!(reply.text().contains(&said), "{}", reply.text());
            is_clean(&reply.message.to_string());
        }
    }
    // Nothing was typed.
    let held =
        server.evaluate("document.querySelector('textarea').value + document.querySelector('input').value");
    assert_eq!(held, "");
}

#[test]
fn the_tools_that_type_list_the_names() {
    let names = "$PASSWORD, $TOKEN, $LONGER";
    let typing = |tools: &Value| -> Vec<String> {
        let tools = tools.as_array().unwrap().iter();
        let listing = tools.filter(|tool| tool["description"].as_str().unwrap().contains(names));
        listing.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let (mut server, _directory) = start(&["--dialect", "all"]);
    let listed = server.request("tools/list", json!({})).message["result"]["tools"].take();
    is_clean(&listed.to_string());
    let mut all = typing(&listed);
    all.sort();
    assert_eq!(all, ["browser.fill", "browser_fill_form", "browser_type", "fill", "locator", "type"]);
    let mut flags = vec!["tools".to_owned(), "--format=json".to_owned()];
    let _directory = secrets_file(&mut flags);
    let told = crate::support::Shell::new().run(&flags).json();
    assert_eq!(typing(&told), ["browser_type", "browser_fill_form"]);
    let plain = Server::start(&[]).request("tools/list", json!({})).message.to_string();
    assert!(!plain.contains('$'), "{plain}");
}

#[test]
fn what_names_no_secret_is_typed_as_it_is() {
    let site = site();
    let (mut server, _directory) = start(&[]);
    server.navigate(&site.url("/"));
    for text in ["$", "$100", "$$TOKEN", "TOKEN", "$TOKEN.", "$HOME/x", "costs $5", "${TOKEN}"] {
        server.call("browser_type", json!({ "ref": "label:Note", "text": text })).says(text);
        assert_eq!(server.evaluate("document.querySelector('textarea').value"), text);
    }
    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    server
        .call("browser_type", json!({ "ref": "label:Note", "text": "$TOKEN" }))
        .says("now holds \"$TOKEN\"");
    assert_eq!(server.evaluate("document.querySelector('textarea').value"), "$TOKEN");
}
