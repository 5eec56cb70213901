//! Clicks that a page leads elsewhere, between the moment that the button is found and the moment that it is pressed.

use serde_json::json;

use crate::support::{Answer, Server, Site};

const FRAME: &str = "<body style='margin:0'><button style='width:100vw;height:100vh' \
                     onclick=\"fetch('/paid')\">Authorize payment</button>";

/// A page of this HTML, where FRAME is the URL of a frame of another site with one large button.
fn site(html: &str) -> Site {
    let site = Site::of("");
    let html = html.replace("FRAME", &site.other_url("/frame"));
    site.answer("/", Answer::Html(html)).answer("/frame", Answer::Html(FRAME.into()));
    site
}

#[test]
fn a_flickering_frame_takes_no_click_unnoticed() {
    let site = site(
        "<style>#f, #b { position:absolute; left:20px; top:20px; width:200px; height:60px; border:0 }</style>
         <button id=b onclick='nexts++'>Next</button>
         <iframe id=f src='FRAME' style='opacity:.01;display:none'></iframe>
         <script>let nexts = 0; setInterval(() => { f.style.display = f.style.display ? '' : 'none' }, 15)</script>",
    );
    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    for round in 0..8 {
        let before = server.evaluate("() => nexts").as_i64().unwrap();
        let clicked = server.call("browser_click", json!({ "ref": "#b" }));
        let after = server.evaluate("() => nexts").as_i64().unwrap();
        if clicked.failed() {
            assert_eq!(after, before, "round {round}: {}", clicked.text());
        } else {
            assert_eq!(after, before + 1, "round {round}: {}", clicked.text());
        }
    }
}

#[test]
fn a_frame_inside_a_button_is_in_front_of_it() {
    let site = site(
        "<div id=b role=button tabindex=0 style='position:relative;width:200px;height:60px'>Next
         <iframe src='FRAME' style='position:absolute;inset:0;width:100%;height:100%;opacity:.01;border:0'></iframe></div>",
    );
    let mut server = Server::start(&["--action-timeout", "1s"]);
    server.navigate(&site.url("/"));
    server.call("browser_click", json!({ "ref": "#b" })).fails("is covered by");
    assert!(!site.requests().iter().any(|request| request == "GET /paid"));
    // The frame itself may be clicked by whoever means it.
    server.call("browser_click", json!({ "ref": "iframe" })).ok();
}

#[test]
fn a_page_that_wrote_itself_anew_swaps_no_buttons() {
    let site = site(
        "<script>
            let did = [];
            const page = `<style>button { position:absolute; left:20px; width:200px; height:60px }</style>
                <button id=b style='top:20px'>Next</button><button id=d style='top:120px'>Delete all</button>`;
            onload = () => {
                document.open(); document.write(page); document.close();
                b.onclick = () => did.push('next'); d.onclick = () => did.push('deleted');
                addEventListener('mousemove', () => { [b.style.top, d.style.top] = [d.style.top, b.style.top] });
            };
        </script>",
    );
    let mut server = Server::start(&["--action-timeout", "2s"]);
    server.navigate(&site.url("/"));
    for round in 0..3 {
        let clicked = server.call("browser_click", json!({ "ref": "#b" }));
        let did = server.evaluate("() => did.splice(0).join()");
        let expected = if clicked.failed() { "" } else { "next" };
        assert_eq!(did, expected, "round {round}: {}", clicked.text());
    }
}

