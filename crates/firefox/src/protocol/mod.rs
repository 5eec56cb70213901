//! WebDriver BiDi, by hand: only what is used, one module each, named as the specification names it
//! (<https://w3c.github.io/webdriver-bidi/>). These modules import nothing of the driver around them. Replies and
//! events keep only the fields that are read; unknown ones are ignored.

pub(crate) mod browser;
pub(crate) mod browsing_context;
pub(crate) mod emulation;
pub(crate) mod input;
pub(crate) mod log;
pub(crate) mod network;
pub(crate) mod permissions;
pub(crate) mod script;
pub(crate) mod session;
pub(crate) mod storage;

pub(crate) use cicerone_wire::commands;
