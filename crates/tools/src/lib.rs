//! Capabilities, and the dialects that they are offered in.
//!
//! A [`Capability`] is one thing that can be done, typed: its arguments are its fields, its [`Scope`] says what must
//! be there before it runs, its output says what came of it. A [`Face`] is one dialect's row for it: a name, the
//! arguments that fill the fields, a sentence for the output. A [`Dialect`] is one published interface; its voice
//! decides what a reply contains besides the sentence. The [`Toolbox`] holds the faces of the dialects in use and calls
//! them by name.
//!
//! A capability's file holds all of it: arguments, behaviour, faces. Removing the file and its two lines in
//! `capability/mod.rs` removes the capability.

mod argument;
mod bad_arguments;
mod call;
mod capability;
mod dialect;
mod ending;
mod face;
mod message;
mod newest;
mod output;
pub mod prompt;
pub mod question;
mod reply;
pub mod resource;
mod scope;
mod toolbox;

pub use argument::Argument;
pub use bad_arguments::BadArguments;
pub use call::{Call, ImageResponses, InstallFailed, Installer, Progress, Settings};
pub use dialect::Dialect;
pub use face::{Effect, Face};
pub use message::{ErrorName, Message};
pub use output::Output;
pub use reply::{Image, Reply};
pub use scope::Scope;
pub use toolbox::{Cap, Listing, Needs, Toolbox, UnknownTool};

pub use capability::Capability;
