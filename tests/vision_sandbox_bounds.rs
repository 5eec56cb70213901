//! The rest of what decision 0022 says of the script sandbox: what a script cannot write or change, what it can do all the
//! same, and how long that lasts. `vision_sandbox.rs` has the ways to what is blocked.

use serde_json::json;

use crate::support::{Answer, Reply, Server, Site, not_defined, tells};

/// With the `browser` tools beside it, whose scripts run in the page's own world.
fn open(page: &str) -> (Server, Site) {
    open_with(&[], page)
}

fn open_with(flags: &[&str], page: &str) -> (Server, Site) {
    let mut server = Server::start(&[&["--dialect", "vision,browser"], flags].concat());
    let site = Site::of(page);
    site.answer("/more", Answer::Html("<title>More</title>".into()));
    site.answer("/data", Answer::Html("data".into()));
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    (server, site)
}

fn run(server: &mut Server, script: &str) -> Reply {
    server.call("browser.evaluate", json!({ "script": script }))
}

#[test]
fn a_script_writes_nothing_where_pages_keep_things() {
    let (mut server, _site) = open(
        "<script>document.cookie = 'k=old'; localStorage.setItem('k', 'old'); sessionStorage.setItem('k', 'old')</script>",
    );
    // A function of the page's own world, as text.
    let kept = "async () => [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage),
        (await indexedDB.databases()).length, (await caches.keys()).length,
        (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length]";
    let before = server.evaluate(kept);
    assert_eq!(before[1], "{\"k\":\"old\"}", "{before}");
    let writes = [
        "document.cookie = 'k=new'",
        "document['coo' + 'kie'] = 'k=new'",
        "await cookieStore.set('k', 'new')",
        "localStorage.setItem('k', 'new')",
        "localStorage.k = 'new'",
        "window['local' + 'Storage'].k = 'new'",
        "localStorage.clear()",
        "sessionStorage.setItem('k', 'new')",
        "sessionStorage.k = 'new'",
        "delete sessionStorage.k",
        "await new Promise((done, failed) => { const asked = indexedDB.open('new', 1);
            asked.onsuccess = () => { asked.result.close(); done() }; asked.onerror = failed })",
        "await (await caches.open('new')).put('/data', new Response('new'))",
        "await (await navigator.storage.getDirectory()).getFileHandle('new', { create: true })",
    ];
    for write in writes {
        let reply = run(&mut server, &format!("{write}; return 'written'"));
        assert!(reply.failed(), "{write}: {}", reply.text());
        assert_eq!(server.evaluate(kept), before, "{write}");
    }
    // The page itself can, or this would prove nothing.
    for write in writes {
        server.call("browser_evaluate", json!({ "function": format!("async () => {{ {write} }}") })).ok();
    }
    let after = server.evaluate(kept);
    for (at, before) in before.as_array().unwrap().iter().enumerate() {
        assert_ne!(&after[at], before, "{after}");
    }
}

/// Notes all properties of all prototypes that the page knows, and says which of the main ones are missing.
const NOTE: &str = "() => {
    window.noted = [];
    for (const name of Object.getOwnPropertyNames(window)) {
        const { value } = Object.getOwnPropertyDescriptor(window, name);
        const prototype = typeof value === 'function' ? value.prototype : undefined;
        if (prototype === null || typeof prototype !== 'object' && typeof prototype !== 'function') continue;
        noted.push({ name, prototype, open: Object.isExtensible(prototype), above: Object.getPrototypeOf(prototype),
            all: Object.getOwnPropertyDescriptors(prototype) });
    }
    return MAIN.filter((main) => !noted.some(({ name }) => name === main));
}";

/// Prototypes that must be among them.
const MAIN: [&str; 16] = [
    "Object",
    "Function",
    "Array",
    "String",
    "Promise",
    "Map",
    "Error",
    "EventTarget",
    "Node",
    "Element",
    "Document",
    "HTMLElement",
    "HTMLInputElement",
    "HTMLFormElement",
    "Window",
    "Storage",
];

/// Names what has changed since.
const CHANGED: &str = "() => noted.flatMap(({ name, prototype, open, above, all }) => {
    const now = Object.getOwnPropertyDescriptors(prototype);
    const changed = [...new Set([...Reflect.ownKeys(all), ...Reflect.ownKeys(now)])].filter((key) =>
        ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'].some((part) => !Object.is(all[key]?.[part], now[key]?.[part])));
    if (Object.isExtensible(prototype) !== open) changed.push('isExtensible');
    if (Object.getPrototypeOf(prototype) !== above) changed.push('__proto__');
    return changed.map((key) => name + '.' + String(key));
})";

