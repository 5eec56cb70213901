//! What the host understands, by hand: only what is used. [`host`] is its own; the other modules are domains of WebKit's
//! inspector protocol, named as in `Source/JavaScriptCore/inspector/protocol` of WebKit. These modules import nothing of the
//! driver around them. Replies and events keep only the fields that are read; unknown ones are ignored.

pub(crate) mod console;
pub(crate) mod dom;
pub(crate) mod host;
mod host_events;
pub(crate) mod network;
pub(crate) mod page;
pub(crate) mod runtime;

pub(crate) use cicerone_wire::commands;
