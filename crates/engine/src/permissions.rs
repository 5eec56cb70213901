//! Permissions of origins in a context. The context keeps them across browser restarts.

use cicerone_driver::{Context as Driver, DriverError, Permission, Setting};

use crate::{Context, EmulationError, Error, Result, page::parts::Permissions, session::lock};

/// A permission setting of an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    origin: String,
    permission: Permission,
    setting: Setting,
}

impl Permissions<'_> {
    /// Sets permissions of an origin, and verifies them if this page has that origin. If one fails, the
    /// others are restored.
    pub async fn set_permissions(self, origin: &str, settings: &[(Permission, Setting)]) -> Result<()> {
        let context = self.page.context().ok_or(Error::TabClosed)?;
        context.set_permissions(origin, settings).await?;
        if self.page.origin().is_none_or(|own| own != origin) {
            return Ok(());
        }
        let settings: Vec<_> = last_of_each(settings).collect();
        let names: Vec<&str> = settings.iter().map(|(permission, _)| permission.as_str()).collect();
        let states = self.permission_states(&names).await?;
        for ((permission, setting), state) in settings.into_iter().zip(states) {
            if let Some(state) = state.filter(|state| state != setting.as_str()) {
                let (what, requested) = (permission.as_str(), setting.as_str().to_owned());
                return Err(EmulationError::NotEmulated { what, requested, observed: state }.into());
            }
        }
        Ok(())
    }
}

/// The last setting of each permission.
fn last_of_each(settings: &[(Permission, Setting)]) -> impl Iterator<Item = (Permission, Setting)> + '_ {
    let last = |permission| settings.iter().rev().find(|(other, _)| *other == permission);
    settings.iter().filter_map(move |(permission, _)| last(*permission).copied())
}

impl Context {
    async fn set_permissions(&self, origin: &str, settings: &[(Permission, Setting)]) -> Result<()> {
        let driver = self.make().await?;
        let mut undo = Vec::new();
        for (permission, setting) in settings {
            undo.push((*permission, self.setting_of(origin, *permission)));
            if let Err(error) = self.set_permission(driver.as_ref(), origin, *permission, *setting).await {
                for (permission, setting) in undo.into_iter().rev().skip(1) {
                    self.set_permission(driver.as_ref(), origin, permission, setting).await?;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// The current setting.
    fn setting_of(&self, origin: &str, permission: Permission) -> Setting {
        let decisions = lock(self.decisions());
        let same = |decision: &&Decision| decision.origin == origin && decision.permission == permission;
        decisions.iter().find(same).map_or(Setting::Undecided, |decision| decision.setting)
    }

    async fn set_permission(
        &self,
        driver: &dyn Driver,
        origin: &str,
        permission: Permission,
        setting: Setting,
    ) -> Result<()> {
        let unsupported = EmulationError::PermissionUnsupported(permission);
        let permissions = driver.permissions().ok_or_else(|| unsupported.clone())?;
        let set = self.answered(permissions.set(origin, permission, setting)).await;
        set.map_err(|error| match error {
            Error::Unsupported(_) => unsupported.into(),
            // The origin is valid, so the browser refused the permission.
            Error::Driver(DriverError::Refused { message, .. }) => {
                EmulationError::PermissionRefused { permission, origin: origin.to_owned(), reason: message }
                    .into()
            }
            other => other,
        })?;
        let mut decisions = lock(self.decisions());
        decisions.retain(|decision| decision.origin != origin || decision.permission != permission);
        if setting != Setting::Undecided {
            decisions.push(Decision { origin: origin.to_owned(), permission, setting });
        }
        Ok(())
    }

    /// Applies the settings to a restarted browser.
    pub(crate) async fn restore_permissions(&self, driver: &dyn Driver) -> Result<()> {
        let decisions = lock(self.decisions()).clone();
        for Decision { origin, permission, setting } in decisions {
            self.set_permission(driver, &origin, permission, setting).await?;
        }
        Ok(())
    }
}
