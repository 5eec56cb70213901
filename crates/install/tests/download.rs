//! Downloads over a failing network, and verification.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cicerone_install::{ChecksumError, DownloadError, Engine, InstallError, Installed, Step, install};
use support::build::{self, Build};
use support::mirror::{Quirk, TestMirror};
use support::{World, run, run_noting};

const SOME: usize = 300_000;

/// Installs from a mirror that fails first; returns the requested ranges and the warnings.
fn requests_to<const N: usize>(quirks: [Quirk; N]) -> (Vec<Option<usize>>, Vec<String>) {
    let (world, mirror) = (World::new(), TestMirror::faulty(quirks));
    let mut options = world.options(mirror.base());
    options.timeout = Duration::from_millis(500);
    let (outcome, notes) = run_noting(&options);
    assert!(matches!(outcome, Ok(Installed::Downloaded { .. })), "{outcome:?} {notes:?}");
    (mirror.requests(), notes)
}

/// A world whose cache has a partial archive of this length, from an earlier run.
fn world_with_part(mirror: &TestMirror, length: u64) -> World {
    let world = World::new();
    let cancel = |step: Step<'_>| match step {
        Step::Verifying => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let outcome = install(Engine::Chromium, &world.options(mirror.base()), &cancel);
    assert!(matches!(outcome, Err(InstallError::Cancelled)));
    let [part] = &world.parts()[..] else { panic!() };
    File::options().write(true).open(part).unwrap().set_len(length).unwrap();
    world
}

#[test]
fn an_earlier_run_is_resumed() {
    let mirror = TestMirror::faulty([]);
    let world = world_with_part(&mirror, SOME as u64);
    run(&world.options(mirror.base())).unwrap();
    assert_eq!(mirror.requests(), [None, Some(SOME)]);
}

#[test]
fn an_archive_that_is_there_already_is_not_downloaded_again() {
    let archive = Build::usable().bytes();
    let mirror = TestMirror::with(archive.clone());
    let world = world_with_part(&mirror, archive.len() as u64);
    run(&world.options(mirror.base())).unwrap();
    assert_eq!(mirror.requests(), [None, Some(archive.len())]);
}

#[test]
fn a_part_longer_than_the_archive_is_started_anew() {
    let mirror = TestMirror::faulty([]);
    let world = world_with_part(&mirror, 2_000_000);
    run(&world.options(mirror.base())).unwrap();
    assert_eq!(mirror.requests(), [None, Some(2_000_000), None]);
}

#[test]
fn a_dropped_connection_is_resumed() {
    let (requests, notes) = requests_to([Quirk::DropAfter(SOME), Quirk::DropAfter(1000)]);
    assert_eq!(requests, [None, Some(SOME), Some(SOME + 1000)]);
    assert!(notes[0].contains("attempt 2 of 5"), "{notes:?}");
}

#[test]
fn a_connection_that_stands_still_is_resumed() {
    let (requests, _) = requests_to([Quirk::StallAfter(SOME)]);
    assert_eq!(requests, [None, Some(SOME)]);
}

#[test]
fn a_server_without_ranges_starts_anew() {
    let (requests, _) = requests_to([Quirk::DropAfter(SOME), Quirk::IgnoreRange]);
    assert_eq!(requests, [None, Some(SOME)]);
}

#[test]
fn a_server_in_trouble_is_asked_again() {
    let (requests, _) = requests_to([Quirk::Silent, Quirk::Status(503)]);
    assert_eq!(requests, [None, None, None]);
}

#[test]
fn attempts_are_bounded() {
    let (world, mirror) = (World::new(), TestMirror::faulty([Quirk::DropAfter(10); 9]));
    let error = run(&world.options(mirror.base())).unwrap_err();
    let InstallError::Unavailable { download: DownloadError::Interrupted { .. }, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(mirror.requests(), [None, Some(10), Some(20), Some(30), Some(40)]);
}

#[test]
fn a_silent_server_does_not_hold_up_a_cancellation() {
    let (world, mirror) = (World::new(), TestMirror::faulty([Quirk::StallAfter(SOME)]));
    let started = Instant::now();
    let outcome = install(Engine::Chromium, &world.options(mirror.base()), &|_: Step<'_>| match started
        .elapsed()
        < Duration::from_millis(700)
    {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    });
    assert!(matches!(outcome, Err(InstallError::Cancelled)), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn a_wrong_checksum_leaves_nothing() {
    let checksum = build::checksum(b"something else").into_bytes();
    let files = [(build::path(), Build::usable().bytes()), (build::path() + ".sha256", checksum)];
    let (world, mirror) = (World::new(), TestMirror::serving(files, []));
    let error = run(&world.options(mirror.base())).unwrap_err();
    assert!(matches!(error, InstallError::Checksum(ChecksumError::Mismatch { .. })), "{error}");
    assert!(world.builds().is_empty() && world.parts().is_empty());
}

#[test]
fn a_mirror_without_a_checksum_is_held_to_the_pinned_one() {
    let files = [(build::path(), Build::usable().bytes())];
    let (world, mirror) = (World::new(), TestMirror::serving(files, []));
    let mut options = world.options(mirror.base());
    // If this counted as a missing download, the package manager would be run.
    options.may_install_packages = true;
    let error = run(&options).unwrap_err();
    assert!(matches!(error, InstallError::Checksum(ChecksumError::Mismatch { .. })), "{error}");
    assert!(error.hint().contains("sha256sum"), "{}", error.hint());
    assert!(world.builds().is_empty() && world.parts().is_empty());
}

#[test]
fn a_checksum_file_without_a_checksum_is_refused() {
    let sign_in = b"<html>Please sign in</html>".to_vec();
    let files = [(build::path(), Build::usable().bytes()), (build::path() + ".sha256", sign_in)];
    let (world, mirror) = (World::new(), TestMirror::serving(files, []));
    let error = run(&world.options(mirror.base())).unwrap_err();
    assert!(matches!(error, InstallError::Checksum(ChecksumError::Malformed { .. })), "{error}");
}

#[test]
fn an_archive_that_is_too_large_is_refused() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let mut options = world.options(mirror.base());
    options.archive_limit = SOME as u64;
    let error = run(&options).unwrap_err();
    let InstallError::Download(DownloadError::TooLarge { limit, .. }) = error else { panic!("{error}") };
    assert_eq!(limit, SOME as u64);
    assert!(world.parts().is_empty());
}

#[test]
fn what_one_mirror_began_is_not_completed_by_another() {
    let archive = Build::usable().bytes();
    let (first, second) = (TestMirror::with(archive.clone()), TestMirror::with(archive));
    let world = world_with_part(&first, SOME as u64);
    run(&world.options(second.base())).unwrap();
    assert_eq!(second.requests(), [None]);
    fs::metadata(&world.parts()[0]).unwrap();
}
