//! What every browser needs on this machine, whatever protocol it speaks: a [`Profile`] that is its own and goes when it
//! should, and a [`Process`] that ends with all its children. [`keep`] is what cleans up when this program is killed.

mod claim;
mod copy;
mod environment;
mod private;
mod process;
mod profile;
mod user_js;
mod version;

use std::sync::Arc;

use cicerone_driver::LaunchError;

pub use environment::inherit_little;
pub use private::others_can_enter;
pub use process::{LastWords, Process};
pub use profile::{Profile, ProfileLock, keep};
pub use user_js::add_preferences;
pub use version::reported_version;

/// For `map_err`: what was tried.
pub fn io(action: &'static str) -> impl Fn(std::io::Error) -> LaunchError {
    move |source| LaunchError::Io { action, source: Arc::new(source) }
}

/// Whether there is somewhere to show a window.
pub fn has_display() -> bool {
    let told = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || told("DISPLAY") || told("WAYLAND_DISPLAY")
}
