//! Permissions of a context's sites.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Feature, Permission, Permissions, Result, Setting};
use cicerone_wire::WireError;

use crate::{
    contexts::FirefoxContext,
    page::failed,
    protocol::permissions::{PermissionDescriptor, SetPermission},
};

/// The browser's error for permissions that it knows but does not allow to set.
const UNSUPPORTED: [&str; 2] = ["unsupported operation", "unknown command"];

#[async_trait]
impl Permissions for FirefoxContext {
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()> {
        let unsupported = Err(DriverError::Unsupported(Feature::Permission));
        if !has(permission) {
            return unsupported;
        }
        let command = SetPermission {
            descriptor: PermissionDescriptor { name: permission.as_str() },
            state: setting.as_str(),
            origin,
            user_context: &self.id,
        };
        match self.root.send(&command).await {
            Ok(_) => Ok(()),
            Err(WireError::Refused { kind, .. }) if UNSUPPORTED.contains(&kind.as_str()) => unsupported,
            Err(error) => Err(failed(error)),
        }
    }
}

/// Whether Firefox knows a permission of this name. It reports others as invalid arguments, like invalid
/// origins.
fn has(permission: Permission) -> bool {
    use Permission::{
        Camera, Geolocation, Microphone, Midi, Notifications, PersistentStorage, Push, ScreenWakeLock,
        StorageAccess,
    };
    matches!(
        permission,
        Camera
            | Geolocation
            | Microphone
            | Midi
            | Notifications
            | PersistentStorage
            | Push
            | ScreenWakeLock
            | StorageAccess
    )
}
