//! Files: read and written below the allowed directories, and nowhere else, by whichever way one tries.

use std::{
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Reply, Server, Site};

const PAGE: &str = "<title>Here</title><input type=file><a href=/file>Get</a>";

/// A server with a page, and a directory outside of all that it may use.
struct Fenced {
    server: Server,
    _site: Site,
    outside: TempDir,
}

const FLAGS: [&str; 2] = ["--caps", "pdf"];

fn fenced(flags: &[&str]) -> Fenced {
    let site = Site::of(PAGE);
    let mut server = Server::start(&[&FLAGS, flags].concat());
    server.navigate(&site.url("/"));
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.json"), "{\"cookies\": []}").unwrap();
    Fenced { server, _site: site, outside }
}

impl Fenced {
    /// All ways to write a file.
    fn write(&mut self, path: &str) -> Vec<(&'static str, Reply)> {
        let calls = [
            ("browser_take_screenshot", "filename"),
            ("browser_pdf_save", "filename"),
            ("browser_context_save_storage", "path"),
            ("browser_screenshot", "path"),
        ];
        calls.map(|(tool, argument)| (tool, self.server.call(tool, json!({ argument: path })))).into()
    }

    /// All ways to read a file.
    fn read(&mut self, path: &str) -> Vec<(&'static str, Reply)> {
        let upload = self.server.call("browser_file_upload", json!({ "paths": [path] }));
        let create = json!({ "name": "read", "storageState": path });
        let created = self.server.call("browser_context_create", create);
        if !created.failed() {
            self.server.call("browser_context_close", json!({ "name": "read" })).ok();
        }
        vec![("browser_file_upload", upload), ("browser_context_create", created)]
    }

    fn inside(&self, name: &str) -> PathBuf {
        self.server.working_directory().join(name)
    }

