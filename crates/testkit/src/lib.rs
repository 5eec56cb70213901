//! Tests a server from outside.
//!
//! A [`Client`] starts a server and speaks MCP to it, like any client. A [`Site`] serves [`Page`]s on loopback. The
//! demo, the benchmarks and the generated reference share them.
//!
//! Everything here blocks, one request at a time, with a timeout on every wait.

mod client;
mod error;
mod messages;
mod site;

pub use client::{Client, Reply};
pub use error::TrialError;
pub use messages::Messages;
pub use site::{Page, Site};