#[test]
fn the_prototypes_of_the_page_are_as_they_were() {
    let (mut server, _site) = open("<h1>One</h1><form><input></form>");
    let missing = server.evaluate(&NOTE.replace("MAIN", &json!(MAIN).to_string()));
    assert_eq!(missing, json!([]));
    for script in [
        "return [...document.querySelectorAll('*')].map(it => it.outerHTML).join('').length",
        "Object.prototype.added = 1",
        "Object.defineProperty(Object.prototype, 'added', { get() { return 1 } })",
        "Object.setPrototypeOf(Array.prototype, null)",
        "Object.freeze(Object.prototype); Object.freeze(Array.prototype)",
        "Array.prototype.push = () => 'changed'",
        "Function.prototype.call = () => 'changed'",
        "String.prototype.trim = () => 'changed'",
        "Promise.prototype.then = () => 'changed'",
        "Map.prototype.get = () => 'changed'",
        "Error.prototype.name = 'changed'",
        "EventTarget.prototype.addEventListener = () => 'changed'",
        "Node.prototype.appendChild = () => 'changed'",
        "Element.prototype.setAttribute = () => 'changed'",
        "delete Element.prototype.setAttribute",
        "Object.defineProperty(Document.prototype, 'title', { get: () => 'changed' })",
        "document.constructor.prototype.title = 'changed'",
        "document.querySelector('input').constructor.prototype.added = 1",
        "document.querySelector('h1').__proto__.__proto__.added = 1",
        "HTMLFormElement.prototype.submit = () => 'changed'",
        "Object.freeze(HTMLElement.prototype)",
        "Window.prototype.added = 1",
        "window.Object = null; window.Array = null; window.Promise = null",
    ] {
        run(&mut server, script);
        assert_eq!(server.evaluate(CHANGED), json!([]), "{script}");
    }
    assert_eq!(
        server.evaluate("() => [typeof Object, typeof Array, typeof Promise]"),
        json!(vec!["function"; 3])
    );
    // A change would be seen.
    let change =
        "() => { Array.prototype.pop = () => 0; Document.prototype.added = 1; Object.freeze(Map.prototype) }";
    server.evaluate(change);
    let changed = server.evaluate(CHANGED).to_string();
    for name in ["Array.pop", "Document.added", "Map.isExtensible"] {
        assert!(changed.contains(name), "{changed}");
    }
}

#[test]
fn requests_of_a_script_carry_the_cookies_of_the_page() {
    let (mut server, site) = open("<script>document.cookie = 'secret=C00KIE'</script>");
    tells(&run(&mut server, "return (await fetch('/data')).text()"), "data");
    tells(
        &run(
            &mut server,
            "return await new Promise(done => { const asked = new XMLHttpRequest(); asked.open('GET', '/data');
                asked.onload = () => done(asked.responseText); asked.send() })",
        ),
        "data",
    );
    assert_eq!(site.cookies_for("/data"), ["/data secret=C00KIE"; 2]);
}

#[test]
fn requests_of_a_script_go_where_the_host_policy_lets_them() {
    let (mut server, site) = open_with(&["--allowed-hosts", "127.0.0.1"], "<h1>One</h1>");
    tells(&run(&mut server, "return (await fetch('/data')).text()"), "data");
    let there = format!("return (await fetch('{}')).status", site.other_url("/data"));
    let told = run(&mut server, &there).text() + &run(&mut server, "return 1").text();
    assert!(told.contains("localhost is not an allowed host"), "{told}");
    let asked = site.requests().into_iter().filter(|line| line == "GET /data").count();
    assert_eq!(asked, 1, "{:?}", site.requests());
}

#[test]
fn what_the_page_makes_of_a_scripts_input_is_not_judged() {
    let (mut server, _site) = open(
        "<title>One</title><input id=code><button id=run>Run</button><button id=show>Show</button><output id=out></output>
         <script>document.cookie = 'secret=C00KIE';
         document.getElementById('run').onclick = () => eval(document.getElementById('code').value);
         document.getElementById('show').onclick = () => { document.getElementById('out').textContent = document.cookie };
         </script>",
    );
    let runs = "document.getElementById('code').value = \"document.title = 'Ran ' + document.cookie\";
        document.getElementById('run').click(); return document.title";
    tells(&run(&mut server, runs), "Ran secret=C00KIE");
    let shows = "document.getElementById('show').click(); return document.getElementById('out').textContent";
    tells(&run(&mut server, shows), "secret=C00KIE");
}

