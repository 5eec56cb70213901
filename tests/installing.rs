//! A machine without a browser: the tool that installs one, and what calls say before.

use std::{os::unix::fs::PermissionsExt, path::Path};

use serde_json::json;

use crate::support::{Server, Shell, engine};

/// Where browsers are found on Linux, all of them covered for one process by a mount of its own.
const HIDING: &str = "for found in /usr/bin/*chrom* /usr/bin/microsoft-edge* /snap/bin/*chrom* /opt/google/chrome/* \
    /usr/bin/firefox* /usr/lib/firefox*/firefox* /opt/firefox/firefox /snap/bin/firefox; do \
    if [ -f \"$found\" ]; then mount --bind /dev/null \"$(readlink -f \"$found\")\"; fi; done";

/// A server that finds no browser, with a package manager of ours before the system's. The real one is in `real`.
fn without_a_browser(bin: &Path, home: &Path) -> Server {
    std::fs::create_dir(bin.join("real")).unwrap();
    let (bin, home) = (bin.display(), home.display());
    let preparation = format!(
        "export PATH={bin}:/usr/sbin:/usr/bin:/sbin:/bin CICERONE_CACHE_DIR={bin}/cache CICERONE_DOWNLOAD_BASE=http://127.0.0.1:9; \
         exec unshare --mount sh -c 'mount --bind {home} {bin}/real; {HIDING}; exec \"$0\" \"$@\"' \"$0\" \"$@\";"
    );
    Server::after(&preparation, &[])
}

/// A program of two lines.
fn script(path: &Path, line: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn a_missing_browser_is_told_and_packages_are_left_to_a_person() {
    let mounts = std::process::Command::new("unshare").args(["--mount", "true"]).status();
    let (name, called, real) = match engine().as_deref() {
        Some("firefox") => ("firefox-esr", "Firefox", Path::new("/usr/lib/firefox-esr/firefox-esr")),
        // Of it only packages are installed; what is missing of them is a unit test of the crate `install`.
        Some("webkit") => return,
        _ => ("chromium", "Chromium", Path::new("/usr/lib/chromium/chromium")),
    };
    if !mounts.is_ok_and(|status| status.success()) || !real.exists() {
        eprintln!("left out: only root can hide the browsers of this machine, and Debian's must be there");
        return;
    }
    let bin = tempfile::tempdir().unwrap();
    let installed = bin.path().join(name);
    let (home, place) = (real.parent().unwrap(), installed.display());
    let real = bin.path().join("real").join(name);
    let real = real.display();
    let install = format!("printf '#!/bin/sh\\nexec {real} \"$@\"\\n' > {place} && chmod 755 {place}");
    script(&bin.path().join("apt-get"), &format!("case \"$*\" in *install*{name}*) {install};; esac"));
    let mut server = without_a_browser(bin.path(), home);
    server
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails(&format!("{called} not found"))
        .fails("install a browser");
    assert!(!installed.exists());
    server
        .call("browser_install", json!({}))
        .fails("the package manager was not run")
        .fails("cicerone install");
    assert!(!installed.exists());
}

#[test]
fn a_browser_that_is_too_old_is_refused_with_both_versions() {
    let (name, called) = match engine().as_deref() {
        Some("firefox") => ("Mozilla Firefox", "Firefox"),
        // The host is of the same release as the server, and its WebKitGTK has been version 2 for fifteen years.
        Some("webkit") => return,
        _ => ("Chromium", "Chromium"),
    };
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join("old");
    script(&program, &format!("case $1 in --version) echo {name} 99.0.1esr;; *) exit 1;; esac"));
    let program = program.to_str().unwrap();
    let told = format!("is {called} 99.0.1; the oldest supported version is 140");
    Server::start(&["--executable-path", program])
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails(&told)
        .fails("update the browser");
    let browser = format!("--browser={}", called.to_lowercase());
    let report = Shell::new().run(&["doctor", &browser, "--executable-path", program]);
    assert_eq!(report.code, Some(1), "{report:?}");
    for check in ["version", "start"] {
        let line = report.out.lines().find(|line| line.starts_with(&format!("✗ {check}:"))).unwrap();
        assert!(line.contains(&told) && line.contains("Fix: update the browser"), "{line}");
    }
    let engine = called.to_lowercase();
    let installed = Shell::new().set("CICERONE_EXECUTABLE_PATH", program).run(&["install", &engine]);
    assert_eq!(installed.code, Some(1), "{installed:?}");
    assert!(installed.err.contains("99.0.1esr") && installed.err.contains(&told), "{}", installed.err);
}

#[test]
fn webkit_without_a_display_server_is_said() {
    if engine().is_some_and(|engine| engine != "webkit") {
        return;
    }
    let flags: &[&str] = if engine().is_some() { &[] } else { &["--browser=webkit"] };
    let nothing = tempfile::tempdir().unwrap();
    let path = nothing.path().to_str().unwrap();
    let variables = [("PATH", path), ("DISPLAY", ""), ("WAYLAND_DISPLAY", "")];
    let mut server = Server::spawn(flags, &variables);
    server.initialize("2025-06-18");
    server.call("browser_navigate", json!({ "url": "about:blank" })).fails("Xvfb").fails("Hint: ");
    // With its program in place, so that this is all that is missing.
    let program = nothing.path().join("cicerone-webkit");
    script(&program, "echo WebKitGTK 2.50.6");
    let shell = variables.iter().fold(Shell::new(), |shell, (name, value)| shell.set(name, value));
    let report = shell.run(&["doctor", "--browser=webkit", "--executable-path", program.to_str().unwrap()]);
    assert_eq!(report.code, Some(1), "{report:?}");
    let line = report.out.lines().find(|line| line.starts_with("✗ start:")).unwrap();
    assert!(line.contains("Xvfb") && line.contains("Fix: run `cicerone install webkit`"), "{line}");
}
