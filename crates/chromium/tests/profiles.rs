//! Profiles that stay, and who may use them.
#![allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]

mod support;

use std::path::{Path, PathBuf};

use cicerone_chromium::{LaunchOptions, ProfileLock};
use cicerone_driver::{BrowserEvent, Cookie, LaunchError};
use cicerone_driver_tests::{Site, Trial, html, value};
use support::{try_with, with};

fn on(path: &Path) -> LaunchOptions {
    LaunchOptions { user_data_dir: Some(path.to_owned()), ..LaunchOptions::default() }
}

fn lasting(name: &str) -> Cookie {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Cookie {
        name: name.into(),
        value: "1".into(),
        domain: "example.com".into(),
        path: "/".into(),
        expires: Some(now.as_secs_f64().floor() + 100_000.0),
        http_only: true,
        secure: false,
        same_site: None,
        partition: None,
    }
}

async fn cookie_names(trial: &Trial) -> Vec<String> {
    let cookies = trial.browser.default_context().cookies().unwrap().all().await.unwrap();
    cookies.into_iter().map(|cookie| cookie.name).collect()
}

async fn leave_cookie(trial: &Trial, name: &str) {
    trial.browser.default_context().cookies().unwrap().set(&[lasting(name)]).await.unwrap();
}

/// The directory of our own that a browser has beside its profile, found by where it puts a download.
async fn beside(trial: &Trial) -> PathBuf {
    let site = Site::serve(|head| match head.target.as_str() {
        "/file" => (200, vec![("content-disposition", "attachment".into())], "content".into()),
        _ => html("<a href=/file download>file</a>"),
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "void document.querySelector('a').click()").await;
    let path = trial.record.wait_for("the download", |told| match told {
        BrowserEvent::DownloadBegan { path, .. } => Some(path.clone()),
        _ => None,
    });
    path.await.ancestors().nth(2).unwrap().to_owned()
}

#[tokio::test]
async fn a_profile_is_made_and_its_cookies_and_storage_stay() {
    let home = tempfile::tempdir().unwrap();
    let (profile, site) = (home.path().join("made/here"), Site::blank());

    let trial = with(on(&profile)).await;
    leave_cookie(&trial, "kept").await;
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    value(&*page, "localStorage.setItem('kept', 'too')").await;
    let beside = beside(&trial).await;
    assert!(beside.exists() && !beside.starts_with(home.path()));
    assert_eq!(trial.browser.remark(), None);
    trial.browser.close().await;
    assert!(profile.exists() && !beside.exists());

    let trial = with(on(&profile)).await;
    assert_eq!(cookie_names(&trial).await, ["kept"]);
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    assert_eq!(value(&*page, "localStorage.getItem('kept')").await, "too");
    assert_eq!(trial.browser.remark(), None);
    trial.browser.close().await;
}

#[tokio::test]
async fn a_profile_in_use_is_copied_or_refused() {
    let home = tempfile::tempdir().unwrap();
    let first = with(on(home.path())).await;
    leave_cookie(&first, "before").await;
    first.browser.close().await;
    let first = with(on(home.path())).await;

    let fail = LaunchOptions { profile_lock: ProfileLock::Fail, ..on(home.path()) };
    match try_with(fail.clone()).await {
        Err(LaunchError::ProfileInUse { path, pid }) => {
            assert_eq!((path.as_path(), pid), (home.path(), Some(std::process::id())));
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("two browsers on one profile"),
    }

    let copy = with(on(home.path())).await;
    let remark = copy.browser.remark().unwrap();
    assert!(remark.contains(&format!("process {}", std::process::id())), "{remark}");
    assert_eq!(cookie_names(&copy).await, ["before"]);
    leave_cookie(&copy, "in-the-copy").await;
    let directory = beside(&copy).await;
    copy.browser.close().await;
    assert!(!directory.exists());

    assert_eq!(cookie_names(&first).await, ["before"]);
    first.browser.close().await;
    let alone = with(fail).await;
    assert_eq!(cookie_names(&alone).await, ["before"]);
    alone.browser.close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_lock_of_a_browser_counts_while_it_runs() {
    let home = tempfile::tempdir().unwrap();
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(home.path(), private).unwrap();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let lock = home.path().join("SingletonLock");
    let fail = LaunchOptions { profile_lock: ProfileLock::Fail, ..on(home.path()) };
    let locked_by = |owner: String| {
        std::fs::remove_file(&lock).ok();
        std::os::unix::fs::symlink(owner, &lock).unwrap();
    };

    // A browser that runs, as far as anybody can tell: this very process.
    locked_by(format!("{host}-{}", std::process::id()));
    let refused = try_with(fail.clone()).await.err();
    let us = Some(std::process::id());
    assert!(matches!(&refused, Some(LaunchError::ProfileInUse { pid, .. }) if *pid == us), "{refused:?}");

    // One on another machine.
    locked_by("elsewhere-1".into());
    let refused = try_with(fail.clone()).await.err();
    assert!(matches!(&refused, Some(LaunchError::ProfileInUse { pid: None, .. })), "{refused:?}");
    let copy = with(on(home.path())).await;
    assert!(copy.browser.remark().unwrap().contains("another process"));
    copy.browser.close().await;

    // One that has ended.
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    let pid = ended.id();
    ended.wait().unwrap();
    locked_by(format!("{host}-{pid}"));
    let trial = with(fail).await;
    assert_eq!(trial.browser.remark(), None);
    trial.browser.close().await;
    assert!(std::fs::symlink_metadata(&lock).is_err());
}

#[tokio::test]
async fn of_servers_that_start_at_once_one_has_the_profile() {
    let home = tempfile::tempdir().unwrap();
    let fail = LaunchOptions { profile_lock: ProfileLock::Fail, ..on(home.path()) };
    let started = tokio::join!(try_with(fail.clone()), try_with(fail.clone()), try_with(fail),);
    let mut running = 0;
    for trial in [started.0, started.1, started.2] {
        match trial {
            Ok(trial) => {
                running += 1;
                trial.browser.close().await;
            }
            Err(error) => assert!(matches!(error, LaunchError::ProfileInUse { .. }), "{error}"),
        }
    }
    assert_eq!(running, 1);
}

#[tokio::test]
async fn a_place_where_no_profile_can_be_is_said() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = try_with(on(&file)).await.err();
    assert!(matches!(error, Some(LaunchError::Io { .. })), "{error:?}");
}
