//! How the server and its browser begin and end: nothing is left behind, whoever dies first.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Reply, Server, Site, Tab, open, program_name};

/// How long an end may take, with all that belongs to it.
const END: Duration = Duration::from_secs(5);

pub fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.try_into().unwrap()).unwrap(), signal).unwrap();
}

fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn command_line(pid: u32) -> String {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// All processes below one.
pub fn below(pid: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let children = children.split_whitespace().map(|child| child.parse().unwrap());
    children.flat_map(|child| [vec![child], below(child)].concat()).collect()
}

/// The browsers among some processes.
pub fn browsers(pids: &[u32]) -> Vec<u32> {
    let is_browser = |pid: &u32| {
        let line = command_line(*pid);
        let signs = ["--remote-debugging-pipe", "--marionette", "cicerone-webkit"];
        let begun_by_us = signs.iter().any(|sign| line.contains(sign));
        begun_by_us && !line.contains("--type=") && !line.contains("-contentproc")
    };
    let all: Vec<u32> = pids.iter().copied().filter(is_browser).collect();
    // A process that a browser has just forked has its command line for a moment.
    let forked = |pid: &u32| parent(*pid).is_some_and(|parent| all.contains(&parent));
    all.iter().copied().filter(|pid| !forked(pid)).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The processes among some that draw pages.
pub fn renderers(pids: &[u32]) -> Vec<u32> {
    let draws = |pid: &u32| {
        let line = command_line(*pid);
        line.contains("--type=renderer")
            || (line.contains("-contentproc") && line.trim_end().ends_with(" tab"))
            || line.contains("/WebKitWebProcess ")
    };
    pids.iter().copied().filter(draws).collect()
}

/// Ends the processes that draw the pages of a server, at once.
pub fn kill_renderers(server: &Server) {
    let renderers = renderers(&server.descendants());
    assert!(!renderers.is_empty());
    for pid in renderers {
        signal(pid, Signal::KILL);
    }
}

/// The list of tabs, as soon as a crash is told in it.
pub fn list_with_a_crash(server: &mut Server) -> Reply {
    let by = Instant::now() + Duration::from_secs(10);
    loop {
        let tabs = server.call("browser_tabs", json!({ "action": "list" }));
        if tabs.text().contains("(crashed)") {
            return tabs;
        }
        assert!(Instant::now() < by, "the crash is not told: {}", tabs.text());
    }
}

pub fn kill_browser(server: &Server) {
    let browsers = browsers(&server.descendants());
    assert_eq!(browsers.len(), 1);
    signal(browsers[0], Signal::KILL);
}

fn left_in(directory: &Path) -> Vec<String> {
    let names = std::fs::read_dir(directory).unwrap().flatten();
    names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// All of these processes must end and the directory must become empty, in time.
#[track_caller]
pub fn nothing_is_left(pids: &[u32], directory: &Path, by: Instant) {
    loop {
        let alive: Vec<String> =
            pids.iter().filter(|pid| lives(**pid)).map(|pid| command_line(*pid)).collect();
        let files = left_in(directory);
        if alive.is_empty() && files.is_empty() {
            return;
        }
        assert!(Instant::now() < by, "left behind: {alive:#?} {files:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes of a server that has a page open. There is something to leave behind.
#[track_caller]
pub fn family(tab: &Tab) -> Vec<u32> {
    let family = tab.descendants();
    assert!(browsers(&family).len() == 1 && !left_in(&tab.temporary_directory()).is_empty());
    family
}

#[test]
fn the_end_of_input_ends_everything() {
    let mut tab = open("<h1>Here</h1>");
    let family = family(&tab);
    let by = Instant::now() + END;
    tab.close_input();
    assert_eq!(tab.wait(END).expect("an end").code(), Some(0));
    nothing_is_left(&family, &tab.temporary_directory(), by);
}

#[test]
fn the_end_of_input_without_a_browser_or_a_word_ends_it_too() {
    for greet in [true, false] {
        let mut server = Server::silent(&[]);
        if greet {
            server.initialize("2025-06-18");
        }
        server.close_input();
        assert_eq!(server.wait(END).expect("an end").code(), Some(0));
    }
}

#[test]
fn the_end_of_input_during_calls_ends_everything() {
    let calls = [
        ("browser_wait_for", json!({ "time": 60 })),
        ("browser_evaluate", json!({ "function": "() => { for (;;); }" })),
    ];
    for (tool, arguments) in calls {
        let mut tab = open("<h1>Here</h1>");
        let family = family(&tab);
        tab.begin_call(tool, arguments);
        std::thread::sleep(Duration::from_millis(200));
        let by = Instant::now() + END;
        tab.close_input();
        assert_eq!(tab.wait(END).expect("an end").code(), Some(0), "{tool}");
        nothing_is_left(&family, &tab.temporary_directory(), by);
    }
}

#[test]
fn a_call_that_is_nearly_done_is_answered_after_the_end_of_input() {
    let mut tab = open("<h1>Here</h1>");
    let call = tab.begin_call("browser_wait_for", json!({ "time": 0.5 }));
    tab.close_input();
    tab.finish(call).says("0.5 s passed");
    assert_eq!(tab.wait(END).expect("an end").code(), Some(0));
}

#[test]
fn signals_end_everything() {
    for ending in [Signal::TERM, Signal::INT] {
        let mut tab = open("<h1>Here</h1>");
        let family = family(&tab);
        tab.begin_call("browser_wait_for", json!({ "time": 60 }));
        let by = Instant::now() + END;
        signal(tab.child.id(), ending);
        assert_eq!(tab.wait(END).expect("an end").code(), Some(0), "{ending:?}");
        nothing_is_left(&family, &tab.temporary_directory(), by);
    }
}

#[test]
fn a_second_signal_ends_it_whatever_the_browser_does() {
    let mut tab = open("<h1>Here</h1>");
    let family = family(&tab);
    // A browser that stands still cannot be asked to end.
    signal(browsers(&family)[0], Signal::STOP);
    let by = Instant::now() + END;
    signal(tab.child.id(), Signal::TERM);
    std::thread::sleep(Duration::from_millis(100));
    signal(tab.child.id(), Signal::TERM);
    assert!(tab.wait(Duration::from_secs(2)).is_some(), "it goes on");
    nothing_is_left(&family, &tab.temporary_directory(), by);
}

#[test]
fn a_browser_that_stands_still_is_ended_too() {
    let mut tab = open("<h1>Here</h1>");
    let family = family(&tab);
    signal(browsers(&family)[0], Signal::STOP);
    let by = Instant::now() + END;
    tab.close_input();
    assert!(tab.wait(END).is_some(), "it goes on");
    nothing_is_left(&family, &tab.temporary_directory(), by);
}

#[test]
fn a_killed_server_leaves_nothing_behind() {
    let mut tab = open("<h1>Here</h1>");
    let family = family(&tab);
    tab.begin_call("browser_evaluate", json!({ "function": "() => { for (;;); }" }));
    std::thread::sleep(Duration::from_millis(100));
    let by = Instant::now() + END;
    signal(tab.child.id(), Signal::KILL);
    nothing_is_left(&family, &tab.temporary_directory(), by);
}

#[test]
fn a_server_killed_while_its_browser_starts_leaves_nothing_behind() {
    for wait in [20, 120, 300] {
        let mut server = Server::start(&[]);
        server.begin_call("browser_snapshot", json!({}));
        std::thread::sleep(Duration::from_millis(wait));
        let family = server.descendants();
        let by = Instant::now() + END;
        signal(server.child.id(), Signal::KILL);
        nothing_is_left(&family, &server.temporary_directory(), by);
    }
}

#[test]
fn the_end_of_the_program_that_started_it_ends_everything() {
    let directory = tempfile::tempdir().unwrap();
    let site = Site::of("<h1>Here</h1>");
    // A shell between the client and the server, as package runners are; the input stays open when it dies.
    let mut shell = Command::new("sh")
        .args(["-c", "exec 3<&0; \"$0\" <&3 3<&- & wait", env!("CARGO_BIN_EXE_cicerone")])
        .env("TMPDIR", directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = shell.stdin.take().unwrap();
    let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    let go = json!({ "name": "browser_navigate", "arguments": { "url": site.url("/") } });
    for (id, method, params) in [(1, "initialize", hello), (2, "tools/call", go)] {
        writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .unwrap();
        let id = json!(id);
        let answered = lines
            .by_ref()
            .map(Result::unwrap)
            .find(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"] == id);
        assert!(answered.is_some());
        if method == "initialize" {
            writeln!(stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
                .unwrap();
        }
    }
    let family = below(shell.id());
    assert_eq!(browsers(&family).len(), 1);
    let by = Instant::now() + END;
    shell.kill().unwrap();
    shell.wait().unwrap();
    nothing_is_left(&family, directory.path(), by);
    drop(stdin);
}

#[test]
fn a_browser_killed_between_calls_is_told_and_replaced() {
    let mut tab = open("<button>Go</button>");
    let before = family(&tab);
    let button = tab.snapshot().reference("button");
    kill_browser(&tab);
    std::thread::sleep(Duration::from_millis(300));
    tab.call("browser_snapshot", json!({})).fails("the browser ended unexpectedly");
    let url = tab.site.url("/");
    tab.navigate(&url).says("restarted").says("button \"Go\"");
    tab.navigate(&url).says_not("restarted");
    tab.call("browser_click", json!({ "ref": button })).fails(&button);
    // Nothing of the old one is left, and there is one new one.
    assert_eq!(before.iter().filter(|pid| lives(**pid)).count(), 0);
    assert_eq!(browsers(&tab.descendants()).len(), 1);
    assert_eq!(
        tab.call("browser_tabs", json!({ "action": "list" })).facts()["tabs"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_browser_killed_during_calls_fails_them_at_once() {
    let calls = [
        ("browser_wait_for", json!({ "time": 60 })),
        ("browser_wait_for", json!({ "text": "never" })),
        ("browser_evaluate", json!({ "function": "() => new Promise(() => {})" })),
        ("browser_click", json!({ "ref": "#never" })),
    ];
    let mut tab = open("<h1>Here</h1>");
    for (tool, arguments) in calls {
        let call = tab.begin_call(tool, arguments.clone());
        std::thread::sleep(Duration::from_millis(300));
        kill_browser(&tab);
        let failed = tab.finish_within(call, Duration::from_secs(2));
        failed
            .unwrap_or_else(|| panic!("{tool} {arguments} goes on"))
            .fails("the browser ended unexpectedly");
        let url = tab.site.url("/");
        tab.navigate(&url).says("restarted").says("heading \"Here\"");
    }
}

#[test]
fn the_call_after_one_that_told_of_a_dead_browser_has_a_fresh_one() {
    let mut tab = open("<h1>Here</h1>");
    kill_browser(&tab);
    std::thread::sleep(Duration::from_millis(300));
    tab.call("browser_snapshot", json!({})).fails("the browser ended unexpectedly");
    tab.snapshot().says("restarted");
}

#[test]
fn a_killed_renderer_is_told_marked_and_replaced() {
    let mut tab = open("<title>Page</title><button onclick=\"this.textContent = 'Done'\">Go</button>");
    let url = tab.site.url("/");
    let button = tab.snapshot().reference("button");
    kill_renderers(&tab);
    let tabs = list_with_a_crash(&mut tab);
    tabs.says(&url);
    assert_eq!(tabs.facts()["tabs"][0]["crashed"], true);
    tab.call("browser_snapshot", json!({})).fails("crashed").fails(&url);
    tab.snapshot().says("reopened").says("button \"Go\"");
    tab.snapshot().says_not("reopened");
    tab.call("browser_tabs", json!({ "action": "list" })).says_not("(crashed)");
    tab.call("browser_click", json!({ "ref": button })).fails(&button);
    tab.call("browser_click", json!({ "ref": "button" })).says("~ button \"Done\"");
}

#[test]
fn a_context_works_whatever_became_of_what_was_prepared_for_it() {
    let mut tab = open("<h1>Here</h1>");
    let url = tab.site.url("/");
    tab.call("browser_context_create", json!({ "name": "second" })).ok();
    kill_renderers(&tab);
    tab.call("browser_context_switch", json!({ "name": "default" })).ok();
    list_with_a_crash(&mut tab);
    tab.call("browser_context_switch", json!({ "name": "second" })).ok();
    tab.navigate(&url).says("heading \"Here\"").says_not("reopened");
    tab.call("browser_tabs", json!({ "action": "list" })).says_not("about:blank");
}

#[test]
fn a_renderer_killed_during_calls_fails_them_at_once() {
    let calls = [
        ("browser_wait_for", json!({ "time": 60 })),
        ("browser_wait_for", json!({ "text": "never" })),
        ("browser_evaluate", json!({ "function": "() => { for (;;); }" })),
    ];
    let mut tab = open("<h1>Here</h1>");
    for (tool, arguments) in calls {
        let call = tab.begin_call(tool, arguments.clone());
        std::thread::sleep(Duration::from_millis(300));
        kill_renderers(&tab);
        let failed = tab.finish_within(call, Duration::from_secs(2));
        failed.unwrap_or_else(|| panic!("{tool} {arguments} goes on")).fails("crashed");
        let url = tab.site.url("/");
        tab.navigate(&url).says("reopened").says("heading \"Here\"");
    }
}

#[test]
fn first_calls_at_once_share_one_browser_and_one_tab() {
    let site = Site::of("<h1>Here</h1>");
    let mut server = Server::start(&[]);
    let go = json!({ "url": site.url("/") });
    let calls = [
        server.begin_call("browser_navigate", go.clone()),
        server.begin_call("browser_snapshot", json!({})),
        server.begin_call("browser_evaluate", json!({ "function": "() => 1 + 1" })),
        server.begin_call("browser_console_messages", json!({})),
        server.begin_call("browser_navigate", go),
    ];
    for call in calls {
        server.finish(call).ok();
    }
    assert_eq!(browsers(&server.descendants()).len(), 1);
    let tabs = server.call("browser_tabs", json!({ "action": "list" }));
    assert_eq!(tabs.facts()["tabs"].as_array().unwrap().len(), 1, "{}", tabs.text());
    server.snapshot().says("heading \"Here\"");
}

#[test]
fn a_start_that_is_cancelled_harms_nothing() {
    let mut tab = Tab { server: Server::start(&[]), site: Site::of("<h1>Here</h1>") };
    let url = tab.site.url("/");
    for wait in [10, 100] {
        let call = tab.begin_call("browser_navigate", json!({ "url": url }));
        std::thread::sleep(Duration::from_millis(wait));
        let params = json!({ "requestId": call });
        tab.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }
    tab.navigate(&url).says("heading \"Here\"").says_not("restarted").says_not("reopened");
    let tabs = tab.call("browser_tabs", json!({ "action": "list" }));
    assert_eq!(tabs.facts()["tabs"].as_array().unwrap().len(), 1, "{}", tabs.text());
    // What a cancelled start leaves behind may take a moment to end.
    let by = Instant::now() + END;
    while browsers(&tab.descendants()).len() > 1 {
        assert!(Instant::now() < by, "two browsers");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_browser_that_cannot_start_is_told_and_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("browser");
    let path = program.to_str().unwrap();
    let mut tab =
        Tab { server: Server::start(&["--executable-path", path]), site: Site::of("<h1>Here</h1>") };
    let url = tab.site.url("/");
    let write = |script: &str| {
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let go = json!({ "url": url });
    tab.call("browser_navigate", go.clone()).fails(path).fails("--executable-path");
    tab.call("browser_snapshot", json!({})).fails(path);
    write("#!/bin/sh\necho no display today >&2\nexit 3\n");
    tab.call("browser_navigate", go.clone()).fails("could not be started").fails("no display today");
    tab.call("browser_navigate", go).fails("could not be started");
    assert!(tab.request("ping", json!({})).message["result"].is_object());
    assert_eq!(left_in(&tab.temporary_directory()), [""; 0]);
    write(&format!("#!/bin/sh\nexec {} \"$@\"\n", program_name()));
    tab.navigate(&url).says("heading \"Here\"").says_not("restarted");
}

#[test]
fn closing_the_last_page_lets_the_next_call_open_one() {
    let mut tab = open("<h1>Here</h1>");
    tab.call("browser_close", json!({})).says("none is open now");
    tab.call("browser_close", json!({})).says("No page was open");
    let url = tab.site.url("/");
    tab.navigate(&url).says("heading \"Here\"").says_not("restarted").says_not("reopened");
    assert_eq!(browsers(&tab.descendants()).len(), 1);
}
