//! Other users of the same machine.

use std::{os::unix::process::CommandExt, path::Path, process::Command, time::Duration};

use serde_json::json;

use super::{NOBODY, is_firefox, is_root, script, set_mode};
use crate::support::{Server, Site, program_name};

/// A directory that everybody can enter.
fn open_directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    set_mode(directory.path(), 0o755);
    directory
}

fn mode(path: &Path) -> u32 {
    std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap()) & 0o777
}

#[test]
fn another_user_reads_no_profile() {
    let (site, home) = (Site::of("<title>Here</title>"), open_directory());
    let profile = home.path().join("deep/profile");
    let mut server = Server::start(&["--user-data-dir", &profile.display().to_string()]);
    server.navigate(&site.url("/"));
    for entry in std::fs::read_dir(server.temporary_directory()).unwrap().flatten() {
        assert_eq!(mode(&entry.path()), 0o700, "{}", entry.path().display());
    }
    server.evaluate("() => { document.cookie = 'login=kept; max-age=9999' }");
    server.close_input();
    assert!(server.wait(Duration::from_secs(6)).is_some());
    assert!(profile.join("Default/Preferences").exists());
    assert_eq!(mode(&profile), 0o700);
    if is_root() {
        let read =
            Command::new("find").arg(&profile).args(["-type", "f"]).uid(NOBODY).gid(NOBODY).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&read.stdout), "");
    }
}

#[test]
fn a_profile_that_others_can_enter_is_refused() {
    let (site, home) = (Site::of("<title>Here</title>"), open_directory());
    let profile = home.path().join("profile");
    std::fs::create_dir(&profile).unwrap();
    std::fs::write(profile.join("cookies"), "").unwrap();
    set_mode(&profile, 0o755);
    let mut server = Server::start(&["--user-data-dir", &profile.display().to_string()]);
    let open = json!({ "url": site.url("/") });
    let refused = server.call("browser_navigate", open.clone());
    refused
        .fails("other users have access to the profile")
        .fails(&format!("chmod 700 {}", profile.display()));
    // What is in a directory that others cannot enter is out of their reach.
    set_mode(home.path(), 0o700);
    server.call("browser_navigate", open).ok();
}

/// Starts Firefox, and tells its port only when somebody has connected to it.
const DOOR: &str = "#!/bin/bash
exec 4< <(exec BROWSER \"$@\")
while read -r -u 4 line; do
    case $line in *'Listening on port '*)
        echo \"${line##* }\" > DIRECTORY/port
        for _ in {1..200}; do [ -e DIRECTORY/in ] && break; sleep 0.05; done
    esac
    echo \"$line\"
done";

/// Connects to the port as soon as it is known, and asks for the windows of whatever session there is.
const INTRUDER: &str = "
for _ in {1..400}; do [ -s DIRECTORY/port ] && break; sleep 0.05; done
exec 3<>/dev/tcp/127.0.0.1/$(cat DIRECTORY/port)
read -r -u 3 -d '}'
touch DIRECTORY/in
for n in {1..200}; do
    ask=\"[0,$n,\\\"WebDriver:GetWindowHandles\\\",{}]\"
    printf '%d:%s' ${#ask} \"$ask\" >&3 || exit
    read -r -u 3 -t 5 -d ']' answer || exit
    echo \"$answer\" >> DIRECTORY/answers
    case $answer in *null,\\[*) exit;; esac
    sleep 0.05
done";

#[test]
fn another_user_does_not_share_the_session() {
    let site = Site::of("<title>Here</title>");
    if !is_firefox() {
        // There is nothing to connect to.
        let mut server = Server::start(&[]);
        server.navigate(&site.url("/"));
        return assert_eq!(listening(&server.descendants()), Vec::<String>::new());
    }
    if !is_root() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    set_mode(directory.path(), 0o777);
    let filled = |text: &str| text.replace("DIRECTORY", &directory.path().display().to_string());
    let door = directory.path().join("door");
    script(&door, &filled(DOOR).replace("BROWSER", program_name()));
    let mut intruder =
        Command::new("bash").args(["-c", &filled(INTRUDER)]).uid(NOBODY).gid(NOBODY).spawn().unwrap();
    let mut server = Server::start(&["--executable-path", &door.display().to_string()]);
    let reply = server.call("browser_navigate", json!({ "url": site.url("/") }));
    intruder.wait().unwrap();
    let answers = std::fs::read_to_string(directory.path().join("answers")).unwrap_or_default();
    assert!(!answers.contains("null,["), "it got windows: {answers}");
    reply.fails("another program connected to");
}

/// The ports that processes listen on, from what they have open and the system's table.
fn listening(processes: &[u32]) -> Vec<String> {
    let opened = |pid: &u32| std::fs::read_dir(Path::new("/proc").join(pid.to_string()).join("fd"));
    let sockets: Vec<String> = processes
        .iter()
        .filter_map(|pid| opened(pid).ok())
        .flat_map(|entries| entries.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok()))
        .map(|link| link.display().to_string())
        .collect();
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| std::fs::read_to_string(table).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    let listens = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields[3] == "0A" && sockets.contains(&format!("socket:[{}]", fields[9]))
    };
    lines.filter(listens).map(str::to_owned).collect()
}
