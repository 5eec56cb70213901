//! The Chrome DevTools Protocol, by hand: only what is used, one module a domain, named as the
//! specification names it. These modules import nothing of the driver around them. Replies and events keep
//! only the fields that are read; unknown ones are ignored.

pub(crate) mod browser;
pub(crate) mod dom;
pub(crate) mod emulation;
pub(crate) mod extensions;
pub(crate) mod fetch;
pub(crate) mod input;
pub(crate) mod io;
pub(crate) mod log;
pub(crate) mod network;
pub(crate) mod page;
pub(crate) mod runtime;
pub(crate) mod storage;
pub(crate) mod target;
pub(crate) mod tracing;

pub(crate) use cicerone_wire::commands;
