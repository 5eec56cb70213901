//! What every browser needs on this machine, whatever its protocol: an exclusive [`Profile`] that is deleted in time,
//! and a [`Process`] that ends with all its children. [`janitor`] cleans up if this program is killed.

mod copy;
mod environment;
mod private;
mod process;
mod profile;
mod profile_lock;
mod user_js;
mod version;

use std::sync::Arc;

use cicerone_driver::LaunchError;

pub use environment::inherit_little;
pub use private::others_can_enter;
pub use process::{Process, StderrTail};
pub use profile::{Profile, ProfileLock, janitor};
pub use user_js::{add_preferences, remove_preferences};
pub use version::reported_version;

/// For `map_err`: the failed operation.
pub fn io(action: &'static str) -> impl Fn(std::io::Error) -> LaunchError {
    move |source| LaunchError::Io { action, source: Arc::new(source) }
}

/// Whether there is a display for windows.
pub fn has_display() -> bool {
    let told = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || told("DISPLAY") || told("WAYLAND_DISPLAY")
}
