//! Questions to the person at the client: secrets, codes, consent.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, agent, http::HttpServer};

const FORM: &str = "<label>User <input></label><label>Password <input type=password></label>\
    <label>Code <input></label><label>File <input type=file onchange='document.title = this.files[0].name'></label>";

/// A server whose client can ask in these ways, at a page.
fn asking(modes: Value, flags: &[&str], site: &Site) -> Server {
    let mut server = Server::silent(flags);
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "elicitation": modes },
        "clientInfo": { "name": "suites", "version": "1" },
    });
    let greeted = server.request("initialize", params);
    assert!(greeted.message["result"]["instructions"].as_str().unwrap().contains("$ask_secret("));
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server.navigate(&site.url("/"));
    server
}

/// The next question to the person.
#[track_caller]
fn question(server: &mut Server) -> Value {
    loop {
        let (message, _) = server.next_within(Duration::from_secs(30)).expect("a question");
        if message["method"] == "elicitation/create" {
            return message;
        }
    }
}

fn answer(server: &mut Server, question: &Value, action: &str, content: Value) {
    let result = json!({ "action": action, "content": content });
    server.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
}

/// A call that asks one question, which is answered so.
#[track_caller]
fn call_and_answer(server: &mut Server, tool: &str, arguments: Value, action: &str, content: Value) -> Reply {
    let id = server.begin_call(tool, arguments);
    let asked = question(server);
    answer(server, &asked, action, content);
    server.finish(id)
}

fn value_of(server: &mut Server, label: &str) -> Value {
    server.evaluate(&format!(
        "() => [...document.querySelectorAll('label')].find(l => l.innerText.includes('{label}')).querySelector('input').value"
    ))
}

