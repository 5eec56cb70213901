//! What a browser is started with.

use std::path::Path;

use serde_json::json;

use super::{NOBODY, is_firefox, is_root, script, set_mode};
use crate::support::{Server, Site, program_name};

fn command_lines(server: &Server) -> Vec<String> {
    let read = |pid: u32| std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).ok();
    let lines = server.descendants().into_iter().filter_map(read);
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect()
}

/// A directory that another user may write into, with a program that stands before the browser.
fn before_the_browser(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    set_mode(directory.path(), 0o777);
    let program = directory.path().join("wrapper");
    let text = text.replace("DIRECTORY", &directory.path().display().to_string());
    script(&program, &text.replace("BROWSER", program_name()));
    let path = program.display().to_string();
    (directory, path)
}

#[test]
fn a_failed_start_does_not_cost_the_sandbox() {
    if is_firefox() || !is_root() {
        // Firefox is never started without; and root has none to lose.
        return;
    }
    let (_directory, program) = before_the_browser(
        "#!/bin/sh\nif [ ! -e DIRECTORY/failed ]; then touch DIRECTORY/failed; exit 1; fi\nexec BROWSER \"$@\"",
    );
    let site = Site::of("<title>Here</title>");
    let mut server = Server::as_user(NOBODY, &["--executable-path", &program]);
    let open = json!({ "url": site.url("/") });
    server.call("browser_navigate", open.clone()).fails("did not start");
    server.call("browser_navigate", open).ok();
    let lines = command_lines(&server);
    assert!(lines.iter().any(|line| line.contains("--user-data-dir")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("--no-sandbox")), "{lines:?}");
}

#[test]
fn a_browser_without_its_sandbox_says_so() {
    if is_firefox() || !is_root() {
        return;
    }
    let (_directory, program) = before_the_browser(
        "#!/bin/sh\ncase \"$*\" in *--no-sandbox*) exec BROWSER \"$@\";; esac\necho 'FATAL: No usable sandbox!' >&2\nexit 1",
    );
    let site = Site::of("<title>Here</title>");
    let mut server = Server::as_user(NOBODY, &["--executable-path", &program]);
    server.navigate(&site.url("/")).says("runs without its sandbox").says("cicerone doctor");
    // Once is enough.
    server.snapshot().says_not("sandbox");
}

#[test]
fn the_browser_inherits_no_keys() {
    let key = "sk-this-is-nobodys-business";
    let site = Site::of("<title>Here</title>");
    let mut server =
        Server::spawn(&[], &[("ANTHROPIC_API_KEY", key), ("GITHUB_TOKEN", key), ("LC_ALL", "C.UTF-8")]);
    server.initialize("2025-06-18");
    server.navigate(&site.url("/"));
    let environment =
        |pid: &u32| std::fs::read(Path::new("/proc").join(pid.to_string()).join("environ")).ok();
    let all: Vec<String> = server
        .descendants()
        .iter()
        .filter_map(environment)
        .map(|environment| String::from_utf8_lossy(&environment).into_owned())
        .collect();
    // What is in them is not printed: it may be of whoever runs the tests.
    assert!(all.len() > 2, "the janitor and the browser's processes: {}", all.len());
    assert!(all.iter().any(|one| one.contains("LC_ALL=C.UTF-8") && one.contains("PATH=")));
    assert_eq!(all.iter().filter(|one| one.contains(key)).count(), 0, "of {} processes", all.len());
}
