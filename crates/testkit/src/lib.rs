//! Tests a server from outside.
//!
//! A [`Client`] starts a server and speaks MCP to it, like any client. A [`Site`] serves [`Page`]s on loopback. The
//! demo, the benchmarks and the generated reference share them. [`ForeignText`] is for tests of parsers.
//!
//! Everything here blocks, one request at a time, with a timeout on every wait.

mod client;
mod error;
mod foreign_text;
mod messages;
mod site;

pub use client::{Client, Reply};
pub use error::TrialError;
pub use foreign_text::ForeignText;
pub use messages::Messages;
pub use site::{Page, Site};
