//! Where an engine is searched, and in which order.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use std::fs;

use cicerone_install::{Engine, Missing, Problem, Search, Source, find};
use support::World;

fn source(search: &Search) -> Source {
    find(Engine::Chromium, search).unwrap().source
}

#[test]
fn order_is_flag_variables_path_usual_places_cache() {
    let world = World::new();
    let cached = world.script("cache/chromium-1.2.3.4/chrome-linux64/chrome", "");
    assert_eq!(find(Engine::Chromium, &world.search()).unwrap().path, cached);
    assert_eq!(source(&world.search()), Source::Cache);

    let place = if cfg!(target_os = "macos") {
        "Applications/Chromium.app/Contents/MacOS/Chromium"
    } else {
        "usr/bin/chromium"
    };
    world.script(&format!("root/{place}"), "");
    assert_eq!(source(&world.search()), Source::UsualPlace);

    world.script("bin/google-chrome", "");
    assert_eq!(source(&world.search()), Source::Path);

    let other = world.script("other", "");
    let chrome_path = ("CHROME_PATH", other.clone());
    assert_eq!(source(&world.search_with([chrome_path.clone()])), Source::Variable("CHROME_PATH"));

    let own = world.script("own", "");
    let mut search = world.search_with([chrome_path, ("CICERONE_EXECUTABLE_PATH", own.clone())]);
    let found = find(Engine::Chromium, &search).unwrap();
    assert_eq!((found.path, found.source), (own, Source::Variable("CICERONE_EXECUTABLE_PATH")));

    search.named = Some(other.clone());
    let found = find(Engine::Chromium, &search).unwrap();
    assert_eq!((found.path, found.source), (other, Source::Named));
}

#[test]
fn names_on_path_have_an_order_of_their_own() {
    let world = World::new();
    world.script("bin/msedge", "");
    let chromium = world.script("bin/chromium", "");
    assert_eq!(find(Engine::Chromium, &world.search()).unwrap().path, chromium);
}

#[test]
fn what_a_person_named_is_never_replaced() {
    let world = World::new();
    world.script("bin/chromium", "");
    let mut search = world.search();

    let absent = world.at("absent");
    search.named = Some(absent.clone());
    let error = find(Engine::Chromium, &search).unwrap_err();
    assert!(error.to_string().contains(absent.to_str().unwrap()), "{error}");
    assert!(matches!(error, Missing::Unusable { problem: Problem::Absent, by: Source::Named, .. }));

    search.named = Some(world.at("bin"));
    let error = find(Engine::Chromium, &search).unwrap_err();
    assert!(matches!(error, Missing::Unusable { problem: Problem::NotAFile, .. }));

    let plain = world.at("plain");
    fs::write(&plain, "").unwrap();
    let error = find(Engine::Chromium, &world.search_with([("CHROME_PATH", plain)])).unwrap_err();
    assert!(error.to_string().contains("CHROME_PATH"), "{error}");
    assert!(matches!(error, Missing::Unusable { problem: Problem::NotExecutable, .. }));
}

#[test]
fn files_that_cannot_be_run_are_passed_over() {
    let world = World::new();
    fs::write(world.at("bin/chromium"), "").unwrap();
    fs::create_dir(world.at("bin/google-chrome")).unwrap();
    let error = find(Engine::Chromium, &world.search()).unwrap_err();
    assert!(matches!(error, Missing::Nowhere { .. }));
    let text = error.to_string();
    assert!(text.contains("google-chrome") && text.contains(world.cache().to_str().unwrap()), "{text}");
}

#[test]
fn the_cache_prefers_the_pinned_version_and_then_the_newest() {
    let world = World::new();
    let build = |version: &str| world.script(&format!("cache/chromium-{version}/chrome-linux64/chrome"), "");
    build("99.0.1.2");
    let newest = build("150.0.1.2");
    build("chromium.unpacking");
    assert_eq!(find(Engine::Chromium, &world.search()).unwrap().path, newest);
    let pinned = build(cicerone_install::CHROMIUM_VERSION);
    assert_eq!(find(Engine::Chromium, &world.search()).unwrap().path, pinned);
}

#[test]
fn firefox_is_found_by_its_own_names_and_not_by_those_of_chrome() {
    let world = World::new();
    let chrome = world.script("bin/google-chrome", "");
    let search = world.search_with([("CHROME_PATH", chrome)]);
    let error = find(Engine::Firefox, &search).unwrap_err();
    assert!(error.to_string().contains("firefox-esr"), "{error}");
    let firefox = world.script("bin/firefox", "");
    assert_eq!(find(Engine::Firefox, &search).unwrap().path, firefox);
    let long_term = world.script("bin/firefox-esr", "");
    assert_eq!(find(Engine::Firefox, &search).unwrap().path, long_term);
}
