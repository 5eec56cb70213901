//! What the sites of a context may do.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Feature, Permission, Permissions, Result, Setting};

use crate::{contexts::WebKitContext, lifecycle::ask, protocol::host::SetPermission};

#[async_trait]
impl Permissions for WebKitContext {
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()> {
        // Those that WebKitGTK asks its program for.
        if !matches!(
            permission,
            Permission::Geolocation
                | Permission::Notifications
                | Permission::ClipboardRead
                | Permission::Camera
                | Permission::Microphone
                | Permission::PointerLock
                | Permission::ScreenWakeLock
                | Permission::StorageAccess
        ) {
            return Err(DriverError::Unsupported(Feature::Permission));
        }
        if !url::Url::parse(origin).is_ok_and(|url| url.has_host()) {
            return Err(DriverError::Refused {
                command: "Host.setPermission",
                message: "not a valid origin".into(),
            });
        }
        let granted = match setting {
            Setting::Granted => Some(true),
            Setting::Denied => Some(false),
            Setting::Undecided => None,
        };
        let command = SetPermission { context: &self.name, origin, name: permission.as_str(), granted };
        ask(&self.root, &command).await.map(drop)
    }
}