#[test]
fn what_stands_in_the_page_can_be_read() {
    let (mut server, _site) =
        open("<meta name=csrf content=T0KEN><input type=password value=hunter2><p data-key=K3Y>Text</p>");
    let script = "return [document.querySelector('meta').content, document.querySelector('input').value,
        document.querySelector('p').dataset.key, document.querySelector('p').textContent].join()";
    tells(&run(&mut server, script), "T0KEN,hunter2,K3Y,Text");
}

#[test]
fn timers_of_a_script_continue_until_the_document_ends() {
    let (mut server, site) = open("<h1>One</h1>");
    tells(&run(&mut server, "setInterval(() => fetch('/data'), 20); return 'set'"), "set");
    let asked = || site.requests().iter().filter(|line| *line == "GET /data").count();
    let pause = "await new Promise(done => setTimeout(done, 300)); return 'waited'";
    let before = asked();
    tells(&run(&mut server, pause), "waited");
    assert!(asked() > before, "the timer ended with its call");
    server.call("browser.navigate", json!({ "url": site.url("/more") })).ok();
    // What was under way may still arrive.
    tells(&run(&mut server, pause), "waited");
    let before = asked();
    tells(&run(&mut server, pause), "waited");
    assert_eq!(asked(), before, "the timer outlived its document");
}

#[test]
fn a_variable_that_is_not_declared_is_an_error() {
    let (mut server, _site) = open("<h1>One</h1>");
    run(&mut server, "x = 1; return x").fails("ReferenceError").fails("(line 1)");
    assert_eq!(server.evaluate("() => typeof x"), "undefined");
    tells(&run(&mut server, "return typeof x"), "undefined");
    tells(&run(&mut server, "let x = 1; x = 2; return x"), "2");
}

#[test]
fn properties_that_a_script_adds_are_for_scripts_only_and_end_with_the_document() {
    let (mut server, site) = open("<h1>One</h1>");
    tells(&run(&mut server, "window.kept = 5; document.body.kept = 6; return kept"), "5");
    tells(&run(&mut server, "return [kept, window.kept, document.body.kept].join()"), "5,5,6");
    let seen = "() => ['kept' in window, typeof kept, 'kept' in document.body, Object.keys(window).includes('kept')]";
    assert_eq!(server.evaluate(seen), json!([false, "undefined", false, false]));
    server.call("browser.navigate", json!({ "url": site.url("/more") })).ok();
    tells(&run(&mut server, "return [typeof kept, typeof document.body.kept].join()"), "undefined,undefined");
}

#[test]
fn functions_of_the_page_are_not_there() {
    let (mut server, _site) = open("<script>function $() { return eval('1') } var jQuery = $</script>");
    for name in ["$", "jQuery"] {
        run(&mut server, &format!("return {name}()")).fails(&not_defined(name));
    }
    assert_eq!(server.evaluate("() => jQuery()"), 1);
}

#[test]
fn members_that_are_not_listed_are_absent() {
    let (mut server, _site) = open("<h1>One</h1>");
    let members = [
        ("document", ["write", "domain", "designMode", "implementation", "hasStorageAccess"]),
        ("document.body", ["setHTMLUnsafe", "getHTML", "scrollTopMax", "requestPointerLock", "moveBefore"]),
        ("navigator", ["sendBeacon", "serviceWorker", "credentials", "storage", "locks"]),
        ("window", ["postMessage", "frameElement", "indexedDB", "caches", "createImageBitmap"]),
    ];
    for (object, names) in members {
        let named = json!(names);
        let script = format!(
            "return {named}.filter(name => {{ try {{ return {object}[name] !== undefined }} catch {{ return false }} }}).join()"
        );
        tells(&run(&mut server, &script), "");
        // The page has nearly all of them, or this would prove nothing; some are not in every browser.
        let there = server.evaluate(&format!("() => {named}.filter((name) => name in {object}).length"));
        assert!(there.as_u64().unwrap() >= 3, "{object} has {there}");
    }
}