#[test]
fn a_dialog_hides_no_click_that_went_elsewhere() {
    // It opens before the button is pressed, which then never happens. Without other frames a click that goes elsewhere opens
    // no dialog, since it is hidden from the page; the reply need not doubt every button that asks for confirmation.
    let site = site(
        "<button id=b onclick='fetch(`/next`)'>Next</button><iframe src=FRAME></iframe>
         <script>onmousemove = () => alert('Hi')</script>",
    );
    for dialect in ["browser", "launch", "agent"] {
        let mut server = Server::start(&["--dialect", dialect]);
        let (navigate, click, arguments) = match dialect {
            "agent" => ("navigate", "click", json!({ "selector": "#b" })),
            "launch" => (
                "browser_navigate",
                "browser_click",
                json!({ "selector": "#b", "options": { "noWaitAfter": true } }),
            ),
            _ => ("browser_navigate", "browser_click", json!({ "ref": "#b" })),
        };
        server.call(navigate, json!({ "url": site.url("/") })).ok();
        server.call(click, arguments).says("what was hit could not be verified: a dialog opened first");
    }
    assert!(!site.requests().iter().any(|request| request == "GET /next"));
}

#[test]
fn a_frame_that_loads_hides_no_click_that_it_took() {
    let site = site(
        "<style>#f, #b { position:absolute; left:20px; top:20px; width:200px; height:60px; border:0 }</style>
         <button id=b onclick='nexts++'>Next</button>
         <iframe id=f src='FRAME' style='opacity:.01;display:none'></iframe>
         <script>let nexts = 0; setInterval(() => { f.style.display = f.style.display ? '' : 'none' }, 15)</script>",
    );
    // It loads anew as soon as it is pressed.
    site.answer(
        "/frame",
        Answer::Html(FRAME.replace("onclick=", "onmousedown='location.reload()' onclick=")),
    );
    let mut server = Server::start(&["--dialect", "browser,launch"]);
    server.navigate(&site.url("/"));
    for round in 0..30 {
        let before = server.evaluate("() => nexts").as_i64().unwrap();
        let arguments = json!({ "selector": "#b", "options": { "noWaitAfter": true } });
        let clicked = server.call("browser_click", arguments);
        let after = server.evaluate("() => nexts").as_i64().unwrap();
        let expected = before + i64::from(!clicked.failed());
        assert_eq!(after, expected, "round {round}: {}", clicked.text());
    }
}

#[test]
fn a_drag_presses_nothing_else() {
    // What is dragged makes way when the pointer comes.
    let site = site(
        "<style>div { position:absolute; left:20px; width:200px; height:60px }</style>
         <div id=a style='top:20px'>Draft</div><div id=b style='top:20px;display:none'>Contract</div><div id=bin style='top:220px'>Bin</div>
         <script>
            const did = [];
            for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) b.addEventListener(type, () => did.push(type));
            onmousemove = () => { a.style.display = 'none'; b.style.display = '' };
         </script>",
    );
    let mut server = Server::start(&["--action-timeout", "2s"]);
    server.navigate(&site.url("/"));
    let arguments = json!({ "startRef": "#a", "endRef": "#bin" });
    server.call("browser_drag", arguments).fails("Contract");
    assert_eq!(server.evaluate("() => did.join()"), "");
    // The guard is over with the drag.
    server.call("browser_click", json!({ "ref": "#b" })).ok();
    assert_eq!(server.evaluate("() => did.join()"), "pointerdown,mousedown,pointerup,mouseup,click");
}

#[test]
fn a_frame_takes_no_drag_unnoticed() {
    let site = site(
        "<style>#f, #a { position:absolute; left:20px; top:20px; width:200px; height:60px; border:0 } #bin { margin-top:220px }</style>
         <div id=a onmousedown='presses++'>Draft</div><div id=bin>Bin</div><iframe id=f src='FRAME' style='opacity:.01;display:none'></iframe>
         <script>let presses = 0; setInterval(() => { f.style.display = f.style.display ? '' : 'none' }, 15)</script>",
    );
    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    for round in 0..8 {
        let before = server.evaluate("() => presses").as_i64().unwrap();
        let dragged = server.call("browser_drag", json!({ "startRef": "#a", "endRef": "#bin" }));
        let after = server.evaluate("() => presses").as_i64().unwrap();
        assert_eq!(after, before + i64::from(!dragged.failed()), "round {round}: {}", dragged.text());
    }
}
