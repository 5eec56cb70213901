//! The person's own Chrome, through an extension.
//!
//! [`Installation`] is the extension's directory, which Chrome loads as it is. A [`Bridge`] listens on a loopback port and writes
//! port and token into that directory ([`registry`]); the extension finds them there, connects, and both sides prove that
//! they know the token ([`pairing`]). What comes after that is the Chrome DevTools Protocol, so the
//! [`ExtensionLauncher`] hands the connection to the driver of Chromium.

mod admission;
mod bridge;
mod installation;
mod launcher;
mod pairing;
mod registry;
mod socket;

pub use bridge::{Bridge, BridgeError, Paired};
pub use installation::{ID, Installation};
pub use launcher::ExtensionLauncher;