    /// The names of what is outside now.
    fn left_outside(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.outside.path()).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[track_caller]
fn all_forbidden(replies: Vec<(&'static str, Reply)>, path: &str) {
    for (tool, reply) in replies {
        assert!(reply.failed(), "{tool} {path}: {}", reply.message);
        reply.fails("outside of the directories that may be used");
        assert_eq!(reply.facts()["error"]["name"], "Forbidden", "{tool} {path}");
    }
}

#[track_caller]
fn all_work(replies: Vec<(&'static str, Reply)>) {
    for (tool, reply) in replies {
        assert!(!reply.failed(), "{tool}: {}", reply.text());
        reply.ok();
    }
}

#[test]
fn no_path_leads_out() {
    let mut fenced = fenced(&[]);
    let outside = text(fenced.outside.path());
    let up: String = "../".repeat(30);
    // Links of all kinds, that somebody left in the working directory.
    symlink(fenced.outside.path(), fenced.inside("folder")).unwrap();
    symlink(fenced.outside.path().join("secret.json"), fenced.inside("file.json")).unwrap();
    symlink(fenced.outside.path().join("secret.json"), fenced.inside("file")).unwrap();
    symlink(fenced.outside.path().join("new"), fenced.inside("dangling")).unwrap();
    symlink("folder", fenced.inside("twice")).unwrap();
    std::fs::create_dir(fenced.inside("real")).unwrap();
    let written = [
        format!("{outside}/new"),
        format!("{outside}/deep/new"),
        "../new".into(),
        format!("{up}{}/new", outside.trim_start_matches('/')),
        "real/../../new".into(),
        "folder/new".into(),
        "folder/deep/new".into(),
        "twice/new".into(),
        "folder/../made/new".into(),
        "./file".into(),
        "./dangling".into(),
        "/proc/self/cwd/../new".into(),
    ];
    for path in &written {
        all_forbidden(fenced.write(path), path);
        assert_eq!(fenced.left_outside(), ["secret.json"], "after {path}");
    }
    assert_eq!(
        std::fs::read_to_string(fenced.outside.path().join("secret.json")).unwrap(),
        "{\"cookies\": []}"
    );
    let beside: Vec<_> =
        std::fs::read_dir(fenced.outside.path().parent().unwrap()).unwrap().flatten().collect();
    assert!(!beside.iter().any(|entry| entry.file_name() == "made"), "a directory was made outside");
    let read = [
        format!("{outside}/secret.json"),
        format!("{up}{}/secret.json", outside.trim_start_matches('/')),
        "folder/secret.json".into(),
        "twice/secret.json".into(),
        "file.json".into(),
        "folder/never-there".into(),
        format!("{outside}/never-there"),
        "/etc/passwd".into(),
        "/proc/self/environ".into(),
    ];
    for path in &read {
        all_forbidden(fenced.read(path), path);
    }
    assert_eq!(fenced.server.evaluate("() => document.querySelector('input').files.length"), 0);
}

#[test]
fn links_that_stay_inside_are_followed_and_those_made_later_are_seen() {
    let mut fenced = fenced(&[]);
    std::fs::create_dir(fenced.inside("real")).unwrap();
    std::fs::write(fenced.inside("real/state.json"), "{\"cookies\": []}").unwrap();
    symlink("real", fenced.inside("link")).unwrap();
    all_work(fenced.read("link/state.json"));
    all_work(fenced.write("link/out"));
    assert!(fenced.inside("real/out").exists());
    // What was a directory when it was first used is a way out now.
    std::fs::remove_dir_all(fenced.inside("real")).unwrap();
    symlink(fenced.outside.path(), fenced.inside("real")).unwrap();
    all_forbidden(fenced.write("link/out"), "link/out");
    all_forbidden(fenced.read("link/secret.json"), "link/secret.json");
    assert_eq!(fenced.left_outside(), ["secret.json"]);
}

#[test]
fn the_directory_for_screenshots_is_no_way_out() {
    let fenced_by = tempfile::tempdir().unwrap();
    let mut fenced = fenced(&[]);
    // It came with the files that somebody works on.
    symlink(fenced_by.path(), fenced.inside(".viewpoint-mcp-screenshots")).unwrap();
    let replies = fenced.write("bare");
    for (tool, reply) in replies {
        if tool == "browser_take_screenshot" || tool == "browser_pdf_save" {
            reply.fails("outside of the directories");
        }
    }
    fenced.server.call("browser_take_screenshot", json!({})).fails("outside of the directories");
    all_forbidden(fenced.write(&text(&fenced_by.path().join("new"))), "by its own name");
    assert_eq!(std::fs::read_dir(fenced_by.path()).unwrap().count(), 0);
}

#[test]
fn a_directory_where_a_file_is_wanted_is_said() {
    let mut fenced = fenced(&[]);
    std::fs::create_dir(fenced.inside("folder")).unwrap();
    std::fs::write(fenced.inside("file"), "here").unwrap();
    let replies = [fenced.write("./folder"), fenced.read("folder"), fenced.write("file/below")].concat();
    for (tool, reply) in replies {
        assert!(reply.failed(), "{tool}: {}", reply.message);
        assert_eq!(reply.facts()["error"]["name"], "FileError", "{tool}: {}", reply.text());
        assert!(
            reply.text().contains("directory") || reply.text().contains("work/file: "),
            "{tool}: {}",
            reply.text()
        );
    }
    for (tool, reply) in fenced.write("") {
        assert!(
            reply.failed()
                || reply.message.get("error").is_some()
                || tool.contains("screenshot")
                || tool.contains("pdf"),
            "{tool}: {}",
            reply.message
        );
    }
    assert_eq!(std::fs::read_to_string(fenced.inside("file")).unwrap(), "here");
    assert_eq!(std::fs::read_dir(fenced.inside("folder")).unwrap().count(), 0);
}

#[test]
fn a_directory_that_is_allowed_may_be_used() {
    let allowed = tempfile::tempdir().unwrap();
    let mut fenced = fenced(&["--allow-path", &text(allowed.path())]);
    all_work(fenced.write(&text(&allowed.path().join("new"))));
    all_work(fenced.write(&text(&allowed.path().join("deep/new"))));
    std::fs::write(allowed.path().join("state.json"), "{\"cookies\": []}").unwrap();
    all_work(fenced.read(&text(&allowed.path().join("state.json"))));
    symlink(fenced.outside.path(), allowed.path().join("folder")).unwrap();
    let out = text(&allowed.path().join("folder/new"));
    all_forbidden(fenced.write(&out), &out);
    // One that only begins the same is another.
    let alike = format!("{}x", text(allowed.path()));
    all_forbidden(fenced.write(&format!("{alike}/new")), &alike);
    assert!(!Path::new(&alike).exists());
}

/// A server whose client has these roots.
fn with_roots(roots: &Value) -> Server {
    let mut server = Server::silent(&FLAGS);
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": {} }, "clientInfo": { "name": "suites", "version": "1" } });
    server.request("initialize", params);
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    answer_roots(&mut server, roots);
    server
}

/// Answers when the server asks for roots.
fn answer_roots(server: &mut Server, roots: &Value) {
    let asked = loop {
        let (message, _) =
            server.next_within(std::time::Duration::from_secs(10)).expect("a question for roots");
        if message["method"] == "roots/list" {
            break message["id"].clone();
        }
    };
    server.send(&json!({ "jsonrpc": "2.0", "id": asked, "result": { "roots": roots } }));
}

#[test]
fn the_clients_roots_may_be_used() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("state.json"), "{\"cookies\": []}").unwrap();
    let site = Site::of(PAGE);
    let roots = json!([{ "uri": format!("file://{}", text(root.path())), "name": "work" }, { "uri": "https://example.com/" }]);
    let mut server = with_roots(&roots);
    server.navigate(&site.url("/"));
    let outside = tempfile::tempdir().unwrap();
    let mut fenced = Fenced { server, _site: site, outside };
    all_work(fenced.write(&text(&root.path().join("new"))));
    all_work(fenced.read(&text(&root.path().join("state.json"))));
    let out = text(&fenced.outside.path().join("new"));
    all_forbidden(fenced.write(&out), &out);
}

#[test]
fn a_root_that_is_withdrawn_is_not_used() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("state.json"), "{\"cookies\": []}").unwrap();
    let site = Site::of(PAGE);
    let mut server = with_roots(&json!([{ "uri": format!("file://{}", text(root.path())) }]));
    server.navigate(&site.url("/"));
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    answer_roots(&mut server, &json!([]));
    server.snapshot();
    let outside = tempfile::tempdir().unwrap();
    let mut fenced = Fenced { server, _site: site, outside };
    let there = text(&root.path().join("state.json"));
    all_forbidden(fenced.read(&there), &there);
}

