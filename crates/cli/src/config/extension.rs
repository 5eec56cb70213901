//! The option for the person's own Chrome, and what cannot be said together with it.

use cicerone_bridge::Installation;
use clap::{ArgAction, Args};

use super::{BadConfiguration, Flags, ProfileLock};
use crate::serve::data_directory;

/// The person's own browser.
#[derive(Args)]
pub(crate) struct ExtensionFlags {
    /// Use your own Chrome, through its extension: see `cicerone extension install`
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    extension: bool,
}

/// Where the extension's files are. Nothing where this user has no directory for data.
pub(crate) fn installation() -> Option<Installation> {
    data_directory().map(|data| Installation::at(data.join("cicerone/extension")))
}

impl Flags {
    /// Whether the person's own Chrome is used.
    pub(crate) fn uses_extension(&self) -> bool {
        self.own.extension
    }

    /// Refuses what means nothing in a browser that the person started, or could not be enforced there.
    pub(super) fn check_extension(&self) -> Result<(), BadConfiguration> {
        if !self.uses_extension() {
            return Ok(());
        }
        let meaningless = [
            ("endpoint", self.attacher().is_some()),
            ("browser", self.browser != cicerone_install::Engine::Chromium),
            ("headed", self.headed),
            ("executable-path", self.executable_path.is_some()),
            ("user-data-dir", self.user_data_dir.is_some()),
            ("profile-lock", self.profile_lock != ProfileLock::Copy),
            ("system-access", self.system_access),
            ("allow-shared-sessions", self.allow_shared_sessions),
        ];
        if let Some((option, _)) = meaningless.into_iter().find(|(_, is_given)| *is_given) {
            return Err(BadConfiguration::NotWithExtension { option });
        }
        match self.needs_relay() {
            Some(option) => Err(BadConfiguration::NotEnforcedByExtension { option }),
            None => Ok(()),
        }
    }
}
