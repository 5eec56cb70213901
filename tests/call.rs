//! `cicerone call`: calls from a shell, in a browser that stays open.

use std::{
    os::unix::net::UnixListener,
    process::Stdio,
    time::{Duration, Instant},
};

use crate::support::{CommandOutput, Shell, Site};

fn call(shell: &Shell, arguments: &[&str]) -> CommandOutput {
    shell.run(&[&["call"], arguments].concat())
}

/// A shell whose browser shows a page.
fn at_page(html: &str) -> (Shell, Site) {
    let (shell, site) = (Shell::new(), Site::of(html));
    call(&shell, &["browser_navigate", &format!("url={}", site.url("/"))]).prints("Opened");
    (shell, site)
}

/// The processes of servers and browsers that were started in a shell.
fn processes(shell: &Shell) -> Vec<u32> {
    let home = shell.temporary_directory().parent().unwrap().display().to_string();
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&home)
    })
    .collect()
}

/// Nothing runs and nothing is left, after a while for the last ones to go.
#[track_caller]
fn nothing_is_left(shell: &Shell) {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let running = processes(shell);
        let left = std::fs::read_dir(shell.temporary_directory()).unwrap().count();
        let sockets = shell.beside_sockets("sock");
        if running.is_empty() && left == 0 && sockets.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "{running:?}, {left} files, {sockets:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_later_call_sees_what_an_earlier_one_did() {
    let (shell, _site) = at_page("<label>Name <input></label>");
    call(&shell, &["browser_type", "ref=label:Name", "text=Ada"]).prints("now holds \"Ada\"");
    call(&shell, &["browser_snapshot"]).prints("textbox \"Name\"").prints(": Ada");
    assert_eq!(shell.beside_sockets("sock").len(), 1);
    let done = call(&shell, &["--end"]);
    let directory = std::fs::canonicalize(shell.path("")).unwrap();
    let said = format!("Ended the server of these options in {}, and its browser (", directory.display());
    assert_eq!(done.ok().out, "");
    assert!(done.err.starts_with(&said), "{}", done.err);
    // It returns when the browser is gone, not before.
    assert_eq!(processes(&shell), [0_u32; 0]);
    nothing_is_left(&shell);
    call(&shell, &["--end"]).ok();
    assert!(call(&shell, &["--end"]).err.contains("No browser is open"));
    call(&shell, &["browser_tabs", "action=list"]).prints("No tabs are open");
}

