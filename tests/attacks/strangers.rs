//! What comes with somebody else's files: a repository, a download.

use std::path::Path;

use serde_json::json;

use super::script;
use crate::support::{Server, Shell, Site};

#[test]
fn a_found_configuration_file_starts_no_program() {
    for key in ["executable-path", "allow-path", "secrets", "proxy", "user-data-dir", "screenshot-dir"] {
        let shell = Shell::new().file("cicerone.toml", &format!("{key} = './evil.sh'"));
        script(&shell.path("evil.sh"), "#!/bin/sh\ntouch ran\n");
        let done = shell.run::<&str>(&[]);
        done.fails(1, &format!("`{key}` cannot be set by a cicerone.toml that was only found"))
            .fails(1, "--config");
        assert!(!shell.path("ran").exists());
        // A file that the person names is the person's.
        let named = shell.run(&["--config", "cicerone.toml", "doctor"]);
        assert!(!named.err.contains("cannot be set"), "{}", named.err);
    }
}

#[test]
fn the_start_says_which_configuration_file_it_read() {
    let shell = Shell::new()
        .file("cicerone.toml", "action-timeout = '3s'")
        .file("mine.toml", "action-timeout = '4s'");
    let says = |arguments: &[&str], file: &str| {
        let done = shell.run(arguments);
        assert!(done.err.contains(&format!("options are read from {file}\n")), "{}", done.err);
    };
    says(&[], "cicerone.toml");
    says(&["--config", "mine.toml"], "mine.toml");
    // A port that is in use ends it.
    let used = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    says(&["serve", "--http", &used.local_addr().unwrap().to_string()], "cicerone.toml");
    let silent = Shell::new().run::<&str>(&[]);
    assert!(!silent.err.contains("options are read from"), "{}", silent.err);
}

#[test]
fn the_janitor_removes_no_directory_of_others() {
    let shell = Shell::new();
    std::fs::create_dir(shell.path("work")).unwrap();
    std::fs::write(shell.path("work/thesis.txt"), "years").unwrap();
    shell.run(&["janitor", "work"]);
    assert!(shell.path("work/thesis.txt").exists());
}

/// Asks for a picture in a file.
fn picture(server: &mut Server, name: &str) -> crate::support::Reply {
    server.call("browser_take_screenshot", json!({ "filename": name }))
}

#[test]
fn files_that_are_not_ours_are_not_replaced() {
    let site = Site::of("<title>Here</title>");
    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    let logo = server.file("logo.png", "the person's own");
    picture(&mut server, "./logo.png").fails("logo.png already exists").fails("use another name");
    assert_eq!(std::fs::read_to_string(&logo).unwrap(), "the person's own");
    let state = server.file("package.json", "{\"name\": \"app\"}");
    server.call("browser_context_save_storage", json!({ "path": "./package.json" })).fails("already exists");
    assert_eq!(std::fs::read_to_string(&state).unwrap(), "{\"name\": \"app\"}");
    // What was saved here can be saved again.
    for _ in 0..2 {
        picture(&mut server, "./shot.png").ok();
        server.call("browser_context_save_storage", json!({ "path": "./state.json" })).ok();
    }
    server.file("earlier.json", "{\"cookies\": [], \"origins\": []}");
    server.call("browser_context_save_storage", json!({ "path": "./earlier.json" })).ok();
}

#[test]
fn nothing_is_written_into_a_repository_itself() {
    let site = Site::of("<title>Here</title>");
    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    for name in [".git/hooks/x.png", "sub/.GIT/x.png"] {
        picture(&mut server, name).fails("is in a .git directory");
        assert!(!server.working_directory().join(Path::new(name)).exists());
    }
}