/// One request to the page that asks.
fn on_page(url: &str, host: Option<&str>, method: &str, body: &str) -> String {
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (host, length) = (host.unwrap_or(address), body.len());
    let kind = "application/x-www-form-urlencoded";
    write!(
        stream,
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_code_is_asked_for_in_a_form_with_a_picture() {
    let site = Site::of(FORM);
    let mut server = asking(json!({}), &[], &site);
    let id = server.begin_call(
        "browser_type",
        json!({ "ref": "label:Code", "text": "$ask_code(Digits in the picture)" }),
    );
    let asked = question(&mut server);
    let message = asked["params"]["message"].as_str().unwrap();
    assert!(message.contains("Digits in the picture") && message.contains("127.0.0.1"), "{message}");
    let picture = message.split("The page: ").nth(1).expect("a picture").trim();
    let picture = std::fs::read(server.working_directory().join(picture)).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert_eq!(asked["params"]["requestedSchema"]["required"], json!(["answer"]));
    answer(&mut server, &asked, "accept", json!({ "answer": "4711" }));
    server.finish(id).ok();
    assert_eq!(value_of(&mut server, "Code"), "4711");
}

#[test]
fn a_secret_is_asked_for_on_a_page_of_our_own_and_never_shown() {
    let site = Site::of(FORM);
    let mut server = asking(json!({ "form": {}, "url": {} }), &[], &site);
    let text = "$ask_secret(Password of <ada>)";
    let id = server.begin_call("browser_type", json!({ "ref": "label:Password", "text": text }));
    let asked = question(&mut server);
    assert_eq!(asked["params"]["mode"], "url");
    let url = asked["params"]["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    let page = on_page(&url, None, "GET", "");
    assert!(page.contains("Password of &lt;ada&gt;") && page.contains("type=\"password\""), "{page}");
    assert!(on_page(&url, Some("evil.example"), "GET", "").starts_with("HTTP/1.1 404"));
    assert!(on_page(&format!("{url}0"), None, "GET", "").starts_with("HTTP/1.1 404"));
    answer(&mut server, &asked, "accept", Value::Null);
    assert!(on_page(&url, None, "POST", "answer=").starts_with("HTTP/1.1 400"));
    assert!(on_page(&url, None, "POST", "answer=tr0ub4dor%263").contains("Thank you"));
    let typed = server.finish(id);
    typed.ok();
    assert!(!typed.message.to_string().contains("tr0ub4dor"), "{}", typed.message);
    let read = server.evaluate("() => document.querySelector('input[type=password]').value");
    assert_eq!(read, "<secret of the person>");
    assert_eq!(server.evaluate("() => document.querySelector('input[type=password]').value.length"), 11);
    assert!(TcpStream::connect(url["http://".len()..].split('/').next().unwrap()).is_err());
}

#[test]
fn a_secret_goes_into_password_fields_only() {
    let site = Site::of(FORM);
    let mut server = asking(json!({ "url": {} }), &[], &site);
    let id =
        server.begin_call("browser_type", json!({ "ref": "label:User", "text": "$ask_secret(Password)" }));
    let asked = question(&mut server);
    let url = asked["params"]["url"].as_str().unwrap().to_owned();
    answer(&mut server, &asked, "accept", Value::Null);
    on_page(&url, None, "POST", "answer=correct-horse");
    let refused = server.finish(id);
    refused.fails("fields that hide what they hold");
    assert!(!refused.message.to_string().contains("correct-horse"), "{}", refused.message);
    assert_eq!(value_of(&mut server, "User"), "");
}

/// A page that goes to another site while the person types gets nothing there.
#[test]
fn an_answer_goes_only_to_the_site_that_the_person_was_asked_for() {
    let leaves = "<script>setInterval(async () => {
        const said = await (await fetch('/go')).text();
        if (said === 'go' && location.hostname !== 'localhost') location = location.href.replace('127.0.0.1', 'localhost');
    }, 200)</script>";
    let site = Site::of(&format!("{FORM}{leaves}"));
    site.answer("/go", Answer::Html("stay".into()));
    let elsewhere = site.url("/").replace("127.0.0.1", "localhost");
    let mut server = asking(json!({ "form": {}, "url": {} }), &["--confirm=uploads"], &site);
    server.file("notes.txt", "notes");
    for (tool, arguments) in [
        ("browser_type", json!({ "ref": "label:Password", "text": "$ask_secret(Password)" })),
        ("browser_type", json!({ "ref": "label:Code", "text": "$ask_code(Digits)" })),
        ("browser_file_upload", json!({ "paths": ["notes.txt"], "ref": "label:File" })),
    ] {
        site.answer("/go", Answer::Html("stay".into()));
        server.navigate(&site.url("/"));
        let id = server.begin_call(tool, arguments);
        let asked = question(&mut server);
        site.answer("/go", Answer::Html("go".into()));
        let until = Instant::now() + Duration::from_secs(20);
        while server.call("browser_tabs", json!({ "action": "list" })).facts()["tabs"][0]["url"] != elsewhere
        {
            assert!(Instant::now() < until, "the page did not leave");
        }
        match asked["params"]["url"].as_str() {
            Some(url) => {
                answer(&mut server, &asked, "accept", Value::Null);
                on_page(url, None, "POST", "answer=correct-horse");
            }
            None if tool == "browser_type" => {
                answer(&mut server, &asked, "accept", json!({ "answer": "4711" }))
            }
            None => answer(&mut server, &asked, "accept", json!({ "answer": true })),
        }
        let refused = server.finish(id);
        refused.fails("127.0.0.1").fails("localhost");
        assert!(!refused.message.to_string().contains("correct-horse"), "{}", refused.message);
        let values = "() => [...document.querySelectorAll('input')].map((it) => it.files?.length || it.value).join('')";
        assert_eq!(server.evaluate(values), "");
        assert_eq!(server.evaluate("() => location.hostname"), "localhost");
    }
}

#[test]
fn clients_that_cannot_ask_are_told_what_to_do_instead() {
    let site = Site::of(FORM);
    let mut server = asking(json!({}), &["--confirm=all"], &site);
    let secret = json!({ "ref": "label:Password", "text": "$ask_secret(Password)" });
    server.call("browser_type", secret.clone()).fails("cannot ask a person for a secret").fails("--secrets");

    let mut server = Server::start(&["--confirm=uploads,permissions"]);
    server.navigate(&site.url("/"));
    server.file("notes.txt", "notes");
    server.call("browser_type", secret).fails("--secrets");
    let code = json!({ "ref": "label:Code", "text": "$ask_code(Digits)" });
    server.call("browser_type", code).fails("cannot ask a person for a code").fails("screenshot");
    let upload = json!({ "paths": ["notes.txt"] });
    server.call("browser_file_upload", upload).fails("for a confirmation").fails("--confirm");
    assert_eq!(server.evaluate("() => document.querySelector('[type=file]').files.length"), 0);
    // What only looks like it is typed.
    server.call("browser_type", json!({ "ref": "label:Code", "text": "$ask_code" })).ok();
    assert_eq!(value_of(&mut server, "Code"), "$ask_code");
}

#[test]
fn a_question_that_is_declined_changes_nothing() {
    let site = Site::of(FORM);
    let mut server = asking(json!({}), &[], &site);
    let code = json!({ "ref": "label:Code", "text": "$ask_code(Digits)" });
    call_and_answer(&mut server, "browser_type", code.clone(), "decline", Value::Null).fails("declined");
    call_and_answer(&mut server, "browser_type", code.clone(), "cancel", Value::Null).fails("declined");
    call_and_answer(&mut server, "browser_type", code.clone(), "accept", json!({})).fails("answer");
    let id = server.begin_call("browser_type", code);
    let asked = question(&mut server);
    let refused = json!({ "code": -32603, "message": "no" });
    server.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "error": refused }));
    server.finish(id).fails("refused");
    assert_eq!(value_of(&mut server, "Code"), "");
}