#[test]
fn values_are_read_as_the_tool_wants_them() {
    let (shell, _site) = at_page(
        "<label>Code <input></label><label>Many <select multiple><option>1<option>two</select></label>",
    );
    call(&shell, &["browser_type", "ref=label:Code", "text=123"]).prints("now holds \"123\"");
    call(&shell, &["browser_type", "ref=label:Code", "text=true", "slowly=true"]).prints("holds \"true\"");
    call(&shell, &["browser_select_option", "ref=label:Many", "values=1", "values=two"]).prints("two");
    call(&shell, &["browser_type", r#"{"ref": "label:Code", "text": "{}"}"#]).prints("now holds \"{}\"");
    call(&shell, &["browser_wait_for", "time=0.1"]).prints("passed");
}

#[test]
fn what_goes_wrong_is_told_by_the_exit_code() {
    let (shell, _site) = at_page("<h1>Here</h1>");
    call(&shell, &["browser_click", "ref=e999"]).fails(1, "Hint: ");
    call(&shell, &["browser_klick"]).fails(2, "Unknown tool: browser_klick");
    call(&shell, &["browser_click"]).fails(2, "Missing required argument: ref");
    call(&shell, &["browser_resize", "width=wide", "height=100"]).fails(2, "width");
    call(&shell, &["browser_click", "e1"])
        .fails(2, "`e1` is neither key=value nor a JSON object; did you mean ref=e1?");
    call(&shell, &["browser_type", "ref=e1", "stray", "text=x", "http://x/?a=b"])
        .fails(2, "`stray`, `http://x/?a=b` are neither key=value nor a JSON object");
    call(&shell, &["browser_type", "{}", "text=x"]).fails(2, "not both; unexpected: `text=x`");
    call(&shell, &["browser_click", "{]"]).fails(2, "not a JSON object");
    call(&shell, &[]).fails(2, "TOOL");
    call(&shell, &["--end", "browser_click"]).fails(2, "--end");
}

#[test]
fn the_whole_result_can_be_had_as_json() {
    let (shell, _site) = at_page("<title>Home</title><h1>Here</h1>");
    let good = call(&shell, &["browser_tabs", "action=list", "--format", "json"]);
    assert!(good.ok().json()["content"][0]["text"].as_str().unwrap().contains("Home"), "{good:#?}");
    assert!(good.json()["structuredContent"].is_object());
    let bad = call(&shell, &["browser_click", "ref=e999", "--format=json"]);
    assert_eq!((bad.code, bad.json()["isError"].as_bool()), (Some(1), Some(true)));
}

#[test]
fn pictures_that_come_inline_are_saved() {
    let site = Site::of("<h1>Here</h1>");
    let shell = Shell::new().set("CICERONE_IMAGE_RESPONSES", "inline");
    call(&shell, &["browser_navigate", &format!("url={}", site.url("/"))]).ok();
    let taken = call(&shell, &["browser_take_screenshot"]);
    let line = taken.ok().out.lines().find_map(|line| line.strip_prefix("Picture: ")).unwrap();
    assert!(std::fs::metadata(shell.path(line)).unwrap().len() > 100, "{line}");
}

#[test]
fn first_calls_at_the_same_time_share_one_server() {
    let shell = Shell::new();
    let calls: Vec<_> = (0..4)
        .map(|_| {
            let mut command = shell.command(&["call", "browser_tabs", "action=new"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for call in calls {
        let output = call.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(shell.beside_sockets("sock").len(), 1);
    let servers = processes(&shell).into_iter().filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("call-server")
    });
    assert_eq!(servers.count(), 1);
    let tabs = call(&shell, &["browser_tabs", "action=list"]);
    assert!(tabs.ok().out.lines().count() >= 4, "{}", tabs.out);
}

#[test]
fn other_options_get_another_server() {
    let (shell, _site) = at_page("<h1>Here</h1>");
    call(&shell, &["browser_tabs", "action=list", "--viewport=800x600"]).prints("No tabs are open");
    call(&shell, &["browser_tabs", "action=list", "--viewport=1280x720"]).prints("active");
    assert_eq!(shell.beside_sockets("sock").len(), 2);
    call(&shell, &["--end", "--viewport=800x600"]).ok();
    call(&shell, &["browser_tabs", "action=list"]).prints("active");
}

#[test]
fn options_of_the_file_and_of_variables_reach_the_server() {
    let shell = Shell::new()
        .file("cicerone.toml", "viewport = '640x480'\nsnapshot-limit = 400")
        .set("CICERONE_VIEWPORT", "700x500");
    let size = ["browser_evaluate", "function=() => [innerWidth, innerHeight]"];
    call(&shell, &size).prints("700").prints("500");
    call(&shell, &[&size[..], &["--viewport", "900x600"]].concat()).prints("900");
}

#[test]
fn an_idle_server_ends_with_its_browser() {
    let (shell, site) = (Shell::new().set("CICERONE_SESSION_TIMEOUT", "1s"), Site::of("<h1>Here</h1>"));
    let url = format!("url={}", site.url("/"));
    call(&shell, &["browser_navigate", &url]).ok();
    // During a call that takes longer than that, the server is not idle.
    call(&shell, &["browser_wait_for", "time=2"]).prints("passed");
    assert!(!processes(&shell).is_empty());
    shell.wait_for_servers();
    nothing_is_left(&shell);
    call(&shell, &["browser_tabs", "action=list"]).prints("No tabs are open");
}

#[test]
fn calls_that_come_while_the_server_ends_are_answered() {
    let shell = Shell::new().set("CICERONE_SESSION_TIMEOUT", "20ms");
    std::thread::scope(|scope| {
        for pause in [5, 15, 25] {
            let shell = &shell;
            scope.spawn(move || {
                for _ in 0..10 {
                    call(shell, &["browser_tabs", "action=list"]).prints("No tabs are open");
                    // So that some come before the end, some after it, and some amid.
                    std::thread::sleep(Duration::from_millis(pause));
                }
            });
        }
    });
}

#[test]
fn a_server_whose_socket_is_removed_ends_with_its_browser() {
    let (shell, _site) = at_page("<h1>Here</h1>");
    std::fs::remove_file(&shell.beside_sockets("sock")[0]).unwrap();
    shell.wait_for_servers();
    nothing_is_left(&shell);
}

#[test]
fn a_socket_that_was_left_behind_is_replaced() {
    let (shell, _site) = at_page("<h1>Here</h1>");
    let socket = shell.beside_sockets("sock").remove(0);
    call(&shell, &["--end"]).ok();
    // As a server that was killed leaves it: a socket that nobody listens on.
    drop(UnixListener::bind(&socket).unwrap());
    call(&shell, &["browser_tabs", "action=list"]).prints("No tabs are open");
    assert!(socket.exists());
}

#[test]
fn a_killed_server_leaves_no_browser_and_is_replaced() {
    let (shell, _site) = at_page("<h1>Here</h1>");
    let server = processes(&shell).into_iter().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("call-server")
    });
    let server = rustix::process::Pid::from_raw(server.unwrap().try_into().unwrap()).unwrap();
    rustix::process::kill_process(server, rustix::process::Signal::KILL).unwrap();
    shell.wait_for_servers();
    call(&shell, &["browser_tabs", "action=list"]).prints("No tabs are open");
    call(&shell, &["--end"]).ok();
    nothing_is_left(&shell);
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let shell = Shell::new();
    call(&shell, &["browser_tabs", "action=list", "--secrets=nowhere"]).fails(3, "nowhere cannot be read");
    let missing = call(&shell, &["browser_snapshot", "--executable-path=/nowhere/chromium"]);
    missing.fails(1, "/nowhere/chromium cannot be run");
}

#[test]
fn a_directory_that_others_can_enter_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let shell = Shell::new();
    std::fs::create_dir(shell.sockets()).unwrap();
    std::fs::set_permissions(shell.sockets(), std::fs::Permissions::from_mode(0o755)).unwrap();
    call(&shell, &["browser_snapshot"]).fails(3, "is not private: others may use it");
}

#[test]
fn the_server_keeps_nothing_of_the_shell_that_started_it() {
    let shell = Shell::new();
    let began = Instant::now();
    // With the server holding on to its output, this would wait for the server's end.
    call(&shell, &["browser_tabs", "action=list"]).ok();
    assert!(began.elapsed() < Duration::from_secs(20));
    let server = processes(&shell)[0];
    let leads_to = |descriptor: u32| {
        std::fs::read_link(format!("/proc/{server}/fd/{descriptor}")).unwrap().display().to_string()
    };
    assert!(leads_to(0).starts_with("pipe:"), "{}", leads_to(0));
    assert_eq!(leads_to(1), "/dev/null");
    assert_eq!(leads_to(2), shell.beside_sockets("log")[0].display().to_string());
    let stat = std::fs::read_to_string(format!("/proc/{server}/stat")).unwrap();
    let session = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(3).unwrap().to_owned();
    assert_eq!(session, server.to_string());
}