#[test]
fn a_root_that_contains_the_home_directory_is_not_taken() {
    let home = std::env::home_dir().unwrap();
    let site = Site::of(PAGE);
    let mut server =
        with_roots(&json!([{ "uri": "file:///" }, { "uri": format!("file://{}", text(&home)) }]));
    server.navigate(&site.url("/"));
    let log: String = server.aside.iter().map(ToString::to_string).collect();
    for root in ["/", &text(&home)] {
        assert!(log.contains(&format!("the client's root is not used: {root} contains")), "{log}");
    }
    let outside = tempfile::tempdir().unwrap();
    let mut fenced = Fenced { server, _site: site, outside };
    all_forbidden(fenced.read("/etc/hostname"), "/etc/hostname");
    let in_home = text(&home.join("never-there"));
    all_forbidden(fenced.write(&in_home), &in_home);
}

/// A server that was started in a directory, and the user's own directory for its files.
fn started_in(directory: &str, flags: &[&str]) -> (Fenced, PathBuf) {
    let site = Site::of(PAGE);
    let mut server = Server::after(&format!("cd '{directory}';"), &[&FLAGS, flags].concat());
    server.navigate(&site.url("/"));
    let of_user = server.working_directory().parent().unwrap().join("data/cicerone/files");
    (Fenced { server, _site: site, outside: tempfile::tempdir().unwrap() }, of_user)
}

