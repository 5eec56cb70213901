//! What it takes to try a server from outside.
//!
//! A [`Client`] starts a server and speaks the Model Context Protocol to it, as any client would. A [`Site`] serves
//! [`Page`]s on loopback. The demonstration, the benchmarks and the generated reference share them.
//!
//! Everything here blocks, one request at a time, with a limit on every wait.

mod client;
mod error;
mod messages;
mod site;

pub use client::{Client, Reply};
pub use error::TrialError;
pub use messages::Messages;
pub use site::{Page, Site};