#[test]
fn uploads_and_permissions_need_consent_where_that_was_asked_for() {
    let site = Site::of(FORM);
    let mut server = asking(json!({}), &["--confirm=uploads,permissions", "--dialect=browser,agent"], &site);
    server.file("notes.txt", "notes");
    let upload = || json!({ "paths": ["notes.txt"] });
    let no = json!({ "answer": false });
    call_and_answer(&mut server, "browser_file_upload", upload(), "decline", Value::Null).fails("declined");
    call_and_answer(&mut server, "browser_file_upload", upload(), "accept", no).fails("declined");
    assert_eq!(server.evaluate("() => document.querySelector('[type=file]').files.length"), 0);
    let yes = json!({ "answer": true });
    let id = server.begin_call("browser_file_upload", upload());
    let asked = question(&mut server);
    assert!(asked["params"]["message"].as_str().unwrap().contains("notes.txt"), "{asked}");
    answer(&mut server, &asked, "accept", yes.clone());
    server.finish(id).ok();
    assert_eq!(server.evaluate("() => document.title"), "notes.txt");

    // Beside the page, too.
    let form = json!({ "notes": { "path": "notes.txt" } });
    let post = || json!({ "url": site.url("/post"), "method": "POST", "form_data": form });
    let declined = call_and_answer(&mut server, "request", post(), "decline", Value::Null);
    assert!(declined.failed() && declined.text().contains("declined"), "{}", declined.message);
    assert!(!site.requests().iter().any(|request| request.contains("/post")));
    call_and_answer(&mut server, "request", post(), "accept", yes.clone()).ok();

    let grant = |state: &str| json!({ "permissions": [{ "name": "geolocation", "state": state }] });
    let declined = call_and_answer(&mut server, "permissions", grant("granted"), "decline", Value::Null);
    assert!(declined.failed() && declined.text().contains("declined"), "{}", declined.message);
    let state = "async () => (await navigator.permissions.query({ name: 'geolocation' })).state";
    assert_ne!(server.evaluate(state), "granted");
    call_and_answer(&mut server, "permissions", grant("granted"), "accept", yes).ok();
    assert_eq!(server.evaluate(state), "granted");
    // To deny something needs nobody.
    server.call("permissions", grant("denied")).ok();
}

#[test]
fn downloads_need_consent_where_that_was_asked_for() {
    let site = Site::of("<a href=/file>Get it</a>");
    site.answer("/file", Answer::Download("report.bin", b"content".to_vec()));
    let mut server = asking(json!({}), &["--confirm=downloads", "--screenshot-dir=out"], &site);
    let click = || json!({ "ref": "text:Get it" });
    let declined = call_and_answer(&mut server, "browser_click", click(), "decline", Value::Null);
    declined.ok().says("\"report.bin\" was not saved").says("declined");
    let out = server.working_directory().join("out");
    assert_eq!(std::fs::read_dir(&out).map_or(0, Iterator::count), 0);
    let kept = call_and_answer(&mut server, "browser_click", click(), "accept", json!({ "answer": true }));
    kept.ok().says("Saved the download \"report.bin\"");
    assert_eq!(std::fs::read_to_string(out.join("report.bin")).unwrap(), "content");
}

#[test]
fn what_a_request_would_save_needs_consent_as_downloads_do() {
    let site = Site::of("");
    let text = "word ".repeat(20_000);
    site.answer("/long", Answer::Body("text/plain", text.clone().into_bytes()));
    site.answer("/large", Answer::Body("application/octet-stream", vec![0xff; 100_000]));
    site.answer("/short", Answer::Body("text/plain", b"short".to_vec()));
    let flags = ["--dialect=agent,browser", "--confirm=downloads", "--screenshot-dir=out"];
    let mut server = asking(json!({}), &flags, &site);
    let out = server.working_directory().join("out");
    let saved = || std::fs::read_dir(&out).map_or(0, Iterator::count);
    let get = |path: &str| json!({ "url": site.url(path) });
    // What the reply shows whole is not saved.
    assert_eq!(agent::data(&server.call("request", get("/short")))["body"], "short");
    for (path, shown) in [("/long", 50_000), ("/large", 0)] {
        let declined = call_and_answer(&mut server, "request", get(path), "decline", Value::Null);
        let told = agent::data(&declined);
        assert_eq!(told["body"].as_str().unwrap_or_default().len(), shown, "{path}");
        assert_eq!((&told["truncated"], told.get("path")), (&json!(true), None), "{path}");
        declined.says("100000 bytes in total; the rest was not saved: the person declined").says("Hint: ");
        assert_eq!(saved(), 0, "{path}");
    }
    let id = server.begin_call("request", get("/long"));
    let asked = question(&mut server);
    let message = asked["params"]["message"].as_str().unwrap();
    assert!(message.contains("/long") && message.contains("100000 bytes"), "{message}");
    answer(&mut server, &asked, "accept", json!({ "answer": true }));
    let reply = server.finish(id);
    let path = agent::data(&reply)["path"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(server.working_directory().join(path)).unwrap(), text);

    let mut server = Server::start(&flags);
    let unasked = server.call("request", get("/long"));
    unasked.says("the rest was not saved: this client cannot ask a person").says("without --confirm");
    assert_eq!(std::fs::read_dir(server.working_directory().join("out")).map_or(0, Iterator::count), 0);
}

