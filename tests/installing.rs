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
    let command = format!("cicerone install {}", called.to_lowercase());
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
        .fails(&command);
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

/// The flags for WebKit, where the tests do not add them themselves.
fn webkit() -> &'static [&'static str] {
    if engine().is_some() { &[] } else { &["--browser=webkit"] }
}

#[test]
fn webkit_without_a_display_server_is_said() {
    if engine().is_some_and(|engine| engine != "webkit") {
        return;
    }
    let nothing = tempfile::tempdir().unwrap();
    let path = nothing.path().to_str().unwrap();
    let variables = [("PATH", path), ("DISPLAY", ""), ("WAYLAND_DISPLAY", "")];
    let mut server = Server::spawn(webkit(), &variables);
    server.initialize("2025-06-18");
    server
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails("Xvfb")
        .fails("Hint: install it (`cicerone install webkit`");
    // With its program in place, so that this is all that is missing.
    let program = nothing.path().join("cicerone-webkit");
    script(&program, "echo WebKitGTK 2.50.6");
    let shell = variables.iter().fold(Shell::new(), |shell, (name, value)| shell.set(name, value));
    let report = shell.run(&["doctor", "--browser=webkit", "--executable-path", program.to_str().unwrap()]);
    assert_eq!(report.code, Some(1), "{report:?}");
    let line = report.out.lines().find(|line| line.starts_with("✗ start:")).unwrap();
    assert!(line.contains("Xvfb") && line.contains("Fix: run `cicerone install webkit`"), "{line}");
}

#[test]
fn a_webkit_host_of_another_release_is_refused() {
    if engine().is_some_and(|engine| engine != "webkit") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    script(&directory.path().join("Xvfb"), "exit 1");
    let program = directory.path().join("cicerone-webkit");
    let started = r#"{"method":"Host.started","params":{"version":"2.50.6"}}"#;
    script(&program, &format!("echo '{started}'; while read line; do :; done"));
    let flags = [webkit(), &["--executable-path", program.to_str().unwrap()]].concat();
    let mut server = Server::spawn(&flags, &[("PATH", directory.path().to_str().unwrap())]);
    server.initialize("2025-06-18");
    server
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails("version mismatch between ")
        .fails("cicerone-webkit and this program")
        .fails("Hint: run `cicerone install webkit`");
}

#[test]
fn a_missing_webkit_host_is_told_with_the_name_of_its_engine() {
    if engine().is_some_and(|engine| engine != "webkit") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    script(&directory.path().join("Xvfb"), "exit 1");
    let cache = directory.path().join("cache");
    // Beside a copy of the program there is no host.
    let program = directory.path().join("cicerone");
    std::fs::copy(env!("CARGO_BIN_EXE_cicerone"), &program).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(webkit()).env("PATH", directory.path()).env("CICERONE_CACHE_DIR", cache);
    let mut server = Server::by(command);
    server
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails("WebKit host not found")
        .fails("cicerone install webkit");
}

#[test]
fn webkit_opens_windows_of_x_only() {
    if engine().is_some_and(|engine| engine != "webkit") {
        return;
    }
    let flags = [webkit(), &["--headed"]].concat();
    let mut server = Server::spawn(&flags, &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "wayland-0")]);
    server.initialize("2025-06-18");
    server
        .call("browser_navigate", json!({ "url": "about:blank" }))
        .fails("no display found for a browser window");
}
