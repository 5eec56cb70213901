//! `cicerone extension`, `cicerone doctor --extension`, and what is refused beside `--extension`.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::json;

use crate::{
    own::server,
    support::chrome::{Chrome, install_extension},
};

fn cicerone(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command.args(arguments).env("XDG_DATA_HOME", data).stdin(Stdio::null());
    command
}

/// Exit code, standard output, standard error.
fn run(data: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = cicerone(data, arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn install_writes_the_files_says_how_to_load_them_and_waits_for_the_extension() {
    let data = tempfile::tempdir().unwrap();
    let directory = data.path().join("cicerone/extension");
    let (code, out, _) = run(data.path(), &["extension", "path"]);
    assert_eq!((code, out.trim()), (Some(0), directory.to_str().unwrap()));
    let mut installing =
        cicerone(data.path(), &["extension", "install"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(installing.stderr.take().unwrap()).lines();
    let mut told = String::new();
    for line in lines.by_ref().map(Result::unwrap) {
        told += &line;
        if line.starts_with("Waiting") {
            break;
        }
    }
    assert!(told.contains("Load unpacked") && told.contains(directory.to_str().unwrap()), "{told}");
    let _chrome = Chrome::start(&[&directory], "about:blank");
    assert!(lines.any(|line| line.unwrap().starts_with("Connected")));
    assert!(installing.wait().unwrap().success());
    let (code, out, _) = run(data.path(), &["doctor", "--extension"]);
    assert!(out.contains("✓ extension: connected"), "{code:?} {out}");
}

#[test]
fn what_is_missing_is_said_with_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    let (code, out, _) = run(data.path(), &["doctor", "--extension"]);
    assert_ne!(code, Some(0));
    assert!(
        out.contains("✗ extension: not installed") && out.contains("cicerone extension install"),
        "{out}"
    );
    let mut server = server(data.path(), &[], "suites");
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails("the extension is not installed").fails("cicerone extension install");
}

#[test]
fn a_browser_that_does_not_come_is_said_in_time() {
    let data = tempfile::tempdir().unwrap();
    install_extension(data.path());
    let mut server = server(data.path(), &[], "suites");
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails("no Chrome with the extension connected: timed out after 40 s").fails("start Chrome");
}

#[test]
fn options_that_mean_nothing_there_are_refused() {
    let data = tempfile::tempdir().unwrap();
    for (flag, value) in [
        ("--headed", None),
        ("--browser", Some("firefox")),
        ("--user-data-dir", Some("x")),
        ("--endpoint", Some("http://127.0.0.1:1")),
        ("--allowed-hosts", Some("example.com")),
        ("--proxy", Some("http://127.0.0.1:1")),
    ] {
        let arguments: Vec<&str> = ["--extension", flag].into_iter().chain(value).collect();
        let (code, _, err) = run(data.path(), &arguments);
        assert_ne!(code, Some(0), "{flag}");
        assert!(err.contains(&flag[2..]) && err.contains("extension"), "{err}");
    }
}
