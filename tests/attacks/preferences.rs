//! A person's own Firefox profile, used by us and then by the person again.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{is_firefox, set_mode};
use crate::support::{Server, Site};

const OWN: &str = "user_pref(\"person.own.choice\", \"kept\");\nuser_pref(\"browser.warnOnQuit\", true);\n";
const BEFORE: &str = "user_pref(\"network.prefetch-next\", true);";

/// A profile with preferences of its own, and a server that has used it.
fn used() -> (tempfile::TempDir, Server) {
    let (site, profile) = (Site::of("<title>Here</title>"), tempfile::tempdir().unwrap());
    set_mode(profile.path(), 0o700);
    std::fs::write(profile.path().join("user.js"), OWN).unwrap();
    std::fs::write(profile.path().join("prefs.js"), format!("{BEFORE}\n")).unwrap();
    let mut server = Server::start(&["--user-data-dir", &profile.path().display().to_string()]);
    server.navigate(&site.url("/"));
    (profile, server)
}

/// What is wrong with the preferences of a profile that was used.
fn misfits(profile: &Path) -> Vec<String> {
    let text = |name: &str| std::fs::read_to_string(profile.join(name)).unwrap_or_default();
    let (user, prefs) = (text("user.js"), text("prefs.js"));
    let mut misfits = Vec::new();
    if user != OWN {
        misfits.push(format!("user.js: {user}"));
    }
    if !prefs.contains("person.own.choice") || !prefs.contains(BEFORE) {
        misfits.push(format!("prefs.js: {prefs}"));
    }
    for ours in [
        "safebrowsing.malware.enabled",
        "strict_origin_policy",
        "services.settings.server",
        "remote.prefs",
        "marionette",
    ] {
        misfits.extend(prefs.lines().filter(|line| line.contains(ours)).map(str::to_owned));
    }
    misfits
}

#[test]
fn a_profile_gets_its_preferences_back() {
    if !is_firefox() {
        // Chromium is told by its arguments.
        return;
    }
    let (profile, mut server) = used();
    server.close_input();
    assert!(server.wait(Duration::from_secs(6)).is_some());
    assert_eq!(misfits(profile.path()), Vec::<String>::new());
}

#[test]
fn also_when_the_server_is_killed() {
    if !is_firefox() {
        return;
    }
    let (profile, mut server) = used();
    server.child.kill().unwrap();
    let until = Instant::now() + Duration::from_secs(15);
    while !misfits(profile.path()).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(misfits(profile.path()), Vec::<String>::new());
}
