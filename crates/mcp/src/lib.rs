//! The Model Context Protocol, on the official SDK.
//!
//! A [`Server`] answers the protocol's requests with the tools of a toolbox. [`serve_stdio`] runs one on standard
//! input and output, over a transport of our own ([`stdio`]) that answers what is no message instead of dropping
//! it. Only this crate knows JSON-RPC, and only the transport writes to standard output.

mod log;
mod server;
mod stdio;

pub use log::{ClientLog, client_log};
pub use server::Server;
pub use stdio::serve_stdio;
