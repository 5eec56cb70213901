//! The package manager, if there is no download.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cicerone_install::{
    DownloadError, Engine, InstallError, InstallOptions, Installed, PackageError, Source, Step, install,
};
use support::mirror::TestMirror;
use support::{World, run, run_noting};

/// An empty mirror, with options that allow the world's `apt-get`.
fn options(world: &World) -> InstallOptions {
    // It has the checksum, so that the 404 comes from the archive itself.
    let path = support::build::path() + ".sha256";
    let checksum = support::build::checksum(b"").into_bytes();
    let mut options = world.options(TestMirror::serving([(path, checksum)], []).base());
    options.may_install_packages = true;
    options
}

/// An `apt-get` that logs its arguments next to itself and then runs `body`.
fn apt_get(world: &World, body: &str) {
    let log = "PATH=/usr/bin:/bin\nhere=$(dirname \"$0\")\necho \"$DEBIAN_FRONTEND: $*\" >> \"$here/log\"\n";
    world.script("bin/apt-get", &format!("{log}{body}"));
}

const BRING_CHROMIUM: &str = "[ $1 = update ] || { printf '#!/bin/sh\\necho Chromium 148.0.1\\necho more\\n' > \"$here/chromium\"; \
     chmod 755 \"$here/chromium\"; }";

fn packages_error(outcome: Result<Installed, InstallError>) -> PackageError {
    match outcome {
        Err(InstallError::Unavailable { packages, .. }) => *packages,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn a_missing_archive_is_replaced_by_a_package() {
    let world = World::new();
    apt_get(&world, BRING_CHROMIUM);
    let (outcome, notes) = run_noting(&options(&world));
    let version = outcome.as_ref().ok().and_then(Installed::reported_version);
    assert_eq!(version.as_deref(), Some("Chromium 148.0.1"));
    let Ok(Installed::Packaged { found, command }) = outcome else { panic!("{outcome:?}") };
    assert_eq!((found.path, found.source), (world.at("bin/chromium"), Source::Path));
    assert_eq!(command, "apt-get install -y chromium");
    assert!(notes[0].contains("status 404"), "{notes:?}");
    assert_eq!(notes[1..], ["Running apt-get update", "Running apt-get install -y chromium"]);
    let log = fs::read_to_string(world.at("bin/log")).unwrap();
    assert_eq!(log, "noninteractive: update\nnoninteractive: install -y chromium\n");
}

#[test]
fn a_package_list_that_cannot_be_refreshed_is_a_warning() {
    let world = World::new();
    apt_get(
        &world,
        &format!("case $1 in update) echo 'E: no network'; exit 100 ;; *) {BRING_CHROMIUM} ;; esac"),
    );
    let (outcome, notes) = run_noting(&options(&world));
    assert!(matches!(outcome, Ok(Installed::Packaged { .. })), "{outcome:?}");
    let warned = |note: &String| note.contains("could not be refreshed") && note.contains("E: no network");
    assert!(notes.iter().any(warned), "{notes:?}");
}

#[test]
fn an_executable_that_never_reports_its_version_is_not_waited_for() {
    let world = World::new();
    world.script("bin/chromium", "exec sleep 60");
    let installed = run(&options(&world)).unwrap();
    let started = Instant::now();
    assert_eq!(installed.reported_version(), None);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_server_out_of_reach_and_a_platform_without_builds_lead_there_too() {
    let world = World::new();
    apt_get(&world, BRING_CHROMIUM);
    let mut unreachable = options(&world);
    unreachable.download_base = Some("http://127.0.0.1:1".to_owned());
    assert!(matches!(run(&unreachable), Ok(Installed::Packaged { .. })));

    let world = World::new();
    apt_get(&world, BRING_CHROMIUM);
    let mut foreign = options(&world);
    foreign.search.platform = None;
    assert!(matches!(run(&foreign), Ok(Installed::Packaged { .. })));
}

#[test]
fn what_was_tried_and_what_to_run_is_said() {
    let world = World::new();
    let mut not_root = options(&world);
    not_root.may_install_packages = false;
    let error = run(&not_root).unwrap_err();
    assert!(error.to_string().contains("status 404"), "{error}");
    assert!(error.hint().contains("sudo cicerone install"));
    let InstallError::Unavailable { download: DownloadError::Status { status: 404, .. }, packages } = error
    else {
        panic!("{error}")
    };
    assert!(matches!(*packages, PackageError::NotAllowed));
    assert!(matches!(packages_error(run(&options(&world))), PackageError::NoManager));
}

#[test]
fn a_package_manager_that_fails_is_quoted() {
    let world = World::new();
    apt_get(&world, "echo Reading lists; echo 'E: Unable to locate package' >&2; exit 100");
    let PackageError::Failed { command, status, last_line, log } = packages_error(run(&options(&world)))
    else {
        panic!()
    };
    assert_eq!((command.as_str(), status.code()), ("apt-get install -y chromium", Some(100)));
    assert_eq!(last_line, "E: Unable to locate package");
    assert!(fs::read_to_string(log).unwrap().contains("Reading lists"));
}

#[test]
fn a_package_without_a_browser_is_an_error() {
    let world = World::new();
    apt_get(&world, "");
    assert!(matches!(packages_error(run(&options(&world))), PackageError::StillMissing { .. }));
}

#[test]
fn a_package_manager_can_be_cancelled() {
    let world = World::new();
    apt_get(&world, "exec sleep 60");
    let started = Instant::now();
    let outcome = install(Engine::Chromium, &options(&world), &|step: Step<'_>| match step {
        Step::PackageManager { .. } if world.at("bin/log").exists() => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert!(matches!(outcome, Err(InstallError::Cancelled)), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(10));
}
