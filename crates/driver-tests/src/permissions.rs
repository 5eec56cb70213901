//! What the sites of a context may do.

use std::collections::HashSet;

use crate::{Driver, Trial, site::Site, value};
use cicerone_driver::{Context, DriverError, Engine, PageDriver, Permission, Setting};

/// Permissions that every engine lets us decide about.
const EVERYWHERE: [Permission; 2] = [Permission::Geolocation, Permission::Notifications];

/// WebKit has no permissions of these names.
const NOT_IN_WEBKIT: [Permission; 3] = [Permission::PersistentStorage, Permission::Midi, Permission::Push];

/// Firefox has no permissions of these names.
const NOT_IN_FIREFOX: [Permission; 2] = [Permission::ClipboardRead, Permission::ClipboardWrite];

/// Firefox lets us decide about these in later versions only: not in 153, of the camera in 159.
const NOT_IN_EVERY_FIREFOX: [Permission; 3] =
    [Permission::Camera, Permission::Microphone, Permission::StorageAccess];

async fn state(page: &dyn PageDriver, permission: Permission) -> serde_json::Value {
    value(page, &format!("navigator.permissions.query({{name: '{permission}'}}).then(it => it.state)")).await
}

async fn set(context: &dyn Context, site: &Site, permission: Permission, setting: Setting) {
    context.permissions().unwrap().set(&site.origin(), permission, setting).await.unwrap();
}

pub async fn a_permission_is_granted_denied_and_left_open_again(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.new_context().await;
    let page = trial.page_at(&*context, &site.url("/")).await;
    let elsewhere: &[_] = if driver.engine == Engine::WebKit { &[] } else { &NOT_IN_WEBKIT[..2] };
    for permission in EVERYWHERE.iter().chain(elsewhere).copied() {
        for (setting, seen) in [
            (Setting::Granted, "granted"),
            (Setting::Denied, "denied"),
            (Setting::Granted, "granted"),
            (Setting::Undecided, "prompt"),
        ] {
            set(&*context, &site, permission, setting).await;
            assert_eq!(state(&*page, permission).await, seen, "{permission}");
        }
    }
    trial.browser.close().await;
}

pub async fn a_permission_is_of_one_origin_and_one_context(driver: &Driver) {
    let (trial, site, other_site) = (Trial::start(driver).await, Site::blank(), Site::blank());
    let (one, other) = (trial.new_context().await, trial.new_context().await);
    set(&*one, &site, Permission::Geolocation, Setting::Denied).await;

    let asked = trial.page_at(&*one, &site.url("/")).await;
    assert_eq!(state(&*asked, Permission::Geolocation).await, "denied");
    assert_ne!(state(&*asked, Permission::Midi).await, "granted");
    let elsewhere = trial.page_at(&*one, &other_site.url("/")).await;
    assert_eq!(state(&*elsewhere, Permission::Geolocation).await, "prompt");
    for context in [other, trial.browser.default_context()] {
        let page = trial.page_at(&*context, &site.url("/")).await;
        assert_eq!(state(&*page, Permission::Geolocation).await, "prompt");
    }
    trial.browser.close().await;
}

pub async fn every_permission_is_decided_about_or_is_not_supported(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let context = trial.new_context().await;
    let permissions = context.permissions().unwrap();
    let mut supported = HashSet::new();
    for permission in Permission::ALL.iter().copied() {
        match permissions.set(&site.origin(), permission, Setting::Denied).await {
            Ok(()) => drop(supported.insert(permission)),
            Err(DriverError::Unsupported(_)) => {}
            Err(error) => panic!("{permission}: {error}"),
        }
    }
    for permission in EVERYWHERE.into_iter().chain([Permission::ScreenWakeLock]) {
        assert!(supported.contains(&permission), "{permission}");
    }
    for permission in NOT_IN_WEBKIT {
        assert_eq!(supported.contains(&permission), driver.engine != Engine::WebKit, "{permission}");
    }
    for permission in NOT_IN_FIREFOX {
        assert_eq!(supported.contains(&permission), driver.engine != Engine::Firefox, "{permission}");
    }
    let version = trial.browser.version();
    for permission in NOT_IN_EVERY_FIREFOX {
        match supported.contains(&permission) {
            true => assert!(!version.starts_with("Firefox/153."), "{permission} in {version}"),
            false => assert_eq!(driver.engine, Engine::Firefox, "{permission}"),
        }
    }
    // What is no origin is not a permission that is not supported.
    let wrong = permissions.set("nowhere", Permission::Geolocation, Setting::Denied).await;
    assert!(matches!(wrong, Err(DriverError::Refused { .. })), "{wrong:?}");
    trial.browser.close().await;
}
