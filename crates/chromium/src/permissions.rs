//! Permissions of a context's sites.

use async_trait::async_trait;
use cicerone_driver::{Permission, Permissions, Result, Setting};

use crate::{
    contexts::ChromiumContext,
    page::failed,
    protocol::browser::{PermissionDescriptor, SetPermission},
};

#[async_trait]
impl Permissions for ChromiumContext {
    async fn set(&self, origin: &str, permission: Permission, setting: Setting) -> Result<()> {
        let command = SetPermission {
            permission: PermissionDescriptor {
                name: permission.as_str(),
                user_visible_only: permission == Permission::Push,
            },
            setting: setting.as_str(),
            origin,
            browser_context_id: self.name(),
        };
        self.place.root.send(&command).await.map(drop).map_err(failed)
    }
}
