//! What is there only when it is switched on: the mouse by coordinates, and printing.

use std::path::Path;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use crate::support::{Server, Site, Tab, open_with};

const MOUSE: [&str; 3] = ["browser_mouse_click_xy", "browser_mouse_move_xy", "browser_mouse_drag_xy"];
const PDF: &str = "browser_pdf_save";

/// A page that writes down what the mouse does, with a box that can be dragged and a button.
const PAGE: &str = "<title>Board</title><style>
    body { margin: 0; height: 3000px }
    #box { position: absolute; left: 100px; top: 100px; width: 50px; height: 50px; background: red }
    button { position: absolute; left: 300px; top: 300px; width: 100px; height: 40px }
</style><div id=box></div><button>Go</button><script>
    seen = [];
    for (const kind of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick'])
        addEventListener(kind, (event) => {
            if (kind === 'contextmenu') event.preventDefault();
            seen.push([kind, event.clientX, event.clientY, event.button]);
        });
    let held = null;
    box.onmousedown = (event) => { held = [event.clientX - box.offsetLeft, event.clientY - box.offsetTop]; };
    addEventListener('mousemove', (event) => {
        if (held) { box.style.left = event.clientX - held[0] + 'px'; box.style.top = event.clientY - held[1] + 'px'; }
    });
    addEventListener('mouseup', () => { held = null; });
</script>";

/// What the page saw since it was asked last.
fn seen(tab: &mut Tab) -> Vec<Value> {
    tab.evaluate("() => seen.splice(0)").as_array().unwrap().clone()
}

fn listed(server: &mut Server) -> Vec<String> {
    let reply = server.request("tools/list", json!({}));
    let tools = reply.message["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_off_is_neither_listed_nor_callable() {
    let cases = [
        (&[][..], false, false),
        (&["--caps", "vision"], true, false),
        (&["--caps", "pdf"], false, true),
        (&["--caps", "vision,pdf"], true, true),
    ];
    for (flags, vision, pdf) in cases {
        let mut server = Server::start(flags);
        let listed = listed(&mut server);
        for (tool, on) in MOUSE.iter().map(|tool| (*tool, vision)).chain([(PDF, pdf)]) {
            assert_eq!(listed.iter().any(|name| name == tool), on, "{flags:?} {tool}");
            if !on {
                server
                    .call(tool, json!({ "x": 1, "y": 1 }))
                    .refused(-32601, &format!("Unknown tool: {tool}"));
            } else if tool != PDF {
                server.call(tool, json!({})).refused(-32602, "Missing required argument");
            }
        }
    }
    let mut server = Server::start(&["--dialect", "launch,companion"]);
    server.call(PDF, json!({})).refused(-32601, "Unknown tool");
}

#[test]
fn the_mouse_does_what_it_is_told_and_both_ways_mix() {
    let mut tab = open_with(&["--caps", "vision"], PAGE);
    tab.call("browser_mouse_move_xy", json!({ "x": 40, "y": 60 })).says("Moved the mouse to 40,60");
    assert_eq!(seen(&mut tab), [json!(["mousemove", 40, 60, 0])]);

    tab.call("browser_mouse_click_xy", json!({ "x": 340, "y": 320, "element": "the button" }))
        .says("Clicked at 340,320");
    let kinds =
        |seen: Vec<Value>| seen.iter().map(|event| event[0].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let events = seen(&mut tab);
    assert!(events.iter().all(|event| event[1] == 340 && event[2] == 320), "{events:?}");
    assert_eq!(kinds(events), ["mousemove", "mousedown", "mouseup", "click"]);
    tab.call("browser_mouse_click_xy", json!({ "x": 340, "y": 320, "button": "right" })).ok();
    assert!(kinds(seen(&mut tab)).contains(&"contextmenu".to_owned()));
    tab.call("browser_mouse_click_xy", json!({ "x": 340, "y": 320, "button": "middle" })).ok();
    assert!(kinds(seen(&mut tab)).contains(&"auxclick".to_owned()));

    let drag = json!({ "startX": 125, "startY": 125, "endX": 425, "endY": 225 });
    tab.call("browser_mouse_drag_xy", drag).says("Dragged from 125,125 to 425,225");
    assert_eq!(tab.evaluate("() => [box.offsetLeft, box.offsetTop]"), json!([400, 200]));
    let moves = seen(&mut tab).iter().filter(|event| event[0] == "mousemove").count();
    assert!(moves >= 5, "a drag has points on the way: {moves}");

    let button = tab.snapshot().reference("Go");
    tab.call("browser_click", json!({ "ref": button })).says("Clicked button \"Go\"");
    assert!(kinds(seen(&mut tab)).contains(&"click".to_owned()), "refs work as before");
}

#[test]
fn nothing_happens_outside_of_the_viewport() {
    let mut tab = open_with(&["--caps", "vision", "--viewport", "800x600"], PAGE);
    for (x, y) in [(800.0, 10.0), (10.0, 600.0), (-1.0, 10.0), (10.0, -0.5), (1e9, 1e9)] {
        for tool in &MOUSE[..2] {
            let failed = tab.call(tool, json!({ "x": x, "y": y }));
            failed.fails("is outside of the viewport of 800x600");
            assert_eq!(failed.facts()["error"]["name"], "OffViewport");
        }
        let drag = json!({ "startX": 10, "startY": 10, "endX": x, "endY": y });
        tab.call("browser_mouse_drag_xy", drag).fails("outside of the viewport");
    }
    tab.call("browser_mouse_move_xy", json!({ "x": "left", "y": 1 })).refused(-32602, "x");
    assert_eq!(seen(&mut tab), Vec::<Value>::new());
    tab.call("browser_resize", json!({ "width": 1000, "height": 700 })).ok();
    tab.call("browser_mouse_move_xy", json!({ "x": 900, "y": 650 })).says("900,650");
}

#[test]
fn a_page_is_saved_as_pdf() {
    let mut tab = open_with(&["--caps", "pdf"], PAGE);
    let pdf = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        assert!(
            bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF"),
            "{path:?} is not a PDF"
        );
        bytes.len()
    };
    let saved = tab.call(PDF, json!({}));
    saved.says("Saved the page as PDF: .viewpoint-mcp-screenshots/page-");
    let path = tab.working_directory().join(saved.facts()["path"].as_str().unwrap());
    assert_eq!(json!(pdf(&path)), saved.facts()["bytes"]);
    tab.call(PDF, json!({ "filename": "report.pdf" })).says(".viewpoint-mcp-screenshots/report.pdf");
    pdf(&tab.working_directory().join(".viewpoint-mcp-screenshots/report.pdf"));
    tab.call(PDF, json!({ "filename": "deep/er/report.pdf" })).says("deep/er/report.pdf");
    pdf(&tab.working_directory().join("deep/er/report.pdf"));
    tab.call(PDF, json!({ "filename": "../report.pdf" })).fails("outside of the directories");
    tab.call(PDF, json!({ "filename": "/etc/report.pdf" })).fails("outside of the directories");
    std::fs::create_dir(tab.working_directory().join("folder")).unwrap();
    tab.call(PDF, json!({ "filename": "./folder" })).fails("folder");
    assert!(!Path::new("/etc/report.pdf").exists());
    assert_eq!(tab.evaluate("document.title"), "Board");
}

/// How large a file a running server may write.
fn limit_files(server: &Server, bytes: Option<u64>) {
    let pid = Pid::from_raw(server.child.id().try_into().unwrap()).unwrap();
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

/// All files below a directory.
fn files_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let entries = entries.flatten().flat_map(|entry| match entry.path().is_dir() {
        true => files_in(&entry.path()),
        false => vec![entry.file_name().to_string_lossy().into_owned()],
    });
    entries.collect()
}

const FILLED_BY: [&str; 4] = ["--caps", "pdf", "--dialect", "browser,agent"];

const FILLED: [(&str, &str, &str); 3] = [
    ("browser_take_screenshot", "filename", "shot.png"),
    (PDF, "filename", "page.pdf"),
    ("browser_context_save_storage", "path", "state.json"),
];

/// Writing must fail, leave the old file as it is, and no half of a new one.
fn no_half_file_stays(server: &mut Server, inside: &Path, words: &str) {
    for (tool, argument, name) in FILLED {
        let path = inside.join(name);
        // Only what was saved before is replaced at all.
        if name.ends_with(".json") {
            let old = "{\"cookies\": []}";
            std::fs::write(&path, old).unwrap();
            let failed = server.call(tool, json!({ argument: format!("./{name}") }));
            failed.fails(name).fails(words);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), old, "{tool}");
            std::fs::remove_file(&path).unwrap();
        }
        server.call(tool, json!({ argument: format!("./{name}") })).fails(words);
    }
    for (tool, arguments) in agent_files() {
        let failed = server.call(tool, arguments);
        assert!(failed.failed() && failed.text().contains(words), "{tool}: {}", failed.text());
    }
    assert_eq!(files_in(inside), Vec::<String>::new());
}

