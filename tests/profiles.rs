//! Profiles that stay: kept between servers, never used by two at once, never left with more than a browser needs.

use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Server, Site};

fn start(profile: &Path, flags: &[&str]) -> Server {
    let profile = profile.display().to_string();
    Server::start(&[&["--user-data-dir", profile.as_str()], flags].concat())
}

/// Ends a server as a client does.
fn end(mut server: Server) -> Server {
    server.close_input();
    assert!(server.wait(Duration::from_secs(6)).is_some_and(|status| status.success()));
    server
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Sets a cookie that lasts.
const REMEMBER: &str = "() => { document.cookie = 'who=jo; max-age=9999'; localStorage.who = 'jo'; }";
const RECALL: &str = "() => document.cookie + ' ' + localStorage.who";

#[test]
fn cookies_and_storage_survive_a_restart_and_nothing_else_is_left() {
    let site = Site::of("<title>Here</title>");
    let home = tempfile::tempdir().unwrap();
    // Made where it is missing, however deep.
    let profile = home.path().join("deep/profile");
    let mut first = start(&profile, &[]);
    first.navigate(&site.url("/")).says_not("profile");
    first.evaluate(REMEMBER);
    first.call("browser_context_create", json!({ "name": "other" })).ok();
    first.navigate(&site.url("/"));
    assert_eq!(first.evaluate(RECALL), " undefined", "another context has nothing of it");
    let first = end(first);
    assert_eq!(names_in(&first.temporary_directory()), Vec::<String>::new(), "only the profile stays");
    assert_eq!(names_in(&first.working_directory()), Vec::<String>::new());
    assert!(std::fs::symlink_metadata(profile.join("SingletonLock")).is_err(), "it is free again");

    let mut second = start(&profile, &["--profile-lock", "fail"]);
    second.navigate(&site.url("/")).says_not("profile");
    assert_eq!(second.evaluate(RECALL), "who=jo jo");
    end(second);
}

#[test]
fn a_profile_in_use_is_copied_and_the_first_reply_says_so() {
    let site = Site::of("<title>Here</title>");
    let home = tempfile::tempdir().unwrap();
    let profile = home.path().join("profile");
    let mut before = start(&profile, &[]);
    before.navigate(&site.url("/"));
    before.evaluate(REMEMBER);
    end(before);

    let mut first = start(&profile, &[]);
    first.navigate(&site.url("/"));
    let mut second = start(&profile, &[]);
    let reply = second.navigate(&site.url("/"));
    reply
        .says(&profile.display().to_string())
        .says("works on a temporary copy")
        .says("What was written last may be missing");
    reply.says(&format!("process {}", first.child.id()));
    second.snapshot().says_not("temporary copy");
    assert_eq!(second.evaluate(RECALL), "who=jo jo", "the copy has what was there");
    second.evaluate("() => { document.cookie = 'who=second; max-age=9999'; localStorage.who = 'second'; }");
    assert_eq!(first.evaluate(RECALL), "who=jo jo");
    let second = end(second);
    assert_eq!(names_in(&second.temporary_directory()), Vec::<String>::new(), "the copy is gone");

    let mut failing = start(&profile, &["--profile-lock", "fail"]);
    let failed = failing.call("browser_navigate", json!({ "url": site.url("/") }));
    failed.fails(&first.child.id().to_string()).fails(&profile.display().to_string());
    assert!(failed.text().contains("--profile-lock"), "{}", failed.text());
    assert_eq!(failing.descendants().len(), 0);
    end(first);
    failing.navigate(&site.url("/")).says("Here");
    assert_eq!(
        failing.evaluate(RECALL),
        "who=jo jo",
        "the next call tries again, and nothing was written back"
    );
}

#[test]
fn two_servers_that_start_at_once_do_not_share_a_profile() {
    let site = Site::of("<title>Here</title>");
    let home = tempfile::tempdir().unwrap();
    let mut servers = [start(home.path(), &[]), start(home.path(), &[])];
    let url = site.url("/");
    let begun = servers.each_mut().map(|server| server.begin_call("browser_navigate", json!({ "url": url })));
    let copies = servers.iter_mut().zip(begun).map(|(server, id)| {
        let reply = server.finish(id);
        reply.says("Here");
        reply.text().contains("temporary copy")
    });
    assert_eq!(copies.filter(|copy| *copy).count(), 1, "one has it, and one a copy");
}

#[test]
fn a_lock_that_a_dead_browser_left_is_no_lock() {
    let site = Site::of("<title>Here</title>");
    let home = tempfile::tempdir().unwrap();
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let host = Command::new("uname").arg("-n").output().unwrap().stdout;
    let host = String::from_utf8(host).unwrap();
    // A process that has ended.
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    let lock = home.path().join("SingletonLock");
    std::os::unix::fs::symlink(format!("{}-{}", host.trim(), child.id()), &lock).unwrap();
    let mut server = start(home.path(), &["--profile-lock", "fail"]);
    server.navigate(&site.url("/")).says("Here");
    end(server);
    // One that runs, and is not a server of ours.
    let mut running = Command::new("sleep").arg("60").spawn().unwrap();
    std::os::unix::fs::symlink(format!("{}-{}", host.trim(), running.id()), &lock).unwrap();
    let mut server = start(home.path(), &["--profile-lock", "fail"]);
    let failed = server.call("browser_navigate", json!({ "url": site.url("/") }));
    failed.fails(&running.id().to_string());
    running.kill().unwrap();
    running.wait().unwrap();
    server.navigate(&site.url("/")).says("Here");
}

#[test]
fn a_server_that_is_killed_leaves_a_profile_that_works() {
    let site = Site::of("<title>Here</title>");
    let home = tempfile::tempdir().unwrap();
    let mut server = start(home.path(), &[]);
    server.navigate(&site.url("/"));
    let all = server.descendants();
    kill_process(Pid::from_raw(server.child.id().try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
    server.child.wait().unwrap();
    let until = Instant::now() + Duration::from_secs(6);
    let lives = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
    };
    while all.iter().any(lives) || !names_in(&server.temporary_directory()).is_empty() {
        assert!(Instant::now() < until, "left: {:?}", names_in(&server.temporary_directory()));
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut next = start(home.path(), &["--profile-lock", "fail"]);
    next.navigate(&site.url("/")).says("Here");
}

#[test]
fn a_profile_that_cannot_be_is_an_error_that_says_why() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "here").unwrap();
    let mut server = start(&file.join("below"), &[]);
    let failed = server.call("browser_navigate", json!({ "url": "about:blank" }));
    failed.fails("could not be started").fails("profile");
    server.request("ping", json!({}));
}
