//! The Model Context Protocol, on the official SDK.
//!
//! A [`Server`] answers the protocol's requests with the tools of a toolbox. [`serve_stdio`] runs one on standard
//! input and output, [`serve_socket`] one for all who come to a socket, both over a transport of our own ([`lines`])
//! that answers what is no message instead of dropping it. A [`Caller`] is a client for single calls. Only this crate
//! knows JSON-RPC, and only the transport writes to standard output.

mod caller;
mod lines;
mod listed;
mod log;
mod request_id;
mod server;
#[cfg(unix)]
mod socket;
mod stdio;

pub use caller::{CallError, Caller, LONGEST_SILENCE};
pub use listed::listed;
pub use log::{ClientLog, client_log};
pub use server::Server;
#[cfg(unix)]
pub use socket::serve_socket;
pub use stdio::serve_stdio;
