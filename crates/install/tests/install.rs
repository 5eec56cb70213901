//! An install leaves a complete engine, or none.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use cicerone_install::{
    CHROMIUM_VERSION, Engine, InstallError, Installed, Missing, Source, Step, UnpackError, install,
};
use support::build::{self, Build};
use support::mirror::TestMirror;
use support::{World, run, run_noting};

#[test]
fn a_fresh_install_runs_and_keeps_modes_and_links() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let (installed, notes) = run_noting(&world.options(mirror.base()));
    let Ok(Installed::Downloaded { found, version }) = installed else { panic!("{installed:?}") };
    assert_eq!((found.source, version), (Source::Cache, CHROMIUM_VERSION));
    assert_eq!(found.path, world.cache().join(build::executable()));
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].ends_with("the mirror's own build is taken"), "{notes:?}");

    let output = Command::new(&found.path).arg("--version").output().unwrap();
    assert_eq!(output.stdout, b"Chromium 1.2.3\n");
    let beside = found.path.parent().unwrap();
    let mode = fs::metadata(beside.join("resources.pak")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    assert_eq!(fs::read_link(beside.join("locales/default")).unwrap().to_str(), Some("../chrome"));
    assert!(world.parts().is_empty());
    assert_eq!(world.builds().len(), 1);
}

#[test]
fn what_is_there_already_is_left_alone() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let options = world.options(mirror.base());
    let first = run(&options).unwrap();
    assert_eq!(run(&options).unwrap(), Installed::Already(first.found().clone()));
    assert_eq!(mirror.requests().len(), 1);

    let chromium = world.script("bin/chromium", "");
    let Ok(Installed::Already(found)) = run(&options) else { panic!() };
    assert_eq!((found.path, found.source), (chromium, Source::Path));
}

#[test]
fn an_unusable_browser_that_was_named_is_an_error() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let mut options = world.options(mirror.base());
    options.search.named = Some(world.at("absent"));
    let error = run(&options).unwrap_err();
    assert!(matches!(error, InstallError::Missing(Missing::Unusable { .. })), "{error}");
    assert!(mirror.requests().is_empty());
}

#[test]
fn two_installs_at_once_download_once() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let options = world.options(mirror.base());
    let outcomes = std::thread::scope(|scope| {
        let threads = [(); 3].map(|()| scope.spawn(|| run(&options).unwrap()));
        threads.map(|thread| thread.join().unwrap())
    });
    let downloads = outcomes.iter().filter(|outcome| matches!(outcome, Installed::Downloaded { .. }));
    assert_eq!(downloads.count(), 1);
    assert_eq!(mirror.requests().len(), 1);
}

#[test]
fn what_a_killed_install_left_is_no_engine_and_no_obstacle() {
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    world.script(&format!("cache/chromium-{CHROMIUM_VERSION}.unpacking/chrome-linux64/chrome"), "half");
    fs::create_dir_all(world.cache().join(format!("chromium-{CHROMIUM_VERSION}/chrome-linux64"))).unwrap();
    let installed = run(&world.options(mirror.base())).unwrap();
    assert!(matches!(installed, Installed::Downloaded { .. }));
    assert_eq!(world.builds().len(), 1);
}

#[test]
fn an_install_can_be_cancelled_at_every_step() {
    type IsWanted = fn(&Step<'_>) -> bool;
    let wanted: [(&str, IsWanted); 4] = [
        ("looking", |step| matches!(step, Step::Looking)),
        ("downloading", |step| matches!(step, Step::Downloading { done, .. } if *done > 0)),
        ("verifying", |step| matches!(step, Step::Verifying)),
        ("unpacking", |step| matches!(step, Step::Unpacking)),
    ];
    let (world, mirror) = (World::new(), TestMirror::faulty([]));
    let options = world.options(mirror.base());
    for (name, is_wanted) in wanted {
        let outcome = install(Engine::Chromium, &options, &|step: Step<'_>| match is_wanted(&step) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        assert!(matches!(outcome, Err(InstallError::Cancelled)), "{name}: {outcome:?}");
        assert!(world.builds().is_empty(), "{name}");
    }
    run(&options).unwrap();
}

#[test]
fn entries_and_links_that_lead_outside_are_refused() {
    let hostile = [
        Build::empty().file("../outside", 0o644, b"x"),
        Build::empty().file("chrome-linux64/../../outside", 0o644, b"x"),
        Build::empty().link("chrome-linux64/up", "../../outside"),
        Build::empty().link("absolute", "/etc"),
    ];
    for archive in hostile {
        let (world, mirror) = (World::new(), TestMirror::with(archive.bytes()));
        let error = run(&world.options(mirror.base())).unwrap_err();
        assert!(matches!(error, InstallError::Unpack(UnpackError::Escape { .. })), "{error}");
        assert!(world.builds().is_empty() && world.parts().is_empty());
        assert!(!world.cache().join("outside").exists());
    }
}

#[test]
fn nothing_is_written_through_a_link() {
    let archive = Build::empty().link("inside", "chrome-linux64").file("inside/chrome", 0o755, b"x");
    let (world, mirror) = (World::new(), TestMirror::with(archive.bytes()));
    let error = run(&world.options(mirror.base())).unwrap_err();
    assert!(matches!(error, InstallError::Disk { action: "link", .. }), "{error}");
    assert!(world.builds().is_empty());
}

#[test]
fn archives_that_are_no_build_are_refused() {
    let unpack_error = |archive: Vec<u8>| {
        let (world, mirror) = (World::new(), TestMirror::with(archive));
        let outcome = run(&world.options(mirror.base()));
        assert!(world.builds().is_empty());
        let Err(InstallError::Unpack(error)) = outcome else { panic!("{outcome:?}") };
        error
    };
    assert!(matches!(unpack_error(b"no archive".to_vec()), UnpackError::Unreadable { .. }));
    let empty = Build::empty().file("readme", 0o644, b"").bytes();
    assert!(matches!(unpack_error(empty), UnpackError::NoExecutable { .. }));
}

#[test]
fn an_archive_that_unpacks_to_too_much_is_refused() {
    let archive = Build::empty().file("chrome-linux64/chrome", 0o755, &vec![0; 1_000_000]);
    let (world, mirror) = (World::new(), TestMirror::with(archive.bytes()));
    let mut options = world.options(mirror.base());
    options.unpacked_limit = 999_999;
    let error = run(&options).unwrap_err();
    assert!(matches!(error, InstallError::Unpack(UnpackError::TooLarge { limit: 999_999 })), "{error}");
    assert!(world.builds().is_empty());
}
