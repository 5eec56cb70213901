//! WebKit: the packages that it needs, and the program of ours that shows its pages.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use cicerone_install::{
    Engine, InstallError, InstallOptions, Installed, Source, Step, WEBKIT_HOST_PROTOCOL, find, install,
};
use support::World;

/// What the tests take for a release: the main program is in `target/debug` of a source tree.
const BESIDE: &str = "tree/target/debug";

fn run(options: &InstallOptions) -> Result<Installed, InstallError> {
    install(Engine::WebKit, options, &|_: Step<'_>| ControlFlow::Continue(()))
}

/// Options that run no package manager.
fn options(world: &World) -> InstallOptions {
    let mut options = world.options("http://127.0.0.1:9");
    options.search.beside = Some(world.at(BESIDE));
    options
}

/// A program that says that it speaks this protocol.
fn host(world: &World, path: &str, protocol: &str) -> PathBuf {
    world.script(path, &format!("echo 'WebKitGTK 2.50.6 (protocol {protocol})'"))
}

/// What the host runs on.
fn has_what_it_runs_on(world: &World) {
    world.script("bin/Xvfb", "");
    library(world, "libwebkit2gtk-4.1.so.0");
}

fn library(world: &World, name: &str) {
    let path = world.at("root/usr/lib/x86_64-linux-gnu").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
}

/// A source tree, what it is built with, and a `cargo` that builds a host of this protocol.
fn has_source(world: &World, protocol: &str) {
    let manifest = world.at("tree/crates/webkit-host/Cargo.toml");
    fs::create_dir_all(manifest.parent().unwrap()).unwrap();
    fs::write(manifest, "").unwrap();
    library(world, "pkgconfig/webkit2gtk-4.1.pc");
    world.script("bin/pkg-config", "");
    world.script(
        "bin/cargo",
        &format!(
            "PATH=/usr/bin:/bin\necho \"$*\" >> \"$(dirname \"$0\")/built\"\n\
             while [ \"$1\" != --target-dir ]; do shift; done\nmkdir -p \"$2/release\"\n\
             printf '#!/bin/sh\\necho \"WebKitGTK 2.50.6 (protocol {protocol})\"\\n' > \"$2/release/cicerone-webkit\"\n\
             chmod 755 \"$2/release/cicerone-webkit\""
        ),
    );
}

fn was_built(world: &World) -> bool {
    world.at("bin/built").exists()
}

#[test]
fn what_is_missing_is_named() {
    let world = World::new();
    let missing = |packages: &str| {
        let error = run(&options(&world)).unwrap_err();
        let InstallError::PackagesMissing { packages: named, .. } = &error else { panic!("{error:?}") };
        assert_eq!(named, packages);
        assert!(error.hint().contains("cicerone install webkit"), "{}", error.hint());
    };
    missing("libwebkit2gtk-4.1-0, xvfb");
    world.script("bin/Xvfb", "");
    missing("libwebkit2gtk-4.1-0");
    has_what_it_runs_on(&world);

    // All that it runs on is there, but neither its program nor the source of that.
    let error = run(&options(&world)).unwrap_err();
    assert!(matches!(error, InstallError::NoHost { .. }), "{error:?}");
    assert!(error.to_string().starts_with("cicerone-webkit not found"), "{error}");

    let host = host(&world, "cache/webkit/cicerone-webkit", WEBKIT_HOST_PROTOCOL);
    let Ok(Installed::Already(found)) = run(&options(&world)) else { panic!("it is all there") };
    assert_eq!(found.path, host);
    fs::remove_file(world.at("bin/Xvfb")).unwrap();
    missing("xvfb");
}

#[test]
fn missing_packages_are_installed() {
    let world = World::new();
    let host = host(&world, "cache/webkit/cicerone-webkit", WEBKIT_HOST_PROTOCOL);
    world.script(
        "bin/apt-get",
        "PATH=/usr/bin:/bin\nhere=$(dirname \"$0\")\necho \"$*\" >> \"$here/log\"\n[ $1 = update ] && exit\n\
         mkdir -p \"$here/../root/usr/lib\"\ntouch \"$here/../root/usr/lib/libwebkit2gtk-4.1.so.0\" \"$here/Xvfb\"\n\
         chmod 755 \"$here/Xvfb\"",
    );
    let mut options = options(&world);
    options.may_install_packages = true;
    let outcome = run(&options);
    let Ok(Installed::Packaged { found, command }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(found.path, host);
    assert_eq!(command, "apt-get install -y libwebkit2gtk-4.1-0 xvfb");
    let log = fs::read_to_string(world.at("bin/log")).unwrap();
    assert_eq!(log, "update\ninstall -y libwebkit2gtk-4.1-0 xvfb\n");
}

#[test]
fn the_host_is_built_from_its_source_into_the_cache() {
    let world = World::new();
    has_what_it_runs_on(&world);
    has_source(&world, WEBKIT_HOST_PROTOCOL);
    let outcome = run(&options(&world));
    let Ok(Installed::Built(found)) = &outcome else { panic!("{outcome:?}") };
    assert_eq!(found.path, world.cache().join("webkit/cicerone-webkit"));
    assert_eq!(&find(Engine::WebKit, &options(&world).search).unwrap(), found);
    let built = fs::read_to_string(world.at("bin/built")).unwrap();
    assert!(built.starts_with("build --release --locked --manifest-path "), "{built}");

    fs::remove_file(world.at("bin/built")).unwrap();
    let again = run(&options(&world));
    assert!(matches!(again, Ok(Installed::Already(_))), "{again:?}");
    assert!(!was_built(&world));
}

#[test]
fn a_build_that_fails_leaves_no_host() {
    let world = World::new();
    has_what_it_runs_on(&world);
    has_source(&world, WEBKIT_HOST_PROTOCOL);
    world.script("bin/cargo", "echo no linker; exit 1");
    let error = run(&options(&world)).unwrap_err();
    assert!(matches!(error, InstallError::NotBuilt { .. }), "{error:?}");
    assert!(error.to_string().contains("no linker"), "{error}");
    assert!(find(Engine::WebKit, &options(&world).search).is_err());
}

#[test]
fn nothing_is_built_for_those_who_may_not() {
    let world = World::new();
    has_what_it_runs_on(&world);
    has_source(&world, WEBKIT_HOST_PROTOCOL);
    let mut options = options(&world);
    options.may_build = false;
    let error = run(&options).unwrap_err();
    assert!(matches!(error, InstallError::BuildNotAllowed { .. }), "{error:?}");
    assert!(error.hint().contains("cicerone install webkit"), "{}", error.hint());
    assert!(!was_built(&world));
}

#[test]
fn a_host_of_another_version_is_built_anew_where_it_is() {
    for place in [BESIDE, "cache/webkit"] {
        let world = World::new();
        has_what_it_runs_on(&world);
        let stale = host(&world, &format!("{place}/cicerone-webkit"), "0");
        let error = run(&options(&world)).unwrap_err();
        let InstallError::VersionMismatch { path, .. } = &error else { panic!("{error:?}") };
        assert_eq!(path, &stale);

        has_source(&world, WEBKIT_HOST_PROTOCOL);
        let outcome = run(&options(&world));
        let Ok(Installed::Built(found)) = &outcome else { panic!("{outcome:?}") };
        assert_eq!(found.path, stale);
        let again = run(&options(&world));
        assert!(matches!(again, Ok(Installed::Already(_))), "{again:?}");
    }
}

#[test]
fn a_host_that_a_person_named_is_never_replaced() {
    let world = World::new();
    has_what_it_runs_on(&world);
    has_source(&world, WEBKIT_HOST_PROTOCOL);
    let mut options = options(&world);
    options.search.named = Some(host(&world, "own", "0"));
    let error = run(&options).unwrap_err();
    assert!(matches!(error, InstallError::VersionMismatch { by: Source::Named, .. }), "{error:?}");
    assert!(error.hint().contains("--executable-path"), "{}", error.hint());
    assert!(!was_built(&world));
}

#[test]
fn the_host_beside_the_program_is_taken_before_that_of_the_cache_and_never_one_on_path() {
    let world = World::new();
    let search = options(&world).search;
    host(&world, "bin/cicerone-webkit", WEBKIT_HOST_PROTOCOL);
    assert!(find(Engine::WebKit, &search).is_err());
    let cached = host(&world, "cache/webkit/cicerone-webkit", WEBKIT_HOST_PROTOCOL);
    assert_eq!(find(Engine::WebKit, &search).unwrap().path, cached);
    let beside = host(&world, &format!("{BESIDE}/cicerone-webkit"), WEBKIT_HOST_PROTOCOL);
    let found = find(Engine::WebKit, &search).unwrap();
    assert_eq!((found.path, found.source), (beside, Source::UsualPlace));
}