/// It asks while it waits, and the time that the person takes does not count.
#[test]
fn whoever_waits_for_a_download_waits_for_the_person_too() {
    let site = Site::of("<a href=/file>Get it</a>");
    site.answer("/file", Answer::Download("report.bin", b"content".to_vec()));
    let flags = ["--dialect=agent,browser", "--confirm=downloads", "--screenshot-dir=out"];
    let mut server = asking(json!({}), &flags, &site);
    let clicking = server.begin_call("browser_click", json!({ "ref": "text:Get it" }));
    let asked = question(&mut server);
    let waiting = server.begin_call("wait", json!({ "for": "download", "timeout": 100 }));
    if let Some((message, _)) = server.next_within(Duration::from_secs(1)) {
        panic!("it ended before the person answered: {message}");
    }
    answer(&mut server, &asked, "accept", json!({ "answer": true }));
    server.finish(waiting).ok().says("report.bin");
    server.finish(clicking).ok().says("Saved the download \"report.bin\"");
    let out = server.working_directory().join("out");
    assert_eq!(std::fs::read_to_string(out.join("report.bin")).unwrap(), "content");

    let wait = |server: &mut Server| {
        server.evaluate("setTimeout(() => document.querySelector('a').click(), 50)");
        server.begin_call("wait", json!({ "for": "download", "timeout": 9_000 }))
    };
    let waiting = wait(&mut server);
    let asked = question(&mut server);
    answer(&mut server, &asked, "decline", Value::Null);
    let words = "the download of \"report.bin\" failed: the person declined it";
    agent::fails(&server.finish(waiting), "DownloadFailed", words);

    // A call that is cancelled while it asks leaves the question to the next one.
    let waiting = wait(&mut server);
    question(&mut server);
    server.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": waiting },
    }));
    let looking = server.begin_call("browser_snapshot", json!({}));
    let asked = question(&mut server);
    answer(&mut server, &asked, "accept", json!({ "answer": true }));
    server.finish(looking).ok().says("Saved the download \"report.bin\"");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2);
}

#[test]
fn clients_without_sessions_are_asked_by_the_result() {
    let site = Site::of(FORM);
    let server = HttpServer::start(&[]);
    let ask = |method: &str, mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "suites", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let headers = [("Mcp-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", &name)];
        let answer = server.post(&headers, &body.to_string());
        answer.messages().into_iter().find(|message| message["id"] == 1).expect("an answer")
    };
    let call = |tool: &str, arguments: Value, more: Value| {
        let mut params = json!({ "name": tool, "arguments": arguments });
        more.as_object().into_iter().flatten().for_each(|(key, value)| params[key] = value.clone());
        ask("tools/call", params)
    };
    call("browser_navigate", json!({ "url": site.url("/") }), Value::Null);
    let code = || json!({ "ref": "label:Code", "text": "$ask_code(Digits)" });
    let asked = call("browser_type", code(), Value::Null);
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(asked["result"]["inputRequests"]["question"]["method"], "elicitation/create");
    let state = asked["result"]["requestState"].as_str().unwrap();
    let given = json!({ "question": { "action": "accept", "content": { "answer": "4711" } } });
    let forged = call("browser_type", code(), json!({ "requestState": "x", "inputResponses": given }));
    assert_eq!(forged["error"]["code"], -32602, "{forged}");
    let done = call("browser_type", code(), json!({ "requestState": state, "inputResponses": given }));
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
    let again = call("browser_type", code(), json!({ "requestState": state, "inputResponses": given }));
    assert_eq!(again["error"]["code"], -32602, "{again}");
    let read = "() => document.querySelectorAll('input')[2].value";
    let read = call("browser_evaluate", json!({ "function": read }), Value::Null);
    assert_eq!(read["result"]["structuredContent"]["result"], "4711", "{read}");
}
