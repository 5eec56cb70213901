//! What the sites of a context may do.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Permission, Permissions, Result, Setting};
use cicerone_wire::WireError;

use crate::{
    contexts::FirefoxContext,
    page::failed,
    protocol::permissions::{PermissionDescriptor, SetPermission},
};

/// What the browser says of permissions that it knows, and does not let anybody set.
const UNSUPPORTED: [&str; 2] = ["unsupported operation", "unknown command"];

#[async_trait]
impl Permissions for FirefoxContext {
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()> {
        let unsupported = Err(DriverError::Unsupported("decide about this permission"));
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

/// Whether Firefox has a permission of this name. Other names it takes for mistakes of ours, like origins that are none.
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