/// Those of the `agent` dialect; a capture and a recording must run.
fn agent_files() -> [(&'static str, Value); 4] {
    [
        ("screenshot", json!({ "save_path": "shot.png" })),
        ("pdf", json!({ "save_path": "print.pdf" })),
        ("capture", json!({ "action": "stop", "save_path": "traffic.har" })),
        ("record", json!({ "action": "stop", "save_path": "clicks.gif" })),
    ]
}

/// Begins a capture, with more requests than a small disk has room for, and a recording.
fn begin_capture_and_recording(server: &mut Server) {
    server.call("capture", json!({ "action": "start" })).ok();
    server.evaluate("async () => { for (let nth = 0; nth < 20; nth++) await fetch('/?' + nth); }");
    server.call("record", json!({ "action": "start" })).ok();
    for annotation in ["one picture", "another picture", "the last of them"] {
        server.call("record", json!({ "action": "capture_frame", "annotation": annotation })).ok();
    }
}

#[test]
fn no_half_file_stays_where_no_more_can_be_written() {
    let site = Site::of(PAGE);
    // The system says so by a signal, unless that is ignored.
    let mut server = Server::after("trap '' XFSZ;", &FILLED_BY);
    server.navigate(&site.url("/"));
    server.evaluate("() => { localStorage.much = 'x'.repeat(10000); }");
    begin_capture_and_recording(&mut server);
    let inside = server.working_directory();
    limit_files(&server, Some(100));
    no_half_file_stays(&mut server, &inside, "File too large");
    limit_files(&server, None);
    for (tool, argument, name) in FILLED {
        server.call(tool, json!({ argument: format!("./{name}") })).says(name);
    }
    // A capture and a recording are there until they are saved.
    for (tool, arguments) in agent_files() {
        let path = inside.join(arguments["save_path"].as_str().unwrap());
        server.call(tool, arguments).ok();
        assert!(path.metadata().unwrap().len() > 100, "{tool}");
    }
}

/// A script that mounts something for the server alone, as a shell runs it before the server; nothing where that cannot be.
fn mounting(mount: &str) -> Option<String> {
    let possible = std::process::Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", "mount -t tmpfs -o size=4k tmpfs /mnt"])
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !possible {
        eprintln!("skipped: no file system can be mounted here");
        return None;
    }
    Some(format!("exec unshare --mount --map-root-user sh -c '{mount} exec \"$0\" \"$@\"' \"$0\" \"$@\";"))
}

#[test]
fn no_half_file_stays_on_a_full_disk() {
    let mount = "mkdir -p full && mount -t tmpfs -o size=4k tmpfs full && cd full &&";
    let Some(within) = mounting(mount) else { return };
    let site = Site::of(PAGE);
    let mut server = Server::after(&within, &FILLED_BY);
    server.navigate(&site.url("/"));
    server.evaluate("() => { localStorage.much = 'x'.repeat(100000); }");
    begin_capture_and_recording(&mut server);
    // The mount is there for the server alone.
    let inside = format!("/proc/{}/cwd", server.child.id());
    no_half_file_stays(&mut server, Path::new(&inside), "No space left on device");
    assert_eq!(server.evaluate("document.title"), "Board");
}

#[test]
fn a_directory_that_is_read_only_is_said_and_loses_nothing() {
    let mount = "mkdir -p locked && mount -t tmpfs -o ro tmpfs locked &&";
    let Some(within) = mounting(mount) else { return };
    let site = Site::of(PAGE);
    let mut server = Server::after(&within, &FILLED_BY);
    server.navigate(&site.url("/"));
    begin_capture_and_recording(&mut server);
    let locked = |mut arguments: Value, argument: &str| {
        arguments[argument] = format!("./locked/{}", arguments[argument].as_str().unwrap()).into();
        arguments
    };
    for (tool, argument, name) in FILLED {
        let failed = server.call(tool, locked(json!({ argument: name }), argument));
        failed.fails(name).fails("Read-only file system");
    }
    for (tool, arguments) in agent_files() {
        let failed = server.call(tool, locked(arguments, "save_path"));
        let words = failed.text();
        assert!(failed.failed() && words.contains("Read-only file system"), "{tool}: {words}");
        assert!(words.contains("locked") && words.contains("Hint: "), "{tool}: {words}");
    }
    // A capture and a recording are there until they are saved.
    for (tool, arguments) in agent_files() {
        let path = server.working_directory().join(arguments["save_path"].as_str().unwrap());
        server.call(tool, arguments).ok();
        assert!(path.metadata().unwrap().len() > 100, "{tool}");
    }
}
