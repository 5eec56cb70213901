//! What the sites of a context may do.

use std::collections::HashSet;

use crate::{Driver, Trial, site::Site, value};
use cicerone_driver::{Context, DriverError, PageDriver, Permission, Setting};

/// Permissions that every engine lets us decide about.
const EVERYWHERE: [Permission; 2] = [Permission::Geolocation, Permission::Notifications];

/// Permissions that most engines have.
const NEARLY_EVERYWHERE: [Permission; 2] = [Permission::PersistentStorage, Permission::Midi];

/// Permissions that an engine has, or lacks in all versions.
const KNOWN_OF_EACH_ENGINE: [Permission; 6] = [
    Permission::ClipboardRead,
    Permission::ClipboardWrite,
    Permission::Midi,
    Permission::PersistentStorage,
    Permission::Push,
    Permission::ScreenWakeLock,
];

/// Permissions that some engines have in newer versions only.
const IN_NEWER_VERSIONS: [Permission; 3] =
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
    for permission in EVERYWHERE.into_iter().chain(NEARLY_EVERYWHERE) {
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
    for permission in EVERYWHERE.into_iter().chain(KNOWN_OF_EACH_ENGINE) {
        let is_lacked = driver.lacks_permissions.contains(&permission);
        assert_eq!(supported.contains(&permission), !is_lacked, "{permission}");
    }
    for permission in IN_NEWER_VERSIONS {
        let may_be_lacked = driver.may_lack_permissions.contains(&permission);
        assert!(supported.contains(&permission) || may_be_lacked, "{permission}");
    }
    // An invalid origin is refused; that is another error than an unsupported permission.
    let wrong = permissions.set("nowhere", Permission::Geolocation, Setting::Denied).await;
    assert!(matches!(wrong, Err(DriverError::Refused { .. })), "{wrong:?}");
    trial.browser.close().await;
}