#[test]
fn started_in_the_root_or_home_directory_files_are_the_users_own() {
    let home = text(&std::env::home_dir().unwrap());
    for directory in ["/", &home] {
        let (mut fenced, of_user) = started_in(directory, &[]);
        let taken = fenced.server.call("browser_take_screenshot", json!({ "filename": "shot.png" }));
        taken.says(&text(&of_user.join("shot.png")));
        assert!(of_user.join("shot.png").is_file());
        fenced
            .server
            .call("browser_pdf_save", json!({ "filename": "a.pdf" }))
            .says(&text(&of_user.join("a.pdf")));
        let saved = fenced.server.call("browser_context_save_storage", json!({ "path": "state.json" }));
        saved.says(&text(&of_user.join("state.json")));
        all_work(fenced.read("state.json"));
        all_forbidden(fenced.read("/etc/hostname"), "/etc/hostname");
        fenced
            .server
            .call("browser_navigate", json!({ "url": "file:///etc/hostname" }))
            .fails("outside of the directories");
        let in_home = format!("{home}/never-there");
        all_forbidden(fenced.write(&in_home), &in_home);
    }
}

#[test]
fn started_where_nothing_can_be_written_files_can_still_be_read() {
    let (mut fenced, of_user) = started_in("/proc", &[]);
    let taken = fenced.server.call("browser_take_screenshot", json!({ "filename": "./below/shot.png" }));
    taken.says(&text(&of_user.join("below/shot.png")));
    fenced.server.call("browser_file_upload", json!({ "paths": ["version"] })).ok();
    all_forbidden(fenced.read("/etc/hostname"), "/etc/hostname");
    all_forbidden(fenced.read("../etc/hostname"), "../etc/hostname");
}

#[test]
fn the_root_directory_may_be_allowed_explicitly() {
    let (mut fenced, of_user) = started_in("/", &["--allow-path", "/", "--screenshot-dir", "shots"]);
    fenced.server.call("browser_file_upload", json!({ "paths": ["/etc/hostname"] })).ok();
    let taken = fenced.server.call("browser_take_screenshot", json!({ "filename": "shot.png" }));
    taken.says(&text(&of_user.join("shots/shot.png")));
}

#[test]
fn an_ending_that_belongs_to_another_type_is_refused() {
    let mut fenced = fenced(&[]);
    for (tool, arguments, ending) in [
        ("browser_take_screenshot", json!({ "filename": "a.jpg" }), ".png"),
        ("browser_take_screenshot", json!({ "filename": "shots/a.pdf", "type": "png" }), ".png"),
        ("browser_take_screenshot", json!({ "filename": "a.png", "type": "jpeg" }), ".jpg or .jpeg"),
        ("browser_pdf_save", json!({ "filename": "a.png" }), ".pdf"),
        ("browser_screenshot", json!({ "path": "a.jpeg" }), ".png"),
        ("browser_context_save_storage", json!({ "path": "a.txt" }), ".json"),
    ] {
        let words = format!("it must be a file name that ends in {ending}, as its type does");
        fenced.server.call(tool, arguments).refused(-32602, &words);
    }
    for (tool, arguments) in [
        ("browser_take_screenshot", json!({ "filename": "a.PNG" })),
        ("browser_take_screenshot", json!({ "filename": "a.jpg", "type": "jpeg" })),
        ("browser_take_screenshot", json!({ "filename": "a.jpeg", "type": "jpeg" })),
        ("browser_take_screenshot", json!({ "filename": "bare" })),
        ("browser_pdf_save", json!({ "filename": "a.pdf" })),
        ("browser_screenshot", json!({ "path": "a.png" })),
        ("browser_context_save_storage", json!({ "path": "a.json" })),
    ] {
        fenced.server.call(tool, arguments).ok();
    }
}

#[test]
fn roots_that_the_client_fails_to_list_again_are_not_used_any_longer() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("notes.txt"), "notes").unwrap();
    let site = Site::of("<input type=file>");
    let mut server = with_roots(&json!([{ "uri": format!("file://{}", text(root.path())) }]));
    server.navigate(&site.url("/"));
    let upload = json!({ "paths": [root.path().join("notes.txt")] });
    server.call("browser_file_upload", upload.clone()).ok();
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    let asked = loop {
        let (message, _) =
            server.next_within(std::time::Duration::from_secs(10)).expect("a question for roots");
        if message["method"] == "roots/list" {
            break message["id"].clone();
        }
    };
    let error = json!({ "code": -32603, "message": "no roots now" });
    server.send(&json!({ "jsonrpc": "2.0", "id": asked, "error": error }));
    server.snapshot();
    server.call("browser_file_upload", upload).fails("outside of the directories");
}
